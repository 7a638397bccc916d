"""Where there are no events, each call walks over the folder, and says why."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from pathlib import Path

import pytest

from fingerpost.stores import (
    LocalDocumentStore,
    filesystems,
    inotify,
    remarks,
    tree,
    watch,
)
from tests.core.stores.following import (
    Mount,
    listed_folders,
    on_a_server,
    open_descriptors,
    refuse,
    seen,
)

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has inotify"),
    pytest.mark.usefixtures("aged"),
]


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
            return kind_of(descriptor) if os.fstat(descriptor).st_dev == here else on_a_server(descriptor)

        monkeypatch.setattr(filesystems, "kind_of", kind)
        cursor = store.changes().cursor
        assert "'a/deep' lies on a file system that may change" in store.watching
        (folder / "a/deep/new.md").write_bytes(b"x")
        assert seen(store.changes(cursor)) == (("a/deep/new.md",), ())

    @pytest.mark.parametrize("is_followed_before", [False, True])
    def test_more_links_than_are_followed(
        self,
        folder: Path,
        store: LocalDocumentStore,
        monkeypatch: pytest.MonkeyPatch,
        is_followed_before: bool,
    ) -> None:
        monkeypatch.setattr(tree, "MAX_ENTRIES_THROUGH_LINKS", 3)
        if is_followed_before:
            store.changes()
        (folder / "b").symlink_to("a")
        (folder / "c").symlink_to("a")
        assert "OKF406" in {entry.code for entry in store.changes().skipped}
        check_that_it_is_followed_by_walks(folder, store, "Linked folders hold more")

    def test_linked_folders_that_come_and_go_do_not_add_up(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tree, "MAX_ENTRIES_THROUGH_LINKS", 8)
        cursor = store.changes().cursor
        listed = listed_folders(monkeypatch)
        for number in range(6):
            (folder / "b").symlink_to("a")
            (folder / f"a/{number}.md").write_bytes(b"x")
            cursor = store.changes(cursor).cursor
            (folder / f"a/{number}.md").unlink()
            cursor = store.changes(cursor).cursor
            (folder / "b").unlink()
            cursor = store.changes(cursor).cursor
        assert (store.watching, len(cursor), set(listed)) == ("", 3, {"a", "deep"})

    def test_entries_that_are_left_out_and_go_do_not_add_up(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(remarks, "MAX_REMARKS", 5)
        store.changes()
        listed = listed_folders(monkeypatch)
        for _ in range(4):
            for folder_of_two in (folder, folder / "b"):
                folder_of_two.mkdir(exist_ok=True)
                for name in ("one.md", "two.md"):
                    (folder_of_two / name).symlink_to("absent")
            assert len(store.changes().skipped) == 4
            (folder / "one.md").unlink()
            (folder / "two.md").unlink()
            shutil.rmtree(folder / "b")
            assert (store.changes().skipped, store.watching) == ((), "")
        assert set(listed) == {"b"}

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
