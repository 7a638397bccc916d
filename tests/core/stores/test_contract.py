"""What every store does alike: the local folder, in each way of confining it, and those of others."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Protocol

import pytest

from fingerpost.errors import ConflictError, KnowledgeNotFoundError, KnowledgePathError, StoreError
from fingerpost.stores import Changes, Cursor, DocumentStore, LocalDocumentStore, MemoryDocumentStore, roots
from fingerpost.stores.base import Paths, is_hidden, not_found, served, too_large

pytestmark = pytest.mark.usefixtures("aged")


class Shelf(Protocol):
    """A store, and a hand that changes what is stored."""

    store: DocumentStore

    def put(self, path: str, content: bytes) -> None: ...
    def remove(self, path: str) -> None: ...


class LocalShelf:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.store: DocumentStore = LocalDocumentStore(folder)

    def put(self, path: str, content: bytes) -> None:
        file = self._folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def remove(self, path: str) -> None:
        (self._folder / path).unlink()


class MemoryShelf:
    def __init__(self, hidden: dict[str, bytes]) -> None:
        self._memory = MemoryDocumentStore(hidden)
        self.store: DocumentStore = self._memory

    def put(self, path: str, content: bytes) -> None:
        self._memory.write_bytes(path, content)

    def remove(self, path: str) -> None:
        self._memory.delete(path)


class VersionedStore(DocumentStore):
    """The least that a store has to bring: it numbers the versions of its files."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._versions = 0
        self._files: dict[str, tuple[int, bytes]] = {}
        for path, content in files.items():
            self.put(path, content)

    @property
    def identity(self) -> str:
        return "versioned:"

    def put(self, path: str, content: bytes) -> None:
        self._versions += 1
        self._files[path] = (self._versions, content)

    def remove(self, path: str) -> None:
        del self._files[path]

    def list(self, prefix: str = "") -> Paths:
        folder = f"{self.normalise(prefix)}/" if prefix else ""
        return sorted(path for path in self._files if path.startswith(folder) and not is_hidden(path))

    def signature(self, path: str) -> str:
        return f'"{self._file(path)[0]}"'

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        content = self._file(path)[1]
        if max_bytes is not None and len(content) > max_bytes:
            raise too_large(path, len(content), max_bytes)
        return content

    def _file(self, path: str) -> tuple[int, bytes]:
        path = served(path)
        if path in self._files:
            return self._files[path]
        if any(other.startswith(f"{path}/") for other in self._files):
            raise StoreError(f"{path!r} is a folder.")
        raise not_found(path)


class VersionedShelf:
    def __init__(self, hidden: dict[str, bytes]) -> None:
        self._versioned = VersionedStore(hidden)
        self.store: DocumentStore = self._versioned
        self.put = self._versioned.put
        self.remove = self._versioned.remove


HIDDEN = {".git/config": b"secret", ".git/HEAD": b"ref", "a/.notes.md": b"draft"}


