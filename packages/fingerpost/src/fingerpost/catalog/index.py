"""The index at one moment: terms to sets of documents, over all segments and what is newer than they are."""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from fingerpost.catalog import bitsets, postings, wordlist
from fingerpost.catalog import terms as stored_terms
from fingerpost.catalog.base import AtMost, Condition
from fingerpost.catalog.documents import (
    Sample,
    bounded,
    edge_term,
    facet_term,
    pack,
    stored_sample,
    unpack,
    unseal,
    word_of,
    word_term,
)
from fingerpost.catalog.epoch import Epoch, remember
from fingerpost.catalog.held import NOTHING, Held
from fingerpost.catalog.lists import Postings
from fingerpost.catalog.schema import among
from fingerpost.catalog.state import State
from fingerpost.catalog.texts import Text
from fingerpost.catalog.united import NOWHERE, united
from fingerpost.catalog.vocabulary import near_among
from fingerpost.text.compounds import may_be_compound
from fingerpost.text.forms import form_key
from fingerpost.text.words import is_unspaced

if TYPE_CHECKING:
    from fingerpost.catalog.answers import Answer

_PARAMETERS = 200  # of one statement
_ID_SIZE, _CARD_SIZE, _TEXT_SIZE = 200, 500, 900  # bytes in memory, beside what is read
_KEY_SIZE = 300  # the same, of what there are no words of: most pieces that a word is cut into are none
_FEW = 1000  # documents that are looked up one by one, rather than picked out of all


