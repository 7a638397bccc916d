"""A word with the documents that hold it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fingerpost.catalog import bitsets, planes
from fingerpost.catalog.lists import Postings
from fingerpost.catalog.planes import Planes
from fingerpost.catalog.ranking import IN_BODY, IN_HEADER, STRENGTH
from fingerpost.catalog.united import NOWHERE

_STRENGTH_OF = bytes(impact & STRENGTH for impact in range(256))


class Held:
    """The live documents that hold a word."""

    __slots__ = ("_header", "_listed", "_live", "_recent", "_recent_bits", "bits")

    def __init__(self, listed: Postings, recent: Mapping[int, int], live: int) -> None:
        """Take a word together.

        Args:
            listed: Its postings in all segments.
            recent: The impacts of documents that no segment knows.
            live: The documents that are live.
        """
        self._listed = listed
        self._recent = dict(recent) if recent else recent
        self._live = live
        self._header: int | None = None
        self._recent_bits = bitsets.of(self._recent) & live if recent else 0
        self.bits = listed.bits & live | self._recent_bits

    @property
    def header_bits(self) -> int:
        """Those that hold it in the header."""
        if self._header is None:
            bits = self._listed.header_bits
            if self._recent:
                bits |= bitsets.of([number for number, impact in self._recent.items() if impact & IN_HEADER])
            self._header = bits & self._live
        return self._header

    def planes(self) -> Planes:
        """What it adds to the score of each document, live or not."""
        if not self._recent:
            return self._listed.planes
        impacts = bytes(map(self._recent.__getitem__, bitsets.numbers(self._recent_bits)))
        return planes.united([self._listed.planes, planes.of(self._recent_bits, impacts)])

    def strengths(self, numbers: Sequence[int]) -> bytes:
        """What it adds to the score of each of a few live documents, 0 for those that do not hold it."""
        return bytes(self._impacts(numbers)).translate(_STRENGTH_OF)

    def are_in_body(self, numbers: Sequence[int]) -> list[bool]:
        """Whether each of a few live documents holds it in its body."""
        return [impact & IN_BODY != 0 for impact in self._impacts(numbers)]

    def _impacts(self, numbers: Sequence[int]) -> list[int]:
        found = self._listed.impacts_of(numbers)
        if self._recent:
            return list(map(max, found, [self._recent.get(number, 0) for number in numbers]))
        return found


NOTHING = Held(NOWHERE, {}, 0)
