"""Damage in a text that the catalog keeps for its owner, or in a set, of which SQLite tells nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from fingerpost.catalog.base import CatalogEmptiedError, Query, View
from fingerpost.catalog.building import Limits
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.catalog.asked import entry, found

READERS: dict[str, Callable[[View], object]] = {
    "notes": lambda view: view.notes(),
    "card": lambda view: view.card("a"),
    "listing": lambda view: list(view.listing()),
    "details": lambda view: view.details("a"),
    "search": lambda view: view.search(Query("one")),
}
CARDS = "UPDATE document SET card = CAST(card || 'x' AS BLOB)"
TEXTS = "UPDATE content SET text = CAST(x'00000000' || substr(text, 5) AS BLOB)"
NOTES = "UPDATE note SET text = CAST(text || 'x' AS BLOB)"


@pytest.mark.parametrize(
    ("damage", "reader"),
    [
        (CARDS, "card"),
        (CARDS, "listing"),
        (CARDS, "search"),
        (TEXTS, "details"),
        (TEXTS, "search"),
        (NOTES, "notes"),
    ],
)
def test_a_damaged_text_is_never_handed_out(tmp_path: Path, damage: str, reader: str) -> None:
    path = tmp_path / "index.db"
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin", "one"), entry("b", "margin", "two")], notes={"n": "kept"})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(damage)
    with PersistedCatalog.open(path) as catalog:
        with (
            pytest.raises(CatalogEmptiedError, match="was damaged and has been emptied; ask again"),
            catalog.reading() as view,
        ):
            READERS[reader](view)
        with catalog.reading() as view:
            assert (view.count(), dict(view.notes())) == (0, {})


def test_no_text_is_read_to_show_a_word_that_stands_in_the_header_alone(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin", "one")])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(TEXTS)
    with PersistedCatalog.open(path) as catalog, catalog.reading() as view:
        assert [hit.snippet for hit in view.search(Query("margin")).hits] == [""]


@pytest.mark.parametrize(
    "damage", ["zeroblob(length({0}))", "CAST(substr({0}, 1, length({0}) - 1) || x'01' AS BLOB)", "x'ffff'"]
)
@pytest.mark.parametrize(("table", "column"), [("state", "live"), ("state", "free"), ("segment", "numbers")])
def test_a_damaged_set_is_met_when_the_file_is_opened(
    tmp_path: Path, table: str, column: str, damage: str
) -> None:
    path = tmp_path / "index.db"
    with PersistedCatalog(path, Limits(small=0, headers=0)) as catalog:
        catalog.update([entry(f"{number}", "margin") for number in range(40)])
        catalog.update([entry("0", "margin")])
        catalog.update([entry("1", "margin")])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE state SET free = live WHERE free = x''")
        connection.execute(f"UPDATE {table} SET {column} = {damage.format(column)}")
    with PersistedCatalog.open(path) as catalog:
        with catalog.reading() as view:
            assert (view.count(), view.search(Query("margin")).total) == (0, 0)
        catalog.update([entry("a", "margin")])
        assert found(catalog, "margin") == ["a"]


def test_a_damaged_set_is_met_by_whoever_writes_as_well(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with PersistedCatalog(path, Limits(small=0, headers=0)) as catalog:
        catalog.update([entry("a", "margin")])
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("INSERT INTO build (numbers) VALUES (x'0102030405')")
        with pytest.raises(CatalogEmptiedError):
            catalog.update([entry("b", "margin")])
        catalog.update([entry("b", "margin")])
        assert found(catalog, "margin") == ["b"]
