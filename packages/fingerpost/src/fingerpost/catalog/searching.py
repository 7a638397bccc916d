"""From a query to its hits, on whole sets of documents; single ones are looked at once few are left.

The first parts of the ranking of `catalog.base` make one number for each document: what its words weigh, then
how many of them stand in the header, then how closely they are spelt. `bitsets.Sum` adds that up for all
documents at once and hands out those with the highest number first. Only the documents whose numbers reach
into the page are then put in order among themselves.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Any, TypeAlias

from fingerpost.catalog import bitsets, planes
from fingerpost.catalog.answers import Answer, Way, answer_of
from fingerpost.catalog.base import Query
from fingerpost.catalog.index import Index
from fingerpost.catalog.ranking import MOST_ASKED, MOST_RESPELT, WORTH_BITS, rarity
from fingerpost.catalog.spellings import spellings, wider_spellings
from fingerpost.text.words import is_unspaced, leading_words, query_words

_COST_BITS, _COUNT_BITS = 9, 7
_FEW, _FEW_OF = 100, 50  # documents of a tier that are scored one by one: so many, and one in so many of all
_FEW_IDS = 400


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

    def closest(self) -> list[list[Way | None]]:
        """For each asked word, the way in which each document of the page answers it, None for none."""
        among = bitsets.of(self.page)
        return [answer.closest(self.page, among) for answer in self.answers.values()]


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
    # A sentence without blanks makes many words, which are read at once since they have no forms.
    index.read_words([word for word in asked if is_unspaced(word) and word not in index.answers])
    answers = {word: answer_of(word, index) for word in asked}
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
            answers[word] = Answer([*spellings(word, index), *wider], index)
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
                everything &= answer.holding
            for bits, added in answer.worths(self.weights[word]):
                sums.add(bits & matching, added << (_COST_BITS + _COUNT_BITS))
            sums.add(answer.header_bits & matching, 1 << _COST_BITS)
            # What is dear counts less, so everything else counts more, once for each step.
            for dearer in answer.dearer:
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
        among = 0
        for tier in tiers:
            among |= tier
        scores = [0] * len(numbers)
        for word, answer in self.answers.items():
            weight = self.weights[word]
            scores = [
                score - weight * strength
                for score, strength in zip(scores, answer.strengths(numbers, among), strict=True)
            ]
        lengths = self.index.lengths(numbers)
        rows = list(zip(zip(place_of.values(), scores, lengths, strict=True), numbers, strict=True))
        return self._in_order(rows, offset, limit)

    def _by_length(self, alike: int, offset: int, limit: int) -> list[int]:
        numbers = bitsets.numbers(alike)
        lengths = self.index.lengths(numbers)
        # In a page stand only the shortest; to sort all of many, each with its number, would take longer.
        longest = sorted(lengths)[min(offset + limit, len(lengths)) - 1]
        rows = [row for row in zip(lengths, numbers, strict=True) if row[0] <= longest]
        return self._in_order(rows, offset, limit)

    def _in_order(self, rows: list[tuple[Any, int]], offset: int, limit: int) -> list[int]:
        """Documents by what stands before their numbers in the rows, where that is alike by their ids."""
        rows.sort()
        page = rows[offset : offset + limit]
        if not page:
            return []
        # Only who is like a document of the page can change what the page holds.
        first = bisect_left(rows, page[0][0], key=_before_number)
        last = bisect_right(rows, page[-1][0], key=_before_number)
        reaching = rows[first:last]
        if len(set(map(_before_number, reaching))) < len(reaching):
            ids = self.index.ids([number for _, number in reaching])
            reaching.sort(key=lambda row: (row[0], ids[row[1]]))
        return [number for _, number in reaching[offset - first : offset - first + limit]]


_before_number: Callable[[tuple[Any, int]], Any] = itemgetter(0)


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
    count = bits.bit_count()
    end = min(offset + limit, count)
    if offset >= end:
        return []
    if count <= _FEW_IDS:
        numbers = bitsets.numbers(bits)
        ids = index.ids(numbers)
        return sorted(numbers, key=ids.__getitem__)[offset:end]
    return [number for number, _, _ in islice(index.in_order(bits), offset, end)]
