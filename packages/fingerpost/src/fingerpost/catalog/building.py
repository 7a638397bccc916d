"""Writing much: documents and segments in short transactions that nobody sees before the last one."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from fingerpost.catalog import bitsets, terms
from fingerpost.catalog.base import CatalogEmptiedError, Entry
from fingerpost.catalog.database import Database
from fingerpost.catalog.documents import Sample, stored_sample
from fingerpost.catalog.filling import Filling
from fingerpost.catalog.preparing import prepared
from fingerpost.catalog.rows import (
    Change,
    Standing,
    delete_documents,
    forget_recents,
    insert_documents,
    recents,
    settle,
)
from fingerpost.catalog.segments import Gathering, Segment, merge
from fingerpost.catalog.state import State, from_blob, to_blob

_DELETED_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """When segments are written and merged.

    Attributes:
        small: Documents of an update that are written without a segment.
        headers: The same where none has a body, and as `recent` of those that have not.
        waiting: The same, while somebody else is building.
        recent: Documents without a segment from which one is written for them.
        memory: Bytes that a segment may take in memory before it is written.
        segments: Segments that may stand side by side.
        dead: The share of dead documents in a segment, in percent, from which it is written anew.
        apart: Characters of text of an update that one process prepares; a second one prepares what follows.
    """

    small: int = 64
    headers: int = 2000
    waiting: int = 1000
    recent: int = 64
    memory: int = 400_000_000
    segments: int = 4
    dead: int = 30
    apart: int = 40_000_000

    def are_passed(self, with_body: int, without: int, times: int = 1) -> bool:
        """Whether more documents have no segment than may.

        Args:
            with_body: How many documents with a body have none.
            without: How many without a body.
            times: How many times as many as usual may have none.
        """
        return with_body > times * self.recent or without > times * self.headers


class Builder:
    """Builds in a database, for as long as one has the right to and the file stays the same."""

    def __init__(self, database: Database, limits: Limits) -> None:
        """Begin, with the right to build.

        Args:
            database: Where to build.
            limits: When segments are written and merged.
        """
        self._database = database
        self._limits = limits
        with database.reading() as connection, database.translated():
            self._origin = State.load(connection).origin

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        with self._database.writing() as connection:
            self._check(connection)
            yield connection

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection]:
        with self._database.reading() as connection, self._database.translated():
            self._check(connection)
            yield connection

    def _check(self, connection: sqlite3.Connection) -> None:
        if connection.execute("SELECT origin FROM state").fetchone()[0] != self._origin:
            raise CatalogEmptiedError("The index was replaced while it was being written; try again.")

    def put(self, entries: Iterator[Entry], change: Change) -> frozenset[str]:
        """Do an update of any size.

        Args:
            entries: The documents to put, which are read as they are written.
            change: What else to do.

        Returns:
            What was left as it is.
        """
        with self._writing() as connection:
            build = connection.execute("INSERT INTO build (numbers) VALUES (x'')").lastrowid or 0
        gathering, filling = Gathering(), Filling()
        written: list[Segment] = []
        latest: dict[bytes, int] = {}
        hidden = used = 0
        with closing(prepared(entries, self._sample, self._limits.apart)) as batches:
            for documents in map(filling.arranged, batches):
                with self._writing() as connection:
                    state = State.load(connection)
                    numbers = state.take(len(documents))
                    state.save(connection)
                    used |= bitsets.of(numbers)
                    connection.execute("UPDATE build SET numbers = ? WHERE id = ?", (to_blob(used), build))
                    kept = [stored for stored, _ in documents]
                    insert_documents(connection, zip(numbers, kept, strict=True), -build)
                for number, (stored, indexed) in zip(numbers, documents, strict=True):
                    gathering.add(number, indexed)
                    latest[stored.id] = number
                    hidden |= 1 << number if stored.is_hidden else 0
                if gathering.size > self._limits.memory:
                    written.append(self._write(gathering))
        if gathering.lengths:
            written.append(self._write(gathering))
        with self._writing() as connection:
            state = State.load(connection)
            standing = Standing.find(connection, state, latest, change)
            new = {id_: number for id_, number in latest.items() if id_ not in standing.left}
            dead = settle(connection, state, new, hidden, standing, change)
            connection.execute(
                "UPDATE build SET generation = ?, numbers = ? WHERE id = ?",
                (state.generation, to_blob((used | dead) & ~state.live), build),
            )
            forget_recents(connection, dead)
            _list_segments(connection, state, written)
            state.save(connection)
        return standing.all_left

    def _sample(self, batch: list[Entry]) -> Sample:
        """The sample to compress with, which is taken from the first documents that have enough text."""
        with self._writing() as connection:
            sample = stored_sample(connection)
            if not sample.id:
                sample = Sample.of(1, batch)
                connection.executemany(
                    "INSERT INTO sample VALUES (?, ?)", [(1, sample.stored)] if sample.id else []
                )
        return sample

    def _write(self, gathering: Gathering) -> Segment:
        return gathering.write(self._next_segment(), self._writing)

    def _next_segment(self) -> int:
        with self._reading() as connection:
            return max(_tables(connection), default=0) + 1

    def flush(self) -> None:
        """Write a segment for the documents that have none."""
        with self._reading() as connection:
            live = State.load(connection).live
            rows = recents(connection)
        gathering = Gathering()
        for _, number, indexed in sorted(rows, key=lambda row: row[1]):
            if live >> number & 1:
                gathering.add(number, indexed)
        written = [self._write(gathering)] if gathering.lengths else []
        with self._writing() as connection:
            state = State.load(connection)
            connection.execute("DELETE FROM recent WHERE sequence <= ?", (rows[-1][0] if rows else 0,))
            _list_segments(connection, state, written)
            state.save(connection)

    def tidy(self) -> None:
        """Merge segments while that is due, and delete what is no longer needed."""
        while self._merge_some():
            pass
        self.clean()

    def _merge_some(self) -> bool:
        with self._reading() as connection:
            live = State.load(connection).live
            listed = Segment.listed(connection)
        due = _due(listed, live, self._limits)
        if not due:
            return False
        alive = [segment for segment in due if segment.numbers & live]
        written = [merge(alive, self._next_segment(), live, self._reading, self._writing)] if alive else []
        with self._writing() as connection:
            state = State.load(connection)
            connection.executemany("DELETE FROM segment WHERE id = ?", [(segment.id,) for segment in due])
            _list_segments(connection, state, written)
            state.save(connection)
        return True

    def clean(self) -> None:
        """Delete what no state refers to: dead documents, and what an interrupted build has left behind."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT id, numbers FROM build WHERE generation IS NULL OR length(numbers) > 0"
            ).fetchall()
            builds = [(build, from_blob(numbers)) for build, numbers in rows]
            listed = {row[0] for row in connection.execute("SELECT id FROM segment")}
            stray = _tables(connection) - listed
        for build, numbers in builds:
            self._delete_dead(numbers)
            with self._writing() as connection:
                connection.execute("UPDATE build SET numbers = x'' WHERE id = ?", (build,))
                connection.execute("DELETE FROM build WHERE id = ? AND generation IS NULL", (build,))
        for segment in stray:
            with self._writing() as connection:
                terms.drop(connection, segment)
                connection.execute("DELETE FROM vocabulary WHERE segment = ?", (segment,))
                connection.execute("DELETE FROM wordlist WHERE segment = ?", (segment,))
                connection.execute("DELETE FROM series WHERE segment = ?", (segment,))

    def _delete_dead(self, numbers: int) -> None:
        dead = bitsets.numbers(numbers)
        for start in range(0, len(dead), _DELETED_AT_ONCE):
            with self._writing() as connection:
                live = State.load(connection).live
                delete_documents(connection, bitsets.of(dead[start : start + _DELETED_AT_ONCE]) & ~live)


