"""The persisted catalog as a file: opened again, shared, deleted, damaged, interrupted."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost.catalog import database, schema
from fingerpost.catalog.base import Entry
from fingerpost.catalog.building import Limits
from fingerpost.catalog.epoch import Epoch
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.persisted import PersistedCatalog
from fingerpost.catalog.state import State
from fingerpost.errors import StoreError
from fingerpost.stores.locks import locked
from tests.core.catalog.asked import entry, found, listed, search
from tests.core.catalog.conftest import SEGMENTS_AT_ONCE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "index.db"


def many(word: str, count: int = 300) -> list[Entry]:
    return [entry(f"{number:04}", word, f"{word} number{number}") for number in range(count)]


def test_what_was_written_is_there_when_it_is_opened_again(path: Path) -> None:
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin"), *many("word")], notes={"n": "x"})
        with catalog.reading() as view:
            before = (view.origin, view.generation)
    with PersistedCatalog.open(path) as catalog, catalog.reading() as view:
        assert (view.origin, view.generation) == before
        assert dict(view.notes()) == {"n": "x"}
        assert view.count() == 301
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.stat().st_mode & 0o777 == 0o600


def test_two_catalogs_of_one_file_see_what_the_other_writes(path: Path) -> None:
    with PersistedCatalog.open(path) as one, PersistedCatalog.open(path) as other:
        one.update([entry("a", "margin")])
        assert found(other, "margin") == ["a"]
        other.update(many("word"), remove=["a"])
        assert (found(one, "margin"), search(one, "word").total) == ([], 300)


def test_another_process_sees_it_too(path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from fingerpost.catalog.base import Entry\n"
        "from fingerpost.catalog.persisted import PersistedCatalog\n"
        "with PersistedCatalog.open(Path(sys.argv[1])) as catalog:\n"
        "    catalog.update([Entry('theirs', ('margin',))])\n"
    )
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("ours", "margin")])
        subprocess.run([sys.executable, "-c", program, str(path)], check=True)
        assert sorted(found(catalog, "margin")) == ["ours", "theirs"]


def test_a_view_stays_as_it_is_while_others_write(path: Path) -> None:
    with PersistedCatalog(path, SEGMENTS_AT_ONCE) as catalog:
        catalog.update([entry("a", "first")])
        with catalog.reading() as view:
            for round_ in range(5):
                catalog.update([entry("a", f"second {round_}"), *many("other", 30)], notes={"n": "x"})
            assert ([id_ for id_, _ in view.listing()], dict(view.notes())) == (["a"], {})
            assert list(view.values("none")) == []
            assert view.count() == 1
        assert found(catalog, "second") == ["a"]


def test_a_file_of_another_version_is_begun_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin")])
    monkeypatch.setattr("fingerpost.catalog.database.FORMAT", schema.FORMAT + 1)
    monkeypatch.setattr(schema, "FORMAT", schema.FORMAT + 1)
    with PersistedCatalog.open(path) as catalog:
        assert listed(catalog) == []
        catalog.update([entry("b", "margin")])
        assert found(catalog, "margin") == ["b"]


@pytest.mark.parametrize(
    "content", [b"", b"not a database at all" * 400, b"SQLite format 3\0" + b"\1" * 9000]
)
def test_a_foreign_file_is_replaced(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin")])
        assert found(catalog, "margin") == ["a"]


@pytest.mark.parametrize("companions", [True, False], ids=["with its log", "alone"])
def test_the_file_may_be_deleted_while_it_is_open(path: Path, companions: bool) -> None:
    with PersistedCatalog.open(path) as one, PersistedCatalog.open(path) as other:
        one.update([entry("a", "margin"), entry("b", "margin")])
        with one.reading() as view:
            before = (view.origin, view.generation)
        assert search(other, "margin").total == 2
        for file in [path, *(path.parent.glob("*-*") if companions else ())]:
            file.unlink()
        assert listed(one) == []
        one.update([entry("c", "margin")])
        assert (listed(one), listed(other)) == (["c"], ["c"])
        with other.reading() as view:
            assert view.origin > before[0]
            assert view.generation > before[1]
    with PersistedCatalog.open(path) as again:
        assert listed(again) == ["c"]


def test_the_file_may_be_deleted_while_it_is_being_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look, files = database._is_ours, [path]  # pyright: ignore[reportPrivateUsage]

    def late(connection: sqlite3.Connection) -> bool:
        if files:
            files.pop().unlink()
            raise sqlite3.OperationalError("disk I/O error")
        return look(connection)

    monkeypatch.setattr(database, "_is_ours", late)
    with PersistedCatalog.open(path) as catalog:
        assert listed(catalog) == []
        catalog.update([entry("a", "margin")])
        assert found(catalog, "margin") == ["a"]


def test_the_folder_may_be_deleted_as_well(path: Path) -> None:
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin")])
        for file in path.parent.iterdir():
            file.unlink()
        path.parent.rmdir()
        catalog.update([entry("b", "margin")])
        assert found(catalog, "margin") == ["b"]


def test_an_update_from_before_the_file_was_begun_anew_is_left_undone(path: Path) -> None:
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "margin"), entry("b", "margin")])
        with catalog.reading() as view:
            generation = view.generation
        path.unlink()
        assert catalog.update([entry("a", "new")], ["b"], {"n": "x"}, since=generation) == {"a", "b", "n"}
        with catalog.reading() as view:
            assert (view.count(), dict(view.notes())) == (0, {})


def test_a_build_whose_file_is_deleted_meanwhile_fails_and_leaves_the_new_file_alone(path: Path) -> None:
    with PersistedCatalog.open(path) as catalog:

        def entries() -> Iterator[Entry]:
            yield from many("first", 250)
            path.unlink()
            yield from many("second", 250)

        with pytest.raises(StoreError, match="was replaced"):
            catalog.update(entries())
        assert listed(catalog) == []
        catalog.update(many("third"))
        assert search(catalog, "third").total == 300


def test_damage_anywhere_ends_in_one_sentence_or_in_an_empty_catalog(path: Path) -> None:
    for seed in range(25):
        chance = random.Random(seed)
        with PersistedCatalog(path, Limits(recent=3, headers=3)) as catalog:
            catalog.update(many("margin", 150))
            catalog.update([entry("a", "liquidity"), entry("b", "bicycle")], notes={"n": "x"})
        data = bytearray(path.read_bytes())
        for _ in range(chance.choice([5, 50, 500])):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(data if seed % 3 else data[: chance.randrange(len(data))])
        catalog = PersistedCatalog.open(path)
        for _ in range(3):
            try:
                with catalog.reading() as view:
                    list(view.listing())
                    view.notes()
                search(catalog, "margin liquidty", explain=True)
                catalog.update(many("margin", 80))
            except StoreError as error:
                assert "damaged" in str(error)  # noqa: PT017 - it may also go well
        catalog.close()
        path.unlink()


def test_a_folder_that_cannot_be_written_is_one_sentence(path: Path) -> None:
    path.parent.mkdir()
    path.parent.chmod(0o500)
    try:
        if os.access(path.parent, os.W_OK):
            pytest.skip("this user may write everywhere")
        with pytest.raises(StoreError, match="check its folder and the permissions"):
            PersistedCatalog.open(path)
    finally:
        path.parent.chmod(0o700)


def test_a_path_that_cannot_be_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be used"):
        PersistedCatalog.open(tmp_path / "file" / "index.db")


def test_a_writer_that_takes_too_long_is_one_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fingerpost.catalog.database.PATIENCE", 0.05)
    with PersistedCatalog.open(path) as catalog:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="Another process is writing"):
            catalog.update([entry("a", "margin")])
        assert listed(catalog) == []
        other.close()
        catalog.update([entry("a", "margin")])
        assert listed(catalog) == ["a"]


def test_a_closed_catalog_says_so_and_may_be_closed_again(path: Path) -> None:
    catalog = PersistedCatalog.open(path)
    catalog.close()
    catalog.close()
    with pytest.raises(StoreError, match="closed"), catalog.reading():
        pass


def test_connections_are_closed_when_the_catalog_is_forgotten(path: Path) -> None:
    catalog = PersistedCatalog.open(path)
    catalog.update([entry("a", "margin")])
    del catalog
    assert not list(path.parent.glob("*-wal"))


def test_a_forked_child_reads_and_writes_beside_its_parent(path: Path) -> None:
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("parent", "margin")])

        def work() -> None:
            seen = listed(catalog)
            catalog.update([entry("child", "margin", " ".join(seen))])

        child = multiprocessing.get_context("fork").Process(target=work)
        child.start()
        child.join(30)
        assert child.exitcode == 0
        assert sorted(found(catalog, "margin")) == ["child", "parent"]
        assert found(catalog, "parent") == ["parent", "child"]


def test_a_child_forked_while_the_parent_reads_leaves_the_file_alone(path: Path) -> None:
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("parent", "margin")])

        def work() -> None:
            assert listed(catalog) == []
            catalog.update([entry("child", "margin")])
            assert listed(catalog) == ["child"]

        with catalog.reading():
            child = multiprocessing.get_context("fork").Process(target=work)
            child.start()
            child.join(30)
        assert child.exitcode == 0
        assert listed(catalog) == ["parent"]


KILLED = """
import itertools, sys
from pathlib import Path
from fingerpost.catalog.base import Entry
from fingerpost.catalog.building import Limits
from fingerpost.catalog.persisted import PersistedCatalog
limits = Limits(small=5, headers=15, recent=5, memory=20_000, segments=2, dead=10)
catalog = PersistedCatalog(Path(sys.argv[1]), limits)
print("begun", flush=True)
for round_ in itertools.count():
    entries = [Entry(f"{number:03}", (f"round{round_}",), "word " * 20) for number in range(150)]
    catalog.update(entries, notes={"round": str(round_)})
    catalog.update(entries[:3], notes={"round": str(round_)})
