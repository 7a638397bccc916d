"""Damage in a text that the catalog keeps for its owner, of which SQLite tells nothing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fingerpost.catalog.base import CatalogEmptiedError, Query
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.catalog.asked import entry


def everything_in(catalog: PersistedCatalog) -> object:
    with catalog.reading() as view:
        return view.notes(), view.details("a"), list(view.listing()), view.search(Query("one"))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE document SET card = CAST(card || 'x' AS BLOB)",
        "UPDATE content SET details = CAST(details || 'x' AS BLOB)",
        "UPDATE note SET text = CAST(text || 'x' AS BLOB)",
        "UPDATE content SET text = CAST(x'00000000' || substr(text, 5) AS BLOB)",
    ],
)
def test_a_damaged_text_is_never_handed_out(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "index.db"
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin", "one"), entry("b", "margin", "two")], notes={"n": "kept"})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(damage)
    with PersistedCatalog.open(path) as catalog:
        with pytest.raises(CatalogEmptiedError, match="was damaged and has been emptied; ask again"):
            everything_in(catalog)
        with catalog.reading() as view:
            assert (view.count(), dict(view.notes())) == (0, {})
