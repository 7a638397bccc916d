"""Which documents of one segment hold a term, and how much each says about it: one blob for each term.

Each document has an impact, one byte whose high bit says that the term stands in the document's header.
A blob takes one of two forms, whichever is quicker to answer from:

sparse   kind and first number, checksum, gaps between the numbers (1, 2 or 4 bytes each), impacts
dense    kind, first number, words, count, members, members by header, members before each word, impacts

A word is 64 documents of a bitset. Both bitsets of a dense list become Python integers in one call, without
a loop over documents; the impact of one document is found by its rank among the members, so that a list takes
one byte for each document that it has, not for each that it could have. Lists of facets have no impacts and
store nothing for them. All numbers are little-endian. What is not asked for is not decoded. A dense list has
no checksum, because that would cost more than reading it; its length and its counts must agree.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate, compress, pairwise, repeat
from operator import sub

from fingerpost.catalog import bitsets
from fingerpost.catalog.ranking import IN_HEADER

MOST_DOCUMENTS = 1 << 24

_SPARSE_HEAD, _DENSE_HEAD = struct.Struct("<IH"), struct.Struct("<BIII")
_GAP_CODES = {1: "B", 2: "H", 4: "I"}
_DENSE, _HAS_IMPACTS = 8, 16
_NOTHING = b"\0"
_WORD = 64
# A shorter or thinner list is smaller and as quick in the sparse form.
_FEWEST_DENSE, _THINNEST_DENSE = 256, 16
_BY_HEADER = bytes(IN_HEADER) + bytes([1]) * (256 - IN_HEADER)


class Postings:
    """A list of postings as it was stored; `Postings(blob)` reads either form.

    Attributes:
        count: How many documents it has.
    """

    __slots__ = ("_bits", "_blob", "_numbers", "count")
    count: int
    _bits: int | None
    _numbers: list[int] | None

    def __new__(cls, blob: bytes) -> Postings:
        """Choose the class by the form of the blob.

        Args:
            blob: What `encode` gave.

        Raises:
            ValueError: It is damaged. Damage further in is found, and raised alike, by what is asked for.
        """
        if not blob:
            raise _damaged("nothing is there")
        return object.__new__(_Dense if blob[0] & _DENSE else _Sparse)

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

    def impact(self, number: int) -> int:
        """The impact of a document, 0 when it is not in the list.

        Args:
            number: The document.
        """
        return self.impacts_of((number,))[0]

    def impacts_of(self, numbers: Sequence[int]) -> list[int]:
        """What `impact` gives for each of some documents, in a fraction of the time.

        Args:
            numbers: The documents.
        """
        raise NotImplementedError

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


class _Sparse(Postings):
    __slots__ = ("_first", "_gap", "_gaps_end")

    def __init__(self, blob: bytes) -> None:
        super().__init__(blob)
        if blob == _NOTHING:
            self.count, self._gaps_end = 0, 1
            return
        if len(blob) < _SPARSE_HEAD.size:
            raise _damaged("they are cut short")
        head, check = _SPARSE_HEAD.unpack_from(blob)
        if _checksum(head, blob[_SPARSE_HEAD.size :]) != check:
            raise _damaged("their checksum is wrong")
        self._first: int = head >> 8
        self._gap = blob[0] & ~_HAS_IMPACTS
        each = self._gap + 1 if blob[0] & _HAS_IMPACTS else self._gap
        self.count = (len(blob) - _SPARSE_HEAD.size + self._gap) // each
        self._gaps_end = _SPARSE_HEAD.size + (self.count - 1) * self._gap

    @property
    def header_bits(self) -> int:
        return bitsets.of(list(compress(self.numbers, self.impacts.translate(_BY_HEADER))))

    @property
    def impacts(self) -> bytes:
        return self._blob[self._gaps_end :]

    def impacts_of(self, numbers: Sequence[int]) -> list[int]:
        impacts = self.impacts
        if not impacts:
            return [0] * len(numbers)
        known = self.numbers
        count = len(known)
        return [
            impacts[place] if (place := bisect_left(known, number)) < count and known[place] == number else 0
            for number in numbers
        ]

    def _read_bits(self) -> int:
        numbers = self.numbers
        return bitsets.of(numbers, numbers[-1] + 1) if numbers else 0

    def _read_numbers(self) -> list[int]:
        if not self.count:
            return []
        gaps = _array(_GAP_CODES[self._gap], self._blob[_SPARSE_HEAD.size : self._gaps_end])
        return list(accumulate(gaps, initial=self._first))


class _Dense(Postings):
    __slots__ = ("_first", "_header_end", "_members_end", "_ranks", "_ranks_end", "_span", "_words")

    def __init__(self, blob: bytes) -> None:
        super().__init__(blob)
        has_impacts = blob[0] & _HAS_IMPACTS
        if blob[0] & ~_HAS_IMPACTS != _DENSE or len(blob) < _DENSE_HEAD.size:
            raise _damaged("their kind is unknown")
        words: int
        self._first: int
        _, self._first, words, self.count = _DENSE_HEAD.unpack_from(blob)
        self._members_end = _DENSE_HEAD.size + words * 8
        self._header_end = self._members_end + (words * 8 if has_impacts else 0)
        self._ranks_end = self._header_end + (words * 4 if has_impacts else 0)
        if len(blob) != self._ranks_end + (self.count if has_impacts else 0):
            raise _damaged("their length is wrong")
        if self._first + words * _WORD > MOST_DOCUMENTS or not 0 < self.count <= words * _WORD:
            raise _damaged("their numbers are wrong")
        # Without impacts no document is within the span of those that have one.
        self._span = words * _WORD if has_impacts else 0
        self._words: Sequence[int] | None = None
        self._ranks: Sequence[int] = ()

    @property
    def header_bits(self) -> int:
        return int.from_bytes(self._blob[self._members_end : self._header_end], "little") << self._first

    @property
    def impacts(self) -> bytes:
        return self._blob[self._ranks_end :]

    def impacts_of(self, numbers: Sequence[int]) -> list[int]:
        words = self._words or self._read_ranks()
        ranks, first, span, blob, end = self._ranks, self._first, self._span, self._blob, self._ranks_end
        found: list[int] = []
        for number in numbers:
            place = number - first
            if 0 <= place < span and (word := words[place >> 6]) & (bit := 1 << (place & 63)):
                rank = end + ranks[place >> 6] + (word & (bit - 1)).bit_count()
                if rank >= len(blob):
                    raise _damaged("their ranks are wrong")
                found.append(blob[rank])
            else:
                found.append(0)
        return found

    def _read_bits(self) -> int:
        return int.from_bytes(self._blob[_DENSE_HEAD.size : self._members_end], "little") << self._first

    def _read_numbers(self) -> list[int]:
        numbers = bitsets.numbers(self.bits)
        if len(numbers) != self.count:
            raise _damaged("their count is wrong")
        return numbers

    def _read_ranks(self) -> Sequence[int]:
        self._ranks = _array("I", self._blob[self._header_end : self._ranks_end])
        self._words = _array("Q", self._blob[_DENSE_HEAD.size : self._members_end])
        return self._words


def encode(numbers: array[int], impacts: bytes) -> bytes:
    """Store a list of postings.

    Args:
        numbers: The documents, strictly ascending.
        impacts: The impact of each; empty for a list that has none.

    Returns:
        The blob that `Postings` reads.

    Raises:
        ValueError: The numbers do not ascend, one reaches `MOST_DOCUMENTS`, or an impact is missing.
    """
    if impacts and len(impacts) != len(numbers):
        raise ValueError(f"{len(numbers)} documents came with {len(impacts)} impacts; give one for each.")
    if not numbers:
        return _NOTHING
    first, last = numbers[0], numbers[-1]
    if last + _WORD >= MOST_DOCUMENTS:
        raise ValueError(f"Document number {last} is beyond {MOST_DOCUMENTS}; number the documents anew.")
    if len(numbers) >= _FEWEST_DENSE and len(numbers) * _THINNEST_DENSE > last - first:
        return _encode_dense(numbers, impacts)
    return _encode_sparse(numbers, impacts)


def merge(parts: Iterable[tuple[array[int], bytes]], live: bytes) -> tuple[array[int], bytes]:
    """Unite the lists of one term in several segments, without the documents that are no more.

    Args:
        parts: A list from each segment, all with impacts or none. Where two have the same document, the later
            one counts.
        live: `bitsets.flags` of the documents to keep; made once, it serves the lists of all terms.

    Returns:
        The documents, ascending, and their impacts.
    """
    filled = [part for part in parts if part[0]]
    ascending = sorted(filled, key=lambda part: part[0][0])
    if all(part[0][-1] < after[0][0] for part, after in pairwise(ascending)):
        numbers = array("I", b"".join([part[0].tobytes() for part in ascending]))
        impacts = b"".join([part[1] for part in ascending])
    else:
        numbers, impacts = _interleave(filled)
    if numbers and numbers[-1] >= len(live):
        numbers = numbers[: bisect_left(numbers, len(live))]
        impacts = impacts[: len(numbers)]
    kept = bytes(map(live.__getitem__, numbers))
    if 0 not in kept:
        return numbers, impacts
    return array("I", compress(numbers, kept)), bytes(compress(impacts, kept))


def _interleave(parts: list[tuple[array[int], bytes]]) -> tuple[array[int], bytes]:
    impacts_of: dict[int, int] = {}
    for numbers, impacts in parts:
        impacts_of.update(zip(numbers, impacts or repeat(0), strict=False))
    united = array("I", sorted(impacts_of))
    has_impacts = any(impacts for _, impacts in parts)
    return united, bytes(map(impacts_of.__getitem__, united)) if has_impacts else b""


def _encode_sparse(numbers: array[int], impacts: bytes) -> bytes:
    if len(numbers) == 1:  # as most words have it
        head = 1 | (_HAS_IMPACTS if impacts else 0) | numbers[0] << 8
        return _SPARSE_HEAD.pack(head, _checksum(head, impacts)) + impacts
    gaps = list(map(sub, numbers[1:], numbers))
    if min(gaps, default=1) < 1:
        raise _disordered()
    widest = max(gaps, default=1)
    width = 1 if widest < 1 << 8 else 2 if widest < 1 << 16 else 4
    head = width | (_HAS_IMPACTS if impacts else 0) | numbers[0] << 8
    body = _bytes(array(_GAP_CODES[width], gaps)) + impacts
    return _SPARSE_HEAD.pack(head, _checksum(head, body)) + body


def _encode_dense(numbers: array[int], impacts: bytes) -> bytes:
    if sorted(numbers) != numbers.tolist():
        raise _disordered()
    first, last = numbers[0], numbers[-1]
    words = (last - first) // _WORD + 1
    bits = bitsets.of(numbers, last + 1) >> first
    if bits.bit_count() != len(numbers):
        raise _disordered()
    members = bits.to_bytes(words * 8, "little")
    kind = _DENSE | (_HAS_IMPACTS if impacts else 0)
    head = _DENSE_HEAD.pack(kind, first, words, len(numbers))
    if not impacts:
        return head + members
    by_header = bitsets.of(list(compress(numbers, impacts.translate(_BY_HEADER)))) >> first
    held = list(map(int.bit_count, _array("Q", members)))
    ranks = array("I", accumulate(held[:-1], initial=0))
    return head + members + by_header.to_bytes(words * 8, "little") + _bytes(ranks) + impacts


def _checksum(head: int, body: bytes) -> int:
    check = zlib.crc32(body, head)
    return (check ^ check >> 16) & 0xFFFF


def _array(code: str, stored: bytes) -> array[int]:
    read: array[int] = array(code)
    read.frombytes(stored)
    if sys.byteorder == "big":
        read.byteswap()
    return read


def _bytes(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def _disordered() -> ValueError:
    return ValueError("The documents of a list must ascend; sort them and drop repeats.")


def _damaged(what: str) -> ValueError:
    return ValueError(f"The postings of a term are damaged, {what}; the index has to be built anew.")
