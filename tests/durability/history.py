"""A history of a catalog: updates made by dice, so that the state after each of them can be worked out again.

Every update sets its number in a note and in a few documents, so that a state in which two updates are mixed
shows at a glance; and everything that the catalog answers is compared with the reference in memory.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from fingerpost.catalog.base import Among, AtMost, Catalog, Entry, Query, View
from fingerpost.catalog.building import Limits
from fingerpost.catalog.memory import MemoryCatalog

VERSION = "version"
"""The note that holds the number of the last update."""

LIMITS = Limits(small=8, headers=30, recent=12, memory=120_000, segments=3)
"""So small that a short history writes segments, flushes and merges all the time."""

WORDS = (
    "refund invoice customer payment shipping warehouse ledger contract supplier quarter forecast revenue "
    "Größe Straße Überweisung Rechnung Lieferung Kündigung مكتبة كتاب الدفع فاتورة 退款 发票 客户 返品 "
    "policies running cities analyses naïve café zebra quantum kubernetes postgres latency throughput"
).split()
_IDS = 240
_COUNTS = {"small": (1, 4), "remove": (0, 2), "medium": (9, 40), "headers": (5, 40), "large": (120, 220)}
"""How many documents the updates of each kind put; those of "headers" have no body."""

_MARKED = 4
_REFERENCES = 8
_SOME_KIND = (Among("kind", ("a",)),)
_EDGES = [f"edge{number}" for number in range(20)]


@dataclass(frozen=True, slots=True)
class Step:
    """One update, as `Catalog.update` takes it."""

    put: tuple[Entry, ...]
    remove: tuple[str, ...]
    notes: dict[str, str]

    def apply(self, catalog: Catalog) -> None:
        """Make it."""
        catalog.update(self.put, self.remove, self.notes)


@dataclass(frozen=True, slots=True)
class State:
    """What a catalog holds."""

    entries: dict[str, Entry]
    notes: dict[str, str]


class History:
    """Updates without end, and the state after each.

    Args:
        seed: Another seed makes another history.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._states = [State({}, {})]
        self._references: dict[int, MemoryCatalog] = {}

    def step(self, number: int) -> Step:
        """The update of a number, from 1 on; it depends on nothing else."""
        dice = random.Random(f"{self._seed}-{number}")
        kind = dice.choices(tuple(_COUNTS), (65, 10, 10, 8, 7))[0]
        ids = dice.sample(range(_IDS), dice.randint(*_COUNTS[kind]))
        put = [_entry(f"doc/{id_}", number, dice) for id_ in ids]
        put += [Entry(f"mark/{mark}", (f"Mark {mark}",), f"version{number}") for mark in range(_MARKED)]
        if kind == "headers":
            put = [entry._replace(header=(*entry.header, entry.body), body="") for entry in put]
        remove = dice.sample(range(_IDS), dice.randint(1, 60)) if kind == "remove" else []
        notes = {VERSION: str(number), f"/part{dice.randrange(6)}": dice.choice(["", f"seen {number}"])}
        return Step(tuple(put), tuple(f"doc/{id_}" for id_ in remove if id_ not in ids), notes)

    def state(self, number: int) -> State:
        """The state after the update of a number; 0 is the empty catalog."""
        while len(self._states) <= number:
            before, step = self._states[-1], self.step(len(self._states))
            entries = before.entries | {entry.id: entry for entry in step.put}
            for id_ in step.remove:
                entries.pop(id_, None)
            notes = {name: text for name, text in (before.notes | step.notes).items() if text}
            self._states.append(State(entries, notes))
        return self._states[number]

    def reference(self, number: int) -> MemoryCatalog:
        """The catalog in memory that holds the state after the update of a number; it must not be changed."""
        if number not in self._references:
            self._references[number] = MemoryCatalog()
            self._references[number].update(self.state(number).entries.values())
        while len(self._references) > _REFERENCES:
            del self._references[next(iter(self._references))]
        return self._references[number]


def _entry(id_: str, number: int, dice: random.Random) -> Entry:
    words = dice.choices(WORDS, k=dice.randint(5, 40))
    return Entry(
        id=id_,
        header=(" ".join(dice.sample(WORDS, 3)), id_) if dice.random() < 0.95 else (),
        body=f"{' '.join(words)} number{number}",
        facets={"kind": (dice.choice("abc"),), "tag": tuple(dice.sample(WORDS[:6], 2))},
        ordered={"after": dice.randrange(100)} if dice.random() < 0.5 else {},
        edges=(dice.choice(_EDGES),),
        card=f"card {number}",
        details=f"details {number} of {id_}",
    )


def version_of(view: View) -> int:
    """The number of the update that a catalog says was its last; 0 when it is empty."""
    return int(view.notes().get(VERSION, "0"))


def differences(view: View, history: History, number: int) -> Iterator[str]:
    """What a catalog answers otherwise than the reference in memory.

    Args:
        view: The catalog.
        history: What was written to it.
        number: The last update that it should hold.

    Yields:
        The questions that were answered wrongly, with both answers.
    """
    state = history.state(number)
    with history.reference(number).reading() as right:
        asked = {
            "notes": ({name: text for name, text in view.notes().items() if text}, state.notes),
            "listing": (list(view.listing()), list(right.listing())),
            "count": (view.count(_SOME_KIND), right.count(_SOME_KIND)),
            "values": (list(view.values("tag")), list(right.values("tag"))),
            **{f"details {id_}": (view.details(id_), right.details(id_)) for id_ in state.entries},
            **{f"sources {edge}": (view.sources(edge), right.sources(edge)) for edge in _EDGES},
            **{repr(query): (view.search(query), right.search(query)) for query in _queries()},
        }
        for question, (found, expected) in asked.items():
            if found != expected:
                yield f"{question}: {found!r} instead of {expected!r}"[:2000]


def _queries() -> Iterator[Query]:
    yield Query("refund invoice", explain=True)
    yield Query("refnud warehous", limit=5, offset=2)
    yield Query("Strasse rechnung")
    yield Query("مكتبه 发票")
    yield Query("policy city quantum", require=(Among("kind", ("a", "b")),))
    yield Query("zebra", require=(AtMost("after", 50),), leave_out=(Among("tag", ("refund",)),))
    yield Query("mark")
    yield Query("", limit=30)


def mixed_versions(view: View) -> str:
    """The versions that one view shows in its note and in its marked documents, "" when they are one."""
    number = version_of(view)
    found = {str(number)}
    hits = view.search(Query(f"version{number}", limit=100)).hits if number else ()
    marked = [hit.id for hit in hits if hit.snippet in ("", f"version{number}")]
    if number and len(marked) != _MARKED:
        found.add(f"{len(marked)} of {_MARKED} documents")
    return "" if len(found) == 1 else ", ".join(sorted(found))


def integrity(path: Path) -> str:
    """What SQLite says of a database file, "ok" when it is sound or not there."""
    if not path.exists():
        return "ok"
    with closing(sqlite3.connect(path)) as connection:
        try:
            return "; ".join(str(row[0]) for row in connection.execute("PRAGMA integrity_check(3)"))
        except sqlite3.DatabaseError as error:
            return str(error)
