"""A folder that another process changes at random: after each change, all readers know what is there."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fingerpost.stores import Changes, Cursor, LocalDocumentStore, filesystems, inotify, roots
from fingerpost.stores.tree import Tree
from tests.core.stores.following import on_a_server, refuse

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the program makes links and pipes")

PROGRAM = Path(__file__).with_name("restless.py")


@contextmanager
def restless(folder: Path, seed: int) -> Generator[Callable[[], str]]:
    """What makes one more change, and returns its name."""
    outside = folder.parent / "outside"
    process = subprocess.Popen(
        [sys.executable, PROGRAM, folder, outside, str(seed)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    requests, answers = process.stdin, process.stdout

    def change() -> str:
        requests.write("\n")
        return answers.readline()

    with process:
        assert answers.readline() == "ready\n"
        yield change
        requests.close()


class Reader:
    """Knows what is in a store by what it is told of changes alone."""

    def __init__(self, store: LocalDocumentStore) -> None:
        self.contents: dict[str, bytes] = {}
        self.cursor: Cursor | None = None
        self._store = store

    def catch_up(self) -> Changes:
        found = self._store.changes(self.cursor)
        for path in found.removed:
            del self.contents[path]
        for path in found.changed:
            self.contents[path] = self._store.read_bytes(path)
        self.cursor = found.cursor
        return found

    def start_anew(self) -> None:
        """Go on with what a later process would read back."""
        assert self.cursor is not None
        self.cursor = Cursor(json.loads(json.dumps(dict(self.cursor.parts))))


def versions(cursor: Cursor) -> dict[str, str]:
    """The signatures, whether files are young or not."""
    return {path: (cursor.signature(path) or "").removesuffix("~") for path in cursor.paths()}


def check(folder: Path, store: LocalDocumentStore, seed: int, count: int) -> None:
    """Compare what a reader knows after each change with a walk, and a second reader now and then."""
    reader, other = Reader(store), Reader(store)
    made: list[str] = []
    with restless(folder, seed) as change:
        reader.catch_up()
        for number in range(count):
            made.append(change().strip())
            found = reader.catch_up()
            with roots.open_descriptor_root(str(folder)) as root:
                walk = Tree(root)
            there = Cursor(walk.parts)
            context = (seed, number, made[-3:])
            assert versions(found.cursor) == versions(there), context
            assert (found.complete, found.skipped) == (True, walk.remarks.summed_up()), context
            contents = {path: (folder / path).read_bytes() for path in there.paths()}
            assert reader.contents == contents, context
            if number % 7 == 0:
                other.catch_up()
                assert other.contents == contents, context
            if number % 50 == 0:
                other.start_anew()


@pytest.mark.parametrize("seed", range(4))
def test_events_tell_of_every_change(folder: Path, seed: int) -> None:
    with LocalDocumentStore(folder) as store:
        check(folder, store, seed, count=150)
        assert store.watching == ""


@pytest.mark.parametrize("lack", ["watches", "local file system"])
def test_walks_find_every_change_where_there_are_no_events(
    folder: Path, monkeypatch: pytest.MonkeyPatch, lack: str
) -> None:
    if lack == "watches":
        monkeypatch.setattr(inotify, "add_watch", refuse(errno.ENOSPC))
    else:
        monkeypatch.setattr(filesystems, "kind_of", on_a_server)
    with LocalDocumentStore(folder) as store:
        check(folder, store, seed=100, count=80)
        assert store.watching != ""


def test_watches_that_come_and_go_miss_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fingerpost.stores.watch.RETRY_SECONDS", 0)
    add_watch, asked = inotify.add_watch, [0]

    def add(descriptor: int, path: bytes) -> int:
        asked[0] += 1
        return add_watch(descriptor, path) if asked[0] % 40 else refuse(errno.ENOSPC)()

    monkeypatch.setattr(inotify, "add_watch", add)
    with LocalDocumentStore(folder) as store:
        check(folder, store, seed=200, count=80)
