"""The terms of segments with their postings, many in a row: a word that one document holds takes few bytes.

The table of a segment has a row for each block of terms, under the last of them:

many terms    checksum, count of letters in common, count of terms, sizes of lists, other letters, lists
one term      checksum, list; a long one in pieces, each a row of its own, so that the pages are filled

The letters that all terms of a block begin with are left out, and so is its last term, which is the key. The
rest of each term stands between two bytes that no UTF-8 has. Those before it are counted to know which it is,
so that a term is found without a loop over those beside it.
"""

from __future__ import annotations

import sqlite3
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, islice, pairwise
from operator import add

from fingerpost.catalog.schema import PAGE_SIZE, terms_table

Term = tuple[bytes, bytes]
"""A term and its postings."""
Row = tuple[bytes, int, bytes]
"""The last term of a block, how many pieces of it follow, and the block or a piece of it."""

CUT_AT_ONCE = 4000
"""How many terms are cut into blocks at a time."""

_MANY = -1  # instead of the pieces that follow: the block has many terms, and is whole
_CHECKSUM_SIZE = 4
_COMMON, _COUNT, _SIZES = 4, 5, 6  # where they stand in a block
_BETWEEN = b"\xff"
_LONGEST, _MOST_COMMON, _MOST_TERMS = 255, 255, 255  # what one byte tells
_FULL, _PIECE = 900, 1000
# Of a row that does not fit SQLite keeps about so much beside others, and puts the rest on pages of its own.
# So the first piece of a very long list has as much as fills such pages, and is read at once.
_BESIDE_PAGES, _PAGE = 1100, PAGE_SIZE - 4
_AT_ONCE = 100  # terms in a statement

_ROWS = """
SELECT last, rest, block FROM {table} WHERE last >= ?1 ORDER BY last, rest DESC
"""
_ROWS_OF = """
SELECT asked.column1, last, rest, block FROM (VALUES {places}) AS asked CROSS JOIN {table} AS stored
ON stored.last = (SELECT last FROM {table} WHERE last >= asked.column1 ORDER BY last LIMIT 1)
AND (stored.last = asked.column1 OR rest < 0)
"""


def create(connection: sqlite3.Connection, segment: int) -> None:
    """Make the table of a segment.

    Args:
        connection: A connection within a transaction.
        segment: The number of the segment.
    """
    connection.execute(
        f"CREATE TABLE {terms_table(segment)} "
        "(last BLOB, rest INTEGER, block BLOB NOT NULL, PRIMARY KEY (last, rest DESC)) WITHOUT ROWID"
    )


def drop(connection: sqlite3.Connection, segment: int) -> None:
    """Delete the table of a segment.

    Args:
        connection: A connection within a transaction.
        segment: The number of the segment.
    """
    connection.execute(f"DROP TABLE {terms_table(segment)}")


def insert(connection: sqlite3.Connection, segment: int, rows: Iterable[Row]) -> None:
    """Write rows that `rows_of` gave.

    Args:
        connection: A connection within a transaction.
        segment: The number of the segment.
        rows: The rows.
    """
    connection.executemany(f"INSERT INTO {terms_table(segment)} VALUES (?, ?, ?)", rows)  # noqa: S608 - a number


def rows_of(terms: Iterable[Term]) -> Iterator[Row]:
    """The rows of some terms.

    Args:
        terms: The terms, strictly ascending.
    """
    coming = iter(terms)
    while some := list(islice(coming, CUT_AT_ONCE)):
        yield from rows_apart(*zip(*some, strict=True))


def rows_apart(terms: Sequence[bytes], lists: Sequence[bytes]) -> Iterator[Row]:
    """The rows of some terms that come apart from their lists.

    That takes three quarters of the time, because no pair of the two is made, for the garbage collector to
    look at.

    Args:
        terms: The terms, strictly ascending, `CUT_AT_ONCE` at most.
        lists: The postings of each.
    """
    sizes = list(accumulate(map(add, map(len, terms), map(len, lists)), initial=0))
    start = 0
    long = [place for place, size in enumerate(map(len, lists)) if size > _LONGEST]
    for end in (*long, len(terms)):
        while start < end:
            full = bisect_right(sizes, sizes[start] + _FULL, start, end)
            full = min(full, start + _MOST_TERMS)
            yield _row(terms[start:full], lists[start:full])
            start = full
        if end < len(terms):
            yield from _pieces(terms[end], lists[end])
            start = end + 1


def _row(terms: Sequence[bytes], lists: Sequence[bytes]) -> Row:
    last = terms[-1]
    common = _common(terms[0], last)
    others = [term[common:] for term in terms[:-1]]
    head = bytes((common, len(terms), *map(len, lists)))
    block = b"".join((head, _BETWEEN.join((b"", *others, b"")), *lists))
    return last, _MANY, _checksum(last, block) + block


def _common(one: bytes, other: bytes) -> int:
    """With how many letters both begin."""
    size = min(len(one), len(other), _MOST_COMMON)
    differing = int.from_bytes(one[:size], "big") ^ int.from_bytes(other[:size], "big")
    return size - (differing.bit_length() + 7) // 8


def _pieces(last: bytes, stored: bytes) -> Iterator[Row]:
    block = _checksum(last, stored) + stored
    pages = (len(block) - _BESIDE_PAGES) // _PAGE
    first = _BESIDE_PAGES + pages * _PAGE if pages > 0 else _PIECE
    ends = [*range(first, len(block), _PIECE), len(block)]
    for rest, (start, end) in zip(reversed(range(len(ends))), pairwise([0, *ends]), strict=True):
        yield last, rest, block[start:end]


