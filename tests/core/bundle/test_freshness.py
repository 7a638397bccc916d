"""A bundle is read live: edits are seen by the next call, failures keep the last good state."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest

from fingerpost import Bundle, KnowledgeNotFoundError, LocalDocumentStore, MemoryDocumentStore, StoreError
from fingerpost.bundle import refresh
from fingerpost.bundle.reading import Outcome, Progress
from fingerpost.bundle.refresh import Reader
from fingerpost.catalog.base import Entry
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.stores.base import Changes, Cursor


def concept(body: str, type_: str = "Note") -> str:
    return f"---\ntype: {type_}\n---\n{body}\n"


def test_an_edit_an_addition_and_a_deletion_are_seen_by_the_next_call(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(concept("first [b](b.md)"), encoding="utf-8")
    kb = Bundle(tmp_path)
    assert kb.read("a")["links"] == [{"id": "b", "exists": False}]
    (tmp_path / "b.md").write_text(concept("second"), encoding="utf-8")
    assert kb.read("a")["links"] == [{"id": "b", "exists": True}]
    assert kb.backlinks("b") == ["a"]
    (tmp_path / "a.md").write_text(concept("third"), encoding="utf-8")
    assert kb.read("a")["body"] == "third"
    assert kb.backlinks("b") == []
    assert [hit["id"] for hit in kb.find("third")["results"]] == ["a"]
    (tmp_path / "b.md").unlink()
    with pytest.raises(KnowledgeNotFoundError):
        kb.read("b")
    assert kb.find("second")["total"] == 0


def test_an_edit_of_the_same_size_with_its_time_put_back_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(concept("aaaa"), encoding="utf-8")
    kb = Bundle(tmp_path)
    assert kb.read("a")["body"] == "aaaa"
    before = file.stat()
    file.write_text(concept("bbbb"), encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert kb.read("a")["body"] == "bbbb"


def test_a_concept_that_breaks_is_counted_and_one_that_is_mended_comes_back() -> None:
    store = MemoryDocumentStore({"a.md": concept("x")})
    kb = Bundle(store)
    store.write_bytes("a.md", b"no frontmatter")
    assert (kb.find("x")["total"], kb.find("x")["skipped_invalid"]) == (0, 1)
    store.write_bytes("a.md", concept("x").encode())
    assert (kb.find("x")["total"], kb.find("x")["skipped_invalid"]) == (1, 0)


class FailingStore(MemoryDocumentStore):
    """A store that can be made to fail, as a disk or a network does."""

    failing = False

    def changes(self, cursor: Cursor | None = None) -> Changes:
        if self.failing:
            raise StoreError("The disk does not answer.")
        return super().changes(cursor)


def test_a_failing_store_keeps_the_last_good_state_and_says_so_until_mended() -> None:
    store = FailingStore({"a.md": concept("x")})
    kb = Bundle(store)
    assert (kb.ids(), kb.trouble) == (["a"], "")
    store.failing = True
    assert kb.read("a")["body"] == "x"
    assert kb.trouble == "The disk does not answer."
    store.failing = False
    store.write_bytes("a.md", concept("y").encode())
    assert kb.read("a")["body"] == "y"
    assert kb.trouble == ""


def test_a_store_that_never_answered_is_an_error() -> None:
    store = FailingStore({"a.md": concept("x")})
    store.failing = True
    with pytest.raises(StoreError, match="does not answer"):
        Bundle(store).find("x")


def test_readers_see_only_states_that_existed_while_the_tree_is_swapped(tmp_path: Path) -> None:
    for name, other in (("one", "left"), ("two", "right")):
        for number in range(20):
            file = tmp_path / name / other / f"{number}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(concept(f"state {name} {number}"), encoding="utf-8")
    root = tmp_path / "kb"
    (tmp_path / "one").rename(root)
    kb = Bundle(root)
    stop = threading.Event()
    problems: list[str] = []

    def read() -> None:
        while not stop.is_set():
            for folder, name in (("left", "one"), ("right", "two")):
                try:
                    body = kb.read(f"{folder}/3")["body"]
                except (KnowledgeNotFoundError, StoreError):
                    continue
                except BaseException as error:  # noqa: BLE001 - reported below
                    problems.append(repr(error))
                    return
                if body != f"state {name} 3":
                    problems.append(body)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for _ in range(60):
        root.rename(tmp_path / "parked")
        (tmp_path / "two").rename(root)
        root.rename(tmp_path / "two")
        (tmp_path / "parked").rename(root)
    stop.set()
    for reader in readers:
        reader.join()
    assert problems == []
    assert kb.ids() == sorted(f"left/{number}" for number in range(20))


class LockedStore(MemoryDocumentStore):
    """A store of which some files cannot be read."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.locked: set[str] = set()

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path in self.locked:
            raise StoreError(f"{path!r} cannot be read: permission denied.")
        return super().read_bytes(path, max_bytes)


def test_a_concept_that_cannot_be_read_again_is_kept_named_and_read_as_soon_as_it_can_be() -> None:
    store = LockedStore({"a.md": concept("first"), "b.md": concept("other")})
    kb = Bundle(store)
    assert kb.ids() == ["a", "b"]
    store.write_bytes("a.md", concept("second").encode())
    store.locked.add("a.md")
    for _ in range(2):
        assert [hit["id"] for hit in kb.find("first")["results"]] == ["a"]
        assert "'a.md'" in kb.trouble
        assert any(item.code == "OKF404" and item.path == "a.md" for item in kb.diagnostics())
    store.locked.clear()
    assert [hit["id"] for hit in kb.find("second")["results"]] == ["a"]
    assert kb.trouble == ""


