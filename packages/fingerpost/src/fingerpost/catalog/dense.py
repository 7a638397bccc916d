"""Lists of many documents: bitsets of them, and of the bits of their impacts."""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Sequence
from itertools import accumulate, compress

from fingerpost.catalog import bitsets, planes
from fingerpost.catalog.lists import (
    BY_HEADER,
    DENSE,
    HAS_IMPACTS,
    MOST_DOCUMENTS,
    Postings,
    array_of,
    bytes_of,
    damaged,
    disordered,
)

PLANAR = DENSE | HAS_IMPACTS | 1
"""The first byte of a planar list."""

_HEAD = struct.Struct("<BIIII")
_WORD = 64
_WINDOW, _MEMORY = -12, 5  # what is compressed is short, and a small compressor is soon made
_THINNEST_PLANAR = 3
_SMALL = 256  # bytes of a bitset that is not worth compressing
_SHORT = 4096  # bits of a bitset in which to count those that follow takes no longer than to look up a rank
_RANK_SIZES = {"H": 2, "I": 4}


class _Members(Postings):
    """What both forms begin with: a head, and the documents as a bitset."""

    __slots__ = ("_first", "_header_size", "_members_end", "_word_count")

    def __init__(self, blob: bytes) -> None:
        super().__init__(blob)
        if len(blob) < _HEAD.size:
            raise damaged("their kind is unknown")
        self._first: int
        self._word_count: int
        self._header_size: int
        _, self._first, self._word_count, self.count, self._header_size = _HEAD.unpack_from(blob)
        self._members_end = _HEAD.size + self._word_count * 8
        last = self._first + self._word_count * _WORD
        if last > MOST_DOCUMENTS or not 0 < self.count <= self._word_count * _WORD:
            raise damaged("their numbers are wrong")

    def _read_bits(self) -> int:
        return int.from_bytes(self._blob[_HEAD.size : self._members_end], "little") << self._first


class Dense(_Members):
    """A list in the dense form."""

    __slots__ = ("_header", "_header_end", "_rank_code", "_ranks", "_ranks_end", "_span", "_words")

    def __init__(self, blob: bytes) -> None:
        super().__init__(blob)
        has_impacts = blob[0] & HAS_IMPACTS
        if blob[0] & ~HAS_IMPACTS != DENSE:
            raise damaged("their kind is unknown")
        words = self._word_count
        self._rank_code = _rank_code(self.count)
        self._header_end = self._members_end + self._header_size
        self._ranks_end = self._header_end + (words * _RANK_SIZES[self._rank_code] if has_impacts else 0)
        if len(blob) != self._ranks_end + (self.count if has_impacts else 0):
            raise damaged("their length is wrong")
        # Without impacts no document is within the span of those that have one.
        self._span = words * _WORD if has_impacts else 0
        self._header: int | None = None
        self._words: Sequence[int] | None = None
        self._ranks: Sequence[int] = ()

    @property
    def header_bits(self) -> int:
        """See `Postings.header_bits`."""
        if self._header is None:
            stored = self._blob[self._members_end : self._header_end]
            size = self._members_end - _HEAD.size
            try:
                members = zlib.decompress(stored, _WINDOW) if 0 < len(stored) < size else stored
            except zlib.error:
                raise damaged("what is compressed makes no sense") from None
            if len(members) > size:
                raise damaged("their header is too long")
            self._header = int.from_bytes(members, "little") << self._first
        return self._header

    @property
    def impacts(self) -> bytes:
        """See `Postings.impacts`."""
        return self._blob[self._ranks_end :]

    def _find_impacts(self, numbers: Sequence[int]) -> list[int]:
        return self._find_by_bits(numbers) if self._span <= _SHORT else self._find_by_ranks(numbers)

    def _find_by_bits(self, numbers: Sequence[int]) -> list[int]:
        impacts, bits, first, span = self.impacts, self.bits >> self._first, self._first, self._span
        count = bits.bit_count()
        if span and count != len(impacts):
            raise damaged("their count is wrong")
        return [
            impacts[count - following.bit_count()]
            if 0 <= (place := number - first) < span and (following := bits >> place) & 1
            else 0
            for number in numbers
        ]

    def _find_by_ranks(self, numbers: Sequence[int]) -> list[int]:
        words = self._words or self._read_ranks()
        ranks, first, span, blob, end = self._ranks, self._first, self._span, self._blob, self._ranks_end
        found: list[int] = []
        for number in numbers:
            place = number - first
            if 0 <= place < span and (word := words[place >> 6]) & (bit := 1 << (place & 63)):
                rank = end + ranks[place >> 6] + (word & (bit - 1)).bit_count()
                if rank >= len(blob):
                    raise damaged("their ranks are wrong")
                found.append(blob[rank])
            else:
                found.append(0)
        return found

    @property
    def numbers(self) -> list[int]:
        """See `Postings.numbers`."""
        numbers = bitsets.numbers(self.bits)
        if len(numbers) != self.count:
            raise damaged("their count is wrong")
        return numbers

    def _read_ranks(self) -> Sequence[int]:
        self._ranks = array_of(self._rank_code, self._blob[self._header_end : self._ranks_end])
        self._words = array_of("Q", self._blob[_HEAD.size : self._members_end])
        return self._words


