"""A small number for each of many documents, kept as bit planes: plane `i` holds the documents with bit `i`.

A document that is in no plane has 0. As with `bitsets`, one operation serves all documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from fingerpost.catalog import bitsets
from fingerpost.catalog.ranking import STRENGTH_BITS

WIDTH = STRENGTH_BITS
"""Planes of a number: it is what an impact byte says of the score."""

Planes = tuple[int, ...]

NOTHING: Planes = (0,) * WIDTH

_THIN = 16  # of so many documents, one: then each plane is made by itself
_BITS = [bytes(value >> bit & 1 for value in range(256)) for bit in range(WIDTH)]
_DIGITS = [bytes(ord("0") + (value >> bit & 1) for value in range(256)) for bit in range(WIDTH)]


def of(bits: int, values: bytes) -> Planes:
    """The planes of some documents.

    Args:
        bits: The documents.
        values: The number of each, in their order.
    """
    size, count = bits.bit_length(), len(values)
    if count * _THIN < size:
        numbers = bitsets.numbers(bits)
        return tuple(bitsets.of(list(compress(numbers, values.translate(wanted))), size) for wanted in _BITS)
    dense = bytearray(size)
    for number, value in zip(compress(range(size), bitsets.flags(bits, size)), values, strict=True):
        dense[number] = value
    dense.reverse()
    return tuple(int(dense.translate(digits), 2) for digits in _DIGITS) if size else NOTHING


def united(several: Iterable[Planes]) -> Planes:
    """The numbers of documents that stand each in one of several planes at most."""
    found = NOTHING
    for planes in several:
        found = tuple(one | other for one, other in zip(found, planes, strict=True))
    return found


def among(planes: Planes, bits: int) -> Planes:
    """The numbers of the documents of a set, 0 for all others."""
    return tuple(plane & bits for plane in planes)


def larger(one: Planes, other: Planes) -> Planes:
    """The larger of two numbers of each document."""
    of_one = _exceeding(one, other)
    return tuple((a & of_one) | (b & ~of_one) for a, b in zip(one, other, strict=True))


def smaller(one: Planes, other: Planes) -> Planes:
    """The smaller of two numbers of each document."""
    of_other = _exceeding(one, other)
    return tuple((b & of_other) | (a & ~of_other) for a, b in zip(one, other, strict=True))


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
