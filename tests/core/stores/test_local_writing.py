"""Writing to a local folder: where a file goes, what it keeps, and who may."""

from __future__ import annotations

import fcntl
import os
import stat
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from fingerpost.errors import (
    ConfigError,
    ConflictError,
    KnowledgeCapabilityError,
    KnowledgeNotFoundError,
    KnowledgePathError,
    StoreError,
)
from fingerpost.stores import LocalDocumentStore, confined, replacing
from tests.core.stores.failing import failing_calls
from tests.core.stores.following import Mount, seen


@pytest.fixture(params=["openat2", "steps"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the two ways to open what lies beneath a folder."""
    if request.param == "steps":
        monkeypatch.setattr(confined, "openat2", _refused)


def _refused(*_arguments: object) -> int:
    raise OSError(38, os.strerror(38))


def left_over(folder: Path) -> list[str]:
    return [name for _, _, names in os.walk(folder) for name in names if replacing.is_temporary(name)]


class TestWhatIsWritten:
    def test_a_file_is_created_in_folders_that_were_not_there_and_seen_at_once(self, folder: Path) -> None:
        store = LocalDocumentStore(folder)
        before = store.changes().cursor
        store.write_bytes("a/ü/c.md", b"x")
        assert (folder / "a" / "ü" / "c.md").read_bytes() == b"x"
        assert seen(store.changes(before)) == (("a/ü/c.md",), ())
        assert stat.S_IMODE((folder / "a/ü/c.md").stat().st_mode) == 0o666 & ~_umask()

    def test_each_write_is_told_also_of_one_length_within_one_tick(self, store: LocalDocumentStore) -> None:
        cursor = store.changes().cursor
        for number in range(30):
            store.write_bytes("z.md", b"%02d" % number)
            changes = store.changes(cursor)
            assert seen(changes) == (("z.md",), ()), number
            cursor = changes.cursor
            assert store.read_bytes("z.md") == b"%02d" % number

    def test_a_file_that_is_replaced_keeps_its_mode(self, store: LocalDocumentStore, folder: Path) -> None:
        (folder / "z.md").chmod(0o640)
        store.write_bytes("z.md", b"new")
        assert stat.S_IMODE((folder / "z.md").stat().st_mode) == 0o640

    @pytest.mark.skipif(os.geteuid() != 0, reason="only the super-user gives files away")
    def test_a_file_that_is_replaced_keeps_its_owner(self, store: LocalDocumentStore, folder: Path) -> None:
        os.chown(folder / "z.md", 1234, 2345)
        store.write_bytes("z.md", b"new")
        found = (folder / "z.md").stat()
        assert (found.st_uid, found.st_gid) == (1234, 2345)

    def test_another_name_of_a_file_that_is_replaced_keeps_the_old_content(
        self, store: LocalDocumentStore, folder: Path
    ) -> None:
        (folder / "other.md").hardlink_to(folder / "z.md")
        store.write_bytes("z.md", b"new")
        assert ((folder / "z.md").read_bytes(), (folder / "other.md").read_bytes()) == (b"new", b"old")

    def test_equal_bytes_are_not_written_again(self, store: LocalDocumentStore, folder: Path) -> None:
        before = (folder / "z.md").stat()
        for write in (
            lambda: store.swap_bytes("z.md", b"old", b"old"),
            lambda: store.write_bytes("z.md", b"old"),
        ):
            write()
            assert (folder / "z.md").stat().st_ino == before.st_ino

    def test_a_system_that_takes_a_few_bytes_at_a_time_gets_them_all(
        self, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write = os.write

        def sparing(descriptor: int, data: memoryview) -> int:
            return write(descriptor, data[:3])

        monkeypatch.setattr(os, "write", sparing)
        store.write_bytes("z.md", b"0123456789")
        assert store.read_bytes("z.md") == b"0123456789"

    def test_content_is_synced_before_it_takes_its_name_and_each_folder_after(self, folder: Path) -> None:
        store = LocalDocumentStore(folder)
        with failing_calls() as calls:
            store.write_bytes("new/x.md", b"x")
            made = [name for name in calls.made if name in ("mkdir", "write", "fsync", "rename")]
        assert made == ["mkdir", "fsync", "write", "fsync", "rename", "fsync"]

    def test_a_file_is_removed(self, store: LocalDocumentStore, folder: Path) -> None:
        cursor = store.changes().cursor
        store.delete("z.md")
        assert not (folder / "z.md").exists()
        assert seen(store.changes(cursor)) == ((), ("z.md",))
        for path in ("z.md", "absent/x.md"):
            with pytest.raises(KnowledgeNotFoundError, match="No file is stored at"):
                store.delete(path)

    def test_a_file_is_removed_only_if_it_is_what_it_was(self, store: LocalDocumentStore) -> None:
        with pytest.raises(ConflictError):
            store.swap_bytes("z.md", b"other", None)
        store.swap_bytes("z.md", b"old", None)
        assert not store.exists("z.md")

    def test_a_refused_swap_leaves_no_folder_behind(self, store: LocalDocumentStore, folder: Path) -> None:
        with pytest.raises(ConflictError, match=r"'a/x\.md' was changed by somebody else"):
            store.swap_bytes("a/x.md", None, b"new")
        with pytest.raises(ConflictError, match=r"'new/x\.md' was changed by somebody else"):
            store.swap_bytes("new/x.md", b"old", b"new")
        store.swap_bytes("new/x.md", None, None)
        assert not (folder / "new").exists()

    def test_a_file_on_a_disk_that_is_mounted_within_the_folder_is_written_there(
        self, folder: Path, mount: Mount
    ) -> None:
        (folder / "mounted").mkdir()
        mount("-t", "tmpfs", "none", folder / "mounted")
        store = LocalDocumentStore(folder)
        store.write_bytes("mounted/a/x.md", b"1")
        store.swap_bytes("mounted/a/x.md", b"1", b"2")
        assert (folder / "mounted/a/x.md").read_bytes() == b"2"
        assert left_over(folder) == []


class TestLinks:
    def test_a_link_is_written_through_and_stays_a_link(
        self, store: LocalDocumentStore, folder: Path
    ) -> None:
        (folder / "a" / "link.md").symlink_to("../z.md")
        store.swap_bytes("a/link.md", b"old", b"new")
        assert (folder / "a" / "link.md").is_symlink()
        assert (folder / "z.md").read_bytes() == b"new"

    def test_a_link_that_leads_to_nothing_yet_is_written_through(
        self, store: LocalDocumentStore, folder: Path
    ) -> None:
        (folder / "link.md").symlink_to("made/new.md")
        store.swap_bytes("link.md", None, b"new")
        assert (folder / "made" / "new.md").read_bytes() == b"new"

    @pytest.mark.parametrize("target", ["absolute", "../outside"])
    @pytest.mark.parametrize("path", ["generated/x.md", "generated/deep/x.md", "generated"])
    def test_nothing_is_written_outside(
        self, store: LocalDocumentStore, folder: Path, target: str, path: str
    ) -> None:
        outside = folder.parent / "outside"
        outside.mkdir()
        (folder / "generated").symlink_to(outside if target == "absolute" else target)
        for write in (
            lambda: store.write_bytes(path, b"x"),
            lambda: store.swap_bytes(path, None, b"x"),
        ):
            with pytest.raises(KnowledgePathError, match=r"leads out of the root folder|is a folder"):
                write()
        assert list(outside.iterdir()) == []

    def test_nothing_outside_is_made_through_a_link_to_a_file_that_is_not_there(
        self, store: LocalDocumentStore, folder: Path
    ) -> None:
        (folder / "out.md").symlink_to("../escaped.md")
        with pytest.raises(KnowledgePathError, match="leads out of the root folder"):
            store.write_bytes("out.md", b"x")
        assert not (folder.parent / "escaped.md").exists()

    def test_links_in_a_circle_are_refused(self, store: LocalDocumentStore, folder: Path) -> None:
        (folder / "one.md").symlink_to("two.md")
        (folder / "two.md").symlink_to("one.md")
        with pytest.raises(StoreError, match="in a circle; remove the circular link"):
            store.write_bytes("one.md", b"x")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("z.md/x.md", "a file stands where its folder would have to be"),
        ("a", "'a' is a folder and was not written"),
        (f"{'x' * 300}.md", "is too long for the file system"),
        (".hidden/x.md", "would be hidden"),
        ("a/../x.md", "holds '..'"),
    ],
)
def test_a_path_that_cannot_be_written_is_refused(
    store: LocalDocumentStore, folder: Path, path: str, sentence: str
) -> None:
    before = sorted(str(found) for found in folder.rglob("*"))
    with pytest.raises(KnowledgePathError, match=sentence):
        store.write_bytes(path, b"x")
    assert sorted(str(found) for found in folder.rglob("*")) == before


def test_what_is_no_file_is_not_replaced(store: LocalDocumentStore, folder: Path) -> None:
    os.mkfifo(folder / "pipe.md")
    with pytest.raises(StoreError, match="something that is no file lies there"):
        store.write_bytes("pipe.md", b"x")
    assert stat.S_ISFIFO((folder / "pipe.md").stat().st_mode)


class TestWhoMayWrite:
    def test_a_folder_of_somebody_else_is_not_writable(
        self, open_folder: Path, unprivileged: Callable[[], AbstractContextManager[None]]
    ) -> None:
        open_folder.chmod(0o755)
        store = LocalDocumentStore(open_folder, writable=True)
        with unprivileged(), pytest.raises(StoreError, match="let this process write to that folder"):
            store.write_bytes("x.md", b"x")
        assert list(open_folder.iterdir()) == []

    def test_a_store_may_be_declared_to_be_read_only(self, folder: Path) -> None:
        store = LocalDocumentStore(folder, writable=False)
        assert not store.writable
        for write in (
            lambda: store.write_bytes("x.md", b"x"),
            lambda: store.swap_bytes("x.md", None, b"x"),
            lambda: store.delete("x.md"),
        ):
            with pytest.raises(KnowledgeCapabilityError, match="can only be read"):
                write()
        assert list(folder.iterdir()) == []

    def test_a_disk_that_is_mounted_read_only_is_found_out(self, folder: Path, mount: Mount) -> None:
        mount("-t", "tmpfs", "-o", "ro", "none", folder)
        assert not LocalDocumentStore(folder).writable
        with pytest.raises(StoreError, match="choose one that can be written"):
            LocalDocumentStore(folder, writable=True).write_bytes("x.md", b"x")

    def test_where_the_system_cannot_folders_are_only_read(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(replacing, "IS_POSSIBLE", False)
        assert not LocalDocumentStore(folder).writable
        with pytest.raises(ConfigError, match="leave out writable=True"):
            LocalDocumentStore(folder, writable=True)


class TestTakingTurns:
    def test_of_fifty_writers_of_one_file_one_creates_it(self, folder: Path) -> None:
        stores = [LocalDocumentStore(folder) for _ in range(4)]
        outcomes: list[str] = []

        def create(number: int) -> None:
            try:
                stores[number % 4].swap_bytes("one.md", None, b"%d" % number)
            except ConflictError:
                outcomes.append("conflict")
            else:
                outcomes.append("created")

        threads = [threading.Thread(target=create, args=(number,)) for number in range(50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (outcomes.count("created"), outcomes.count("conflict")) == (1, 49)

    def test_a_writer_that_never_ends_is_not_waited_for_forever(
        self, store: LocalDocumentStore, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(replacing, "_LONGEST_WAIT", 0.05)
        held = os.open(folder, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match="another process was writing; try again"):
            store.write_bytes("z.md", b"new")
        os.close(held)
        assert store.read_bytes("z.md") == b"old"
        store.write_bytes("z.md", b"new")

    def test_what_a_killed_writer_left_is_never_listed_and_goes_with_the_next_write(
        self, folder: Path
    ) -> None:
        (folder / ".fingerpost-1-00.tmp").write_bytes(b"half")
        store = LocalDocumentStore(folder)
        assert store.list() == []
        assert store.changes().skipped == ()
        store.write_bytes("x.md", b"x")
        assert os.listdir(folder) == ["x.md"]

    def test_what_another_is_writing_just_now_is_left_alone(self, folder: Path) -> None:
        (folder / ".fingerpost-1-00.tmp").write_bytes(b"half")
        held = os.open(folder, os.O_RDONLY)
        other = os.open(folder, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        replacing.sweep(other)
        assert left_over(folder) == [".fingerpost-1-00.tmp"]
        os.close(held)
        replacing.sweep(other)
        os.close(other)
        assert left_over(folder) == []


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_document_whose_folder_is_removed_as_it_is_written_is_not_said_to_be_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = LocalDocumentStore(folder)
    rename = os.rename

    def late(*names: bytes | str, **folders: int) -> None:
        (folder / "a").rmdir()
        rename(*names, **folders)

    (folder / "a").mkdir()
    monkeypatch.setattr(os, "rename", late)
    with pytest.raises(KnowledgeNotFoundError, match="its folder is gone"):
        store.swap_bytes("a/x.md", None, b"new")
    assert list(folder.iterdir()) == []
