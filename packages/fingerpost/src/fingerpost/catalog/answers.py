"""How the documents of an index answer one asked word: by which of its spellings, and how strongly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby
from typing import NamedTuple

from fingerpost.catalog import bitsets, bytewise, planes
from fingerpost.catalog.epoch import remember
from fingerpost.catalog.held import Held
from fingerpost.catalog.index import Index
from fingerpost.catalog.planes import Planes
from fingerpost.catalog.ranking import worth
from fingerpost.catalog.spellings import Spelling, spellings


class Way(NamedTuple):
    """A spelling with the documents that hold all its words."""

    spelling: Spelling
    cost: int
    held: tuple[Held, ...]
    bits: int

    @classmethod
    def of(cls, spelling: Spelling, index: Index) -> Way:
        """Look a spelling up."""
        held = tuple([index.held(word) for word in spelling.words])
        bits = held[0].bits
        for other in held[1:]:
            bits &= other.bits
        return cls(spelling, spelling.cost, held, bits)

    @property
    def header_bits(self) -> int:
        """The documents that hold all its words in the header."""
        bits = self.bits
        for held in self.held:
            bits &= held.header_bits
        return bits

    def strengths(self, numbers: Sequence[int]) -> bytes:
        """What it adds to the score of each of some documents, 0 where one of its words is missing."""
        return reduce(bytewise.smaller, [held.strengths(numbers) for held in self.held])

    def planes(self) -> Planes:
        """What it adds to the score of each document that holds all its words; of others it is void."""
        found = self.held[0].planes()
        for held in self.held[1:]:
            found = planes.smaller(found, held.planes())
        return found

    def is_closer(self, before: Way, number: int) -> bool:
        """Whether a document answers by this rather than by another of the same pool that comes before it."""
        return self.cost == before.cost and self.strengths([number]) > before.strengths([number])


class Pool(NamedTuple):
    """Spellings that count alike, with the documents that no closer pool answers for."""

    number: int
    ways: tuple[Way, ...]
    bits: int

    @property
    def is_of_word(self) -> bool:
        """Whether they are the word itself, as asked or in another form."""
        return not self.number

    @property
    def is_near(self) -> bool:
        """Whether they are other words, that merely look like the asked one."""
        return self.ways[0].spelling.is_near


class Answer:
    """The documents that answer an asked word, by the closest pool of spellings that each has.

    Attributes:
        pools: The pools, closest first.
        bits: All documents.
        holding: Those that count as holding the word: by a near spelling only if none has the word itself.
        header_bits: Those that answer in the header.
        dearer: For each cost from 1 on that a document has: those that have at least that cost.
    """

    __slots__ = ("bits", "dearer", "header_bits", "holding", "pools")

    def __init__(self, found: list[Spelling], index: Index) -> None:
        """Look up how the documents answer.

        Args:
            found: The spellings of the word.
            index: The index.
        """
        self.pools: list[Pool] = []
        self.bits = self.header_bits = 0
        costs: dict[int, int] = {}
        in_order = sorted(found, key=_cost_and_words) if len(found) > 1 else found
        for number, alike in groupby(in_order, key=_pool):
            ways: list[Way] = []
            bits = 0
            for way in [Way.of(spelling, index) for spelling in alike]:
                answering = way.bits & ~self.bits
                if answering:
                    ways.append(way)
                    costs[way.cost] = costs.get(way.cost, 0) | (answering & ~bits)
                    self.header_bits |= answering & way.header_bits
                    bits |= answering
            if bits:
                self.pools.append(Pool(number, tuple(ways), bits))
                self.bits |= bits
        self.dearer = _at_least(costs)
        has_word = bool(self.pools) and self.pools[0].is_of_word
        near = [pool.bits for pool in self.pools if has_word and pool.is_near]
        self.holding = self.bits ^ sum(near)  # no two pools share a document

    @property
    def has_others(self) -> bool:
        """Whether documents answer by more than the word as asked and its forms."""
        return bool(self.pools) and self.pools[-1].number > 0

    def worths(self, weight: int) -> Iterator[tuple[int, int]]:
        """Documents, and what the word adds to what they hold of the query."""
        for pool in self.pools:
            in_header = pool.bits & self.header_bits
            yield in_header, worth(weight, pool.number, in_header=True)
            yield pool.bits ^ in_header, worth(weight, pool.number, in_header=False)

    def closest(self, page: Sequence[int], among: int) -> list[Way | None]:
        """The way in which each of a few documents answers, None for those that do not.

        Args:
            page: The documents.
            among: The same as a set.
        """
        if len(self.pools) == 1 and len(self.pools[0].ways) == 1:
            (only,) = self.pools[0].ways
            bits = only.bits & among
            if bits == among or not bits:
                return [only if bits else None] * len(page)
            return [only if bits >> number & 1 else None for number in page]
        found: dict[int, Way] = {}
        for pool in self.pools:
            left = pool.bits & among
            for way in pool.ways:
                bits = pool.bits & way.bits & among
                numbers = page if bits == among else bitsets.numbers(bits)
                if bits & left == bits:
                    found.update(dict.fromkeys(numbers, way))
                else:
                    for number in numbers:
                        rival = found.get(number)
                        if rival is None or way.is_closer(rival, number):
                            found[number] = way
                left &= ~bits
        return list(map(found.get, page))

    def planes(self, tier: int) -> Planes:
        """What the word adds to the score of many documents, before its weight; of others it is void."""
        found = planes.NOTHING
        for pool in self.pools:
            for way in pool.ways:
                among = pool.bits & way.bits & tier
                if not among:
                    continue
                if among == tier and len(pool.ways) == 1:
                    return way.planes()
                strength = planes.among(way.planes(), among)
                found = (
                    planes.larger(found, strength) if len(pool.ways) > 1 else planes.united([found, strength])
                )
        return found

    def strengths(self, numbers: Sequence[int], among: int) -> bytes:
        """What the word adds to the score of each of a few documents before its weight, 0 for nothing.

        Args:
            numbers: The documents.
            among: The same as a set.
        """
        found = b""
        for pool in self.pools:
            if pool.bits & among:
                each = [way.strengths(numbers) for way in pool.ways if way.bits & among]
                of_pool = reduce(bytewise.larger, each)
                found = (
                    bytes([one or two for one, two in zip(found, of_pool, strict=True)]) if found else of_pool
                )
        return found or bytes(len(numbers))


def answer_of(word: str, index: Index) -> Answer:
    """How documents answer a word as it is asked or in another form."""
    known = index.answers.get(word)
    if known is None:
        known = Answer(spellings(word, index), index)
        remember(index.answers, word, known)
    return known


def _at_least(costs: dict[int, int]) -> list[int]:
    found: list[int] = []
    bits = 0
    for cost in range(max(costs, default=0), 0, -1):
        bits |= costs.get(cost, 0)
        found.append(bits)
    return found


def _cost_and_words(spelling: Spelling) -> tuple[int, tuple[str, ...]]:
    return spelling.cost, spelling.words


def _pool(spelling: Spelling) -> int:
    return spelling.pool
