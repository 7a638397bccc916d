"""Which edits of a local folder are noticed: all of them."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import pytest
import time_machine

from fingerpost.stores import Changes, LocalDocumentStore

pytestmark = pytest.mark.usefixtures("any_confinement")


@pytest.fixture
def store(folder: Path) -> LocalDocumentStore:
    (folder / "a").mkdir()
    for name in ("a/x.md", "a/y.md", "z.md"):
        (folder / name).write_bytes(b"old")
    return LocalDocumentStore(folder)


def seen(changes: Changes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return changes.changed, changes.removed


@pytest.mark.usefixtures("aged")
class TestOfOldFiles:
    def test_an_edit_of_the_same_size_with_its_time_put_back(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        before = store.changes().cursor
        times = (folder / "a/x.md").stat()
        (folder / "a/x.md").write_bytes(b"new")
        os.utime(folder / "a/x.md", ns=(times.st_atime_ns, times.st_mtime_ns))
        assert seen(store.changes(before)) == (("a/x.md",), ())

    def test_a_file_that_is_replaced_by_a_rename(self, folder: Path, store: LocalDocumentStore) -> None:
        fresh = folder.parent / "fresh"
        fresh.write_bytes(b"new")
        before = store.changes().cursor
        fresh.replace(folder / "z.md")
        assert seen(store.changes(before)) == (("z.md",), ())

    def test_a_renamed_file(self, folder: Path, store: LocalDocumentStore) -> None:
        before = store.changes().cursor
        (folder / "z.md").rename(folder / "w.md")
        assert seen(store.changes(before)) == (("w.md",), ("z.md",))

    def test_a_renamed_folder(self, folder: Path, store: LocalDocumentStore) -> None:
        before = store.changes().cursor
        (folder / "a").rename(folder / "b")
        changed, removed = seen(store.changes(before))
        assert (changed, removed) == (("b/x.md", "b/y.md"), ("a/x.md", "a/y.md"))

    def test_a_folder_that_is_swapped_for_another(self, folder: Path, store: LocalDocumentStore) -> None:
        other = folder.parent / "other"
        other.mkdir()
        for name in ("x.md", "v.md"):
            (other / name).write_bytes(b"old")
        before = store.changes().cursor
        (folder / "a").rename(folder.parent / "away")
        other.rename(folder / "a")
        assert seen(store.changes(before)) == (("a/v.md", "a/x.md"), ("a/y.md",))

    def test_a_file_that_becomes_a_folder(self, folder: Path, store: LocalDocumentStore) -> None:
        before = store.changes().cursor
        (folder / "z.md").unlink()
        (folder / "z.md").mkdir()
        (folder / "z.md" / "inner.md").write_bytes(b"x")
        assert seen(store.changes(before)) == (("z.md/inner.md",), ("z.md",))

    def test_a_file_that_becomes_hidden(self, folder: Path, store: LocalDocumentStore) -> None:
        before = store.changes().cursor
        (folder / "a").rename(folder / ".a")
        assert seen(store.changes(before)) == ((), ("a/x.md", "a/y.md"))

    def test_an_edit_through_a_link_shows_under_every_path(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        (folder / "link.md").symlink_to("z.md")
        (folder / "hard.md").hardlink_to(folder / "z.md")
        before = store.changes().cursor
        (folder / "link.md").write_bytes(b"new")
        assert seen(store.changes(before)) == (("hard.md", "link.md", "z.md"), ())

    def test_a_link_that_is_pointed_elsewhere(self, folder: Path, store: LocalDocumentStore) -> None:
        (folder / "link").symlink_to("a/x.md")
        before = store.changes().cursor
        (folder / "link").unlink()
        (folder / "link").symlink_to("z.md")
        assert seen(store.changes(before)) == (("link",), ())

    def test_a_changed_mode_of_a_folder_is_no_change(self, folder: Path, store: LocalDocumentStore) -> None:
        before = store.changes().cursor
        (folder / "a").chmod(0o700)
        (folder / "empty").mkdir()
        assert seen(store.changes(before)) == ((), ())

    def test_a_file_that_was_open_for_writing_and_not_written_is_no_change(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        before = store.changes().cursor
        with (folder / "z.md").open("r+b"):
            pass
        assert seen(store.changes(before)) == ((), ())

    def test_many_changes_at_once_come_sorted(self, folder: Path, store: LocalDocumentStore) -> None:
        before = store.changes().cursor
        names = sorted(f"{number % 7}/{number}.md" for number in range(200))
        for name in names:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(b"x")
        assert seen(store.changes(before)) == (tuple(names), ())


class TestOfYoungFiles:
    """A file that changed less than two seconds ago may change again within the same tick of the clock."""

    def test_a_young_file_is_reported_until_it_has_aged_where_no_events_tell_of_writes_and_once_then(
        self, store: LocalDocumentStore
    ) -> None:
        born = os.stat(store.root / "z.md").st_ctime
        everything = ("a/x.md", "a/y.md", "z.md")
        cursor = store.changes().cursor
        between = everything if store.watching else ()
        expected = [(0.5, between), (1.0, between), (3.0, everything), (3.5, ()), (100.0, ())]
        for age, changed in expected:
            with time_machine.travel(datetime.datetime.fromtimestamp(born + age, datetime.UTC), tick=False):
                changes = store.changes(cursor)
            assert seen(changes) == (changed, ()), age
            cursor = changes.cursor

    def test_a_young_file_that_can_be_written_through_another_name_is_reported_in_every_call(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        (folder.parent / "outside").hardlink_to(folder / "z.md")
        cursor = store.changes().cursor
        for _ in range(2):
            found = store.changes(cursor)
            assert "z.md" in found.changed
            cursor = found.cursor

    def test_a_young_file_that_was_open_for_writing_counts_as_changed_whatever_its_times_say(
        self, store: LocalDocumentStore
    ) -> None:
        cursor = store.changes().cursor
        with (store.root / "z.md").open("r+b"):
            pass
        assert "z.md" in store.changes(cursor).changed

    def test_the_signature_of_a_young_file_is_not_that_of_the_aged_one(
        self, store: LocalDocumentStore
    ) -> None:
        young = store.signature("z.md")
        with time_machine.travel(datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=10)):
            aged = store.signature("z.md")
            assert aged == store.changes().cursor.signature("z.md")
        assert young == f"{aged}~"

    def test_a_clock_that_was_set_back_makes_no_file_young_for_ever(self, store: LocalDocumentStore) -> None:
        for offset in (datetime.timedelta(days=-1), datetime.timedelta(days=365)):
            with time_machine.travel(datetime.datetime.now(datetime.UTC) + offset):
                cursor = store.changes().cursor
                assert seen(store.changes(cursor)) == ((), ())
