"""The postings of a term in all segments."""

from __future__ import annotations

from collections.abc import Sequence

from fingerpost.catalog import bitsets, planes
from fingerpost.catalog.lists import Postings
from fingerpost.catalog.planes import Planes
from fingerpost.catalog.sparse import NOTHING as NO_DOCUMENT
from fingerpost.catalog.sparse import Sparse

NOWHERE: Postings = Sparse(NO_DOCUMENT)
"""The postings of a term that no segment has."""


class United(Postings):
    """The lists of several segments as one."""

    __slots__ = ("_parts",)

    def __init__(self, parts: tuple[Postings, ...]) -> None:
        """Take them together.

        Args:
            parts: The lists.
        """
        super().__init__(b"")
        self._parts = parts
        self.count = sum([part.count for part in parts])

    def and_also(self, listed: Postings) -> United:
        """This with one more list."""
        return United((*self._parts, listed))

    def size(self, documents: int) -> int:
        """See `Postings.size`."""
        return super().size(documents) + sum([part.size(documents) for part in self._parts])

    @property
    def numbers(self) -> list[int]:
        """See `Postings.numbers`."""
        return bitsets.numbers(self.bits)

    @property
    def header_bits(self) -> int:
        """See `Postings.header_bits`."""
        bits = 0
        for part in self._parts:
            bits |= part.header_bits
        return bits

    @property
    def impacts(self) -> bytes:
        """See `Postings.impacts`."""
        return bytes(self._find_impacts(self.numbers))

    def _read_bits(self) -> int:
        bits = 0
        for part in self._parts:
            bits |= part.bits
        return bits

    def _read_planes(self) -> Planes:
        return planes.united([part.planes for part in self._parts])

    def _find_impacts(self, numbers: Sequence[int]) -> list[int]:
        return list(map(max, *[part.impacts_of(numbers) for part in self._parts]))


def united(before: Postings, listed: Postings) -> Postings:
    """The lists of some segments with that of one more.

    Args:
        before: What this gave for those before, `NOWHERE` for none.
        listed: The list.
    """
    if before is NOWHERE:
        return listed
    return before.and_also(listed) if isinstance(before, United) else United((before, listed))