def _due(listed: list[Segment], live: int, limits: Limits) -> list[Segment]:
    """The segments to merge next, none when all is well."""
    known = {segment.id: segment.numbers.bit_count() for segment in listed}
    alive = {segment.id: (segment.numbers & live).bit_count() for segment in listed}
    stale = [
        segment
        for segment in listed
        if (known[segment.id] - alive[segment.id]) * 100 > limits.dead * known[segment.id]
    ]
    if stale or len(listed) <= limits.segments:
        return stale
    by_size = sorted(listed, key=lambda segment: alive[segment.id])
    chosen, size = by_size[:2], sum(alive[segment.id] for segment in by_size[:2])
    for segment in by_size[2:]:
        if alive[segment.id] > 2 * size:
            break
        chosen.append(segment)
        size += alive[segment.id]
    return chosen


def _list_segments(connection: sqlite3.Connection, state: State, written: list[Segment]) -> None:
    """List new segments, begin an epoch, and find the numbers that may be used again."""
    for segment in written:
        segment.record(connection)
    state.epoch = max(state.epoch, state.generation) + 1
    used = state.live
    for (numbers,) in connection.execute("SELECT numbers FROM segment UNION ALL SELECT numbers FROM build"):
        used |= from_blob(numbers)
    used |= bitsets.of([number for (number,) in connection.execute("SELECT number FROM recent")])
    state.next = used.bit_length()
    state.free = ~used & ((1 << state.next) - 1)


def _tables(connection: sqlite3.Connection) -> set[int]:
    """The numbers of the segments that have a table."""
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'terms_*'")
    return {int(name.removeprefix("terms_")) for (name,) in rows}
