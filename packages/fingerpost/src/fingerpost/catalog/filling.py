"""Which texts lie next to each other: those that fill a page of the file together.

A page holds whole texts. Taken as they come, they leave a ninth of it empty, because the next one is too long
for what is left. But documents that are written at once may get their numbers in any order, and the texts lie
in the order of the numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from fingerpost.catalog.documents import Indexed, Stored
from fingerpost.catalog.schema import PAGE_SIZE

Prepared = tuple[Stored, Indexed]

_ROOM = PAGE_SIZE - 8  # of a page without its head
_AROUND = 12  # bytes that a row of the table takes beside the text


class Filling:
    """How far the last page is filled, for as long as one goes on writing.

    What is there already need not be known: the longest text comes first, and hardly ever fits behind it.
    """

    def __init__(self) -> None:
        self._left = _ROOM

    def arranged(self, documents: Iterable[Prepared]) -> list[Prepared]:
        """Put documents in order: always the longest that the page still has room for.

        Args:
            documents: Documents that come next.
        """
        rest = sorted(documents, key=lambda document: len(document[0].text))
        # What is longer than a page gets pages of its own.
        sizes = [min(len(stored.text) + _AROUND, _ROOM) for stored, _ in rest]
        arranged: list[Prepared] = []
        while rest:
            place = bisect_right(sizes, self._left) - 1
            if place < 0:
                self._left = _ROOM
                continue
            self._left -= sizes.pop(place)
            arranged.append(rest.pop(place))
        return arranged
