"""From a query to its hits, on whole sets of documents; single ones are looked at once few are left.

The first parts of the ranking of `catalog.base` make one number for each document: what its words weigh, then
how many of them stand in the header, then how closely they are spelt. `bitsets.Sum` adds that up for all
documents at once and hands out those with the highest number first. Only the documents whose numbers reach
into the page are then put in order among themselves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
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
_FEW, _FEW_OF = 100, 50  # documents of a tier that are scored one by one: so many, and one in so many of all
_FEW_IDS = 400


class Way(NamedTuple):
    """A spelling with the documents that hold all its words."""

    spelling: Spelling
    held: tuple[Held, ...]
    bits: int

    def strengths(self, numbers: Sequence[int]) -> list[int]:
        """What it adds to the score of each of some documents, 0 where one of its words is missing."""
        found = self.held[0].strengths(numbers)
        for held in self.held[1:]:
            found = list(map(min, found, held.strengths(numbers)))
        return found

    def is_closer(self, before: Way, number: int) -> bool:
        """Whether a document answers by this rather than by another of the same pool that comes before it."""
        if self.spelling.cost != before.spelling.cost:
            return False
        return self.strengths([number]) > before.strengths([number])


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

    def closest(self, page: Sequence[int], of_page: int) -> list[Spelling | None]:
        """By which spelling each of a few documents answers, None for those that do not.

        Args:
            page: The documents.
            of_page: The same as a set.
        """
        found: dict[int, Way] = {}
        for pool in self.pools:
            among = pool.bits & of_page
            for way in pool.ways:
                for number in bitsets.numbers(among & way.bits):
                    rival = found.get(number)
                    if rival is None or way.is_closer(rival, number):
                        found[number] = way
        return [found[number].spelling if number in found else None for number in page]

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

    def strengths(self, numbers: Sequence[int]) -> list[int]:
        """What the word adds to the score of each of a few documents before its weight, 0 for nothing."""
        by_pool = [_largest([way.strengths(numbers) for way in pool.ways]) for pool in self.pools]
        if len(by_pool) > 1:
            return [next((each for each in of_pools if each), 0) for of_pools in zip(*by_pool, strict=True)]
        return by_pool[0] if by_pool else [0] * len(numbers)


def _largest(several: list[list[int]]) -> list[int]:
    return several[0] if len(several) == 1 else list(map(max, *several))


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

    def spelt(self) -> list[tuple[Spelling | None, ...]]:
        """By which spelling each document of the page answers each asked word, None where it does not."""
        of_page = bitsets.of(self.page)
        closest = [answer.closest(self.page, of_page) for answer in self.answers.values()]
        return list(zip(*closest, strict=True)) if closest else [()] * len(self.page)


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
        few = max(_FEW, self.index.live.bit_length() // _FEW_OF)
        for _, tier in tiers:
            count = tier.bit_count()
            if not small and offset >= count:
                offset -= count
                continue
            if count <= few:
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
        numbers = list(place_of)
        scores = [0] * len(numbers)
        for word, answer in self.answers.items():
            weight = self.weights[word]
            scores = [
                score - weight * strength
                for score, strength in zip(scores, answer.strengths(numbers), strict=True)
            ]
        lengths = self.index.lengths(numbers)
        return self._in_order([*zip(place_of.values(), scores, lengths, numbers, strict=True)], offset, limit)

    def _by_length(self, alike: int, offset: int, limit: int) -> list[int]:
        numbers = bitsets.numbers(alike)
        return self._in_order([*zip(self.index.lengths(numbers), numbers, strict=True)], offset, limit)

    def _in_order(self, rows: list[tuple[int, ...]], offset: int, limit: int) -> list[int]:
        """Documents by what stands before their numbers in the rows, where that is alike by their ids."""
        rows.sort()
        page = rows[offset : offset + limit]
        if not page:
            return []
        # Only who is like a document of the page can change what the page holds.
        first = bisect_left(rows, _but_last(page[0]), key=_but_last)
        last = bisect_right(rows, _but_last(page[-1]), key=_but_last)
        reaching = rows[first:last]
        if len(set(map(_but_last, reaching))) < len(reaching):
            ids = self.index.ids([row[-1] for row in reaching])
            reaching.sort(key=lambda row: (_but_last(row), ids[row[-1]]))
        return [row[-1] for row in reaching[offset - first : offset - first + limit]]


_but_last: Callable[[tuple[int, ...]], tuple[int, ...]] = itemgetter(slice(-1))


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
