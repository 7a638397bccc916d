"""Small updates: what they share with the ones before, and what they leave to the background."""

from __future__ import annotations

import logging
import multiprocessing
import os
import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from fingerpost.catalog import epoch as epochs
from fingerpost.catalog import persisted, schema, vocabulary
from fingerpost.catalog.base import Catalog, CatalogError, Entry, Query
from fingerpost.catalog.building import Builder, Limits
from fingerpost.catalog.database import Database
from fingerpost.catalog.epoch import Epoch, Recent
from fingerpost.catalog.persisted import PersistedCatalog
from fingerpost.catalog.rows import Recorded, recents
from fingerpost.catalog.state import State
from fingerpost.catalog.transaction import Identity, Transaction
from fingerpost.catalog.trouble import DamagedError
from fingerpost.catalog.vocabulary import Bucket
from fingerpost.text.forms import form_key
from tests.core.catalog.asked import entry, found, listed, without_segment


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.db"


def do_nothing(_: object) -> None:
    return


@pytest.fixture
def flushed_by(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the threads that wrote segments for small updates."""
    names: list[str] = []
    flush = Builder.flush

    def noted(builder: Builder) -> None:
        names.append(threading.current_thread().name)
        flush(builder)

    monkeypatch.setattr(Builder, "flush", noted)
    return names


def test_segments_for_small_updates_are_written_by_a_thread(path: Path, flushed_by: list[str]) -> None:
    with PersistedCatalog(path, Limits(recent=3, headers=3), in_background=True) as catalog:
        for number in range(4):
            catalog.update([entry(f"{number}", "margin")])
    assert flushed_by == ["fingerpost-tidying"]
    assert without_segment(path) == 0
    with PersistedCatalog.open(path) as catalog:
        assert found(catalog, "margin") == ["0", "1", "2", "3"]


def test_closing_waits_for_the_thread(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_awaited = threading.Event()
    flush, join = Builder.flush, threading.Thread.join

    def late(builder: Builder) -> None:
        is_awaited.wait(1)
        flush(builder)

    def joined(thread: threading.Thread, timeout: float | None = None) -> None:
        is_awaited.set()
        join(thread, timeout)

    monkeypatch.setattr(Builder, "flush", late)
    monkeypatch.setattr(threading.Thread, "join", joined)
    with PersistedCatalog(path, Limits(recent=1, headers=1), in_background=True) as catalog:
        catalog.update([entry("a", "margin")])
        catalog.update([entry("b", "margin")])
    assert without_segment(path) == 0


def test_without_leave_to_do_so_the_update_writes_them_itself(path: Path, flushed_by: list[str]) -> None:
    with PersistedCatalog(path, Limits(recent=3, headers=3)) as catalog:
        for number in range(4):
            catalog.update([entry(f"{number}", "margin")])
        assert flushed_by == ["MainThread"]
        assert without_segment(path) == 0


def test_an_update_writes_them_itself_where_no_thread_gets_to_the_end(
    path: Path, flushed_by: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading.Thread, "start", do_nothing)
    monkeypatch.setattr(threading.Thread, "join", do_nothing)
    with PersistedCatalog(path, Limits(recent=3, headers=3), in_background=True) as catalog:
        for number in range(12):
            catalog.update([entry(f"{number}", "margin")])
        assert flushed_by == []
        catalog.update([entry("12", "margin")])
        assert flushed_by == ["MainThread"]


def test_damage_that_the_thread_meets_is_told_and_does_no_further_harm(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def damaged(_: Builder) -> None:
        raise DamagedError("nonsense")

    monkeypatch.setattr(Builder, "flush", damaged)
    with (
        caplog.at_level(logging.WARNING),
        PersistedCatalog(path, Limits(recent=1, headers=1), in_background=True) as one,
    ):
        one.update([entry("a", "margin")])
        one.update([entry("b", "margin")])
    messages = [record.getMessage() for record in caplog.records]
    assert messages == ["The index could not be tidied. It is damaged: nonsense"]
    with PersistedCatalog.open(path) as other:
        assert found(other, "margin") == ["a", "b"]


def test_an_index_in_memory_has_no_thread(flushed_by: list[str]) -> None:
    with PersistedCatalog.open(None) as catalog:
        for number in range(65):
            catalog.update([entry(f"{number:02}", "margin", "of profit")])
        assert flushed_by == ["MainThread"]


def documents(word: str) -> list[Entry]:
    """Enough text for a sample to compress with, all about one word."""
    return [Entry(f"{number:03}", (word,), f"{word} says {number}. " * 30) for number in range(100)]


def snippet(catalog: Catalog, word: str) -> str:
    with catalog.reading() as view:
        return view.search(Query(word)).hits[0].snippet


def test_the_sample_of_a_file_that_was_begun_anew_is_another_one(path: Path) -> None:
    with PersistedCatalog.open(path) as one, PersistedCatalog.open(path) as other:
        one.update(documents("first"))
        other.update([entry("a", "margin", "first says margin. " * 9)])
        path.unlink()
        one.update(documents("second"))
        other.update([entry("a", "margin", "second says profit. " * 9)])
    with PersistedCatalog.open(path) as new:
        assert "profit" in snippet(new, "profit")


def test_what_was_read_of_the_vocabulary_is_not_read_again_when_a_segment_comes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PersistedCatalog(path, Limits(small=0, headers=0)) as writer, PersistedCatalog.open(path) as catalog:
        writer.update(documents("margin"))
        assert len(found(catalog, "margni")) == 20
        writer.update([entry("a", "profit")])
        made: list[int] = []

        class Noted(Bucket):
            def __init__(self, blob: bytes) -> None:
                super().__init__(blob)
                made.append(self.length)

        monkeypatch.setattr(epochs, "Bucket", Noted)
        assert len(found(catalog, "margni")) == 20
        assert found(catalog, "proift") == ["a"]
        assert set(made) == {len("profit")}


def test_segments_that_are_deleted_after_a_merge_are_missed_by_nobody(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(small=0, headers=0, segments=2)
    with PersistedCatalog(path, limits) as writer, PersistedCatalog.open(path) as reader:
        with monkeypatch.context() as patch:
            patch.setattr(Builder, "clean", do_nothing)
            for id_, word in zip("abc", ("margin", "profit", "losses"), strict=True):
                writer.update([entry(id_, word, "profitmargin")])
            assert found(reader, "margin") == ["a"]
        database = Database(path)
        Builder(database, limits).clean()
        database.close()
        assert [found(reader, word) for word in ("margni", "proift", "lossse")] == [["a"], ["b"], ["c"]]
    with sqlite3.connect(path) as connection:
        listed_ones = set(connection.execute("SELECT id FROM segment"))
        for table in ("vocabulary", "wordlist"):
            assert set(connection.execute(f"SELECT segment FROM {table}")) == listed_ones
    connection.close()


def with_words(*words: str) -> sqlite3.Connection:
    """The buckets of the first segment."""
    connection = sqlite3.connect(":memory:")
    schema.create(connection)
    rows = [(1, length, blob) for length, blob in vocabulary.encode(words).items()]
    connection.executemany("INSERT INTO vocabulary VALUES (?, ?, ?)", rows)
    return connection


def test_an_epoch_has_no_words_of_a_file_that_was_there_before() -> None:
    before = Epoch(1, [], [(1, 6)])
    (bucket,) = before.buckets(6, with_words("margin"))
    alike, other = Epoch(2, [], [(1, 6)], before), Epoch(2, [], [(1, 6)], before)
    assert list(alike.buckets(6, with_words("margin"))) == [bucket]
    assert [each.words() for each in other.buckets(6, with_words("profit"))] == [["profit"]]


def test_only_words_of_a_length_that_can_be_near_are_read_and_each_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    class Noted(Bucket):
        def __init__(self, blob: bytes) -> None:
            super().__init__(blob)
            made.append(self.length)

    monkeypatch.setattr(epochs, "Bucket", Noted)
    with PersistedCatalog(path, Limits(small=0, headers=0)) as catalog:
        catalog.update([entry("a", "tax rate price margin revenue marginalia", "profitmargin")])
        assert found(catalog, "prise") == found(catalog, "prise") == ["a"]
        assert sorted(made) == [4, 5, 6]
        assert found(catalog, "profit") == ["a"]
        assert sorted(made) == [4, 5, 6, 7]


def test_what_was_just_written_is_not_read_and_what_others_wrote_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def noted(connection: sqlite3.Connection, after: int = 0) -> list[Recorded]:
        rows = recents(connection, after)
        read.extend(word for _, _, document in rows for word in document.words)
        return rows

    monkeypatch.setattr(persisted, "recents", noted)
    with PersistedCatalog.open(path) as catalog, PersistedCatalog.open(path) as other:
        catalog.update([entry("a", "margin")])
        assert (found(catalog, "margin"), read) == (["a"], [])
        other.update([entry("b", "margin"), entry("c", "profit")])
        catalog.update([entry("d", "margin")])
        assert found(catalog, "margin") == ["a", "b", "d"]
        assert set(read) == {"b", "c", "d", "margin", "profit"}
        assert found(other, "margin") == ["a", "b", "d"]


def test_what_was_written_before_others_made_a_segment_of_it_counts_once(path: Path) -> None:
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin")])
        with PersistedCatalog(path, Limits(recent=0, headers=0)) as other:
            other.update(remove=["b"])
        assert without_segment(path) == 0
        assert found(catalog, "margin") == ["a"]
        catalog.update([entry("c", "margin")])
        assert found(catalog, "margin") == ["a", "c"]


def absorb(recent: Recent, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        recent.absorb(recents(connection, recent.sequence))


def test_words_that_come_while_others_find_their_family_find_theirs(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margins")])
        recent = Recent()

        def interrupted(word: str) -> str:
            if word == "margins":
                catalog.update([entry("b", "margined margin mango")])
                absorb(recent, path)
            return form_key(word)

        absorb(recent, path)
        monkeypatch.setattr(epochs, "_form_key", interrupted)
        assert recent.family("hold") == {}
        assert set(recent.family("margin")) == {"margins"}
        assert set(recent.family("margin")) == {"margins", "margined", "margin"}
        assert set(recent.family("mango")) == {"mango"}


def test_words_that_come_while_others_are_sorted_in_are_found_misspelt(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mask = vocabulary.mask
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin")])
        recent = Recent()

        def interrupted(word: str) -> int:
            if word == "margin":
                catalog.update([entry("b", "profit")])
                absorb(recent, path)
            return mask(word)

        absorb(recent, path)
        monkeypatch.setattr(epochs, "mask", interrupted)
        assert set(recent.masks[6]) == {"margin"}
        assert set(recent.masks[6]) == {"margin", "profit"}
        assert sorted(recent.starting("pro")) == ["profit"]
        assert sorted(recent.ending("gin")) == ["margin"]


def exit_code(work: Callable[[], object]) -> int | None:
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join(30)
    return child.exitcode


@pytest.mark.parametrize("is_in_memory", [True, False])
def test_a_child_may_leave_a_reading_that_its_parent_began(path: Path, is_in_memory: bool) -> None:
    with PersistedCatalog.open(None if is_in_memory else path) as catalog:
        catalog.update([entry("parent", "margin")])
        parent = os.getpid()
        reading = catalog.reading()
        with reading:

            def leave() -> None:
                assert os.getpid() != parent
                assert listed(catalog) == []
                reading.__exit__(None, None, None)
                assert listed(catalog) == []

            assert exit_code(leave) == 0
            assert exit_code(partial(reading.__exit__, None, None, None)) == 0
        assert listed(catalog) == ["parent"]


def test_a_child_does_nothing_with_a_connection_of_its_parent(path: Path) -> None:
    database = Database(path)
    transaction = database.reading()
    with transaction as connection:

        def leave() -> None:
            transaction.__exit__(None, None, None)
            assert connection.in_transaction

        assert exit_code(leave) == 0
    database.close()


def test_a_reading_that_meets_damage_gives_its_connection_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[sqlite3.Connection] = []
    give_back, load = Database.give_back, State.load

    def noted(database: Database, connection: sqlite3.Connection, identity: Identity | None) -> None:
        given.append(connection)
        give_back(database, connection, identity)

    def damaged_once(connection: sqlite3.Connection, known: State | None) -> State:
        monkeypatch.setattr(State, "load", load)
        raise ValueError("nonsense")

    with PersistedCatalog.open(path) as catalog:
        monkeypatch.setattr(Database, "give_back", noted)
        monkeypatch.setattr(State, "load", damaged_once)
        assert listed(catalog) == []
        assert len(given) == 2


def test_a_database_that_nobody_uses_counts_nobody(path: Path) -> None:
    database = Database(path)
    with database.reading(), database.reading():
        assert database.in_use == 2
    with pytest.raises(DamagedError), Transaction(database, "BEGIN nothing"):
        pass
    assert database.in_use == 0
    database.close()
    with pytest.raises(CatalogError), database.reading():
        pass
    assert database.in_use == 0
