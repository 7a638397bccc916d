"""A view of the persisted catalog."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TypeAlias

from fingerpost.catalog import bitsets
from fingerpost.catalog.base import Condition, Hit, Hits, Match, Query, View
from fingerpost.catalog.documents import header_texts, pack, unpack, unseal
from fingerpost.catalog.index import Index
from fingerpost.catalog.schema import among
from fingerpost.catalog.searching import Found, search
from fingerpost.catalog.snippet import snippet_of_bytes
from fingerpost.catalog.spellings import Spelling, corrected
from fingerpost.catalog.state import State
from fingerpost.text.words import indexed_words

Guard: TypeAlias = Callable[[], AbstractContextManager[None]]


class PersistedView(View):
    """What one read transaction sees."""

    def __init__(self, connection: sqlite3.Connection, index: Index, state: State, guard: Guard) -> None:
        """Take what is needed for answers.

        Args:
            connection: A connection within the transaction.
            index: The index of its state.
            state: The state.
            guard: What to work in; it says what errors mean.
        """
        self._guard = guard
        self._connection = connection
        self._index = index
        self._state = state

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
        page = found.page
        cards: dict[int, tuple[bytes, bytes]] = {
            number: (id_, card)
            for number, id_, card in self._connection.execute(
                among("SELECT number, id, card FROM document WHERE number", len(page)), page
            )
        }
        texts = self._index.texts(page)
        ways = found.ways()
        hits = tuple(
            Hit(
                id=unpack(cards[number][0]),
                card=unseal(cards[number][1]),
                words=tuple([word for way in spelt.values() for word in way.words]),
                snippet=snippet_of_bytes(texts[number][1], found.wanted(spelt)),
                matches=_matches(found, spelt, texts[number]) if query.explain else (),
            )
            for number, spelt in ways.items()
        )
        by_word = {word: [spelt[word] for spelt in ways.values() if word in spelt] for word in found.answers}
        return Hits(hits, found.total, found.left_out, corrected(by_word))

    def card(self, id_: str) -> str | None:
        """See `View.card`."""
        return self._text("SELECT number, card FROM document WHERE id = ?", id_)

    def details(self, id_: str) -> str | None:
        """See `View.details`."""
        with self._guard():
            select = "SELECT number FROM document WHERE id = ?"
            for (number,) in self._connection.execute(select, (pack(id_),)).fetchall():
                if self._index.live >> number & 1:
                    return self._index.details(number)
            return None

    def _text(self, select: str, id_: str) -> str | None:
        with self._guard():
            for number, text in self._connection.execute(select, (pack(id_),)).fetchall():
                if self._index.live >> number & 1:
                    return unseal(text)
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
            rows = self._connection.execute(
                "SELECT name, text FROM note WHERE changed > ? ORDER BY name", (since,)
            )
            return {unpack(name): unseal(text) for name, text in rows}


def _matches(found: Found, spelt: Mapping[str, Spelling], text: tuple[bytes, bytes]) -> tuple[Match, ...]:
    """How a document matched, worked out from its text."""
    fields = [set(indexed_words(field)) for field in header_texts(text[0])]
    in_body = set(indexed_words(unpack(text[1])))
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