def test_a_file_that_was_never_readable_is_named_at_every_call() -> None:
    store = LockedStore({"a.md": concept("x"), "b.md": concept("y")})
    store.locked.add("b.md")
    kb = Bundle(store)
    for _ in range(2):
        assert kb.ids() == ["a"]
        assert [item.path for item in kb.diagnostics() if item.code == "OKF404"] == ["b.md"]
    store.locked.clear()
    assert kb.ids() == ["a", "b"]


class CountingCatalog(MemoryCatalog):
    """A catalog that counts what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.given = 0

    def update(
        self,
        put: Iterable[Entry] = (),
        remove: Iterable[str] = (),
        notes: Mapping[str, str] | None = None,
        *,
        since: int | None = None,
    ) -> frozenset[str]:
        entries = list(put)
        self.given += len(entries)
        return super().update(entries, remove, notes, since=since)


def test_a_young_file_that_says_the_same_is_not_indexed_again(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(concept("x"), encoding="utf-8")
    catalog = CountingCatalog()
    reader = Reader(LocalDocumentStore(tmp_path), lambda: catalog)
    for _ in range(3):
        with reader.snapshot() as snapshot:
            assert snapshot.concept_count == 1
    assert catalog.given == 1


class FlickeringStore(MemoryDocumentStore):
    """A store of which a file is away for a moment between being listed and being read."""

    away = ""

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path == self.away:
            self.away = ""
            raise KnowledgeNotFoundError(f"{path!r} is away.")
        return super().read_bytes(path, max_bytes)


def test_a_file_that_is_away_while_it_is_read_comes_back() -> None:
    store = FlickeringStore({"a.md": concept("x"), "b.md": concept("y")})
    store.away = "a.md"
    assert Bundle(store).ids() == ["a", "b"]


class SlowStore(MemoryDocumentStore):
    """A store that is changed by somebody else while a file of it is being read."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.while_reading: Callable[[], None] | None = None

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        data = super().read_bytes(path, max_bytes)
        if self.while_reading is not None:
            change, self.while_reading = self.while_reading, None
            change()
        return data


def test_what_was_read_before_a_change_is_not_kept_after_it() -> None:
    store = SlowStore({"a.md": concept("old")})
    kb = Bundle(store)
    assert kb.ids() == ["a"]

    def change() -> None:
        store.write_bytes("a.md", concept("new").encode())

    store.while_reading = change
    assert kb.read("a")["body"] == "old"
    assert kb.read("a")["body"] == "new"


class CrashingStore(MemoryDocumentStore):
    """A store that fails in ways of its own."""

    broken = ""

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path == self.broken:
            raise RuntimeError("password=secret")
        return super().read_bytes(path, max_bytes)

    def list(self, prefix: str = "") -> list[str]:
        if self.broken == "everything":
            raise FileNotFoundError("password=secret")
        return super().list(prefix)


def test_a_foreign_error_about_one_file_costs_that_file_alone() -> None:
    store = CrashingStore({"a.md": concept("x"), "b.md": concept("y")})
    store.broken = "b.md"
    kb = Bundle(store)
    assert kb.ids() == ["a"]
    (found,) = [item for item in kb.diagnostics() if item.code == "OKF404"]
    assert (found.path, "RuntimeError" in found.reason, "secret" in found.reason) == ("b.md", True, False)
    store.broken = ""
    assert kb.ids() == ["a", "b"]


def test_a_foreign_error_of_the_whole_store_keeps_the_last_good_state() -> None:
    store = CrashingStore({"a.md": concept("x")})
    kb = Bundle(store)
    assert kb.ids() == ["a"]
    store.broken = "everything"
    assert kb.ids() == ["a"]
    assert kb.trouble == "The store failed with FileNotFoundError."


def test_a_forked_process_answers_whatever_its_parent_was_doing(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(concept("x"), encoding="utf-8")
    kb = Bundle(tmp_path)
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            len(kb)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                signal.alarm(20)  # a child that waits for a lock nobody holds would wait for ever
                os._exit(0 if kb.read("a")["body"] == "x" else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        reader.join()


def test_a_file_that_goes_while_another_process_writes_its_folder_leaves_no_ghost() -> None:
    store = SlowStore({"a.md": concept("first")})
    catalog = MemoryCatalog()
    one, other = Reader(store, lambda: catalog), Reader(store, lambda: catalog)

    def ids(reader: Reader) -> list[str]:
        with reader.snapshot() as snapshot:
            return [header.id for header in snapshot.concepts()]

    assert (ids(one), ids(other)) == (["a"], ["a"])

    def change() -> None:
        store.delete("x.md")
        store.write_bytes("y.md", concept("new").encode())
        assert ids(other) == ["a", "y"]

    store.write_bytes("x.md", concept("short-lived").encode())
    store.while_reading = change
    assert ids(one) == ["a", "y"]
    assert ids(other) == ["a", "y"]


def test_what_an_interrupted_first_reading_has_left_is_no_ghost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh, "_AT_ONCE", 5)
    store = MemoryDocumentStore({f"{number}.md": concept("text") for number in range(9)})
    catalog = MemoryCatalog()

    class Interrupted(Reader):
        def _write_headers(
            self, paths: list[str], outcome: Outcome, progress: Progress | None
        ) -> list[Entry]:
            super()._write_headers(paths, outcome, progress)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Interrupted(store, lambda: catalog).snapshot():
        pass
    assert catalog.count() == 9
    store.delete("3.md")
    reader = Reader(store, lambda: catalog)
    with reader.snapshot() as snapshot:
        assert [header.id for header in snapshot.concepts()] == ["0", "1", "2", "4", "5", "6", "7", "8"]
    reader.close()
