"""Segments: what the index knows of many documents, written once and never changed.

A segment is gathered in memory and written as a table from terms to postings, in short transactions in which
nobody sees it; it counts once it is listed. Documents that change later are still known to it, so whoever
asks it has to leave out what is not live. Merging writes several segments as one without those.
"""

from __future__ import annotations

import heapq
import json
import sqlite3
from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import groupby, islice, repeat
from operator import itemgetter

from fingerpost.catalog import bitsets, merging, postings, terms, vocabulary, wordlist
from fingerpost.catalog.documents import Indexed, pack, unpack, word_of, word_term
from fingerpost.catalog.packed import SIZE, encode_packed, encode_plain, encode_single, pack_number
from fingerpost.catalog.postings import read
from fingerpost.catalog.spellings import may_be_near
from fingerpost.catalog.state import from_blob, to_blob
from fingerpost.text.compounds import may_be_compound
from fingerpost.text.forms import form_key

Transaction = Callable[[], AbstractContextManager[sqlite3.Connection]]

_ROWS_AT_ONCE, _TERMS_AT_ONCE = 1000, 4000  # in one transaction
_POSTING_SIZE, _TERM_SIZE = 5, 250  # bytes in memory, roughly
_append: Callable[[array[int], int], None] = array.append  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment that is written but not listed.

    Attributes:
        id: Its number.
        numbers: The documents that it knows.
        lengths: The words in the header of each document, from the lowest number on.
    """

    id: int
    numbers: int
    lengths: array[int]

    @property
    def first(self) -> int:
        """The lowest number."""
        return max((self.numbers & -self.numbers).bit_length() - 1, 0)

    def record(self, connection: sqlite3.Connection) -> None:
        """List it, so that it counts.

        Args:
            connection: A connection within a transaction.
        """
        connection.execute(
            "INSERT INTO segment VALUES (?, ?, ?)", (self.id, to_blob(self.numbers), self.lengths.tobytes())
        )

    @classmethod
    def listed(cls, connection: sqlite3.Connection) -> list[Segment]:
        """The segments that count.

        Args:
            connection: A connection within a transaction.
        """
        rows = connection.execute("SELECT id, numbers, lengths FROM segment ORDER BY id").fetchall()
        return [cls(id_, from_blob(numbers), array("I", lengths)) for id_, numbers, lengths in rows]


_Words = defaultdict[str, bytearray]
"""A list for each word, as `encode_packed` takes it. The garbage collector need not look at any of these, as
it has to look at arrays."""
_Terms = defaultdict[str, "array[int]"]
"""The documents of each other term."""


def _no_words() -> _Words:
    return _Words(bytearray)


def _no_terms() -> _Terms:
    return _Terms(array("I").__copy__)  # which takes less time than to make one of nothing


@dataclass(slots=True)
class Gathering:
    """What a segment will hold.

    Attributes:
        lengths: Its documents, each with the words of its header.
    """

    lengths: dict[int, int] = field(default_factory=dict[int, int])
    _words: _Words = field(default_factory=_no_words)
    _terms: _Terms = field(default_factory=_no_terms)
    _series: dict[str, list[tuple[int, int]]] = field(default_factory=dict[str, list[tuple[int, int]]])
    _postings: int = 0

    @property
    def size(self) -> int:
        """How much memory it takes, roughly, in bytes."""
        return self._postings * _POSTING_SIZE + (len(self._words) + len(self._terms)) * _TERM_SIZE

    def add(self, number: int, document: Indexed) -> None:
        """Add a document.

        Args:
            number: Its number, higher than those before.
            document: What the index knows of it.
        """
        self.lengths[number] = document.length
        self._postings += len(document.words) + len(document.terms)
        # Half the time of a build goes by here, so the loop is left to the interpreter's own functions.
        packed = {impact: pack_number(number, impact) for impact in set(document.impacts)}
        added = map(packed.__getitem__, document.impacts)
        deque(map(bytearray.extend, map(self._words.__getitem__, document.words), added), maxlen=0)
        deque(map(_append, map(self._terms.__getitem__, document.terms), repeat(number)), maxlen=0)
        for name, value in document.ordered.items():
            self._series.setdefault(name, []).append((value, number))

    def write(self, segment: int, writing: Transaction) -> Segment:
        """Write what was gathered, and forget it.

        Args:
            segment: The number of the segment.
            writing: Begins a transaction.
        """
        words = list(self._words)
        writer = _Writer(segment, writing)
        writer.begin()
        writer.put_vocabulary(words)  # before the terms, which take more memory at the same time
        # Pass by pass, which takes less time than word by word.
        stored = list(map(word_term, words, map(form_key, words)))
        encoded = dict(zip(stored, _encoded(_used_up(self._words)), strict=True))
        encoded.update((term, encode_plain(numbers)) for term, numbers in self._terms.items())
        writer.put_terms(_rows_of(encoded))
        writer.put_series(self._series)
        written = Segment(segment, bitsets.of(self.lengths), _dense(self.lengths))
        self.__init__()
        return written


def _used_up(lists: _Words) -> Iterator[bytearray]:
    """The lists, each of them forgotten as it is taken, so that nothing is in memory twice."""
    left = list(lists.values())
    lists.clear()
    left.reverse()
    while left:
        yield left.pop()


class _Singles(dict[bytes, bytes]):
    """What is stored for a word that one document has; such words of a document are mostly alike in that."""

    def __missing__(self, packed: bytes) -> bytes:
        self[packed] = stored = encode_single(packed)
        return stored


def _encoded(lists: Iterable[bytearray]) -> list[bytes]:
    singles = _Singles()
    return [singles[bytes(packed)] if len(packed) == SIZE else encode_packed(packed) for packed in lists]


def _rows_of(encoded: Mapping[str, bytes]) -> Iterator[terms.Row]:
    """The rows of terms, in the order of the table, which is that of the code points as well."""
    ordered = wordlist.in_order(encoded)
    for start in range(0, len(ordered), terms.CUT_AT_ONCE):
        some = ordered[start : start + terms.CUT_AT_ONCE]
        packed = map(str.encode, some, repeat("utf-8"), repeat("surrogatepass"))  # as `pack` does, but sooner
        yield from terms.rows_apart(list(packed), list(map(encoded.__getitem__, some)))


def _dense(lengths: dict[int, int]) -> array[int]:
    first = min(lengths, default=0)
    dense = array("I", bytes(4 * (max(lengths, default=-1) + 1 - first)))
    for number, length in lengths.items():
        dense[number - first] = length
    return dense


class _Writer:
    """Writes the parts of one segment."""

    def __init__(self, segment: int, writing: Transaction) -> None:
        self._segment = segment
        self._writing = writing

    def begin(self) -> None:
        with self._writing() as connection:
            terms.create(connection, self._segment)

    def put_terms(self, rows: Iterator[terms.Row]) -> None:
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            with self._writing() as connection:
                terms.insert(connection, self._segment, some)

    def put_vocabulary(self, words: Iterable[str]) -> None:
        # Sorted once: what follows sorts parts of it, which takes no time then.
        respellable = wordlist.in_order(may_be_near(words))
        rows = [(self._segment, length, blob) for length, blob in vocabulary.encode(respellable).items()]
        with self._writing() as connection:
            connection.executemany("INSERT INTO vocabulary VALUES (?, ?, ?)", rows)
        listed = wordlist.rows_of(filter(may_be_compound, respellable))
        while some := list(islice(listed, _ROWS_AT_ONCE)):
            with self._writing() as connection:
                wordlist.insert(connection, self._segment, some)

    def put_series(self, series: dict[str, list[tuple[int, int]]]) -> None:
        with self._writing() as connection:
            connection.executemany(
                "INSERT INTO series VALUES (?, ?, ?)",
                [
                    (self._segment, pack(name), json.dumps(list(zip(*sorted(items), strict=True))).encode())
                    for name, items in series.items()
                    if items
                ],
            )


def merge(
    segments: list[Segment], target: int, live: int, reading: Transaction, writing: Transaction
) -> Segment:
    """Write some segments as one, without the documents that are no more.

    Args:
        segments: What to merge; it stays as it is.
        target: The number of the new segment.
        live: The documents to keep.
        reading: Begins a transaction to read in.
        writing: Begins one to write in.
    """
    kept = live & _union(segment.numbers for segment in segments)
    flags = bitsets.flags(kept, max(kept.bit_length(), 1))
    writer = _Writer(target, writing)
    writer.begin()
    words: list[str] = []
    sources = [_terms_of(segment.id, reading) for segment in segments]
    are_whole = all(not segment.numbers & ~live for segment in segments)

    def rows() -> Iterator[tuple[bytes, bytes]]:
        for term, rows_of_term in groupby(heapq.merge(*sources, key=itemgetter(0)), key=itemgetter(0)):
            blobs = [blob for _, blob in rows_of_term]
            if not are_whole or len(blobs) > 1:
                numbers, impacts = merging.merge([read(blob).part() for blob in blobs], flags)
                if not numbers:
                    continue
                blobs = [postings.encode(numbers, impacts)]
            if term.startswith(b"w"):
                words.append(word_of(unpack(term)))
            yield term, blobs[0]

    writer.put_terms(terms.rows_of(rows()))
    writer.put_vocabulary(words)
    writer.put_series(_merged_series(segments, kept, reading))
    lengths = {
        number: segment.lengths[number - segment.first]
        for segment in segments
        for number in bitsets.numbers(segment.numbers & kept)
    }
    return Segment(target, kept, _dense(lengths))


def _union(sets: Iterable[int]) -> int:
    united = 0
    for bits in sets:
        united |= bits
    return united


def _terms_of(segment: int, reading: Transaction) -> Iterator[tuple[bytes, bytes]]:
    """All terms of a segment; read in pieces, because a long transaction would let the log grow."""
    last = b""
    while True:
        with reading() as connection:
            some = terms.some_after(connection, segment, last, _TERMS_AT_ONCE)
        if not some:
            return
        yield from some
        last = some[-1][0]


def _merged_series(
    segments: list[Segment], kept: int, reading: Transaction
) -> dict[str, list[tuple[int, int]]]:
    series: dict[str, list[tuple[int, int]]] = {}
    among = set(bitsets.numbers(kept))
    for segment in segments:
        with reading() as connection:
            rows = connection.execute(
                "SELECT name, items FROM series WHERE segment = ?", (segment.id,)
            ).fetchall()
        for name, items in rows:
            values, numbers = json.loads(items)
            series.setdefault(unpack(name), []).extend(
                (value, number) for value, number in zip(values, numbers, strict=True) if number in among
            )
    return series