class Planar(_Members):
    """A list in the planar form."""

    __slots__ = ("_eights",)

    def __init__(self, blob: bytes) -> None:
        super().__init__(blob)
        if len(blob) != self._members_end + self._word_count * _WORD:
            raise damaged("their length is wrong")
        self._eights: Sequence[int] | None = None

    @property
    def header_bits(self) -> int:
        """See `Postings.header_bits`."""
        return self._plane(7)

    @property
    def impacts(self) -> bytes:
        """See `Postings.impacts`."""
        return planes.transposed(self._blob[self._members_end :]).translate(None, b"\0")

    def _find_impacts(self, numbers: Sequence[int]) -> list[int]:
        eights = self._eights
        if eights is None:
            eights = self._eights = array_of("Q", self._blob[self._members_end :])
        first, span = self._first, 8 * len(eights)
        return [
            planes.of_one(eights[place >> 3], place & 7) if 0 <= (place := number - first) < span else 0
            for number in numbers
        ]

    def _read_planes(self) -> planes.Planes:
        return tuple(map(self._plane, range(planes.WIDTH)))

    def _plane(self, bit: int) -> int:
        return int.from_bytes(self._blob[self._members_end + bit :: 8], "little") << self._first

    @property
    def numbers(self) -> list[int]:
        """See `Postings.numbers`."""
        numbers = bitsets.numbers(self.bits)
        if len(numbers) != self.count or len(self.impacts) != self.count:
            raise damaged("their count is wrong")
        return numbers


def dense(numbers: array[int], impacts: bytes) -> bytes:
    """A list in the dense or planar form; the arguments are those of `postings.encode`, known to ascend."""
    first, last = numbers[0], numbers[-1]
    count, words = len(numbers), (last - first) // _WORD + 1
    bits = bitsets.of(numbers, last + 1) >> first
    if bits.bit_count() != count:
        raise disordered()
    members = bits.to_bytes(words * 8, "little")
    if not impacts:
        return _HEAD.pack(DENSE, first, words, count, 0) + members
    if count * _THINNEST_PLANAR > last - first and 0 not in impacts:
        by_bits = planes.transposed(planes.spread(numbers, impacts, first, words * _WORD))
        return _HEAD.pack(PLANAR, first, words, count, 0) + members + by_bits
    in_header = list(compress(numbers, impacts.translate(BY_HEADER)))
    header = _compressed((bitsets.of(in_header) >> first).to_bytes(words * 8, "little")) if in_header else b""
    held = map(int.bit_count, array_of("Q", members)[:-1])
    ranks = bytes_of(array(_rank_code(count), accumulate(held, initial=0)))
    head = _HEAD.pack(DENSE | HAS_IMPACTS, first, words, count, len(header))
    return b"".join((head, members, header, ranks, impacts))


def _compressed(members: bytes) -> bytes:
    """A bitset in fewer bytes, or as it is where that saves nothing to speak of."""
    if len(members) <= _SMALL:
        return members
    compressor = zlib.compressobj(1, zlib.DEFLATED, _WINDOW, _MEMORY)
    compressed = compressor.compress(members) + compressor.flush()
    return compressed if len(compressed) < len(members) else members


def _rank_code(count: int) -> str:
    """The kind of array that holds the ranks among so many."""
    return "H" if count < 1 << 16 else "I"