@pytest.fixture(params=["openat2", "steps", "paths", "memory", "least"])
def shelf(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    if request.param == "memory":
        return MemoryShelf(HIDDEN)
    if request.param == "least":
        return VersionedShelf(HIDDEN)
    openers: dict[str, roots.RootOpener] = {
        "openat2": roots.open_descriptor_root,
        "steps": partial(roots.open_descriptor_root, use_openat2=False),
        "paths": roots.open_path_root,
    }
    monkeypatch.setattr("fingerpost.stores.local.strongest", lambda: openers[request.param])
    local = LocalShelf(folder)
    for path, content in HIDDEN.items():
        local.put(path, content)
    return local


def test_an_empty_store_lists_nothing(shelf: Shelf) -> None:
    assert shelf.store.list() == []


def test_the_listing_is_sorted_by_whole_paths(shelf: Shelf) -> None:
    for path in ("b.md", "a/z.md", "a-b/x.md", "a.md", "a/b/c.md", "ملف.md"):
        shelf.put(path, b"x")
    assert shelf.store.list() == ["a-b/x.md", "a.md", "a/b/c.md", "a/z.md", "b.md", "ملف.md"]


def test_a_prefix_is_a_folder_and_no_start_of_a_name(shelf: Shelf) -> None:
    for path in ("kb/x.md", "kb/deep/y.md", "kb-secret/x.md", "kb.md"):
        shelf.put(path, b"x")
    assert shelf.store.list("kb") == shelf.store.list("kb/") == ["kb/deep/y.md", "kb/x.md"]
    assert shelf.store.list("absent") == []
    with pytest.raises(KnowledgePathError):
        shelf.store.list("../kb")


def test_bytes_come_back_as_they_were_put(shelf: Shelf) -> None:
    content = bytes(range(256)) * 3
    shelf.put("a/b.md", content)
    assert shelf.store.read_bytes("a/b.md") == content
    assert shelf.store.read_bytes("a//./b.md") == content


def test_a_file_of_exactly_the_cap_is_read_and_one_byte_more_is_refused_with_both_numbers(
    shelf: Shelf,
) -> None:
    shelf.put("x.md", b"x" * 1234)
    assert len(shelf.store.read_bytes("x.md", max_bytes=1234)) == 1234
    with pytest.raises(StoreError, match=r"'x\.md' holds 1,234 bytes, more than the 1,233 bytes"):
        shelf.store.read_bytes("x.md", max_bytes=1233)


@pytest.mark.parametrize(
    "path", ["../kb-secret/x", "a/../../kb-secret/x", "/abs", "a\\b", "a\0b", "", ".", "//", "a/..", "\udce9"]
)
def test_a_malformed_path_is_refused_by_every_operation(shelf: Shelf, path: str) -> None:
    with pytest.raises(KnowledgePathError):
        shelf.store.read_bytes(path)
    with pytest.raises(KnowledgePathError):
        shelf.store.signature(path)
    assert shelf.store.exists(path) is False


@pytest.mark.parametrize("path", ["absent.md", "a/absent.md", "x.md/below", ".git/config", "a/.notes.md"])
def test_what_is_absent_or_hidden_is_not_found(shelf: Shelf, path: str) -> None:
    shelf.put("x.md", b"x")
    with pytest.raises(KnowledgeNotFoundError):
        shelf.store.read_bytes(path)
    with pytest.raises(KnowledgeNotFoundError):
        shelf.store.signature(path)
    assert shelf.store.exists(path) is False


def test_a_folder_is_not_read_as_a_file(shelf: Shelf) -> None:
    shelf.put("a/x.md", b"x")
    for ask in (shelf.store.read_bytes, shelf.store.signature):
        with pytest.raises(StoreError, match="'a' is a folder"):
            ask("a")
    assert shelf.store.exists("a") is False
    assert shelf.store.exists("a/x.md") is True


def test_a_store_that_cannot_tell_whether_a_file_exists_says_so() -> None:
    class Down(VersionedStore):
        def signature(self, path: str) -> str:
            raise StoreError("The disk failed.")

    with pytest.raises(StoreError, match="The disk failed"):
        Down({"a/x.md": b"x"}).exists("a/x.md")
    assert Down({"a/x.md": b"x"}).exists("a") is False


def test_hidden_entries_are_summed_up_in_one_entry(shelf: Shelf) -> None:
    shelf.put("x.md", b"x")
    if isinstance(shelf.store, VersionedStore):
        assert shelf.store.changes().skipped == (), "it has to sum them up itself"
        return
    (entry,) = shelf.store.changes().skipped
    assert (entry.code, entry.path, entry.count) == ("OKF401", "", 2)
    assert "'.git', 'a/.notes.md'" in entry.reason


def test_the_first_changes_report_every_file_and_the_next_none(shelf: Shelf) -> None:
    shelf.put("b.md", b"1")
    shelf.put("a/x.md", b"1")
    first = shelf.store.changes()
    assert (first.changed, first.removed, first.complete) == (("a/x.md", "b.md"), (), True)
    second = shelf.store.changes(first.cursor)
    assert (second.changed, second.removed, second.complete) == ((), (), True)
    assert second.cursor is first.cursor


def test_only_the_parts_of_folders_in_which_something_changed_are_others(shelf: Shelf) -> None:
    for path in ("x.md", "a/x.md", "a/b/x.md", "c/x.md"):
        shelf.put(path, b"1")
    before = shelf.store.changes().cursor
    shelf.put("a/y.md", b"1")
    shelf.put("d/x.md", b"1")
    shelf.remove("c/x.md")
    now = shelf.store.changes(before).cursor
    folders = before.parts.keys() | now.parts.keys()
    assert {folder for folder in folders if before.parts.get(folder) != now.parts.get(folder)} == {
        "a",
        "c",
        "d",
    }


def test_each_of_two_readers_gets_what_changed_since_its_own_call(shelf: Shelf) -> None:
    shelf.put("x.md", b"1")
    shelf.put("y.md", b"1")
    one = other = shelf.store.changes().cursor
    shelf.put("x.md", b"2")
    one = shelf.store.changes(one).cursor
    shelf.put("y.md", b"2")
    assert shelf.store.changes(one).changed == ("y.md",)
    shelf.remove("y.md")
    found = shelf.store.changes(other)
    assert (found.changed, found.removed) == (("x.md",), ("y.md",))
    found = shelf.store.changes(one)
    assert (found.changed, found.removed) == ((), ("y.md",))


def test_a_store_lasts_unless_it_lives_in_memory(shelf: Shelf) -> None:
    assert shelf.store.is_lasting is not isinstance(shelf.store, MemoryDocumentStore)


def test_changes_name_what_was_edited_added_and_removed(shelf: Shelf) -> None:
    for path in ("edited.md", "kept.md", "removed.md"):
        shelf.put(path, b"old")
    before = shelf.store.changes().cursor
    shelf.put("edited.md", b"new")
    shelf.put("folder/added.md", b"new")
    shelf.remove("removed.md")
    now = shelf.store.changes(before)
    assert now.changed == ("edited.md", "folder/added.md")
    assert now.removed == ("removed.md",)
    assert before != now.cursor
    again = shelf.store.changes(before)
    assert (again.changed, again.removed) == (now.changed, now.removed), "a cursor is not used up"


def test_a_cursor_knows_each_listed_path_with_its_signature(shelf: Shelf) -> None:
    shelf.put("a/x.md", b"1")
    shelf.put("y.md", b"22")
    cursor = shelf.store.changes().cursor
    assert sorted(cursor.paths()) == shelf.store.list() == ["a/x.md", "y.md"]
    assert [cursor.signature(path) for path in shelf.store.list()] == [
        shelf.store.signature(path) for path in shelf.store.list()
    ]


def test_a_cursor_that_was_written_out_and_read_back_serves_as_well(shelf: Shelf) -> None:
    shelf.put("x.md", b"1")
    shelf.put("y.md", b"1")
    written = Cursor(json.loads(json.dumps(dict(shelf.store.changes().cursor.parts))))
    assert shelf.store.changes(written).changed == ()
    shelf.put("x.md", b"22")
    shelf.remove("y.md")
    now = shelf.store.changes(written)
    assert (now.changed, now.removed) == (("x.md",), ("y.md",))


def test_identities_differ_between_stores_and_stay_for_one(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.store.identity == shelf.store.identity
    assert shelf.store.identity not in {LocalDocumentStore(tmp_path).identity, MemoryDocumentStore().identity}


def test_a_store_is_a_context_and_may_be_closed_twice(shelf: Shelf) -> None:
    with shelf.store as store:
        assert store is shelf.store
    store.close()


class WritableStore(VersionedStore):
    """The least that a store has to bring which can be written."""

    def write_bytes(self, path: str, data: bytes) -> None:
        self.put(path, data)

    def delete(self, path: str) -> None:
        self.remove(path)


def test_a_store_that_brings_nothing_of_its_own_swaps_all_the_same() -> None:
    store = WritableStore({"x.md": b"old"})
    for old in (b"other", None):
        with pytest.raises(ConflictError, match=r"'x\.md' was changed by somebody else"):
            store.swap_bytes("x.md", old, b"new")
    store.swap_bytes("x.md", b"old", b"new")
    store.swap_bytes("y.md", None, b"made")
    store.swap_bytes("y.md", b"made", None)
    store.swap_bytes("z.md", None, None)
    assert {path: store.read_bytes(path) for path in store.list()} == {"x.md": b"new"}


class UnsignedStore(MemoryDocumentStore):
    """A store that cannot examine one of its files."""

    unsigned = "bad.md"

    def signature(self, path: str) -> str:
        if path == self.unsigned:
            raise RuntimeError("secret")
        return super().signature(path)

    def changes(self, cursor: Cursor | None = None) -> Changes:
        return DocumentStore.changes(self, cursor)


def test_a_file_that_cannot_be_examined_costs_that_file_alone() -> None:
    store = UnsignedStore({"bad.md": "x", "good.md": "y"})
    first = store.changes()
    assert first.changed == ("good.md",)
    assert [(item.path, item.code, item.reason) for item in first.skipped] == [
        ("bad.md", "OKF404", "The store failed with RuntimeError.")
    ]
    store.unsigned = ""
    both = store.changes(first.cursor)
    assert both.changed == ("bad.md",)
    store.unsigned = "bad.md"
    assert store.changes(both.cursor).removed == ()


class YoungStore(MemoryDocumentStore):
    """A store that cannot tell versions apart that follow each other at once."""

    young: frozenset[str] = frozenset({"x.md"})

    def signature(self, path: str) -> str:
        return "same~" if path in self.young else super().signature(path)


def test_a_file_that_may_change_unnoticed_is_reported_in_every_call_until_it_cannot() -> None:
    store = YoungStore({"x.md": "1", "y.md": "1"})
    cursor = store.changes().cursor
    for _ in range(2):
        found = store.changes(cursor)
        assert found.changed == ("x.md",)
        cursor = found.cursor
    store.young = frozenset()
    found = store.changes(cursor)
    assert found.changed == ("x.md",)
    assert store.changes(found.cursor).changed == ()
