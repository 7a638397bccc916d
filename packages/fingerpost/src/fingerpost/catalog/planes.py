"""A small number for each of many documents, kept as bit planes: plane `i` holds the documents with bit `i`.

A document that is in no plane has 0. As with `bitsets`, one operation serves all documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import compress

from fingerpost.catalog import bitsets
from fingerpost.catalog.ranking import STRENGTH_BITS

WIDTH = STRENGTH_BITS
"""Planes of a number: it is what an impact byte says of the score."""

Planes = tuple[int, ...]

NOTHING: Planes = (0,) * WIDTH

_THIN = 30  # of so many documents, one: then each plane is made by itself
_BITS = [bytes(value >> bit & 1 for value in range(256)) for bit in range(WIDTH)]
_SWAPS = ((7, "00aa00aa00aa00aa"), (14, "0000cccc0000cccc"), (28, "00000000f0f0f0f0"))
_LOWEST, _GATHER = 0x0101010101010101, 0x0102040810204080


def of(bits: int, values: bytes) -> Planes:
    """The planes of some documents.

    Args:
        bits: The documents.
        values: The number of each, in their order.
    """
    numbers, size = bitsets.numbers(bits), bits.bit_length()
    if len(values) * _THIN < size:
        return tuple(bitsets.of(list(compress(numbers, values.translate(wanted))), size) for wanted in _BITS)
    by_bits = transposed(spread(numbers, values, 0, (size + 7) // 8 * 8))
    return tuple([int.from_bytes(by_bits[bit::8], "little") for bit in range(WIDTH)])


def spread(numbers: Iterable[int], values: bytes, first: int, size: int) -> bytearray:
    """One byte for each document of a range, 0 for those that have no number.

    Args:
        numbers: The documents that have one.
        values: The number of each, in their order.
        first: The first document of the range.
        size: How many it has.
    """
    found = bytearray(size)
    for number, value in zip(numbers, values, strict=True):
        found[number - first] = value
    return found


def transposed(values: bytes | bytearray) -> bytes:
    """The lowest bits of eight bytes in one, the next in the next, and so on; twice gives the bytes again.

    All eights are turned at once, each as a square of bits: its halves change places, then the halves of
    those, then theirs.

    Args:
        values: Bytes, eight or a multiple of it.
    """
    bits = int.from_bytes(values, "little")
    for (shift, _), mask in zip(_SWAPS, _masks(len(values) // 8), strict=True):
        moved = (bits ^ bits >> shift) & mask
        bits ^= moved ^ moved << shift
    return bits.to_bytes(len(values), "little")


def of_one(eight: int, place: int) -> int:
    """The number of one document.

    Args:
        eight: The transposed bytes of eight documents, the first one lowest.
        place: Which of the eight.
    """
    return (eight >> place & _LOWEST) * _GATHER >> 56 & 0xFF


@lru_cache(maxsize=16)
def _masks(eights: int) -> tuple[int, ...]:
    return tuple([int.from_bytes(bytes.fromhex(mask) * eights, "big") for _, mask in _SWAPS])


def united(several: Iterable[Planes]) -> Planes:
    """The numbers of documents that stand each in one of several planes at most."""
    found = NOTHING
    for planes in several:
        found = tuple([one | other for one, other in zip(found, planes, strict=True)])
    return found


def among(planes: Planes, bits: int) -> Planes:
    """The numbers of the documents of a set, 0 for all others."""
    return tuple([plane & bits for plane in planes])


def larger(one: Planes, other: Planes) -> Planes:
    """The larger of two numbers of each document."""
    of_one = _exceeding(one, other)
    return tuple([b ^ (a ^ b) & of_one for a, b in zip(one, other, strict=True)])


def smaller(one: Planes, other: Planes) -> Planes:
    """The smaller of two numbers of each document."""
    of_other = _exceeding(one, other)
    return tuple([a ^ (a ^ b) & of_other for a, b in zip(one, other, strict=True)])


def _exceeding(one: Planes, other: Planes) -> int:
    """The documents whose first number is above the second."""
    above = below = 0
    for a, b in zip(reversed(one), reversed(other), strict=True):
        undecided = ~(above | below)
        above |= a & ~b & undecided
        below |= b & ~a & undecided
    return above


def add_to(sums: bitsets.Sum, planes: Planes, weight: int) -> None:
    """Add the numbers, times a weight, to sums."""
    for place, plane in enumerate(planes):
        sums.add(plane, weight << place)
