"""What a catalog writes down of its present state."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fingerpost.catalog.database import Database
from fingerpost.catalog.schema import PAGE_SIZE
from fingerpost.catalog.state import State


def test_a_state_that_is_known_is_the_one_that_stands_there(tmp_path: Path) -> None:
    database = Database(tmp_path / "index.db")
    with database.writing() as connection:
        known = State.load(connection)
        known.generation, known.next, known.live, known.free = known.generation + 1, 9, 0b1011, 0b111110100
        known.save(connection)
    for change in ({}, {"next": 12, "free": 0b100}, {"live": 0b1, "generation": known.generation + 1}):
        with database.writing() as connection:
            replace(known, **change).save(connection, known.sets)
            assert State.load(connection, known) == State.load(connection) == replace(known, **change)
            known.save(connection)
    database.close()


def test_an_update_writes_only_what_differs_of_large_sets(tmp_path: Path) -> None:
    log = tmp_path / "index.db-wal"
    database = Database(tmp_path / "index.db")
    with database.writing() as connection:
        state = State.load(connection)
        state.live = state.hidden = (1 << 300_000) - 1
        state.save(connection)
    before, size = state.sets, log.stat().st_size
    for number in (300_000, 300_500):
        state.live |= 1 << number
        with database.writing() as connection:
            state.save(connection, before)
        before = state.sets
    assert log.stat().st_size - size < 2 * 3 * PAGE_SIZE
    database.close()
