"""Small numbers, a byte for each of a few documents, all compared at once: as one long integer.

They stay below 128, so that the highest bit of each byte is free to tell which of two is the larger.
"""

from __future__ import annotations

_HIGHEST = b"\x80"


def larger(one: bytes, other: bytes) -> bytes:
    """The larger of two numbers of each document.

    Args:
        one: Numbers below 128.
        other: As many others.
    """
    a, b, is_a = _compared(one, other)
    return (b ^ (a ^ b) & is_a).to_bytes(len(one), "little")


def smaller(one: bytes, other: bytes) -> bytes:
    """The smaller of two numbers of each document; the arguments are those of `larger`."""
    a, b, is_a = _compared(one, other)
    return (a ^ (a ^ b) & is_a).to_bytes(len(one), "little")


def _compared(one: bytes, other: bytes) -> tuple[int, int, int]:
    """Both as integers, and the lower bits of all bytes of which the first is not the smaller."""
    a, b = int.from_bytes(one, "little"), int.from_bytes(other, "little")
    highest = int.from_bytes(_HIGHEST * len(one), "little")
    is_a = (a | highest) - b & highest
    return a, b, is_a - (is_a >> 7)
