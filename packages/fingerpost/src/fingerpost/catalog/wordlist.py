"""The words of segments in order, forwards and backwards: for compounds that begin or end alike.

They are looked for among words of every length, whatever the letters in between, so each segment has two
sorted lists. A row holds so many words in a row, under the last of them; a part is looked up like a word, and
what begins with it comes next. The backward list has the letters of each word the other way round.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from itertools import filterfalse

from fingerpost.catalog.documents import pack, unpack

Row = tuple[bool, bytes, bytes]
"""Whether it is of the backward list, its last word, and its words."""

_WORDS = 128  # of a row
_LEVEL, _WINDOW, _MEMORY = 4, 12, 5  # a row is short, and a small compressor is soon made
_BETWEEN = b"\n"  # no letter
_AFTER = b"\xff"  # behind every letter, in UTF-8
_SELECT = "SELECT last, words FROM wordlist WHERE segment = ? AND backward = ? AND last >= ? ORDER BY last"


def in_order(words: Iterable[str]) -> list[str]:
    """Words sorted.

    Those in ASCII are sorted by themselves, because two of them are compared in half the time.

    Args:
        words: The words, in any order.
    """
    known = list(words)
    ordered = sorted(filter(str.isascii, known))
    ordered += sorted(filterfalse(str.isascii, known))
    ordered.sort()
    return ordered


def rows_of(words: Iterable[str]) -> Iterator[Row]:
    """The rows of both lists.

    Args:
        words: Words of letters alone, each once, in order.
    """
    forward = list(words)
    yield from _rows(forward, is_backward=False)
    yield from _rows(in_order([word[::-1] for word in forward]), is_backward=True)


def _rows(ordered: list[str], *, is_backward: bool) -> Iterator[Row]:
    for start in range(0, len(ordered), _WORDS):
        some = ordered[start : start + _WORDS]
        yield is_backward, pack(some[-1]), _compressed(pack("\n".join(["", *some, ""])))


def _compressed(words: bytes) -> bytes:
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY)
    return compressor.compress(words) + compressor.flush()


def insert(connection: sqlite3.Connection, segment: int, rows: Iterable[Row]) -> None:
    """Write rows that `rows_of` gave.

    Args:
        connection: A connection within a transaction.
        segment: The number of the segment.
        rows: The rows.
    """
    connection.executemany(f"INSERT INTO wordlist VALUES ({segment:d}, ?, ?, ?)", rows)  # noqa: S608 - a number


def starting(connection: sqlite3.Connection, segments: Iterable[int], part: str) -> list[str]:
    """The words of segments that start with a part, itself included, by segments.

    Args:
        connection: A connection within a transaction.
        segments: The numbers of the segments.
        part: Some letters.

    Raises:
        ValueError: What is stored is damaged, here and below.
    """
    return [word for segment in segments for word in _starting(connection, segment, part, is_backward=False)]


def ending(connection: sqlite3.Connection, segments: Iterable[int], part: str) -> list[str]:
    """The words of segments that end with a part, itself included, by segments.

    Args:
        connection: A connection within a transaction.
        segments: The numbers of the segments.
        part: Some letters.
    """
    found = [_starting(connection, segment, part[::-1], is_backward=True) for segment in segments]
    return [word[::-1] for words in found for word in words]


def _starting(connection: sqlite3.Connection, segment: int, part: str, *, is_backward: bool) -> list[str]:
    found: list[str] = []
    start = pack(part)
    sought, end = _BETWEEN + start, start + _AFTER
    for last, stored in connection.execute(_SELECT, (segment, is_backward, start)):
        words = zlib.decompress(stored)
        if not words.endswith(_BETWEEN + last + _BETWEEN):
            raise ValueError("The words in order are damaged in the index; it has to be built anew.")
        first = words.find(sought)
        if first >= 0:
            behind = words.index(_BETWEEN, words.rindex(sought, 0, len(words) - 1) + 1)
            found += unpack(words[first + 1 : behind]).split("\n")
        if last >= end:
            break
    return found