class Index:
    """One state of the catalog within a read transaction; as `spellings.Words` it knows its words."""

    def __init__(self, connection: sqlite3.Connection, epoch: Epoch, state: State) -> None:
        """Take the state that a transaction sees.

        Args:
            connection: A connection within a transaction.
            epoch: The epoch of that state.
            state: The state.
        """
        self._connection = connection
        self._epoch = epoch
        self._segments = tuple(segment.id for segment in epoch.segments)
        self.live = state.live
        self._known = epoch.known_at(state)
        self._words: dict[str, Held] = {}

    @property
    def searchable(self) -> int:
        """The live documents that a search may find."""
        return self._known.searchable

    @property
    def answers(self) -> dict[str, Answer]:
        """What was worked out before of how documents answer a word."""
        return self._known.answers

    # Terms.

    def held(self, word: str) -> Held:
        """The live documents that hold a word."""
        if word not in self._words:
            family = self._known.families.get(form_key(word))
            if family is not None:
                return family.get(word, NOTHING)
            self.read_words([word])
        return self._words[word]

    def read_words(self, words: Iterable[str]) -> None:
        """Read the documents of several words at once."""
        wanted = {pack(word_term(word, form_key(word))): word for word in words if word not in self._words}
        if not wanted:
            return
        found = self._lists_of(list(wanted))
        for term, word in wanted.items():
            recent = self._epoch.recent.family(form_key(word)).get(word, {})
            listed = found[term]
            self._words[word] = Held(listed, recent, self.live) if listed.count or recent else NOTHING

    def documents(self, terms: Sequence[str]) -> int:
        """The live documents that have at least one of some facets or edges."""
        bits = 0
        for listed in self._lists_of([pack(term) for term in terms]).values():
            bits |= listed.bits
        for term in terms:
            newer = self._epoch.recent.terms.get(term)
            if newer:
                bits |= bitsets.of(list(newer))
        return bits & self.live

    def _lists_of(self, terms: list[bytes]) -> dict[bytes, Postings]:
        found: dict[bytes, Postings] = {}
        missing: list[bytes] = []
        for term in terms:
            kept = self._epoch.listed.get(term)
            if kept is None:
                missing.append(term)
            else:
                found[term] = kept
        read = dict.fromkeys(missing, NOWHERE)
        if self._segments:
            for term, blob in stored_terms.find(self._connection, self._segments, list(read)):
                read[term] = united(read[term], postings.read(blob))
        for term, listed in read.items():
            self._epoch.listed.keep(term, listed, _KEY_SIZE + len(term) + self._epoch.size_of((listed,)))
        return found | read

    def _starting(self, start: str) -> Sequence[stored_terms.Term]:
        """The terms of each segment that start with some letters, with their postings."""
        return stored_terms.starting(self._connection, self._segments, pack(start)) if self._segments else ()

    # Words, as `spellings.Words` has them.

    def forms(self, word: str) -> Sequence[str]:
        """See `spellings.Words.forms`."""
        if is_unspaced(word):
            return [word] if self.has(word) else []
        family = self._family(form_key(word))
        self._words.update(family)
        return sorted(family)

    def _family(self, key: str) -> dict[str, Held]:
        family = self._known.families.get(key)
        if family is None:
            lists = self._lists_of_family(key)
            recent = self._epoch.recent.family(key)
            if recent:
                words = {*lists, *recent}
                each = [
                    (word, Held(lists.get(word, NOWHERE), recent.get(word, {}), self.live)) for word in words
                ]
            else:
                each = [(word, Held(listed, {}, self.live)) for word, listed in lists.items()]
            family = {word: held for word, held in each if held.bits}
            if family:  # pieces of compounds, mostly none, would drive out all else
                remember(self._known.families, key, family)
        return family

    def _lists_of_family(self, key: str) -> dict[str, Postings]:
        kept = self._epoch.families.get(key)
        if kept is not None:
            return kept
        found: dict[str, Postings] = {}
        for term, blob in self._starting(word_term(key, key)):
            word = word_of(unpack(term))
            found[word] = united(found.get(word, NOWHERE), postings.read(blob))
        self._epoch.families.keep(key, found, _KEY_SIZE + len(key) + self._epoch.size_of(found.values()))
        return found

    def has(self, word: str) -> bool:
        """See `spellings.Words.has`."""
        return bool(self.held(word).bits)

    def near(self, word: str, limit: int) -> Sequence[tuple[str, int]]:
        """See `spellings.Words.near`."""
        found: dict[str, int] = {}
        masks = self._epoch.recent.masks
        for length in range(len(word) - limit, len(word) + limit + 1):
            newer = masks.get(length)
            if newer:
                found.update(near_among(word, limit, dict(newer)))
            for bucket in self._epoch.buckets(length, self._connection):
                found.update(bucket.near(word, limit))
        found.pop(word, None)
        if self._epoch.recent.lengths or self._known.has_dead:
            self.read_words(found)
            found = {other: edits for other, edits in found.items() if self._words[other].bits}
        return sorted(found.items(), key=lambda pair: (pair[1], pair[0]))

    def starting(self, part: str) -> Sequence[str]:
        """See `spellings.Words.starting`."""
        stored = wordlist.starting(self._connection, self._segments, part)
        return _longer(part, chain(self._epoch.recent.starting(part), stored))

    def ending(self, part: str) -> Sequence[str]:
        """See `spellings.Words.ending`."""
        stored = wordlist.ending(self._connection, self._segments, part)
        return _longer(part, chain(self._epoch.recent.ending(part), stored))

    # Facets.

    def meeting(self, conditions: Iterable[Condition]) -> int:
        """The live documents that meet all conditions."""
        bits = self.live
        for condition in conditions:
            bits &= self.meeting_one(condition)
        return bits

    def meeting_one(self, condition: Condition) -> int:
        """The live documents that meet a condition."""
        if isinstance(condition, AtMost):
            bits = self._at_most(condition.facet, bounded(condition.value))
            return bits if condition.holds else self.live & ~bits
        known = self._known.conditions.get(condition)
        if known is None:
            bits = self.documents([facet_term(condition.facet, value) for value in condition.values])
            known = bits if condition.holds else self.live & ~bits
            remember(self._known.conditions, condition, known)
        return known

    def _at_most(self, name: str, value: int) -> int:
        series = self._epoch.series.get(name)
        if series is None:
            series = self._epoch.series[name] = [
                self._series(segment.id, name) for segment in self._epoch.segments
            ]
        bits = bitsets.of(
            [number for each, number in list(self._epoch.recent.series.get(name, ())) if each <= value]
        )
        for place, (values, numbers) in enumerate(series):
            end = bisect_right(values, value)
            known = self._epoch.at_most.get((name, place, 0))
            if known is None or known[0] != end:
                known = self._epoch.at_most[name, place, 0] = end, bitsets.of(numbers[:end])
            bits |= known[1]
        return bits & self.live

    def _series(self, segment: int, name: str) -> tuple[list[int], list[int]]:
        row = self._connection.execute(
            "SELECT items FROM series WHERE segment = ? AND name = ?", (segment, pack(name))
        ).fetchone()
        if row is None:
            return [], []
        values, numbers = json.loads(row[0])
        return values, numbers

    def values(self, facet: str, prefix: str) -> Iterator[str]:
        """The values of a facet that start with a prefix and that a live document has, sorted."""
        start = facet_term(facet, "")
        low = facet_term(facet, prefix)
        stored = {unpack(term) for term, _ in self._starting(low)}
        newer = {term for term in list(self._epoch.recent.terms) if term.startswith(low)}
        for term in sorted(stored | newer):
            if self.documents([term]):
                yield term[len(start) :]

    def sources(self, edge: str) -> int:
        """The live documents that have an edge."""
        return self.documents([edge_term(edge)])

    # Documents.

    def lengths(self, numbers: Iterable[int]) -> list[int]:
        """How many words the header of each of some documents has."""
        newer, known = self._epoch.recent.lengths, self._epoch.lengths
        if not newer:
            return list(map(known.__getitem__, numbers))
        return [newer[number] if number in newer else known[number] for number in numbers]

    def ids(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The ids of some documents."""
        kept = self._epoch.ids
        found = kept.known(numbers)
        missing = [number for number in numbers if number not in found]
        for start in range(0, len(missing), _PARAMETERS):
            some = missing[start : start + _PARAMETERS]
            select = among("SELECT number, id FROM document WHERE number", len(some))
            for number, id_ in self._connection.execute(select, some):
                found[number] = id_
                kept.keep(number, id_, _ID_SIZE + len(id_))
        return found

    def cards(self, numbers: Sequence[int]) -> dict[int, tuple[str, str]]:
        """The ids and the cards of a few documents."""
        kept = self._epoch.cards
        found = kept.known(numbers)
        for number, id_, stored in self._cards([number for number in numbers if number not in found]):
            found[number] = card = unpack(id_), unseal(stored)
            kept.keep(number, card, _CARD_SIZE + len(id_) + len(stored))
        return found

    def texts(self, numbers: Sequence[int]) -> dict[int, Text]:
        """The bodies of a few documents with their headers, as `Sample.decompress` gives them."""
        kept = self._epoch.texts
        found = kept.known(numbers)
        missing = [number for number in numbers if number not in found]
        if missing:
            select = among("SELECT number, sample, text FROM content WHERE number", len(missing))
            for number, sample, stored in self._connection.execute(select, missing):
                found[number] = text = self._sample(sample).decompress(stored, self._epoch.unpacking)
                kept.keep(number, text, _TEXT_SIZE + len(stored) + 2 * text.size)
        return found

    def details(self, number: int) -> str:
        """The details of a document."""
        sample, stored = self._connection.execute(
            "SELECT sample, text FROM content WHERE number = ?", (number,)
        ).fetchone()
        return self._sample(sample).details(stored)

    def _sample(self, id_: int) -> Sample:
        if id_ not in self._epoch.samples:
            self._epoch.samples[id_] = stored_sample(self._connection, id_)
        return self._epoch.samples[id_]

    def in_order(
        self, bits: int, after: bytes | None = None, limit: int | None = None
    ) -> Iterator[tuple[int, bytes, bytes]]:
        """Documents of a set in the order of their ids: number, id and card.

        Args:
            bits: The set.
            after: Only ids that come after this one.
            limit: The most documents.
        """
        if bits.bit_count() <= _FEW:
            few = sorted(self._cards(bitsets.numbers(bits)), key=lambda row: row[1])
            return islice((row for row in few if after is None or row[1] > after), limit)
        flags = bitsets.flags(bits, bits.bit_length() + 1)
        size = len(flags)
        where, values = ("", ()) if after is None else ("WHERE id > ?", (after,))
        rows = self._connection.execute(f"SELECT number, id, card FROM document {where} ORDER BY id", values)  # noqa: S608
        return islice((row for row in rows if row[0] < size and flags[row[0]]), limit)

    def _cards(self, numbers: Sequence[int]) -> list[tuple[int, bytes, bytes]]:
        """Number, id and card of a few documents."""
        select = among("SELECT number, id, card FROM document WHERE number", len(numbers))
        return self._connection.execute(select, numbers).fetchall() if numbers else []


def _longer(part: str, words: Iterable[str]) -> Sequence[str]:
    return sorted({word for word in words if word != part and may_be_compound(word)})
