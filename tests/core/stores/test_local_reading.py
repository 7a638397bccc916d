"""What a local store reads, what it refuses, and what it says."""

from __future__ import annotations

import gc
import os
import socket
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

from fingerpost.errors import (
    ConfigError,
    KnowledgeError,
    KnowledgeNotFoundError,
    StoreError,
)
from fingerpost.stores import LocalDocumentStore

Unprivileged = Callable[[], AbstractContextManager[None]]


class TestTheRoot:
    @pytest.mark.parametrize("nothing", ["", " ", "a\0b", None, b"kb", 3])
    def test_nothing_is_never_the_current_directory(self, nothing: object) -> None:
        with pytest.raises(ConfigError, match="names no folder"):
            LocalDocumentStore(nothing)  # pyright: ignore[reportArgumentType]

    def test_a_missing_folder_is_named_absolutely_with_a_similar_sibling(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "policies").mkdir()
        (folder / "polices.md").write_bytes(b"a file is no suggestion")
        monkeypatch.chdir(folder)
        with pytest.raises(ConfigError) as caught:
            LocalDocumentStore("polices")
        assert str(caught.value) == (
            f"The folder '{folder}/polices' does not exist. Did you mean '{folder}/policies'?"
        )

    def test_a_missing_folder_above_is_what_the_suggestion_is_about(self, folder: Path) -> None:
        with pytest.raises(ConfigError, match=f"Did you mean '{folder}'"):
            LocalDocumentStore(folder.parent / "kbs" / "deep" / "er")

    def test_a_file_has_its_own_sentence(self, folder: Path) -> None:
        file = folder / "kb.zip"
        file.write_bytes(b"")
        with pytest.raises(ConfigError, match=r"kb\.zip' is a file; give the folder"):
            LocalDocumentStore(file)

    def test_a_folder_that_may_not_be_listed_is_refused_at_once(
        self, open_folder: Path, unprivileged: Unprivileged
    ) -> None:
        open_folder.chmod(0o311)
        with unprivileged(), pytest.raises(StoreError, match=r"kb' cannot be read \(Permission denied\)"):
            LocalDocumentStore(open_folder)

    def test_a_tilde_is_the_home_folder(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(folder.parent))
        assert LocalDocumentStore("~/kb").identity == folder.as_uri()

    def test_a_relative_root_stays_where_it_was_when_the_current_directory_changes(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "x.md").write_bytes(b"x")
        monkeypatch.chdir(folder.parent)
        store = LocalDocumentStore("kb")
        monkeypatch.chdir("/")
        assert store.list() == ["x.md"]
        assert store.root == folder
        assert repr(store) == f"LocalDocumentStore('{folder}')"

    @pytest.mark.usefixtures("any_confinement")
    def test_a_replaced_root_counts_at_once_and_a_missing_one_is_an_error_until_it_is_back(
        self, folder: Path
    ) -> None:
        (folder / "x.md").write_bytes(b"old")
        store = LocalDocumentStore(folder)
        cursor = store.changes().cursor
        away = folder.parent / "away"
        folder.rename(away)
        asks: list[Callable[[], object]] = [
            store.list,
            lambda: store.changes(cursor),
            lambda: store.read_bytes("x.md"),
            lambda: store.exists("x.md"),
        ]
        for ask in asks:
            with pytest.raises(StoreError, match=f"The folder '{folder}' cannot be read"):
                ask()
        folder.write_bytes(b"now a file")
        with pytest.raises(StoreError, match="Not a directory"):
            store.changes(cursor)
        folder.unlink()
        folder.mkdir()
        (folder / "y.md").write_bytes(b"new")
        assert store.changes(cursor).removed == ("x.md",)
        assert store.read_bytes("y.md") == b"new"

    def test_a_root_that_is_a_link_follows_the_link_at_each_call(self, folder: Path) -> None:
        for release in ("1", "2"):
            (folder / release).mkdir()
            (folder / release / "x.md").write_text(release)
        current = folder.parent / "current"
        current.symlink_to(folder / "1")
        store = LocalDocumentStore(current)
        assert store.read_bytes("x.md") == b"1"
        fresh = folder.parent / "fresh"
        fresh.symlink_to(folder / "2")
        fresh.replace(current)
        assert store.read_bytes("x.md") == b"2"


