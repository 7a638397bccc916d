"""What all forms of a list of postings have in common; `catalog.postings` says what they are."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from itertools import repeat

from fingerpost.catalog import planes
from fingerpost.catalog.planes import Planes
from fingerpost.catalog.ranking import IN_HEADER

MOST_DOCUMENTS = 1 << 24
FAR = MOST_DOCUMENTS - 64
"""The number of every document is below this."""

DENSE, HAS_IMPACTS = 8, 16
"""Bits of the first byte of a list."""

BY_HEADER = bytes(IN_HEADER) + bytes([1]) * (256 - IN_HEADER)
"""Impacts to whether they say that the term stands in the header."""

_DENSE = 16  # of so many documents, one: then a list is kept as sets and no longer as numbers
_NUMBER_SIZE = 40
_FEW = 40  # documents whose impacts are kept by number from the start
_MANY, _OFTEN = 1000, 5  # so many are once the list was asked so many times
_PAIR_SIZE = 100
_NONE = repeat(0)


class Postings:
    """A list of postings as it was stored, with what was worked out of it; `postings.read` makes one.

    A process keeps thousands of them, so each has few other objects for the garbage collector to look after.

    Attributes:
        count: How many documents it has.
    """

    __slots__ = ("_asked", "_bits", "_blob", "_by_number", "_planes", "count")
    count: int
    _bits: int | None
    _by_number: dict[int, int] | None
    _planes: Planes | None

    def __init__(self, blob: bytes) -> None:
        self._blob = blob
        self._bits = self._by_number = self._planes = None
        self._asked = 0

    def size(self, documents: int) -> int:
        """The bytes that it takes in memory, roughly, once its sets and planes were worked out.

        Args:
            documents: How many documents the index has.
        """
        sets = 10 if self.count * _DENSE > documents else 3
        few = self.count <= _MANY
        numbers = _PAIR_SIZE * self.count if few else _NUMBER_SIZE * min(self.count, documents // _DENSE)
        return 300 + len(self._blob) + sets * documents // 8 + numbers

    @property
    def bits(self) -> int:
        """All documents, as a bitset."""
        if self._bits is None:
            self._bits = self._read_bits()
        return self._bits

    @property
    def numbers(self) -> list[int]:
        """All documents, ascending. They are worked out each time."""
        raise NotImplementedError

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
        if self._by_number is None:
            self._asked += 1
            if self.count > (_FEW if self._asked < _OFTEN else _MANY):
                return self._find_impacts(numbers)
            self._by_number = dict(self.items())
        return list(map(self._by_number.get, numbers, _NONE))

    @property
    def planes(self) -> Planes:
        """What the list adds to the score of each document, by its bits."""
        if self._planes is None:
            self._planes = self._read_planes()
        return self._planes

    def items(self) -> Iterable[tuple[int, int]]:
        """Each document with its impact, ascending."""
        return zip(self.numbers, self.impacts or repeat(0), strict=False)

    def part(self) -> tuple[array[int], bytes]:
        """The whole list, as `encode` and `merge` take it."""
        return array("I", self.numbers), self.impacts

    def _read_bits(self) -> int:
        raise NotImplementedError

    def _read_planes(self) -> Planes:
        return planes.of(self.bits, self.impacts)

    def _find_impacts(self, numbers: Sequence[int]) -> list[int]:
        """What `impacts_of` answers, from the list as it is stored."""
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
