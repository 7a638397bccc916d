"""Lists of few documents among many: the gaps between them."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, compress
from operator import sub

from fingerpost.catalog import bitsets
from fingerpost.catalog.lists import (
    BY_HEADER,
    HAS_IMPACTS,
    MOST_DOCUMENTS,
    Postings,
    array_of,
    bytes_of,
    damaged,
    disordered,
)

NOTHING = b"\0"
"""The list of no document."""

_GAP_CODES = {1: "B", 2: "H", 4: "I"}
# The lowest bits of the first byte are the width of the gaps, the highest how many bytes the first
# number takes beyond one.
_WIDTH, _SIZE_SHIFT = 7, 5


class Sparse(Postings):
    """A list in the sparse form."""

    __slots__ = ("_first", "_gap", "_gaps_end", "_known", "_start")

    def __init__(self, blob: bytes) -> None:
        super().__init__(blob)
        self._known: list[int] | None = None
        if blob == NOTHING:
            self.count, self._gaps_end = 0, 1
            return
        kind = blob[0]
        self._start = start = (kind >> _SIZE_SHIFT) + 2
        self._gap = gap = kind & _WIDTH
        self._first = int.from_bytes(blob[1:start], "little")
        each = gap + 1 if kind & HAS_IMPACTS else gap
        self.count, odd = divmod(len(blob) - start + gap, each) if gap in _GAP_CODES else (0, 0)
        if odd or self.count < 1:
            raise damaged("their length is wrong")
        self._gaps_end = start + (self.count - 1) * gap

    @property
    def numbers(self) -> list[int]:
        """See `Postings.numbers`."""
        if not self.count:
            return []
        stored = self._blob[self._start : self._gaps_end]
        gaps = stored if self._gap == 1 else array_of(_GAP_CODES[self._gap], stored)
        numbers = list(accumulate(gaps, initial=self._first))
        if numbers[-1] >= MOST_DOCUMENTS:
            raise damaged("their numbers are wrong")
        return numbers

    @property
    def header_bits(self) -> int:
        """See `Postings.header_bits`."""
        return bitsets.of(list(compress(self.numbers, self.impacts.translate(BY_HEADER))))

    @property
    def impacts(self) -> bytes:
        """See `Postings.impacts`."""
        return self._blob[self._gaps_end :]

    def _find_impacts(self, numbers: Sequence[int]) -> list[int]:
        impacts = self.impacts
        if not impacts:
            return [0] * len(numbers)
        if self._known is None:
            self._known = self.numbers
        known = self._known
        count = len(known)
        return [
            impacts[place] if (place := bisect_left(known, number)) < count and known[place] == number else 0
            for number in numbers
        ]

    def _read_bits(self) -> int:
        numbers = self.numbers
        return bitsets.of(numbers, numbers[-1] + 1) if numbers else 0


def sparse(width: int, first: int, gaps: bytes, impacts: bytes) -> bytes:
    """A list in the sparse form.

    Args:
        width: The bytes of a gap: 1, 2 or 4.
        first: The first document.
        gaps: From each document to the next one.
        impacts: The impacts.
    """
    size = 1 if first < 1 << 8 else 2 if first < 1 << 16 else 3
    kind = width | size - 1 << _SIZE_SHIFT | (HAS_IMPACTS if impacts else 0)
    return (first << 8 | kind).to_bytes(size + 1, "little") + gaps + impacts


def encode_sparse(numbers: array[int], impacts: bytes) -> bytes:
    """Store a list in the sparse form; see `postings.encode`."""
    gaps = list(map(sub, numbers[1:], numbers))
    if min(gaps, default=1) < 1:
        raise disordered()
    widest = max(gaps, default=1)
    width = 1 if widest < 1 << 8 else 2 if widest < 1 << 16 else 4
    return sparse(width, numbers[0], bytes_of(array(_GAP_CODES[width], gaps)), impacts)
