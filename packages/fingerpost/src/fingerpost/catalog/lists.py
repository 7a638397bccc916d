"""What all forms of a list of postings have in common; `catalog.postings` says what they are."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from itertools import repeat

from fingerpost.catalog import planes
from fingerpost.catalog.ranking import IN_HEADER

MOST_DOCUMENTS = 1 << 24
FAR = MOST_DOCUMENTS - 64
"""The number of every document is below this."""

DENSE, HAS_IMPACTS = 8, 16
"""Bits of the first byte of a list."""

BY_HEADER = bytes(IN_HEADER) + bytes([1]) * (256 - IN_HEADER)
"""Impacts to whether they say that the term stands in the header."""


class Postings:
    """A list of postings as it was stored; `postings.read` makes one.

    Attributes:
        count: How many documents it has.
    """

    __slots__ = ("_bits", "_blob", "_numbers", "count")
    count: int
    _bits: int | None
    _numbers: list[int] | None

    def __init__(self, blob: bytes) -> None:
        self._blob = blob
        self._bits = self._numbers = None

    @property
    def bits(self) -> int:
        """All documents, as a bitset."""
        if self._bits is None:
            self._bits = self._read_bits()
        return self._bits

    @property
    def numbers(self) -> list[int]:
        """All documents, ascending."""
        if self._numbers is None:
            self._numbers = self._read_numbers()
        return self._numbers

    @property
    def header_bits(self) -> int:
        """The documents whose header has the term, as a bitset."""
        raise NotImplementedError

    @property
    def impacts(self) -> bytes:
        """The impacts, in the order of `numbers`; empty when none were stored."""
        raise NotImplementedError

    def impacts_of(self, numbers: Sequence[int]) -> list[int]:
        """The impact of each of some documents, 0 when it is not in the list.

        Args:
            numbers: The documents.
        """
        raise NotImplementedError

    def planes(self) -> planes.Planes:
        """What the list adds to the score of each document, by its bits."""
        return planes.of(self.bits, self.impacts)

    def items(self) -> Iterable[tuple[int, int]]:
        """Each document with its impact, ascending."""
        return zip(self.numbers, self.impacts or repeat(0), strict=False)

    def part(self) -> tuple[array[int], bytes]:
        """The whole list, as `encode` and `merge` take it."""
        return array("I", self.numbers), self.impacts

    def _read_bits(self) -> int:
        raise NotImplementedError

    def _read_numbers(self) -> list[int]:
        raise NotImplementedError


def array_of(code: str, stored: bytes) -> array[int]:
    """The numbers of a kind that were stored."""
    read: array[int] = array(code)
    read.frombytes(stored)
    if sys.byteorder == "big":
        read.byteswap()
    return read


def bytes_of(values: array[int]) -> bytes:
    """Numbers as they are stored; they are of no more use after that."""
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def disordered() -> ValueError:
    """What is wrong with documents in the wrong order."""
    return ValueError("The documents of a list must ascend; sort them and drop repeats.")


def damaged(what: str) -> ValueError:
    """What is wrong with a list that makes no sense."""
    return ValueError(f"The postings of a term are damaged, {what}; the index has to be built anew.")