@pytest.mark.usefixtures("any_confinement")
class TestFiles:
    def test_a_pipe_a_socket_and_a_device_are_refused_without_waiting(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        os.mkfifo(folder / "pipe.md")
        monkeypatch.chdir(folder)  # the name of a socket must be short
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("socket.md")
            store = LocalDocumentStore(folder)
            for path, sentence in (("pipe.md", "is a named pipe"), ("socket.md", "is a socket")):
                for ask in (store.read_bytes, store.signature):
                    with pytest.raises(StoreError, match=sentence):
                        ask(path)
                assert store.exists(path) is False

    def test_a_device_is_refused(self, folder: Path) -> None:
        try:
            os.mknod(folder / "zero.md", 0o666 | 0o020000, os.makedev(1, 5))
        except PermissionError:
            pytest.skip("devices are made by the super-user alone")
        with pytest.raises(StoreError, match=r"'zero\.md' is a device"):
            LocalDocumentStore(folder).read_bytes("zero.md", max_bytes=10)

    def test_a_giant_sparse_file_is_refused_before_it_is_read(self, folder: Path) -> None:
        with (folder / "giant.md").open("wb") as file:
            file.truncate(10 * 2**30)
        with pytest.raises(StoreError, match=r"holds 10,737,418,240 bytes, more than the 1,000,000 bytes"):
            LocalDocumentStore(folder).read_bytes("giant.md", max_bytes=1_000_000)

    def test_a_file_larger_than_one_read_comes_whole(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("fingerpost.stores.local._CHUNK_BYTES", 1000)
        content = os.urandom(12_345)
        (folder / "x.bin").write_bytes(content)
        assert LocalDocumentStore(folder).read_bytes("x.bin", max_bytes=12_345) == content

    def test_an_empty_file_is_read(self, folder: Path) -> None:
        (folder / "x.md").write_bytes(b"")
        assert LocalDocumentStore(folder).read_bytes("x.md", max_bytes=0) == b""

    def test_unusual_names_are_listed_and_read(self, folder: Path) -> None:
        names = [
            "a b.md",
            "line\nbreak.md",
            "100%.md",
            "ملف.md",
            "café.md",
            "cafe\u0301.md",
            "👩‍🚀.md",
            "x" * 255,
            "a:b",
            "-",
        ]
        for name in names:
            (folder / name).write_text(name)
        store = LocalDocumentStore(folder)
        assert store.list() == sorted(names)
        assert [store.read_bytes(name).decode() for name in names] == names

    def test_both_names_of_a_hard_link_are_read(self, folder: Path) -> None:
        (folder / "a.md").write_bytes(b"x")
        (folder / "b.md").hardlink_to(folder / "a.md")
        store = LocalDocumentStore(folder)
        assert store.list() == ["a.md", "b.md"]
        assert store.signature("a.md") == store.signature("b.md")

    def test_a_file_that_vanished_or_changed_kind_after_the_listing_is_a_knowledge_error(
        self, folder: Path
    ) -> None:
        for name in ("gone.md", "kind.md"):
            (folder / name).write_bytes(b"x")
        store = LocalDocumentStore(folder)
        gone, kind = store.list()
        (folder / "gone.md").unlink()
        (folder / "kind.md").unlink()
        (folder / "kind.md").mkdir()
        with pytest.raises(KnowledgeNotFoundError, match=r"No file is stored at 'gone\.md'"):
            store.read_bytes(gone)
        with pytest.raises(StoreError, match=r"'kind\.md' is a folder"):
            store.read_bytes(kind)

    def test_a_forbidden_file_says_what_to_do_and_a_forbidden_folder_too(
        self, open_folder: Path, unprivileged: Unprivileged
    ) -> None:
        (open_folder / "locked").mkdir()
        (open_folder / "locked" / "x.md").write_bytes(b"x")
        (open_folder / "x.md").write_bytes(b"x")
        store = LocalDocumentStore(open_folder)
        (open_folder / "locked").chmod(0)
        (open_folder / "x.md").chmod(0)
        with unprivileged():
            for path in ("locked/x.md", "x.md"):
                with pytest.raises(
                    StoreError, match=f"'{path}' cannot be read: permission denied; let this process"
                ):
                    store.read_bytes(path)
            assert store.exists("x.md") is True
            with pytest.raises(StoreError, match="permission denied"):
                store.exists("locked/x.md")
        (open_folder / "x.md").chmod(0o644)
        assert store.read_bytes("x.md") == b"x"

    def test_no_operation_leaves_a_descriptor_open(self, folder: Path) -> None:
        (folder / "a" / "b").mkdir(parents=True)
        (folder / "a" / "b" / "x.md").write_bytes(b"x")
        (folder / "a" / "link.md").symlink_to("../a/./b/../b/x.md")
        (folder / "out").symlink_to("../..")
        (folder / "loop").symlink_to("loop")
        os.mkfifo(folder / "pipe.md")
        store = LocalDocumentStore(folder)
        paths = [
            "a/b/x.md",
            "a/link.md",
            "out/x",
            "out",
            "loop",
            "pipe.md",
            "a",
            "absent",
            "a/b/x.md/y",
            "y" * 300,
        ]

        asks: list[Callable[[str], object]] = [
            store.read_bytes,
            store.signature,
            store.exists,
            partial(store.read_bytes, max_bytes=0),
        ]

        def use_everything() -> None:
            store.changes(store.changes().cursor)
            for path in paths:
                for ask in asks:
                    try:
                        ask(path)
                    except KnowledgeError:
                        continue

        use_everything()
        gc.collect()  # stores of other tests
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            use_everything()
        assert len(os.listdir("/proc/self/fd")) == before


def test_a_file_that_grows_beyond_the_cap_while_it_is_read_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "x.md"
    file.write_bytes(b"x" * 10)
    read = os.read

    def growing(descriptor: int, length: int) -> bytes:
        with file.open("ab") as more:
            more.write(b"x" * 10)
        return read(descriptor, length)

    store = LocalDocumentStore(folder)
    monkeypatch.setattr(os, "read", growing)
    with pytest.raises(StoreError, match="grew while it was read and now holds more than the 15 bytes"):
        store.read_bytes("x.md", max_bytes=15)


def test_a_file_that_is_written_to_during_the_read_is_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "x.md"
    file.write_bytes(b"old")
    read, writes = os.read, iter([b"new and longer"])

    def written_to(descriptor: int, length: int) -> bytes:
        data = read(descriptor, length)
        for content in writes:
            file.write_bytes(content)
        return data

    store = LocalDocumentStore(folder)
    monkeypatch.setattr(os, "read", written_to)
    assert store.read_bytes("x.md") == b"new and longer"


def test_a_file_that_never_rests_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "x.md"
    file.write_bytes(b"")
    read = os.read

    def appended_to(descriptor: int, length: int) -> bytes:
        data = read(descriptor, length)
        with file.open("ab") as more:
            more.write(b"line\n")
        return data

    store = LocalDocumentStore(folder)
    monkeypatch.setattr(os, "read", appended_to)
    with pytest.raises(StoreError, match="written to each time it was read"):
        store.read_bytes("x.md")


def test_eight_threads_share_one_store(folder: Path) -> None:
    for number in range(40):
        (folder / f"{number}.md").write_text(str(number))
    store = LocalDocumentStore(folder)
    wrong: list[str] = []

    def read_all() -> None:
        for path in store.list():
            if store.read_bytes(path).decode() != path.removesuffix(".md"):
                wrong.append(path)

    threads = [threading.Thread(target=read_all) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
