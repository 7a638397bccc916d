"""The rows of documents and notes: what stands there, and what an update makes of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fingerpost.catalog import bitsets
from fingerpost.catalog.documents import Indexed, Stored, as_json, pack, seal, unpack
from fingerpost.catalog.schema import among
from fingerpost.catalog.state import State

_PARAMETERS = 500  # of one statement
_FEW = 64  # looks at a set that cost less than a copy of it with a byte for each member

Recorded: TypeAlias = tuple[int, int, Indexed]
"""The sequence and the number of a document that has no segment yet, and what the index knows of it."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an update does beside the documents that it puts.

    Attributes:
        remove: Ids to remove.
        notes: Notes to set.
        since: The generation that it was worked out from; None to overwrite everything.
    """

    remove: tuple[bytes, ...]
    notes: Mapping[str, str]
    since: int | None


@dataclass(frozen=True, slots=True)
class Standing:
    """What is there at the ids and names of an update.

    Attributes:
        numbers: The numbers of the live documents.
        left: Ids that have to be left as they are.
        left_notes: Names of notes that have to be left as they are.
    """

    numbers: Mapping[bytes, int]
    left: frozenset[bytes]
    left_notes: frozenset[str]

    @property
    def all_left(self) -> frozenset[str]:
        """All ids and names that have to be left."""
        return frozenset(map(unpack, self.left)) | self.left_notes

    @classmethod
    def find(
        cls, connection: sqlite3.Connection, state: State, putting: Iterable[bytes], change: Change
    ) -> Standing:
        """Look it up.

        Args:
            connection: A connection within a transaction.
            state: The state in it.
            putting: The ids of the documents to put.
            change: What else is to be done.
        """
        ids = list(dict.fromkeys([*putting, *change.remove]))
        numbers, changed = _documents(connection, state, ids)
        if change.since is None:
            return cls(numbers, frozenset(), frozenset())
        if change.since < state.origin:
            # It was worked out from a catalog that is no more; what it leaves unsaid stands nowhere now.
            return cls(numbers, frozenset(ids), frozenset(change.notes))
        if _has_removed(connection):
            for some in _pieces(ids):
                select = among("SELECT id, changed FROM removed WHERE id", len(some))
                changed.update(connection.execute(select, some))
        left = frozenset(id_ for id_, at in changed.items() if at > change.since)
        if left:
            return cls(numbers, left, frozenset(change.notes))
        notes = (
            name
            for name in change.notes
            for (at,) in connection.execute(
                "SELECT changed FROM note WHERE name = ?", (pack(name),)
            ).fetchall()
            if at > change.since
        )
        return cls(numbers, left, frozenset(notes))


def _documents(
    connection: sqlite3.Connection, state: State, ids: list[bytes]
) -> tuple[dict[bytes, int], dict[bytes, int]]:
    """Of live documents, their numbers and the generations that changed them."""
    numbers: dict[bytes, int] = {}
    changed: dict[bytes, int] = {}
    if not state.live:
        return numbers, changed
    is_live = _members(state.live, len(ids))
    for some in _pieces(ids):
        select = among("SELECT id, number, changed FROM document WHERE id", len(some))
        for id_, number, at in connection.execute(select, some):
            if is_live(number):
                numbers[id_] = number
                changed[id_] = at
    if min(changed.values(), default=0) < 0:
        builds: dict[int, int] = dict(connection.execute("SELECT -id, generation FROM build"))
        changed = {id_: at if at >= 0 else builds[at] for id_, at in changed.items()}
    return numbers, changed


def _has_removed(connection: sqlite3.Connection) -> bool:
    """Whether anything was removed that has not come back; in most builds nothing was."""
    return connection.execute("SELECT 1 FROM removed LIMIT 1").fetchone() is not None


def _members(bits: int, times: int) -> Callable[[int], int | bool]:
    """What tells whether a number is in a set, for whoever asks so many times."""
    if times <= _FEW:
        return lambda number: bits >> number & 1
    flags = bitsets.flags(bits, bits.bit_length())
    return lambda number: number < len(flags) and flags[number]


def _pieces(ids: list[bytes]) -> Iterable[list[bytes]]:
    return (ids[start : start + _PARAMETERS] for start in range(0, len(ids), _PARAMETERS))


def settle(
    connection: sqlite3.Connection,
    state: State,
    new: Mapping[bytes, int],
    hidden: int,
    standing: Standing,
    change: Change,
) -> int:
    """Begin a generation: make new documents live and old ones dead, and set the notes.

    Args:
        connection: A connection within a transaction.
        state: The state, which is changed.
        new: The numbers of the new documents.
        hidden: Those of them that no search finds.
        standing: What was there before.
        change: What else is to be done.

    Returns:
        The documents that are dead now.
    """
    state.generation += 1
    generation = state.generation
    removed = [
        id_
        for id_ in change.remove
        if id_ in standing.numbers and id_ not in new and id_ not in standing.left
    ]
    dead = bitsets.of([standing.numbers[id_] for id_ in (*new, *removed) if id_ in standing.numbers])
    live = bitsets.of(list(new.values()))
    state.live = state.live & ~dead | live
    state.hidden = state.hidden & ~dead | hidden & live
    if _has_removed(connection):
        connection.executemany("DELETE FROM removed WHERE id = ?", [(id_,) for id_ in new])
    if removed:
        connection.executemany(
            "INSERT OR REPLACE INTO removed VALUES (?, ?)", [(id_, generation) for id_ in removed]
        )
    notes = {name: text for name, text in change.notes.items() if name not in standing.left_notes}
    write_notes(connection, notes, generation)
    return dead


def write_notes(connection: sqlite3.Connection, notes: Mapping[str, str], generation: int) -> None:
    """Write notes.

    Args:
        connection: A connection within a transaction.
        notes: Their texts, by name.
        generation: The generation that they are of.
    """
    connection.executemany(
        "INSERT INTO note VALUES (?, ?, ?) "
        "ON CONFLICT (name) DO UPDATE SET changed = excluded.changed, text = excluded.text",
        [(pack(name), generation, seal(text)) for name, text in notes.items()],
    )


def insert_documents(
    connection: sqlite3.Connection, documents: Iterable[tuple[int, Stored]], changed: int
) -> None:
    """Write documents.

    Args:
        connection: A connection within a transaction.
        documents: What to keep of each, behind its number.
        changed: The generation, or the negative id of the build whose generation counts.
    """
    known = list(documents)
    connection.executemany(
        "INSERT INTO document VALUES (?, ?, ?, ?)",
        [(number, stored.id, changed, stored.card) for number, stored in known],
    )
    connection.executemany(
        "INSERT INTO content VALUES (?, ?, ?)",
        [(number, stored.sample, stored.text) for number, stored in known],
    )


def delete_documents(connection: sqlite3.Connection, bits: int) -> None:
    """Delete documents.

    Args:
        connection: A connection within a transaction.
        bits: Their numbers.
    """
    numbers = [(number,) for number in bitsets.numbers(bits)]
    connection.executemany("DELETE FROM document WHERE number = ?", numbers)
    connection.executemany("DELETE FROM content WHERE number = ?", numbers)


def insert_recent(connection: sqlite3.Connection, number: int, indexed: Indexed) -> int:
    """Write what the index knows of a document that has no segment yet.

    Args:
        connection: A connection within a transaction.
        number: Its number.
        indexed: What the index knows.

    Returns:
        Its sequence: one more than the highest there was.
    """
    written = connection.execute(
        "INSERT INTO recent (number, length, words, impacts, rest) VALUES (?, ?, ?, ?, ?)",
        (
            number,
            indexed.length,
            pack(" ".join(indexed.words)),
            indexed.impacts,
            pack(as_json((indexed.terms, indexed.ordered))),
        ),
    )
    return written.lastrowid or 0


def recents(connection: sqlite3.Connection, after: int = 0) -> list[Recorded]:
    """What `insert_recent` wrote, in that order.

    Args:
        connection: A connection within a transaction.
        after: Only what has a higher sequence.
    """
    rows = connection.execute(
        "SELECT sequence, number, length, words, impacts, rest FROM recent "
        "WHERE sequence > ? ORDER BY sequence",
        (after,),
    ).fetchall()
    found: list[Recorded] = []
    for sequence, number, length, words, impacts, rest in rows:
        terms, ordered = json.loads(unpack(rest))
        document = Indexed(unpack(words).split(" ") if words else [], impacts, terms, ordered, length)
        found.append((sequence, number, document))
    return found


def count_recents(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many rows `insert_recent` has left: of documents with a body, and of those that have none.

    Args:
        connection: A connection within a transaction.
    """
    # Without a body there are no words but those of the header.
    select = "SELECT count(*), total(length(impacts) > length) FROM recent"
    count, with_body = connection.execute(select).fetchone()
    return int(with_body), count - int(with_body)


def forget_recents(connection: sqlite3.Connection, dead: int) -> None:
    """Delete what `insert_recent` wrote of documents that are dead; an epoch has to begin with that.

    Args:
        connection: A connection within a transaction.
        dead: The documents.
    """
    rows = connection.execute("SELECT sequence, number FROM recent").fetchall()
    gone = [(sequence,) for sequence, number in rows if dead >> number & 1]
    connection.executemany("DELETE FROM recent WHERE sequence = ?", gone)
