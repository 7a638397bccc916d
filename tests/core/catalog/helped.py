"""Documents for updates in which a second process helps, and what is in an index after them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from fingerpost.catalog.base import Entry
from fingerpost.catalog.building import Limits
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.catalog.asked import entry

AT_ONCE = 10
"""Documents in a batch, in tests that use the fixture `started`."""

HELPED, ALONE = Limits(small=0, headers=0, apart=0), Limits(small=0, headers=0, apart=10**9)
"""Another process prepares all but the first batch, or none."""

Rows = dict[str, list[tuple[object, ...]]]


def two_processors(_process: int) -> set[int]:
    return {0, 1}


def one_processor(_process: int) -> set[int]:
    return {3}


def documents(count: int = 65) -> list[Entry]:
    """Documents with much text, in order of their ids, some of them of unusual kinds."""
    kinds: list[Callable[[str], Entry]] = [
        lambda id_: entry(
            id_, f"title{id_}", f"körper orderId {id_} " * 400, edges=("e1", "e1"), tag="a b a"
        ),
        lambda id_: Entry(id_, (f"lone \ud800 {id_}",), "half \udfff of a pair " * 300, card="\ud83d"),
        lambda id_: Entry(id_, ("no text", id_), ordered={"day": 1 << 70, "hour": -3}, details="{}"),
        lambda id_: Entry(id_, (), "hidden " * 600, {"kind": ("invalid",)}, card="why", details="more"),
        lambda id_: Entry(id_, ("東京都 中央区",), "the " * 300 + "検索 " * 9, {}, {}, ("e2",)),
    ]
    return [kinds[number % len(kinds)](f"{number:03}") for number in range(count)]


def stored_in(path: Path) -> Rows:
    """Every row of an index but those that tell when it was made."""
    with sqlite3.connect(path) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        names = [name for (name,) in tables if name not in ("state", "build")]
        rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}
        rows["state"] = connection.execute("SELECT next, live, hidden, free FROM state").fetchall()
    connection.close()
    return rows


def built(path: Path, entries: Iterable[Entry], limits: Limits = HELPED) -> Rows:
    """The rows of an index of some documents."""
    with PersistedCatalog(path, limits) as catalog:
        catalog.update(entries)
    return stored_in(path)


def with_call(call: Callable[[], object], place: int) -> Iterator[Entry]:
    """Documents, with a call before one of them is taken."""
    for number, each in enumerate(documents()):
        if number == place:
            call()
        yield each
