"""How a local store keeps in step with its folder by events, and what it does where there are none."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import shutil
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import pytest

from fingerpost.errors import KnowledgeNotFoundError, StoreError
from fingerpost.stores import Changes, Cursor, LocalDocumentStore, filesystems, inotify, remarks, tree, watch

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has inotify"),
    pytest.mark.usefixtures("aged"),
]

NFS = 0x6969


def on_a_server(_descriptor: int) -> int:
    """The kind of file system of whatever is asked for."""
    return NFS


def refuse(code: int) -> Callable[..., int]:
    """A system call that always fails."""

    def call(*_arguments: object) -> int:
        raise OSError(code, os.strerror(code))

    return call


@pytest.fixture
def store(folder: Path) -> Iterator[LocalDocumentStore]:
    for name in ("a/x.md", "a/deep/y.md", "z.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"old")
    with LocalDocumentStore(folder) as store:
        yield store


def seen(changes: Changes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return changes.changed, changes.removed


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


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
        scandir, listed = os.scandir, list[str]()

        def counting(descriptor: int) -> object:
            listed.append(os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}")))
            return scandir(descriptor)

        monkeypatch.setattr(os, "scandir", counting)
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
        cursor = store.changes().cursor
        (folder / "a").rename(folder.parent / "away")
        cursor = store.changes(cursor).cursor
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
                    with contextlib.suppress(KnowledgeNotFoundError):  # the next call tells that it is gone
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


class TestLinks:
    def test_a_write_through_a_name_outside_the_root(self, folder: Path, store: LocalDocumentStore) -> None:
        outside = folder.parent / "outside.md"
        outside.hardlink_to(folder / "z.md")
        cursor = store.changes().cursor
        outside.write_bytes(b"new")
        found = store.changes(cursor)
        assert seen(found) == (("z.md",), ())
        outside.unlink()
        cursor = store.changes(found.cursor).cursor
        assert store.changes(cursor).cursor is cursor

    def test_a_second_name_within_the_root_makes_both_names_followed(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        cursor = store.changes().cursor
        (folder / "a/second.md").hardlink_to(folder / "z.md")
        cursor = store.changes(cursor).cursor
        (folder / "a/second.md").write_bytes(b"new")
        found = store.changes(cursor)
        assert seen(found) == (("a/second.md", "z.md"), ())

    @pytest.mark.parametrize("target", ["z.md", "../kb/z.md", ".hidden/z.md", "a/../z.md"])
    def test_a_links_target_that_is_written_or_vanishes(
        self, folder: Path, store: LocalDocumentStore, target: str
    ) -> None:
        (folder / ".hidden").mkdir()
        (folder / ".hidden/z.md").write_bytes(b"old")
        (folder / "a/link.md").symlink_to(f"../{target}")
        cursor = store.changes().cursor
        is_served = "kb" not in target
        assert ("a/link.md" in cursor) is is_served
        (folder / target).write_bytes(b"new")
        found = store.changes(cursor)
        assert ("a/link.md" in found.changed) is is_served
        (folder / target).unlink()
        found = store.changes(found.cursor)
        assert ("a/link.md" in found.removed) is is_served
        assert len(found.skipped) == 2
        (folder / target).write_bytes(b"back")
        assert ("a/link.md" in store.changes(found.cursor).changed) is is_served

    def test_a_linked_folder_changes_under_both_paths(self, folder: Path, store: LocalDocumentStore) -> None:
        (folder / "link").symlink_to("a")
        cursor = store.changes().cursor
        (folder / "a/deep/new.md").write_bytes(b"x")
        found = store.changes(cursor)
        assert seen(found) == (("a/deep/new.md", "link/deep/new.md"), ())
        (folder / "link").unlink()
        found = store.changes(found.cursor)
        assert found.removed == ("link/deep/new.md", "link/deep/y.md", "link/x.md")
        (folder / "a/x.md").write_bytes(b"new")
        assert seen(store.changes(found.cursor)) == (("a/x.md",), ())

    def test_a_linked_folder_behind_a_hidden_link_that_is_pointed_elsewhere(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        for version in ("1", "2"):
            (folder / f".versions/{version}/sub").mkdir(parents=True)
            (folder / f".versions/{version}/sub/v{version}.md").write_text(version)
        (folder / ".versions/now").symlink_to("1")
        (folder / "served").symlink_to(".versions/now/sub")
        cursor = store.changes().cursor
        assert "served/v1.md" in cursor
        (folder / ".versions/next").symlink_to("2")
        (folder / ".versions/next").replace(folder / ".versions/now")
        found = store.changes(cursor)
        assert seen(found) == (("served/v2.md",), ("served/v1.md",))
        (folder / ".versions/2/sub/new.md").write_text("x")
        assert seen(store.changes(found.cursor)) == (("served/new.md",), ())

    def test_links_to_what_is_followed_cost_nothing_while_nothing_happens(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "a/file.md").symlink_to("../z.md")
        (folder / "folder").symlink_to("a/deep")
        cursor = store.changes().cursor
        monkeypatch.setattr(os, "open", None)
        assert store.changes(cursor).cursor is cursor

    def test_what_a_link_led_past_may_become_another_link(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        (folder / "b/deep").mkdir(parents=True)
        (folder / "b/deep/y.md").write_bytes(b"other")
        (folder / "link.md").symlink_to("a/deep/y.md")
        (folder / "z.md").unlink()
        cursor = store.changes().cursor
        (folder / "a").rename(folder / "c")
        (folder / "a").symlink_to("b")
        found = store.changes(cursor)
        assert "link.md" in found.changed
        assert store.read_bytes("link.md") == b"other"


class TestHalfWrittenFiles:
    """A clock that runs with the files: they are young."""

    @pytest.fixture
    def aged(self) -> None:
        """No other clock."""

    @pytest.fixture
    def cursor(self, store: LocalDocumentStore) -> Cursor:
        return store.changes().cursor

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


class TestTheRoot:
    def test_a_root_that_is_replaced_by_one_with_the_same_names(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        cursor = store.changes().cursor
        shutil.copytree(folder, folder.parent / "copy")
        folder.rename(folder.parent / "away")
        (folder.parent / "copy").rename(folder)
        found = store.changes(cursor)
        assert (found.changed, found.removed) == (("a/deep/y.md", "a/x.md", "z.md"), ())
        (folder / "z.md").write_bytes(b"new")
        assert seen(store.changes(found.cursor)) == (("z.md",), ())

    def test_a_root_that_is_deleted_and_made_again(self, folder: Path, store: LocalDocumentStore) -> None:
        cursor = store.changes().cursor
        shutil.rmtree(folder)
        folder.mkdir()
        (folder / "z.md").write_bytes(b"new")
        found = store.changes(cursor)
        assert seen(found) == (("z.md",), ("a/deep/y.md", "a/x.md"))
        (folder / "y.md").write_bytes(b"new")
        assert seen(store.changes(found.cursor)) == (("y.md",), ())

    def test_a_root_that_was_away_for_a_while(self, folder: Path, store: LocalDocumentStore) -> None:
        cursor = store.changes().cursor
        folder.rename(folder.parent / "away")
        (folder.parent / "away/z.md").write_bytes(b"new")
        with pytest.raises(StoreError):
            store.changes(cursor)
        (folder.parent / "away").rename(folder)
        assert seen(store.changes(cursor)) == (("z.md",), ())

    def test_permissions_that_come_and_go(
        self, open_folder: Path, unprivileged: Callable[[], AbstractContextManager[None]]
    ) -> None:
        (open_folder / "a/b").mkdir(parents=True)
        for name in ("a/b/x.md", "y.md"):
            (open_folder / name).write_bytes(b"x")
        with LocalDocumentStore(open_folder) as store:
            good = store.changes().cursor
            with unprivileged():
                for mode in (0o000, 0o444, 0o311):
                    for locked in ("a", "a/b", ""):
                        path = open_folder / locked
                        change_mode(path, mode)
                        if not locked:
                            with pytest.raises(StoreError, match="Permission denied"):
                                store.changes(good)
                        else:
                            found = store.changes(good)
                            assert (found.complete, seen(found)) == (False, ((), ())), (mode, locked)
                            assert found.cursor == good
                        change_mode(path, 0o755)
                        found = store.changes(good)
                        assert (found.complete, seen(found)) == (True, ((), ())), (mode, locked)


def change_mode(path: Path, mode: int) -> None:
    """What the owner does, who is a process of its own with all its rights."""
    subprocess.run(["chmod", f"{mode:o}", path], check=True)


class Mount(Protocol):
    """Mounts something."""

    def __call__(self, *words: str | Path) -> None: ...


@pytest.fixture
def mount() -> Iterator[Mount]:
    """Mounts something, and takes it off after the test."""
    places: list[str | Path] = []

    def mount(*words: str | Path) -> None:
        done = subprocess.run(["mount", *words], check=False, capture_output=True)
        if done.returncode != 0:
            pytest.skip("this user may not mount anything")
        places.append(words[-1])

    yield mount
    for place in reversed(places):
        subprocess.run(["umount", place], check=False, capture_output=True)


class TestMounts:
    def test_a_folder_that_something_is_mounted_over(
        self, folder: Path, store: LocalDocumentStore, mount: Mount
    ) -> None:
        cursor = store.changes().cursor
        mount("-t", "tmpfs", "none", folder / "a/deep")
        found = store.changes(cursor)
        assert (seen(found), store.watching) == (((), ("a/deep/y.md",)), "")
        (folder / "a/deep/new.md").write_bytes(b"x")
        found = store.changes(found.cursor)
        assert seen(found) == (("a/deep/new.md",), ())
        subprocess.run(["umount", folder / "a/deep"], check=True)
        found = store.changes(found.cursor)
        assert seen(found) == (("a/deep/y.md",), ("a/deep/new.md",))

    def test_a_mounted_file_changes_where_it_comes_from(
        self, folder: Path, store: LocalDocumentStore, mount: Mount
    ) -> None:
        source = folder.parent / "source.md"
        source.write_bytes(b"old")
        mount("--bind", source, folder / "a/x.md")
        cursor = store.changes().cursor
        source.write_bytes(b"new")
        found = store.changes(cursor)
        assert seen(found) == (("a/x.md",), ())
        source.write_bytes(b"newer")
        assert seen(store.changes(found.cursor)) == (("a/x.md",), ())

    def test_something_mounted_elsewhere_is_no_reason_to_look_at_anything(
        self, folder: Path, store: LocalDocumentStore, mount: Mount, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        elsewhere = folder.parent / "elsewhere"
        elsewhere.mkdir()
        cursor = store.changes().cursor
        mount("-t", "tmpfs", "none", elsewhere)
        monkeypatch.setattr(os, "scandir", None)
        assert store.changes(cursor).cursor is cursor


class TestDescriptors:
    def test_they_are_released_by_close_and_by_the_end_of_the_store(self, folder: Path) -> None:
        (folder / "x.md").write_bytes(b"x")
        gc.collect()
        before = open_descriptors()
        store = LocalDocumentStore(folder)
        cursor = store.changes().cursor
        assert (open_descriptors() > before, store.watching) == (True, "")
        store.close()
        store.close()
        assert open_descriptors() == before
        (folder / "x.md").write_bytes(b"new")
        assert store.changes(cursor).changed == ("x.md",)
        ended = weakref.ref(store)
        del store
        assert (ended(), open_descriptors()) == (None, before)

    def test_a_forked_process_follows_by_itself_and_takes_nothing_from_its_parent(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        cursor = store.changes().cursor
        before = open_descriptors()
        (folder / "z.md").write_bytes(b"new")
        child = os.fork()
        if child == 0:
            code = 1
            try:
                inherited = open_descriptors()
                seen_by_child = store.changes(cursor).changed
                (folder / "a/x.md").write_bytes(b"new")
                code = 0 if (seen_by_child, before - inherited) == (("z.md",), 2) else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert seen(store.changes(cursor)) == (("a/x.md", "z.md"), ())
        assert open_descriptors() == before

    @pytest.mark.parametrize("is_replaced", [False, True])
    def test_a_descriptor_that_somebody_closed_is_made_anew(
        self, folder: Path, store: LocalDocumentStore, is_replaced: bool
    ) -> None:
        cursor = store.changes().cursor
        for number in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                if "inotify" in os.readlink(f"/proc/self/fd/{number}"):
                    os.close(int(number))
                    assert not is_replaced or os.open(os.devnull, os.O_RDONLY) == int(number)
        (folder / "z.md").write_bytes(b"new")
        found = store.changes(cursor)
        assert seen(found) == (("z.md",), ())
        (folder / "z.md").write_bytes(b"newer")
        assert seen(store.changes(found.cursor)) == (("z.md",), ())


class TestWithoutEvents:
    """Each call walks over the folder, and says why."""

    @pytest.mark.parametrize(
        ("name", "code", "reason"),
        [
            ("start", errno.EMFILE, "max_user_instances"),
            ("start", errno.ENOSYS, "Function not implemented"),
            ("add_watch", errno.ENOSPC, "max_user_watches"),
            ("add_watch", errno.EACCES, "Permission denied"),
        ],
    )
    def test_a_system_that_refuses(
        self,
        folder: Path,
        store: LocalDocumentStore,
        monkeypatch: pytest.MonkeyPatch,
        name: str,
        code: int,
        reason: str,
    ) -> None:
        before = open_descriptors()
        monkeypatch.setattr(inotify, name, refuse(code))
        check_that_it_is_followed_by_walks(folder, store, reason)
        assert open_descriptors() == before, "nothing is held"

    def test_a_limit_that_is_reached_half_way(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add_watch, left = inotify.add_watch, [2]

        def add(descriptor: int, path: bytes) -> int:
            left[0] -= 1
            return add_watch(descriptor, path) if left[0] >= 0 else refuse(errno.ENOSPC)()

        monkeypatch.setattr(inotify, "add_watch", add)
        check_that_it_is_followed_by_walks(folder, store, "max_user_watches")

    def test_a_limit_that_is_reached_by_a_new_folder(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cursor = store.changes().cursor
        assert store.watching == ""
        monkeypatch.setattr(inotify, "add_watch", refuse(errno.ENOSPC))
        (folder / "new").mkdir()
        (folder / "new/x.md").write_bytes(b"x")
        assert seen(store.changes(cursor)) == (("new/x.md",), ())
        check_that_it_is_followed_by_walks(folder, store, "max_user_watches")

    def test_a_file_system_that_may_change_from_elsewhere(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(filesystems, "kind_of", on_a_server)
        check_that_it_is_followed_by_walks(folder, store, "'.' lies on a file system that may change")

    def test_a_file_system_of_that_kind_in_a_folder_below(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch, mount: Mount
    ) -> None:
        mount("-t", "tmpfs", "none", folder / "a/deep")
        kind_of, here = filesystems.kind_of, folder.stat().st_dev

        def kind(descriptor: int) -> int:
            return kind_of(descriptor) if os.fstat(descriptor).st_dev == here else NFS

        monkeypatch.setattr(filesystems, "kind_of", kind)
        cursor = store.changes().cursor
        assert "'a/deep' lies on a file system that may change" in store.watching
        (folder / "a/deep/new.md").write_bytes(b"x")
        assert seen(store.changes(cursor)) == (("a/deep/new.md",), ())

    def test_more_links_than_are_followed(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "b").symlink_to("a")
        (folder / "c").symlink_to("a")
        monkeypatch.setattr(tree, "MAX_ENTRIES_THROUGH_LINKS", 3)
        check_that_it_is_followed_by_walks(folder, store, "Linked folders hold more")

    def test_more_remarks_than_are_kept(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(remarks, "MAX_REMARKS", 5)
        os.mkfifo(folder / "pipe")
        for number in range(8):
            (folder / f"{number}.md").symlink_to("absent")
        check_that_it_is_followed_by_walks(folder, store, "More than")
        assert sum(entry.count for entry in store.changes().skipped) == 9, "all are counted"

    @pytest.mark.parametrize("is_closed", [False, True])
    def test_events_are_tried_again_after_a_while_or_when_the_store_was_closed(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch, is_closed: bool
    ) -> None:
        monkeypatch.setattr(watch, "RETRY_SECONDS", 60 if is_closed else 0)
        with monkeypatch.context() as patch:
            patch.setattr(inotify, "start", refuse(errno.EMFILE))
            cursor = store.changes().cursor
        if is_closed:
            assert (store.changes(cursor).cursor is cursor, store.watching == "") == (True, False)
            store.close()
        (folder / "z.md").write_bytes(b"new")
        assert seen(store.changes(cursor)) == (("z.md",), ())
        assert store.watching == ""


def check_that_it_is_followed_by_walks(folder: Path, store: LocalDocumentStore, reason: str) -> None:
    cursor = store.changes().cursor
    assert reason in store.watching
    assert store.changes(cursor).cursor is cursor
    (folder / "z.md").write_bytes(b"new")
    (folder / "a").rename(folder / "q")
    found = store.changes(cursor)
    assert {"q/deep/y.md", "q/x.md", "z.md"} <= set(found.changed)
    assert {"a/deep/y.md", "a/x.md"} <= set(found.removed)
    assert store.changes(found.cursor).cursor is found.cursor
    assert reason in store.watching