"""


def test_a_writer_that_is_killed_leaves_a_whole_state_and_no_rubbish(path: Path) -> None:
    for seed in range(6):
        writer = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            writer.wait(random.Random(seed).uniform(0.05, 0.4))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        with PersistedCatalog(path, SEGMENTS_AT_ONCE) as catalog:
            with catalog.reading() as view:
                notes, count = dict(view.notes()), view.count()
            if notes:
                assert count == 150
                assert search(catalog, f"round{notes['round']}").total == 150
            catalog.update([entry("more", "margin")])
            assert found(catalog, "margin") == ["more"]
            catalog.update(remove=["more"])
        with sqlite3.connect(path) as connection:
            rows = connection.execute("SELECT count(*) FROM document").fetchone()[0]
            tables = connection.execute(
                "SELECT count(*) FROM sqlite_schema WHERE name GLOB 'terms_*'"
            ).fetchone()
            segments = connection.execute("SELECT count(*) FROM segment").fetchone()
        connection.close()
        assert (rows, tables) == (count, segments)


def test_numbers_are_used_again_so_that_the_index_does_not_grow_for_ever(path: Path) -> None:
    with PersistedCatalog(path, SEGMENTS_AT_ONCE) as catalog:
        for round_ in range(12):
            catalog.update(many(f"round{round_}", 40))
        assert search(catalog, "round11").total == 40
        assert search(catalog, "round10").total == 0
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT next FROM state").fetchone()[0] <= 200
    connection.close()


def test_threads_that_read_and_write_at_once_see_whole_states(path: Path) -> None:
    failures: list[BaseException] = []
    limits = Limits(small=3, headers=8, recent=8, memory=1, segments=2, dead=10)
    with PersistedCatalog(path, limits) as catalog:
        catalog.update([entry(str(number), "word all") for number in range(20)])

        def read() -> None:
            try:
                for _ in range(60):
                    hits = search(catalog, "all", limit=50)
                    assert (hits.total, len({hit.words for hit in hits.hits})) == (20, 1)
            except BaseException as error:  # noqa: BLE001 - handed to the main thread
                failures.append(error)

        def write(name: str) -> None:
            try:
                for round_ in range(15):
                    catalog.update([entry(str(number), f"{name}{round_} all") for number in range(20)])
                    catalog.update([entry("0", f"{name} all")])
            except BaseException as error:  # noqa: BLE001 - handed to the main thread
                failures.append(error)

        threads = [threading.Thread(target=read) for _ in range(4)]
        threads += [threading.Thread(target=write, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_what_need_not_wait_for_a_long_build_does_not(path: Path) -> None:
    with PersistedCatalog.open(path) as catalog, PersistedCatalog.open(path) as other:

        def entries() -> Iterator[Entry]:
            yield from many("first", 250)
            other.update(many("second", 100))
            assert search(other, "second").total == 100
            yield from [entry("last", "first")]

        catalog.update(entries())
        assert (search(catalog, "first").total, search(catalog, "second").total) == (251, 0)


def test_a_catalog_that_nobody_builds_is_not_busy(path: Path) -> None:
    with PersistedCatalog.open(path) as catalog, MemoryCatalog() as reference:
        assert (catalog.is_busy, reference.is_busy) == (False, False)
        with locked(f"{path}.build", 0) as is_mine:
            assert is_mine
            assert catalog.is_busy


def test_a_state_that_was_read_once_is_not_loaded_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PersistedCatalog.open(path) as catalog:
        for id_ in ("a", "b"):
            catalog.update([entry(id_, "margin")])
            assert found(catalog, "margin")[-1] == id_
        monkeypatch.setattr(Epoch, "load", None)
        monkeypatch.setattr(State, "load", None)
        assert found(catalog, "margin") == ["a", "b"]
