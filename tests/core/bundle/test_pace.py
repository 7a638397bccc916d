"""`Pace`: when a store is asked again."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fingerpost import Bundle, MemoryDocumentStore
from fingerpost.bundle.pace import Pace
from fingerpost.errors import ConfigError, StoreError
from fingerpost.stores.base import Changes, Cursor, Skipped
from tests.core.bundle.shelf import Shelf, concept


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_a_store_is_asked_again_when_its_time_has_come() -> None:
    clock = Clock()
    pace = Pace(300, clock)
    assert pace.is_due
    pace.asked()
    assert not pace.is_due
    clock.now += 299
    assert not pace.is_due
    clock.now += 1
    assert pace.is_due


def test_one_that_failed_is_asked_again_before_long() -> None:
    clock = Clock()
    for seconds in (300, None):
        pace = Pace(seconds, clock)
        pace.asked(has_failed=True)
        assert not pace.is_due
        clock.now += 10
        assert pace.is_due
    pace = Pace(2, clock)
    pace.asked(has_failed=True)
    clock.now += 2
    assert pace.is_due


def test_a_hurry_while_the_store_is_asked_is_not_answered_by_that() -> None:
    pace = Pace(300, Clock())
    pace.asking()
    pace.hurry()
    pace.asked()
    assert pace.is_due
    pace.asking()
    pace.asked()
    assert not pace.is_due


def test_what_is_written_while_the_store_is_asked_is_in_the_next_answer() -> None:
    class Slow(MemoryDocumentStore):
        asked = 0
        is_written_to = False

        @property
        def has_cheap_changes(self) -> bool:
            return False

        def changes(self, cursor: Cursor | None = None) -> Changes:
            self.asked += 1
            found = super().changes(cursor)
            if self.is_written_to:  # by another thread, as `BundleWriter.apply` does
                self.is_written_to = False
                self.write_bytes("new.md", concept("New.").encode())
                kb.reader.pace.hurry()
            return found

    store = Slow({"old.md": concept("Old.")})
    kb = Bundle(store, cache="", refresh_seconds=300)
    assert len(kb) == 1
    store.is_written_to = True
    kb.reload()
    assert len(kb) == 2
    assert kb.read("new")["id"] == "new"
    asked = store.asked
    assert len(kb) == 2
    assert store.asked == asked  # and then it is left alone again


def test_none_is_once_and_0_is_always_and_a_hurry_is_now() -> None:
    clock = Clock()
    once, always = Pace(None, clock), Pace(0, clock)
    assert once.is_due
    once.asked()
    always.asked()
    clock.now += 10_000_000
    assert not once.is_due
    assert always.is_due
    once.hurry()
    assert once.is_due


@pytest.mark.parametrize("seconds", [-1, math.nan, "300", [1]])
def test_what_is_no_number_of_seconds_is_refused(seconds: Any) -> None:
    with pytest.raises(ConfigError, match="refresh_seconds"):
        Pace(seconds)


class Dear(Shelf):
    """A store that counts how often it is asked, and is dear to ask."""

    asked = 0

    @property
    def has_cheap_changes(self) -> bool:
        return False

    def changes(self, cursor: Cursor | None = None) -> Changes:
        self.asked += 1
        return super().changes(cursor)


def test_what_another_process_has_read_is_served_without_asking_the_store(tmp_path: Path) -> None:
    store = Dear({"a.md": concept("refund")})
    with (
        Bundle(store, cache=tmp_path, refresh_seconds=None) as once,
        Bundle(store, cache=tmp_path, refresh_seconds=0) as always,
    ):
        assert len(once) == len(always) == 1
        store.write_bytes("b.md", concept("refund").encode())
        assert len(once) == 1
        assert len(always) == 2
        before = store.asked
        assert len(once) == 2
        assert [hit["id"] for hit in once.find("refund")["results"]] == ["a", "b"]
        assert store.asked == before


def test_a_file_that_cannot_be_read_is_tried_again_when_it_is_time() -> None:
    class Locked(Dear):
        is_locked = True

        def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
            if self.is_locked and path == "a.md":
                raise StoreError("It is locked.")
            return super().read_bytes(path, max_bytes)

    store = Locked({"a.md": concept("refund"), "b.md": concept("refund")})
    bundle = Bundle(store, refresh_seconds=300)
    assert len(bundle) == 1
    store.is_locked = False
    before = store.asked
    assert len(bundle) == 1
    assert store.asked == before
    bundle.reload()
    assert len(bundle) == 2


class Faltering(Dear):
    """One that fails as long as it is told to, and has something that it does not serve."""

    fails = False

    def changes(self, cursor: Cursor | None = None) -> Changes:
        found = super().changes(cursor)
        if self.fails:
            raise StoreError("It is down.")
        return replace(found, skipped=(Skipped("x.md", "OKF404", "Its name is odd."),))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of the bundles that are made."""
    clock = Clock()

    def paced(seconds: float | None) -> Pace:
        return Pace(seconds, clock)

    monkeypatch.setattr("fingerpost.bundle.bundle.Pace", paced)
    return clock


def test_a_look_that_finds_nothing_new_is_one(clock: Clock) -> None:
    store = Faltering({"a.md": concept("refund")})
    bundle = Bundle(store, refresh_seconds=300)
    assert len(bundle) == 1
    clock.now += 300
    before = store.asked
    for _ in range(3):
        assert len(bundle) == 1
        assert bundle.overview()["skipped"] == 1
    assert store.asked == before + 1


def test_a_store_that_falters_is_asked_again_after_ten_seconds(clock: Clock) -> None:
    store = Faltering({"a.md": concept("refund")})
    bundle = Bundle(store, refresh_seconds=300)
    assert len(bundle) == 1
    clock.now += 300
    store.fails = True
    assert len(bundle) == 1
    failed = store.asked
    clock.now += 9
    assert len(bundle) == 1
    assert store.asked == failed
    assert "It is down." in bundle.trouble
    store.fails = False
    store.write_bytes("b.md", concept("refund").encode())
    clock.now += 1
    assert len(bundle) == 2
    assert bundle.trouble == ""
