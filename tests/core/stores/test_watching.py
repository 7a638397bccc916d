"""How a local store keeps in step with its folder by events."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost.errors import KnowledgeNotFoundError, StoreError
from fingerpost.stores import (
    Cursor,
    LocalDocumentStore,
    roots,
)
from tests.core.stores.following import (
    listed_folders,
    seen,
    watches,
)

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has inotify"),
    pytest.mark.usefixtures("aged"),
]


class TestEvents:
    def test_nothing_changed_is_the_same_cursor_without_a_look_at_any_file(
        self, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cursor = store.changes().cursor
        assert store.watching == ""
        monkeypatch.setattr(os, "scandir", None)
        monkeypatch.setattr(os, "open", None)
        found = store.changes(cursor)
        assert (found.cursor is cursor, seen(found), found.complete) == (True, ((), ()), True)

    def test_an_edit_is_noticed_without_listing_its_folder(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cursor = store.changes().cursor
        (folder / "a/x.md").write_bytes(b"new")
        (folder / "a/added.md").write_bytes(b"new")
        (folder / "z.md").unlink()
        monkeypatch.setattr(os, "scandir", None)
        assert seen(store.changes(cursor)) == (("a/added.md", "a/x.md"), ("z.md",))

    def test_only_a_new_folder_is_listed(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cursor = store.changes().cursor
        (folder / "new/one/two").mkdir(parents=True)
        (folder / "new/one/two/x.md").write_bytes(b"x")
        listed = listed_folders(monkeypatch)
        assert seen(store.changes(cursor)) == (("new/one/two/x.md",), ())
        assert listed == ["new", "one", "two"]

    def test_a_touched_folder_is_not_listed_again(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cursor = store.changes().cursor
        for path in (folder, folder / "a"):
            os.utime(path)
            path.chmod(0o700)
        monkeypatch.setattr(os, "scandir", None)
        assert store.changes(cursor).cursor is cursor

    def test_files_in_a_folder_made_while_its_parent_is_listed_are_seen_by_the_next_call(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        scandir, made = os.scandir, iter([folder / "late"])

        def slow(descriptor: int) -> object:
            entries = list(scandir(descriptor))
            for late in made:
                late.mkdir()
                (late / "x.md").write_bytes(b"x")
            return _Closing(entries)

        monkeypatch.setattr(os, "scandir", slow)
        cursor = store.changes().cursor
        assert "late/x.md" not in cursor
        assert seen(store.changes(cursor)) == (("late/x.md",), ())

    def test_a_folder_that_cannot_be_listed_for_a_while_is_tried_in_each_call(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        good = store.changes().cursor
        scandir = os.scandir

        def failing(descriptor: int) -> object:
            if os.readlink(f"/proc/self/fd/{descriptor}").endswith("/deep"):
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return scandir(descriptor)

        with monkeypatch.context() as patch:
            patch.setattr(os, "scandir", failing)
            (folder / "a").rename(folder / "away")
            (folder / "away").rename(folder / "a")
            bad = store.changes(good)
            for found in (bad, store.changes(bad.cursor)):
                assert (found.complete, found.cursor == good, found.removed) == (False, True, ())
                assert [entry.path for entry in found.skipped] == ["a/deep"]
        mended = store.changes(bad.cursor)
        assert (mended.complete, mended.removed, store.watching) == (True, (), "")
        (folder / "a/deep/y.md").write_bytes(b"new")
        found = store.changes(mended.cursor)
        assert seen(found) == (("a/deep/y.md",), ())
        shutil.rmtree(folder / "a/deep")
        assert seen(store.changes(found.cursor)) == ((), ("a/deep/y.md",))

    def test_a_call_that_is_interrupted_loses_nothing(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cursor = store.changes().cursor
        (folder / "z.md").write_bytes(b"new")

        def interrupted(*_arguments: object, **_settings: object) -> os.stat_result:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(roots.DescriptorFolder, "look", interrupted)
            with pytest.raises(KeyboardInterrupt):
                store.changes(cursor)
        assert seen(store.changes(cursor)) == (("z.md",), ())

    def test_a_cursor_that_was_read_back_is_taken_over_with_its_text(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        written = json.dumps(dict(store.changes().cursor.parts))
        with LocalDocumentStore(folder) as later:
            cursor = Cursor(json.loads(written))
            assert later.changes(cursor).cursor is cursor
            (folder / "z.md").write_bytes(b"new")
            found = later.changes(cursor)
            assert seen(found) == (("z.md",), ())
            assert found.cursor.parts["a/deep"] is cursor.parts["a/deep"]

    def test_a_renamed_folder_is_followed_under_its_new_name(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        cursor = store.changes().cursor
        (folder / "a").rename(folder / "b")
        found = store.changes(cursor)
        assert seen(found) == (("b/deep/y.md", "b/x.md"), ("a/deep/y.md", "a/x.md"))
        (folder / "b/deep/y.md").write_bytes(b"new")
        assert seen(store.changes(found.cursor)) == (("b/deep/y.md",), ())

    def test_a_folder_that_was_moved_away_is_not_followed(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        cursor = store.changes(store.changes().cursor).cursor
        before = watches()
        (folder / "a").rename(folder.parent / "away")
        cursor = store.changes(cursor).cursor
        assert watches() == before - 2
        (folder.parent / "away/x.md").write_bytes(b"new")
        assert store.changes(cursor).cursor is cursor

    def test_a_file_written_twice_in_one_tick_is_reported_by_the_call_after_each(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        cursor = store.changes().cursor
        for number in range(50):
            (folder / "z.md").write_bytes(b"%03d" % number)
            found = store.changes(cursor)
            assert seen(found) == (("z.md",), ())
            cursor = found.cursor

    def test_more_events_than_are_kept_lose_nothing(self, folder: Path, store: LocalDocumentStore) -> None:
        cursor = store.changes().cursor
        (folder / "a/x.md").write_bytes(b"new")
        spare = folder / "spare"
        for _ in range(9000):
            os.close(os.open(spare, os.O_CREAT | os.O_WRONLY))
            os.unlink(spare)
        (folder / "z.md").write_bytes(b"new")
        found = store.changes(cursor)
        assert (seen(found), store.watching) == ((("a/x.md", "z.md"), ()), "")
        (folder / "a/deep/y.md").write_bytes(b"new")
        assert seen(store.changes(found.cursor)) == (("a/deep/y.md",), ())

    def test_threads_with_a_cursor_each_all_end_up_with_what_is_there(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        stop = threading.Event()
        states: list[dict[str, bytes]] = [{} for _ in range(4)]

        def follow(state: dict[str, bytes]) -> None:
            cursor, last = None, False
            while not last:
                last = stop.is_set()
                found = store.changes(cursor)
                cursor = found.cursor
                for path in found.removed:
                    state.pop(path, None)
                for path in found.changed:
                    with contextlib.suppress(KnowledgeNotFoundError, StoreError):  # the next call tells more
                        state[path] = store.read_bytes(path)

        threads = [threading.Thread(target=follow, args=(state,)) for state in states]
        for thread in threads:
            thread.start()
        for number in range(300):
            (folder / f"a/{number % 7}.md").write_bytes(b"%d" % number)
            if number % 10 == 9:
                (folder / f"a/{number % 7}.md").unlink()
        stop.set()
        for thread in threads:
            thread.join()
        assert states == [{path: store.read_bytes(path) for path in store.list()}] * 4


class _Closing(list[os.DirEntry[str]]):
    def __init__(self, entries: list[os.DirEntry[str]]) -> None:
        super().__init__(entries)

    def __enter__(self) -> Iterator[os.DirEntry[str]]:
        return iter(self)

    def __exit__(self, *_exception: object) -> None:
        return


class TestYoungFiles:
    """By a clock that runs with the files."""

    @pytest.fixture
    def aged(self) -> None:
        """No other clock."""

    @pytest.fixture
    def cursor(self, store: LocalDocumentStore) -> Cursor:
        return store.changes().cursor

    def test_a_file_that_goes_while_it_is_looked_at_is_not_reported_as_changed(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "a/deep/sub").mkdir()
        (folder / "a/deep/sub/x.md").write_bytes(b"old")
        cursor = store.changes().cursor
        for name in ("a/deep/y.md", "a/deep/sub/x.md"):
            (folder / name).write_bytes(b"new")
        look = roots.DescriptorFolder.look

        def slow(of: roots.DescriptorFolder, name: str) -> os.stat_result:
            found = look(of, name)
            shutil.rmtree(folder / "a/deep", ignore_errors=True)
            return found

        monkeypatch.setattr(roots.DescriptorFolder, "look", slow)
        assert seen(store.changes(cursor)) == ((), ("a/deep/sub/x.md", "a/deep/y.md"))

    def test_a_truncated_file_keeps_its_version_until_its_writer_closes_it(
        self, folder: Path, store: LocalDocumentStore, cursor: Cursor
    ) -> None:
        with (folder / "z.md").open("wb", buffering=0) as writer:
            assert store.changes(cursor).cursor == cursor
            (folder / "z.md").chmod(0o600)
            assert store.changes(cursor).cursor == cursor
            writer.write(b"new")
            found = store.changes(cursor)
            assert seen(found) == (("z.md",), ())
            writer.write(b", and more")
        assert seen(store.changes(found.cursor)) == (("z.md",), ())

    def test_a_file_that_is_left_empty_is_reported_when_its_writer_closes_it(
        self, folder: Path, store: LocalDocumentStore, cursor: Cursor
    ) -> None:
        with (folder / "z.md").open("wb"):
            assert store.changes(cursor).cursor == cursor
        assert seen(store.changes(cursor)) == (("z.md",), ())

    def test_a_writer_that_does_not_close_is_waited_for_for_two_seconds(
        self, folder: Path, store: LocalDocumentStore, cursor: Cursor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("time.time_ns", lambda: (folder / "z.md").stat().st_ctime_ns + 10_000_000_000)
        cursor = store.changes(cursor).cursor
        monkeypatch.undo()
        with (folder / "z.md").open("wb"):
            assert store.changes(cursor).cursor == cursor
            truncated = (folder / "z.md").stat().st_ctime_ns
            monkeypatch.setattr("time.time_ns", lambda: truncated + 1_900_000_000)
            cursor = store.changes(cursor).cursor
            assert cursor.signature("z.md") != store.signature("z.md")
            monkeypatch.setattr("time.time_ns", lambda: truncated + 2_100_000_000)
            found = store.changes(cursor)
            assert "z.md" in found.changed
            assert found.cursor.signature("z.md") == store.signature("z.md")

    def test_a_new_file_that_is_still_empty_is_reported(
        self, folder: Path, store: LocalDocumentStore, cursor: Cursor
    ) -> None:
        with (folder / "new.md").open("wb"):
            assert seen(store.changes(cursor)) == (("new.md",), ())
