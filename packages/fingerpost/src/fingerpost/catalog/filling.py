"""Which texts lie next to each other: those that fill a page of the file together.

A page holds whole texts. Taken as they come, they leave a ninth of it empty, because the next one is too long
for what is left. But documents that are written at once may get their numbers in any order, and the texts lie
in the order of the numbers.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from fingerpost.catalog.documents import Indexed, Stored
from fingerpost.catalog.rows import INSERT_CONTENT, INSERT_DOCUMENT
from fingerpost.catalog.schema import PAGE_SIZE, pages_in_use

Prepared = tuple[Stored, Indexed]

_ROOM = PAGE_SIZE - 8  # of a page without its head
_AROUND = 12  # bytes that a row of the table takes beside the text
_WATCHED = 12  # rows, of which one at least should begin a page


class Filling:
    """How far the last page is filled, for as long as one goes on writing."""

    def __init__(self) -> None:
        self._left = _ROOM

    def arranged(self, documents: Iterable[Prepared]) -> list[Prepared]:
        """Put documents in order: always the longest that the page still has room for.

        Args:
            documents: Documents that come next.
        """
        rest = sorted(documents, key=lambda document: len(document[0].text))
        sizes = [min(_size(stored), _ROOM) for stored, _ in rest]
        arranged: list[Prepared] = []
        while rest:
            place = bisect_right(sizes, self._left) - 1
            if place < 0:
                self._left = _ROOM
                continue
            self._left -= sizes.pop(place)
            arranged.append(rest.pop(place))
        return arranged

    def insert(
        self,
        connection: sqlite3.Connection,
        numbers: Sequence[int],
        documents: Sequence[Stored],
        changed: int,
    ) -> None:
        """Write documents, and look at the last of them to see where a page begins in truth.

        Args:
            connection: A connection within a transaction.
            numbers: Their numbers.
            documents: What to keep of them.
            changed: As `rows.insert_document` has it.
        """
        numbered = list(zip(numbers, documents, strict=True))
        connection.executemany(
            INSERT_DOCUMENT, [(number, stored.id, changed, stored.card) for number, stored in numbered]
        )
        contents = [(number, stored.sample, stored.text) for number, stored in numbered]
        connection.executemany(INSERT_CONTENT, contents[:-_WATCHED])
        begun = False
        before = pages_in_use(connection)
        for content, stored in zip(contents[-_WATCHED:], documents[-_WATCHED:], strict=True):
            connection.execute(INSERT_CONTENT, content)
            after = pages_in_use(connection)
            if after > before:
                begun, self._left = True, _ROOM
            if begun:
                self._left = max(0, self._left - _size(stored))
            before = after


def _size(stored: Stored) -> int:
    return len(stored.text) + _AROUND
