"""Which documents of one segment hold a term, and how much each says about it: one blob for each term.

Each document has an impact, one byte whose high bit says that the term stands in the document's header.
A blob takes one of two forms, whichever is quicker to answer from:

sparse   kind, first number (1 to 3 bytes), gaps between the numbers (1, 2 or 4 bytes each), impacts
dense    kind, first number, words, count, size of the members by header, members, members by header
         (compressed where they are many), members before each word (2 or 4 bytes each), impacts

A word is 64 documents of a bitset. Both bitsets of a dense list become Python integers in one call, without
a loop over documents; the impact of one document is found by its rank among the members, so that a list takes
one byte for each document that it has, not for each that it could have. Lists of facets have no impacts and
store nothing for them. All numbers are little-endian. What is not asked for is not decoded. There is no
checksum, because a blob is part of a block that has one; what must agree in it is compared all the same.
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
FAR = MOST_DOCUMENTS - 64
"""The number of every document is below this."""

_DENSE_HEAD = struct.Struct("<BIIII")
_GAP_CODES = {1: "B", 2: "H", 4: "I"}
# The kind of a list, in bits; a sparse one has the width of its gaps in the lowest, and in the highest how
# many bytes its first number takes beyond one.
_WIDTH, _DENSE, _HAS_IMPACTS, _SIZE_SHIFT = 7, 8, 16, 5
_NOTHING, _RAW = b"\0", -15
_WORD = 64
# A shorter or thinner list is much smaller in the sparse form, and nearly as quick.
_FEWEST_DENSE, _THINNEST_DENSE = 16, 64
_SMALL = 256  # bytes of a bitset that is not worth compressing
_RANK_SIZES = {"H": 2, "I": 4}
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
        """The impact of a document, 0 when it is not in the list."""
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
    __slots__ = ("_first", "_gap", "_gaps_end", "_start")

    def __init__(self, blob: bytes) -> None:
        super().__init__(blob)
        if blob == _NOTHING:
            self.count, self._gaps_end = 0, 1
            return
        kind = blob[0]
        self._start = start = (kind >> _SIZE_SHIFT) + 2
        self._gap = gap = kind & _WIDTH
        self._first = int.from_bytes(blob[1:start], "little")
        each = gap + 1 if kind & _HAS_IMPACTS else gap
        self.count, odd = divmod(len(blob) - start + gap, each) if gap in _GAP_CODES else (0, 0)
        if odd or self.count < 1:
            raise _damaged("their length is wrong")
        self._gaps_end = start + (self.count - 1) * gap

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
        gaps = _array(_GAP_CODES[self._gap], self._blob[self._start : self._gaps_end])
        numbers = list(accumulate(gaps, initial=self._first))
        if numbers[-1] >= MOST_DOCUMENTS:
            raise _damaged("their numbers are wrong")
        return numbers


class _Dense(Postings):
    __slots__ = (
        *("_first", "_header", "_header_end", "_members_end"),
        *("_rank_code", "_ranks", "_ranks_end", "_span", "_words"),
    )

    def __init__(self, blob: bytes) -> None:
        super().__init__(blob)
        has_impacts = blob[0] & _HAS_IMPACTS
        if blob[0] & ~_HAS_IMPACTS != _DENSE or len(blob) < _DENSE_HEAD.size:
            raise _damaged("their kind is unknown")
        words: int
        header_size: int
        self._first: int
        _, self._first, words, self.count, header_size = _DENSE_HEAD.unpack_from(blob)
        self._rank_code = _rank_code(self.count)
        self._members_end = _DENSE_HEAD.size + words * 8
        self._header_end = self._members_end + header_size
        self._ranks_end = self._header_end + (words * _RANK_SIZES[self._rank_code] if has_impacts else 0)
        if len(blob) != self._ranks_end + (self.count if has_impacts else 0):
            raise _damaged("their length is wrong")
        if self._first + words * _WORD > MOST_DOCUMENTS or not 0 < self.count <= words * _WORD:
            raise _damaged("their numbers are wrong")
        # Without impacts no document is within the span of those that have one.
        self._span = words * _WORD if has_impacts else 0
        self._header: int | None = None
        self._words: Sequence[int] | None = None
        self._ranks: Sequence[int] = ()

    @property
    def header_bits(self) -> int:
        if self._header is None:
            stored = self._blob[self._members_end : self._header_end]
            size = self._members_end - _DENSE_HEAD.size
            try:
                members = zlib.decompress(stored, _RAW) if 0 < len(stored) < size else stored
            except zlib.error:
                raise _damaged("what is compressed makes no sense") from None
            if len(members) > size:
                raise _damaged("their header is too long")
            self._header = int.from_bytes(members, "little") << self._first
        return self._header

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
        self._ranks = _array(self._rank_code, self._blob[self._header_end : self._ranks_end])
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
    if last >= FAR:
        raise ValueError(f"Document number {last} is beyond {MOST_DOCUMENTS}; number the documents anew.")
    if is_dense(len(numbers), first, last):
        if sorted(numbers) != numbers.tolist():
            raise _disordered()
        return dense(numbers, impacts)
    return _encode_sparse(numbers, impacts)


def is_dense(count: int, first: int, last: int) -> bool:
    """Whether a list of so many documents, from the first to the last, is stored in the dense form."""
    return count >= _FEWEST_DENSE and count * _THINNEST_DENSE > last - first


def sparse(width: int, first: int, gaps: bytes, impacts: bytes) -> bytes:
    """A list in the sparse form.

    Args:
        width: The bytes of a gap: 1, 2 or 4.
        first: The first document.
        gaps: From each document to the next one.
        impacts: The impacts.
    """
    size = 1 if first < 1 << 8 else 2 if first < 1 << 16 else 3
    kind = width | size - 1 << _SIZE_SHIFT | (_HAS_IMPACTS if impacts else 0)
    return (first << 8 | kind).to_bytes(size + 1, "little") + gaps + impacts


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
    gaps = list(map(sub, numbers[1:], numbers))
    if min(gaps, default=1) < 1:
        raise _disordered()
    widest = max(gaps, default=1)
    width = 1 if widest < 1 << 8 else 2 if widest < 1 << 16 else 4
    return sparse(width, numbers[0], _bytes(array(_GAP_CODES[width], gaps)), impacts)


def dense(numbers: array[int], impacts: bytes) -> bytes:
    """A list in the dense form; the arguments are those of `encode`, and known to ascend."""
    first, last = numbers[0], numbers[-1]
    count, words = len(numbers), (last - first) // _WORD + 1
    bits = bitsets.of(numbers, last + 1) >> first
    if bits.bit_count() != count:
        raise _disordered()
    members = bits.to_bytes(words * 8, "little")
    if not impacts:
        return _DENSE_HEAD.pack(_DENSE, first, words, count, 0) + members
    in_header = list(compress(numbers, impacts.translate(_BY_HEADER)))
    header = _compressed((bitsets.of(in_header) >> first).to_bytes(words * 8, "little")) if in_header else b""
    held = map(int.bit_count, _array("Q", members)[:-1])
    ranks = _bytes(array(_rank_code(count), accumulate(held, initial=0)))
    head = _DENSE_HEAD.pack(_DENSE | _HAS_IMPACTS, first, words, count, len(header))
    return b"".join((head, members, header, ranks, impacts))


def _compressed(members: bytes) -> bytes:
    """A bitset in fewer bytes, or as it is where that saves nothing to speak of."""
    if len(members) <= _SMALL:
        return members
    compressor = zlib.compressobj(1, zlib.DEFLATED, _RAW)
    compressed = compressor.compress(members) + compressor.flush()
    return compressed if len(compressed) < len(members) else members


def _rank_code(count: int) -> str:
    """The kind of array that holds the ranks among so many."""
    return "H" if count < 1 << 16 else "I"


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
