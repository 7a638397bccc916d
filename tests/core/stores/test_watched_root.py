"""The root folder that is replaced or locked, and the descriptors that following it takes."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from fingerpost.errors import StoreError
from fingerpost.stores import (
    LocalDocumentStore,
    events,
)
from tests.core.stores.following import (
    change_mode,
    open_descriptors,
    seen,
)

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has inotify"),
    pytest.mark.usefixtures("aged"),
]


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

    def test_a_folder_that_could_not_be_read_and_is_gone_with_its_parent_is_no_trouble_any_more(
        self, open_folder: Path, unprivileged: Callable[[], AbstractContextManager[None]]
    ) -> None:
        (open_folder / "a/b").mkdir(parents=True)
        (open_folder / "a/b/x.md").write_bytes(b"x")
        with LocalDocumentStore(open_folder) as store:
            good = store.changes().cursor
            (open_folder / "a/b").chmod(0)
            with unprivileged():
                bad = store.changes(good)
            (open_folder / "a/b").chmod(0o755)
            shutil.rmtree(open_folder / "a")
            found = store.changes(bad.cursor)
            assert (bad.complete, found.complete, seen(found)) == (False, True, ((), ("a/b/x.md",)))


@pytest.mark.filterwarnings("ignore:This process.*multi-threaded:DeprecationWarning")
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
                # The two of this store, and those of stores that other tests have left behind.
                code = 0 if seen_by_child == ("z.md",) and before - inherited >= 2 else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert seen(store.changes(cursor)) == (("a/x.md", "z.md"), ())
        assert open_descriptors() == before

    def test_a_process_that_was_forked_in_the_middle_of_another_threads_call_does_not_wait_for_it(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cursor = store.changes().cursor
        news, is_inside, may_go_on = events.FolderEvents.news, threading.Event(), threading.Event()

        def slow(of: events.FolderEvents) -> object:
            if threading.current_thread() is not threading.main_thread():
                is_inside.set()
                may_go_on.wait(20)
            return news(of)

        monkeypatch.setattr(events.FolderEvents, "news", slow)
        other = threading.Thread(target=store.changes, args=(cursor,))
        other.start()
        assert is_inside.wait(20)
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            os._exit(0 if store.changes(cursor).changed == () else 1)
        may_go_on.set()
        other.join()
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

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
