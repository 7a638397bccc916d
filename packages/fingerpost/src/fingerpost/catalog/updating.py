"""Updates: a few documents in one transaction, many by a build."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from fingerpost.catalog import bitsets
from fingerpost.catalog.base import CatalogBusyError, CatalogError, Entry
from fingerpost.catalog.building import Builder, Limits
from fingerpost.catalog.database import PATIENCE, Database
from fingerpost.catalog.documents import Sample, pack, prepare, stored_sample
from fingerpost.catalog.rows import (
    Change,
    Recorded,
    Standing,
    count_recents,
    delete_documents,
    insert_documents,
    insert_recent,
    settle,
)
from fingerpost.catalog.state import State
from fingerpost.catalog.trouble import DamagedError

_MOST_REMOVED = 1000  # in one transaction
_FAR_BEHIND = 4  # times the documents that need no segment yet
_logger = logging.getLogger("fingerpost.catalog")


@dataclass(frozen=True, slots=True)
class Written:
    """What an update has written.

    Attributes:
        state: The state that it left.
        recorded: Its documents.
    """

    state: State
    recorded: Sequence[Recorded]

    def follows(self, seen: tuple[int, int], sequence: int) -> bool:
        """Whether it is all that was recorded after a sequence.

        Args:
            seen: The generation and the epoch in which that is asked.
            sequence: The sequence.
        """
        is_last = (self.state.generation, self.state.epoch) == seen
        return is_last and bool(self.recorded) and self.recorded[0][0] == sequence + 1


class Updater:
    """Writes updates to a database.

    Attributes:
        written: What the last small update of this process has written, None before the first.
    """

    def __init__(self, database: Database, limits: Limits, *, in_background: bool = False) -> None:
        """Take a database.

        Args:
            database: Where to write.
            limits: When segments are written and merged.
            in_background: Whether small updates leave that to a thread, so that nobody waits for it.
        """
        self._database = database
        self._limits = limits
        self._in_background = in_background
        self._thread: threading.Thread | None = None
        self._sample: tuple[tuple[int, int], Sample] | None = None
        self.written: Written | None = None

    def update(
        self, put: Iterable[Entry], remove: Iterable[str], notes: Mapping[str, str], since: int | None
    ) -> frozenset[str]:
        """See `Catalog.update`."""
        change = Change(tuple(map(pack, dict.fromkeys(remove))), notes, since)
        coming = iter(put)
        first: list[Entry] = []
        _fill(first, coming, self._limits.small)
        is_small = len(first) <= self._limits.small
        if not is_small and not any(entry.body for entry in first):
            # Their bodies come next, as a rule, and replace what is written of them now.
            _fill(first, coming, self._limits.headers)
            is_small = len(first) <= self._limits.headers and not any(entry.body for entry in first)
        if is_small and len(change.remove) <= _MOST_REMOVED:
            left, waiting = self._put_few(first, change)
            if self._limits.are_passed(*waiting):
                self._flush_soon(waiting)
            return left
        with self._database.building(0) as is_mine:
            if is_mine:
                return self._build(chain(first, coming), change)
        # Somebody else is building, which may take long; what is not too much need not wait for that.
        _fill(first, coming, self._limits.waiting)
        if len(first) <= self._limits.waiting:
            return self._put_few(first, change)[0]
        with self._database.building(PATIENCE) as is_mine:
            if is_mine:
                return self._build(chain(first, coming), change)
        raise CatalogBusyError(
            f"Somebody else is building the index {self._database.path!r}; try again when that is done."
        )

    def _put_few(self, entries: list[Entry], change: Change) -> tuple[frozenset[str], tuple[int, int]]:
        """Put documents in one transaction; what was left is returned, and what `count_recents` says then."""
        expected, before = self._expected_sample(), self.written
        prepared = {entry.id: prepare(entry, expected) for entry in entries}
        with self._database.writing() as connection:
            sample = self._newest_sample(connection)
            if sample != expected:
                prepared = {entry.id: prepare(entry, sample) for entry in entries}
            state = State.load(connection, before and before.state)
            sets = state.sets
            standing = Standing.find(
                connection, state, [stored.id for stored, _ in prepared.values()], change
            )
            kept = [pair for pair in prepared.values() if pair[0].id not in standing.left]
            numbers = state.take(len(kept))
            new = {stored.id: number for number, (stored, _) in zip(numbers, kept, strict=True)}
            hidden = bitsets.of([new[stored.id] for stored, _ in kept if stored.is_hidden])
            dead = settle(connection, state, new, hidden, standing, change)
            recorded: list[Recorded] = []
            kept_of = [stored for stored, _ in kept]
            insert_documents(connection, zip(numbers, kept_of, strict=True), state.generation)
            for number, (_, indexed) in zip(numbers, kept, strict=True):
                recorded.append((insert_recent(connection, number, indexed), number, indexed))
            delete_documents(connection, dead)
            state.save(connection, sets)
            waiting = count_recents(connection)
        self.written = Written(state, recorded)
        return standing.all_left, waiting

    def _expected_sample(self) -> Sample:
        """What was the newest sample when this process last wrote."""
        if self._sample is not None:
            return self._sample[1]
        with self._database.reading() as connection, self._database.translated():
            return self._newest_sample(connection)

    def _newest_sample(self, connection: sqlite3.Connection) -> Sample:
        """The newest sample, whose text is read once; one of that number in another file is another one."""
        seen: tuple[int, int] = connection.execute(
            "SELECT origin, (SELECT ifnull(max(id), 0) FROM sample) FROM state"
        ).fetchone()
        known = self._sample
        if known is None or known[0] != seen:
            self._sample = known = seen, stored_sample(connection)
        return known[1]

    def _build(self, entries: Iterable[Entry], change: Change) -> frozenset[str]:
        builder = Builder(self._database, self._limits)
        builder.clean()
        left = builder.put(iter(entries), change)
        self._tidy(builder)
        return left

    def wait(self) -> None:
        """Wait until nothing goes on in the background."""
        if self._thread is not None:
            self._thread.join()

    def _flush_soon(self, waiting: tuple[int, int]) -> None:
        """Write a segment for the documents that have none; in time, also where no thread gets to the end."""
        if not self._in_background or self._limits.are_passed(*waiting, times=_FAR_BEHIND):
            self._flush()
        elif self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(
                target=self._flush_quietly, name="fingerpost-tidying", daemon=True
            )
            self._thread.start()

    def _flush_quietly(self) -> None:
        try:
            self._flush()
        except DamagedError as damage:  # whoever reads or updates next meets it, and begins anew
            _logger.warning("The index could not be tidied. It is damaged: %s", damage)

    def _flush(self) -> None:
        with self._database.building(0) as is_mine:
            if is_mine:
                self._tidy(Builder(self._database, self._limits), flush=True)

    def _tidy(self, builder: Builder, *, flush: bool = False) -> None:
        """Merge and clean up. The update is done by then; what fails is tried again after the next."""
        try:
            with self._database.translated():
                if flush:
                    builder.clean()
                    builder.flush()
                builder.tidy()
                self._database.shrink()
        except CatalogError as error:
            _logger.warning("The index could not be tidied. %s", error)


def _fill(first: list[Entry], coming: Iterator[Entry], limit: int) -> None:
    """Take more of what comes, until it is one more than a limit."""
    first += islice(coming, max(limit + 1 - len(first), 0))
