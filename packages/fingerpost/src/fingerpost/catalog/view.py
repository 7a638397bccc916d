"""A view of the persisted catalog."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import NamedTuple, TypeAlias

from fingerpost.catalog import bitsets
from fingerpost.catalog.answers import Way
from fingerpost.catalog.base import Condition, Hit, Hits, Match, Query, View
from fingerpost.catalog.documents import header_texts, pack, unpack, unseal
from fingerpost.catalog.epoch import Epoch
from fingerpost.catalog.held import Held
from fingerpost.catalog.index import Index
from fingerpost.catalog.searching import Found, search
from fingerpost.catalog.snippet import Sought, snippet_of
from fingerpost.catalog.spellings import Spelling, corrected
from fingerpost.catalog.state import State
from fingerpost.catalog.texts import Text
from fingerpost.text.words import indexed_words, typed_words

Guard: TypeAlias = Callable[[], AbstractContextManager[None]]


class PersistedView(View):
    """What one read transaction sees."""

    def __init__(self, connection: sqlite3.Connection, epoch: Epoch, state: State, guard: Guard) -> None:
        """Take what is needed for answers.

        Args:
            connection: A connection within the transaction.
            epoch: The epoch of its state.
            state: The state.
            guard: What to work in; it says what errors mean.
        """
        self._guard = guard
        self._connection = connection
        self._epoch = epoch
        self._state = state

    @cached_property
    def _index(self) -> Index:
        return Index(self._connection, self._epoch, self._state)

    @property
    def origin(self) -> int:
        """See `View.origin`."""
        return self._state.origin

    @property
    def generation(self) -> int:
        """See `View.generation`."""
        return self._state.generation

    def search(self, query: Query) -> Hits:
        """See `View.search`."""
        with self._guard():
            return self._search(query)

    def _search(self, query: Query) -> Hits:
        found = search(query, self._index)
        cards = self._index.cards(found.page)
        alike: dict[tuple[int, ...], _Alike] = {}
        of_page: list[_Alike] = []
        wanted: dict[int, list[Sought]] = {}
        sought = _SoughtWords(found.page, typed_words(query.text))
        for place, (number, ways) in enumerate(zip(found.page, found.ways(), strict=True)):
            key = tuple(map(id, ways))  # each is made once, and a tuple of words takes long to hash
            each = alike.get(key)
            if each is None:
                each = alike[key] = _Alike.of(ways, found, sought)
            of_page.append(each)
            in_body = [word for word, are_in_body in each.sought if are_in_body[place]]
            if in_body:
                wanted[number] = in_body
        texts = self._index.texts(found.page if query.explain else list(wanted))
        hits = tuple(
            [
                Hit(
                    *cards[number],
                    each.words,
                    snippet_of(texts[number][1], wanted[number]) if number in wanted else "",
                    _matches(found, each.spelt, *texts[number]) if query.explain else (),
                )
                for number, each in zip(found.page, of_page, strict=True)
            ]
        )
        by_word = {
            word: [each.spelt[word] for each in alike.values() if word in each.spelt]
            for word, answer in found.answers.items()
            if answer.has_others
        }
        return Hits(hits, found.total, found.left_out, corrected(by_word))

    def card(self, id_: str) -> str | None:
        """See `View.card`."""
        key = pack(id_)
        with self._guard():
            select = "SELECT number, card FROM document WHERE id = ?"
            for number, card in self._connection.execute(select, (key,)).fetchall():
                if self._index.live >> number & 1:
                    return unseal(card)
            return None

    def details(self, id_: str) -> str | None:
        """See `View.details`."""
        key = pack(id_)
        with self._guard():
            select = "SELECT number FROM document WHERE id = ?"
            for (number,) in self._connection.execute(select, (key,)).fetchall():
                if self._index.live >> number & 1:
                    return self._index.details(number)
            return None

    def listing(
        self, conditions: tuple[Condition, ...] = (), *, after: str = "", limit: int | None = None
    ) -> Iterator[tuple[str, str]]:
        """See `View.listing`."""
        with self._guard():
            rows = self._index.in_order(self._index.meeting(conditions), pack(after), limit)
            for _, id_, card in rows:
                yield unpack(id_), unseal(card)

    def count(self, conditions: tuple[Condition, ...] = ()) -> int:
        """See `View.count`."""
        with self._guard():
            return self._index.meeting(conditions).bit_count()

    def values(self, facet: str, prefix: str = "") -> Iterator[str]:
        """See `View.values`."""
        with self._guard():
            yield from self._index.values(facet, prefix)

    def sources(self, edge: str) -> tuple[str, ...]:
        """See `View.sources`."""
        with self._guard():
            ids = self._index.ids(bitsets.numbers(self._index.sources(edge)))
            return tuple(map(unpack, sorted(ids.values())))

    def notes(self, since: int = -1) -> Mapping[str, str]:
        """See `View.notes`."""
        with self._guard():
            rows = self._connection.execute("SELECT name, text FROM note WHERE changed > ?", (since,))
            return {unpack(name): unseal(text) for name, text in rows}


class _SoughtWords:
    """What to look for to show the words of a page, and for each of its documents whether the body has it."""

    def __init__(self, page: Sequence[int], typed: Mapping[str, str]) -> None:
        self._page = page
        self._typed = typed
        self._known: dict[str, tuple[Sought, list[bool]]] = {}

    def of(self, word: str, held: Held) -> tuple[Sought, list[bool]]:
        """The same of one word."""
        known = self._known.get(word)
        if known is None:
            known = Sought.of(word, self._typed.get(word, "")), held.are_in_body(self._page)
            self._known[word] = known
        return known


class _Alike(NamedTuple):
    """What documents that answer in the same ways share.

    Attributes:
        spelt: The spelling of each asked word that they answer.
        words: Their words.
        sought: The same, those for the rarest asked word first, as they are looked for.
    """

    spelt: dict[str, Spelling]
    words: tuple[str, ...]
    sought: list[tuple[Sought, list[bool]]]

    @classmethod
    def of(cls, ways: Iterable[Way | None], found: Found, sought: _SoughtWords) -> _Alike:
        answering = {asked: way for asked, way in zip(found.answers, ways, strict=True) if way}
        spelt = {asked: way.spelling for asked, way in answering.items()}
        rarest_first = sorted(answering.items(), key=lambda item: -found.weights[item[0]])
        return cls(
            spelt,
            tuple([word for spelling in spelt.values() for word in spelling.words]),
            [
                sought.of(word, held)
                for _, way in rarest_first
                for word, held in zip(way.spelling.words, way.held, strict=True)
            ],
        )


def _matches(found: Found, spelt: Mapping[str, Spelling], header: bytes, text: Text) -> tuple[Match, ...]:
    """How a document matched, worked out from its text."""
    fields = [set(indexed_words(field)) for field in header_texts(header)]
    in_body = set(indexed_words(unpack(text.all)))
    return tuple(
        Match(
            asked,
            way.words,
            way.manner,
            way.edits,
            found.weights[asked],
            tuple(place for place, field in enumerate(fields) if not field.isdisjoint(way.words)),
            not in_body.isdisjoint(way.words),
        )
        for asked, way in spelt.items()
    )
