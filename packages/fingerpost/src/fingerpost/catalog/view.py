"""A view of the persisted catalog."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cached_property
from typing import TypeAlias

from fingerpost.catalog import bitsets
from fingerpost.catalog.base import Condition, Hits, Query, View
from fingerpost.catalog.documents import pack, unpack, unseal
from fingerpost.catalog.epoch import Epoch
from fingerpost.catalog.hits import hits_of
from fingerpost.catalog.index import Index
from fingerpost.catalog.state import State

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
            return hits_of(query, self._index)

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
