"""From a query to its hits, on whole sets of documents; single ones are looked at once few are left.

The first parts of the ranking of `catalog.base` make one number for each document: what its words weigh, then
how many of them stand in the header, then how closely they are spelt. `bitsets.Sum` adds that up for all
documents at once and hands out those with the highest number first. Only the documents whose numbers reach
into the page are then put in order among themselves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from typing import NamedTuple, TypeAlias

from fingerpost.catalog import bitsets, planes
from fingerpost.catalog.base import Query
from fingerpost.catalog.held import Held
from fingerpost.catalog.index import Index
from fingerpost.catalog.planes import Planes
from fingerpost.catalog.ranking import MOST_ASKED, MOST_RESPELT, WORTH_BITS, rarity, worth
from fingerpost.catalog.spellings import Spelling, spellings, wider_spellings
from fingerpost.text.words import leading_words, query_words

_COST_BITS, _COUNT_BITS = 9, 7
_FEW = 100  # documents of a tier that are scored one by one
_FEW_IDS = 400


class Way(NamedTuple):
    """A spelling with the documents that hold all its words."""

    spelling: Spelling
    held: tuple[Held, ...]
    bits: int

    def strengths(self, among: int) -> dict[int, int]:
        """What it adds to the scores of documents that hold all its words."""
        found = self.held[0].impacts(among)
        for held in self.held[1:]:
            other = held.impacts(among)
            found = {number: min(strength, other[number]) for number, strength in found.items()}
        return found

    def strength(self, number: int) -> int:
        """What it adds to the score of one of them."""
        return self.strengths(1 << number)[number]

    def is_closer(self, before: Way, number: int) -> bool:
        """Whether a document answers by this rather than by another of the same pool that comes before it."""
        if self.spelling.cost != before.spelling.cost:
            return False
        return self.strength(number) > before.strength(number)


class Pool(NamedTuple):
    """Spellings that count alike, with the documents that no closer pool answers for."""

    number: int
    ways: tuple[Way, ...]
    bits: int


class Answer:
    """The documents that answer an asked word, by the closest pool of spellings that each has.

    Attributes:
        pools: The pools, closest first.
        bits: All documents.
        header_bits: Those that answer in the header.
    """

    __slots__ = ("bits", "header_bits", "pools")

    def __init__(self, found: list[Spelling], index: Index) -> None:
        """Look up how the documents answer.

        Args:
            found: The spellings of the word.
            index: The index.
        """
        self.pools: list[Pool] = []
        self.bits = self.header_bits = 0
        in_order = sorted(found, key=_cost_and_words) if len(found) > 1 else found
        for number, alike in groupby(in_order, key=_pool):
            ways = tuple([_way(spelling, index) for spelling in alike])
            bits = 0
            for way in ways:
                bits |= way.bits
            bits &= ~self.bits
            if not bits:
                continue
            for way in ways:
                in_header = bits
                for held in way.held:
                    in_header &= held.header_bits
                self.header_bits |= in_header
            self.pools.append(Pool(number, ways, bits))
            self.bits |= bits

    def worths(self, weight: int) -> Iterator[tuple[int, int]]:
        """Documents, and what the word adds to what they hold of the query."""
        for pool in self.pools:
            in_header = pool.bits & self.header_bits
            yield in_header, worth(weight, pool.number, in_header=True)
            yield pool.bits ^ in_header, worth(weight, pool.number, in_header=False)

    def dearer(self) -> Iterator[int]:
        """For each cost above 0 that a document has: those that have at least that cost."""
        costs: dict[int, int] = {}
        for pool in self.pools:
            left = pool.bits
            for way in pool.ways:
                cost = way.spelling.cost
                costs[cost] = costs.get(cost, 0) | (left & way.bits)
                left &= ~way.bits
        for cost in range(1, max(costs, default=0) + 1):
            dearer = 0
            for each, bits in costs.items():
                dearer |= bits if each >= cost else 0
            yield dearer

    def spellings(self, page: int) -> dict[int, Spelling]:
        """By which spelling each of a few documents answers; who does not answer is left out."""
        found: dict[int, Way] = {}
        for pool in self.pools:
            here = pool.bits & page
            for way in pool.ways:
                for number in bitsets.numbers(here & way.bits):
                    rival = found.get(number)
                    if rival is None or way.is_closer(rival, number):
                        found[number] = way
        return {number: way.spelling for number, way in found.items()}

    def planes(self, tier: int) -> Planes:
        """What the word adds to the score of many documents, before its weight; of others it is void."""
        found = planes.NOTHING
        for pool in self.pools:
            for way in pool.ways:
                among = pool.bits & way.bits & tier
                if not among:
                    continue
                strength = way.held[0].planes()
                for held in way.held[1:]:
                    strength = planes.smaller(strength, held.planes())
                if among == tier and len(pool.ways) == 1:
                    return strength
                strength = planes.among(strength, among)
                found = (
                    planes.larger(found, strength) if len(pool.ways) > 1 else planes.united([found, strength])
                )
        return found

    def strengths(self, tier: int) -> dict[int, int]:
        """What the word adds to the score of a few documents that answer, before its weight."""
        found: dict[int, int] = {}
        for pool in self.pools:
            for way in pool.ways:
                among = pool.bits & way.bits & tier
                if not among:
                    continue
                strengths = way.strengths(among)
                if not found:
                    found = strengths
                    continue
                for number, strength in strengths.items():
                    if strength > found.get(number, 0):
                        found[number] = strength
        return found


def _cost_and_words(spelling: Spelling) -> tuple[int, tuple[str, ...]]:
    return spelling.cost, spelling.words


def _pool(spelling: Spelling) -> int:
    return spelling.pool


def _way(spelling: Spelling, index: Index) -> Way:
    held = tuple([index.held(word) for word in spelling.words])
    bits = held[0].bits
    for other in held[1:]:
        bits &= other.bits
    return Way(spelling, held, bits)


@dataclass(frozen=True, slots=True)
class Found:
    """What a query finds.

    Attributes:
        page: The documents of the page asked for, best first.
        total: How many there are.
        left_out: How many more there were but for what is to be left out.
        answers: How they answer each asked word.
        weights: How much each asked word counts.
    """

    page: list[int]
    total: int
    left_out: int
    answers: Mapping[str, Answer]
    weights: Mapping[str, int]

    def ways(self) -> dict[int, dict[str, Spelling]]:
        """By which spelling each document of the page answers each asked word that it answers."""
        ways: dict[int, dict[str, Spelling]] = {number: {} for number in self.page}
        bits = bitsets.of(self.page)
        for word, answer in self.answers.items():
            for number, spelling in answer.spellings(bits).items():
                ways[number][word] = spelling
        return ways

    @property
    def respelt(self) -> list[str]:
        """The asked words that may have been answered in a spelling that is merely near."""
        return [word for word, answer in self.answers.items() if any(pool.number for pool in answer.pools)]


def search(query: Query, index: Index) -> Found:
    """Find and rank.

    Args:
        query: What to look for.
        index: Where.
    """
    allowed = index.meeting(query.require) & index.searchable
    left_out = 0
    for condition in query.leave_out:
        left_out |= index.meeting_one(condition)
    within = allowed & ~left_out
    asked = query_words(query.text)[:MOST_ASKED]
    if not asked:
        if query.text.strip():
            return Found([], 0, 0, {}, {})
        page = _by_id(within, index, query.offset, query.limit)
        return Found(page, within.bit_count(), (allowed & left_out).bit_count(), {}, {})
    answers = _answers(asked, within, index)
    documents = index.searchable.bit_count()
    leading = leading_words(asked)
    weights = {
        word: rarity(
            answer.pools[0].bits.bit_count() if answer.pools else 0, documents, is_leading=word in leading
        )
        for word, answer in answers.items()
    }
    matching = 0
    for answer in answers.values():
        matching |= answer.bits
    matching &= allowed
    ranking = Ranking(answers, weights, index)
    page = ranking.page(matching & within, query.offset, query.limit)
    return Found(page, (matching & within).bit_count(), (matching & left_out).bit_count(), answers, weights)


def _answers(asked: list[str], within: int, index: Index) -> dict[str, Answer]:
    """How documents answer each asked word, in wider spellings where nothing answers every word."""
    close = {word: spellings(word, index) for word in asked}
    answers = {word: Answer(close[word], index) for word in asked}
    leading = leading_words(asked)
    rarest = sorted(leading, key=lambda word: answers[word].bits.bit_count())[:MOST_RESPELT]
    lacking = [word for word in rarest if not answers[word].bits]
    for chosen in (lacking, rarest[len(lacking) :]):
        common = within
        for word in leading:
            common &= answers[word].bits
        if common:
            break
        for word in chosen:
            wider = wider_spellings(word, index)
            index.read_words([each for spelling in wider for each in spelling.words])
            answers[word] = Answer([*close[word], *wider], index)
    return answers


Refine: TypeAlias = Callable[[int, int, int], list[int]]
"""Puts a set of documents in order: the set, how many to pass over, and how many to return at most."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Puts documents in order, working out no more than a page needs."""

    answers: Mapping[str, Answer]
    weights: Mapping[str, int]
    index: Index

    def page(self, matching: int, offset: int, limit: int) -> list[int]:
        """The documents of a page, best first.

        Args:
            matching: The documents to rank.
            offset: How many to pass over.
            limit: The most to return.
        """
        sums = bitsets.Sum()
        everything, leading = matching, leading_words(list(self.answers))
        for word, answer in self.answers.items():
            if word in leading:
                everything &= answer.bits
            for bits, added in answer.worths(self.weights[word]):
                sums.add(bits & matching, added << (_COST_BITS + _COUNT_BITS))
            sums.add(answer.header_bits & matching, 1 << _COST_BITS)
            # What is dear counts less, so everything else counts more, once for each step.
            for dearer in answer.dearer():
                sums.add(matching & ~dearer, 1)
        sums.add(everything, 1 << (_COST_BITS + _COUNT_BITS + WORTH_BITS))
        return self._of_tiers(sums.tiers(matching), offset, limit)

    def _of_tiers(self, tiers: Iterable[tuple[int, int]], offset: int, limit: int) -> list[int]:
        """A page of documents that come in tiers; small tiers that follow each other are scored together."""
        page: list[int] = []
        small: list[int] = []
        waiting = 0
        for _, tier in tiers:
            count = tier.bit_count()
            if not small and offset >= count:
                offset -= count
                continue
            if count <= _FEW:
                small.append(tier)
                waiting += count
            else:
                if small:
                    page += self._few(small, offset, limit - len(page))
                    small, waiting, offset = [], 0, 0
                page += self._many(tier, offset, limit - len(page))
                offset = 0
            if len(page) + waiting - offset >= limit:
                break
        return page + self._few(small, offset, limit - len(page))

    def _many(self, tier: int, offset: int, limit: int) -> list[int]:
        """The documents of a large tier."""
        sums = bitsets.Sum()
        for word, answer in self.answers.items():
            planes.add_to(sums, planes.among(answer.planes(tier), tier), self.weights[word])
        return _page(sums.tiers(tier), self._by_length, offset, limit)

    def _few(self, tiers: list[int], offset: int, limit: int) -> list[int]:
        """The documents of some small tiers, all at once."""
        place_of = {number: place for place, tier in enumerate(tiers) for number in bitsets.numbers(tier)}
        if len(place_of) == len(tiers):
            return list(place_of)[offset : offset + limit]
        scores = dict.fromkeys(place_of, 0)
        together = bitsets.of([*place_of])
        for word, answer in self.answers.items():
            weight = self.weights[word]
            for number, strength in answer.strengths(together).items():
                scores[number] -= weight * strength
        lengths = self.index.lengths(place_of)
        keys = dict(
            zip(place_of, zip(place_of.values(), scores.values(), lengths, strict=True), strict=True)
        )
        return self._in_order(keys, offset, limit)

    def _by_length(self, alike: int, offset: int, limit: int) -> list[int]:
        numbers = bitsets.numbers(alike)
        keys = {
            number: (0, length) for number, length in zip(numbers, self.index.lengths(numbers), strict=True)
        }
        return self._in_order(keys, offset, limit)

    def _in_order(self, keys: Mapping[int, tuple[int, ...]], offset: int, limit: int) -> list[int]:
        """Documents by their keys, those with the same one by their ids."""
        in_order = sorted(keys, key=keys.__getitem__)
        page = in_order[offset : offset + limit]
        if not page:
            return []
        # Only who shares a key with a document of the page can change what the page holds.
        first = bisect_left(in_order, keys[page[0]], key=keys.__getitem__)
        last = bisect_right(in_order, keys[page[-1]], key=keys.__getitem__)
        reaching = in_order[first:last]
        if len({keys[number] for number in reaching}) < len(reaching):
            ids = self.index.ids(reaching)
            reaching.sort(key=lambda number: (keys[number], ids[number]))
        return reaching[offset - first : offset - first + limit]


def _page(tiers: Iterable[tuple[int, int]], refine: Refine, offset: int, limit: int) -> list[int]:
    """A page of documents that come in sets, the better before the worse."""
    page: list[int] = []
    for _, tier in tiers:
        if len(page) >= limit:
            break
        count = tier.bit_count()
        if offset >= count:
            offset -= count
            continue
        page += refine(tier, offset, limit - len(page)) if count > 1 else [tier.bit_length() - 1]
        offset = 0
    return page


def _by_id(bits: int, index: Index, offset: int, limit: int) -> list[int]:
    """Some documents of a set in the order of their ids."""
    if bits.bit_count() <= _FEW_IDS:
        numbers = bitsets.numbers(bits)
        ids = index.ids(numbers)
        return sorted(numbers, key=ids.__getitem__)[offset : offset + limit]
    return [number for number, _, _ in islice(index.in_order(bits), offset, offset + limit)]
