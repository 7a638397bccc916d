"""Changes through names that lie elsewhere, of which no folder tells."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from fingerpost import LocalDocumentStore
from fingerpost.stores import files, inotify
from tests.core.stores.following import watches

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="changes are watched on Linux alone")


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    folder = tmp_path / "kb" / "notes"
    folder.mkdir(parents=True)
    for name in ("a.md", "b.md", "c.md"):
        (folder / name).write_text("before", encoding="utf-8")
    return tmp_path / "kb"


def changed(store: LocalDocumentStore, cursor: object) -> tuple[str, ...]:
    return store.changes(cursor).changed  # type: ignore[arg-type]


def test_a_write_through_a_hard_link_that_was_made_later_is_seen(kb: Path, tmp_path: Path) -> None:
    store = LocalDocumentStore(kb)
    cursor = store.changes().cursor
    assert store.watching == ""
    os.link(kb / "notes" / "a.md", tmp_path / "elsewhere")
    cursor = store.changes(cursor).cursor
    (tmp_path / "elsewhere").write_text("behind", encoding="utf-8")
    assert changed(store, cursor) == ("notes/a.md",)


def test_it_is_seen_in_files_that_were_renamed_replaced_or_added(kb: Path, tmp_path: Path) -> None:
    store = LocalDocumentStore(kb)
    cursor = store.changes().cursor
    (kb / "notes").rename(kb / "moved")
    (kb / "new.md").write_text("new", encoding="utf-8")
    (tmp_path / "other").write_text("other", encoding="utf-8")
    (tmp_path / "other").rename(kb / "moved" / "b.md")
    cursor = store.changes(cursor).cursor
    cursor = store.changes(cursor).cursor
    for number, path in enumerate(("moved/a.md", "moved/b.md", "new.md")):
        os.link(kb / path, tmp_path / str(number))
        cursor = store.changes(cursor).cursor
        (tmp_path / str(number)).write_text(f"through {number}", encoding="utf-8")
        found = store.changes(cursor)
        assert path in found.changed
        cursor = found.cursor


def test_the_first_call_does_without_watches_of_files(kb: Path) -> None:
    before = watches()
    store = LocalDocumentStore(kb)
    cursor = store.changes().cursor
    assert watches() - before == len(("", "notes"))
    store.changes(cursor)
    assert watches() - before == len(("", "notes", "a.md", "b.md", "c.md"))


@pytest.mark.parametrize(("at_first", "calls"), [(400, 1), (0, 2)])
def test_files_that_get_their_watch_in_a_later_call_are_looked_at_then(
    kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_first: int, calls: int
) -> None:
    monkeypatch.setattr(files, "AT_FIRST", at_first)
    monkeypatch.setattr(files, "A_SECOND", 10**9)
    os.link(kb / "notes" / "a.md", tmp_path / "elsewhere")
    (tmp_path / "elsewhere").unlink()
    store = LocalDocumentStore(kb)
    cursor = store.changes().cursor
    os.link(kb / "notes" / "a.md", tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text("behind", encoding="utf-8")
    for _ in range(calls - 1):
        assert changed(store, cursor) == ()
    assert "notes/a.md" in changed(store, cursor)


def test_all_files_get_their_watch_from_call_to_call(kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "AT_FIRST", 1)
    monkeypatch.setattr(files, "A_SECOND", 10**9)
    monkeypatch.setattr(files, "AT_MOST", 1)
    before = watches()
    store = LocalDocumentStore(kb)
    cursor = store.changes().cursor
    watched: list[int] = []
    for _ in range(4):
        store.changes(cursor)
        watched.append(watches() - before - len(("", "notes")))
    assert watched == [1, 2, 3, 3]


def test_calls_that_follow_each_other_fast_place_no_more_watches_than_time_has_passed_for(
    kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = iter([10.0, 10.4, 11.0, 11.9, 14.0])
    monkeypatch.setattr(files, "AT_FIRST", 0)
    monkeypatch.setattr(files, "A_SECOND", 1)
    monkeypatch.setattr(files, "monotonic", lambda: next(moments))
    before = watches()
    store = LocalDocumentStore(kb)
    cursor = store.changes().cursor
    watched: list[int] = []
    for _ in range(5):
        store.changes(cursor)
        watched.append(watches() - before - len(("", "notes")))
    assert watched == [0, 0, 1, 1, 3]


def test_a_user_who_may_have_no_more_watches_still_sees_what_folders_tell(
    kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int, _path: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(inotify, "add_file_watch", refuse)
    store = LocalDocumentStore(kb)
    cursor = store.changes().cursor
    (kb / "notes" / "a.md").write_text("behind", encoding="utf-8")
    assert (changed(store, cursor), store.watching) == (("notes/a.md",), "")