def find(connection: sqlite3.Connection, segments: Iterable[int], terms: Sequence[bytes]) -> list[Term]:
    """Those of some terms that segments have, with the postings in each, by segments.

    Args:
        connection: A connection within a transaction.
        segments: The numbers of the segments.
        terms: The terms, each once.

    Raises:
        ValueError: What is stored is damaged, here and below.
    """
    found: list[Term] = []
    for start in range(0, len(terms), _AT_ONCE):
        some = terms[start : start + _AT_ONCE]
        rows = connection.execute(_select_of(tuple(segments), len(some)), some).fetchall()
        pieces = b""
        for term, last, rest, block in rows:
            if rest == _MANY:
                stored = _list_of(term, last, _checked(last, block))
                if stored is not None:
                    found.append((term, stored))
                continue
            pieces += block
            if not rest:
                found.append((term, _checked(last, pieces)[_CHECKSUM_SIZE:]))
                pieces = b""
    return found


def starting(connection: sqlite3.Connection, segments: Iterable[int], start: bytes) -> list[Term]:
    """The terms of segments that start with some letters, by segments.

    Args:
        connection: A connection within a transaction.
        segments: The numbers of the segments.
        start: The letters.
    """
    found: list[Term] = []
    end = start + _BETWEEN
    for segment in segments:
        rows = connection.execute(_select_from(segment), (start,))
        for last, is_one, block in _blocks(rows, end):
            if is_one:
                found.append((last, block[_CHECKSUM_SIZE:]))
            else:
                _add_starting(start, last, block, found)
            if last >= end:
                break
    return found


def some_after(connection: sqlite3.Connection, segment: int, last: bytes, least: int) -> list[Term]:
    """The terms of a segment that come next, ascending, as whole blocks; none at the end.

    Args:
        connection: A connection within a transaction.
        segment: The number of the segment.
        last: The last term of those before, empty at the start.
        least: How many terms to return if there are so many; the last block may add to that.
    """
    found: list[Term] = []
    rows = connection.execute(_select_from(segment), (last + b"\0" if last else b"",))
    for term, is_one, block in _blocks(rows):
        if is_one:
            found.append((term, block[_CHECKSUM_SIZE:]))
        else:
            found += _all_in(term, block)
        if len(found) >= least:
            break
    return found


@lru_cache(256)
def _select_of(segments: tuple[int, ...], count: int) -> str:
    places = ",".join([f"(?{place})" for place in range(1, count + 1)])
    return " UNION ALL ".join(_ROWS_OF.format(table=terms_table(each), places=places) for each in segments)


@lru_cache(16)
def _select_from(segment: int) -> str:
    return _ROWS.format(table=terms_table(segment))


def _blocks(rows: Iterable[Row], end: bytes | None = None) -> Iterator[tuple[bytes, bool, bytes]]:
    """Blocks put together, up to an end: the last term, whether it is the only one, and the block."""
    pieces = b""
    for last, rest, block in rows:
        if rest == _MANY:
            yield last, False, _checked(last, block)
            continue
        if end is not None and last >= end:
            return
        pieces += block
        if not rest:
            yield last, True, _checked(last, pieces)
            pieces = b""


def _list_of(term: bytes, last: bytes, block: bytes) -> bytes | None:
    """The list of a term in a block of many terms, None when it has no such term."""
    common, count = block[_COMMON], block[_COUNT]
    place = count - 1
    sizes = block[_SIZES : _SIZES + count]
    lists = len(block) - sum(sizes)
    if term != last:
        found = block.find(_BETWEEN + term[common:] + _BETWEEN, _SIZES + count, lists)
        if found < 0 or term[:common] != last[:common]:
            return None
        place = block.count(_BETWEEN, _SIZES + count, found)
    start = lists + sum(sizes[:place])
    return block[start : start + sizes[place]]


def _add_starting(start: bytes, last: bytes, block: bytes, found: list[Term]) -> None:
    """Find the terms of a block of many that start with some letters."""
    common, count = block[_COMMON], block[_COUNT]
    letters = last[:common]
    if not (start.startswith(letters) or letters.startswith(start)):
        return
    sizes = block[_SIZES : _SIZES + count]
    lists = len(block) - sum(sizes)
    sought = _BETWEEN + start[common:]
    before = block.find(sought, _SIZES + count, lists - 1)
    place = count - 1 if before < 0 else block.count(_BETWEEN, _SIZES + count, before)
    begin = lists + sum(sizes[:place])
    while place < count - 1 and block.startswith(sought, before):
        after = block.index(_BETWEEN, before + 1)
        end = begin + sizes[place]
        found.append((letters + block[before + 1 : after], block[begin:end]))
        before, begin = after, end
        place += 1
    if place == count - 1 and last.startswith(start):
        found.append((last, block[begin:]))


def _all_in(last: bytes, block: bytes) -> Iterator[Term]:
    """All terms of a block of many."""
    letters, count = last[: block[_COMMON]], block[_COUNT]
    sizes = block[_SIZES : _SIZES + count]
    begin = len(block) - sum(sizes)
    others = block[_SIZES + count + 1 : begin].split(_BETWEEN)[:-1]
    for term, size in zip((*map(letters.__add__, others), last), sizes, strict=True):
        yield term, block[begin : begin + size]
        begin += size


def _checksum(last: bytes, block: bytes) -> bytes:
    return zlib.crc32(block, zlib.crc32(last)).to_bytes(_CHECKSUM_SIZE, "little")


def _checked(last: bytes, block: bytes) -> bytes:
    if _checksum(last, block[_CHECKSUM_SIZE:]) != block[:_CHECKSUM_SIZE]:
        raise ValueError("Terms are damaged in the index, their checksum is wrong; it has to be built anew.")
    return block
