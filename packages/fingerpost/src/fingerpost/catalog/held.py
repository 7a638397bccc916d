"""A word with the documents that hold it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat

from fingerpost.catalog import bitsets, planes
from fingerpost.catalog.planes import Planes
from fingerpost.catalog.postings import read
from fingerpost.catalog.ranking import IN_BODY, IN_HEADER, STRENGTH

_DENSE = 16  # of so many documents, one: then a list is kept as sets and no longer as numbers
_NUMBER_SIZE = 40
_FEW = 40  # documents whose impacts are kept by number from the start
_MANY, _OFTEN = 1000, 5  # so many are once the list was asked so many times
_PAIR_SIZE = 100
_STRENGTH_OF = bytes(impact & STRENGTH for impact in range(256))
_NONE = repeat(0)


class Part:
    """The postings of a word in one segment, with what was worked out of them."""

    __slots__ = ("_asked", "_by_number", "_planes", "_stored", "postings")

    def __init__(self, blob: bytes) -> None:
        self.postings = read(blob)
        self._stored = len(blob)
        self._planes: Planes | None = None
        self._by_number: dict[int, int] | None = None
        self._asked = 0

    def size(self, documents: int) -> int:
        """The bytes that it takes in memory, roughly, once its sets and planes were worked out.

        Args:
            documents: How many documents the index has.
        """
        count = self.postings.count
        sets = 10 if count * _DENSE > documents else 3
        numbers = _PAIR_SIZE * count if count <= _MANY else _NUMBER_SIZE * min(count, documents // _DENSE)
        return 300 + self._stored + sets * documents // 8 + numbers

    def impacts(self, numbers: Sequence[int]) -> list[int]:
        """The impacts of a few documents, 0 for those that do not hold the word."""
        if self._by_number is None:
            self._asked += 1
            if self.postings.count > (_FEW if self._asked < _OFTEN else _MANY):
                return self.postings.impacts_of(numbers)
            self._by_number = dict(self.postings.items())
        return list(map(self._by_number.get, numbers, _NONE))

    @property
    def planes(self) -> Planes:
        """The impacts."""
        if self._planes is None:
            self._planes = self.postings.planes()
        return self._planes


class Held:
    """The live documents that hold a word."""

    __slots__ = ("_header", "_live", "_parts", "_recent", "_recent_bits", "bits")

    def __init__(self, parts: Parts, recent: Mapping[int, int], live: int) -> None:
        """Take a word together.

        Args:
            parts: Its postings in each segment that has it.
            recent: The impacts of documents that no segment knows.
            live: The documents that are live.
        """
        self._parts = parts
        self._recent = dict(recent) if recent else recent
        self._live = live
        self._header: int | None = None
        bits = self._recent_bits = bitsets.of(self._recent) & live if recent else 0
        for part in parts:
            bits |= part.postings.bits
        self.bits = bits & live

    @property
    def header_bits(self) -> int:
        """Those that hold it in the header."""
        if self._header is None:
            bits = 0
            if self._recent:
                bits = bitsets.of([number for number, impact in self._recent.items() if impact & IN_HEADER])
            for part in self._parts:
                bits |= part.postings.header_bits
            self._header = bits & self._live
        return self._header

    def planes(self) -> Planes:
        """What it adds to the score of each document, live or not."""
        found = [part.planes for part in self._parts]
        if self._recent:
            impacts = bytes(map(self._recent.__getitem__, bitsets.numbers(self._recent_bits)))
            found.append(planes.of(self._recent_bits, impacts))
        return found[0] if len(found) == 1 else planes.united(found)

    def strengths(self, numbers: Sequence[int]) -> bytes:
        """What it adds to the score of each of a few live documents, 0 for those that do not hold it."""
        return bytes(self._impacts(numbers)).translate(_STRENGTH_OF)

    def are_in_body(self, numbers: Sequence[int]) -> list[bool]:
        """Whether each of a few live documents holds it in its body."""
        return [impact & IN_BODY != 0 for impact in self._impacts(numbers)]

    def _impacts(self, numbers: Sequence[int]) -> list[int]:
        if len(self._parts) == 1 and not self._recent:
            return self._parts[0].impacts(numbers)
        found = [part.impacts(numbers) for part in self._parts]
        if self._recent or not found:
            found.append([self._recent.get(number, 0) for number in numbers])
        return found[0] if len(found) == 1 else list(map(max, *found))


Parts = tuple[Part, ...]
NOTHING = Held((), {}, 0)
