"""Whether a bundle that stays open sees every change that somebody else makes."""

from __future__ import annotations

import errno
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fingerpost import Bundle, KnowledgeError, MemoryDocumentStore
from fingerpost.errors import ConceptError
from fingerpost.stores import inotify
from tests.durability.editor import FILES, marker
from tests.durability.some_bundles import text_of

ROOT = Path(__file__).resolve().parents[2]
AGED = 2.1
"""Seconds after which a file is no longer looked at for its youth alone."""

_CHANGES_AN_AGE = 75

Change = Callable[[], tuple[str, bool]]
"""Makes a change; its name, and whether the next one follows at once."""


@dataclass
class Watched:
    """What came of watching.

    Attributes:
        changes: How many changes of each kind were made.
        missed: Those that an answer did not show, with the difference.
        longest: The longest time from a change to the last answer about it, in seconds.
    """

    changes: Counter[str] = field(default_factory=Counter[str])
    missed: list[str] = field(default_factory=list[str])
    longest: float = 0.0


class Watcher:
    """Asks a bundle that stays open, and compares its answers with what is there.

    Args:
        bundle: The bundle.
        truth: The text of each Markdown file by the id of its concept.
        seed: Chooses what is asked.
    """

    def __init__(self, bundle: Bundle, truth: Callable[[], Mapping[str, str]], seed: int) -> None:
        self.watched = Watched()
        self._bundle, self._truth, self._dice = bundle, truth, random.Random(seed)
        self._titles: dict[str, str] = {}
        self._faults: set[str] = set()

    def watch(self, change: Change, count: int) -> Watched:
        """Have many changes made, and ask after each."""
        for number in range(count):
            if number % _CHANGES_AN_AGE == 0:
                time.sleep(AGED)
            name, goes_on = change()
            self.watched.changes[name] += 1
            start = time.monotonic()
            if goes_on:  # the file is read, and then rewritten in the same tick
                self._bundle.find(self._dice.choice(sorted(self._titles.values())))
                continue
            faults = self._wrong()
            self.watched.longest = max(self.watched.longest, time.monotonic() - start)
            if new := faults - self._faults:
                self.watched.missed.append(f"Change {number}, {name}: {'; '.join(sorted(new)[:3])}")
            self._faults = faults
        return self.watched

    def _wrong(self) -> set[str]:
        """What the bundle answers wrongly now."""
        texts = self._truth()
        before, self._titles = (
            self._titles,
            {id_: title_of(text) for id_, text in texts.items() if title_of(text)},
        )
        questions = [
            lambda: _listed(self._bundle, self._titles),
            lambda: _sought(self._bundle, before, self._titles),
            lambda: _read(self._bundle, texts),
        ]
        self._dice.shuffle(questions)
        return {fault for ask in questions for fault in ask()}


def title_of(text: str) -> str:
    """The title of a concept, "" for what is none."""
    return (
        text.split("title: ", 1)[1].split("\n", 1)[0] if text.startswith("---\ntype: Note\ntitle: ") else ""
    )


def _listed(bundle: Bundle, now: Mapping[str, str]) -> Iterator[str]:
    pages = [bundle.find(limit=100, offset=start) for start in range(0, len(now) + 100, 100)]
    titles = {hit["id"]: hit["title"] for page in pages for hit in page["results"]}
    if titles != now:
        right, wrong = sorted(now.items() - titles.items()), sorted(titles.items() - now.items())
        yield f"listed {wrong} instead of {right}"
    if bundle.trouble:
        yield f"trouble: {bundle.trouble}"


def _sought(bundle: Bundle, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    new = [(id_, title) for id_, title in now.items() if before.get(id_) != title]
    for id_, title in new[:3]:
        if id_ not in [hit["id"] for hit in bundle.find(title)["results"]]:
            yield f"{id_} is not found by its title {title}"
    gone = set(before.values()) - set(now.values())
    for title in sorted(gone)[:2]:
        if (hits := bundle.find(title)["results"]) and title in [hit["title"] for hit in hits]:
            yield f"{title} is still found"


def _read(bundle: Bundle, texts: Mapping[str, str]) -> Iterator[str]:
    for id_, text in sorted(texts.items())[:: max(1, len(texts) // 5)]:
        try:
            body = bundle.read(id_)["body"]
        except ConceptError:
            body = ""
        except KnowledgeError as error:
            body = str(error)
        expected = text.split("---\n", 2)[2].strip() if title_of(text) else ""
        if body.strip() != expected:
            yield f"{id_} reads {body[:80]!r} instead of {expected[:80]!r}"


def texts_in(folder: Path) -> dict[str, str]:
    """The text of each Markdown file of a folder that is served, by the id of its concept."""
    texts: dict[str, str] = {}
    for place, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            file = Path(place, name)
            if name.endswith(".md") and not name.startswith(".") and file.exists():
                texts[str(file.relative_to(folder).with_suffix(""))] = file.read_text(encoding="utf-8")
    return texts


@contextmanager
def editing(folder: Path, seed: int) -> Generator[Change]:
    """Have a folder made and changed by another process."""
    command = [sys.executable, "-m", "tests.durability.editor", str(folder), str(seed)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, told = process.stdin, process.stdout
        assert json.loads(told.readline())[0] == "begun"

        def change() -> tuple[str, bool]:
            asked.write("go\n")
            asked.flush()
            name, goes_on = json.loads(told.readline())
            return name, goes_on

        try:
            yield change
        finally:
            asked.close()


@contextmanager
def no_events() -> Generator[None]:
    """Where the system has no more events to give, so that a folder is walked over at each call."""

    def start() -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    before, inotify.start = inotify.start, start
    try:
        yield
    finally:
        inotify.start = before


def watch_folder(folder: Path, seed: int, count: int) -> Watched:
    """Watch a folder that another process changes.

    Args:
        folder: An empty folder to make it in.
        seed: Another seed makes other changes.
        count: How many changes.
    """
    with (
        editing(folder / "bundle", seed) as change,
        Bundle(folder / "bundle", cache=folder / "cache") as bundle,
    ):
        return Watcher(bundle, lambda: texts_in(folder / "bundle"), seed).watch(change, count)


class TaggedStore(MemoryDocumentStore):
    """A store like one behind a web server: a tag for each version of a file, and no news of changes."""

    def __init__(self) -> None:
        super().__init__()
        self._tags: dict[str, int] = {}
        self._last = 0

    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data)
        self._last += 1
        self._tags[path] = self._last

    def signature(self, path: str) -> str:
        super().signature(path)
        return f'W/"{self._tags[path]:x}"'


_KINDS = ["write", "write", "same_again", "add", "delete", "rename", "rename_folder"]


class StoreEditor(threading.Thread):
    """Changes a store from a thread of its own, as it is told.

    Args:
        store: The store; it is filled.
        seed: Another seed makes other changes.
    """

    def __init__(self, store: MemoryDocumentStore, seed: int) -> None:
        super().__init__(daemon=True)
        self._store, self._dice = store, random.Random(seed)
        self._told, self._done = threading.Semaphore(0), threading.Semaphore(0)
        self._name = ""
        for number in range(FILES):
            self._write(f"folder{number % 5}/note{number}.md")

    def change(self) -> tuple[str, bool]:
        """Have the next change made."""
        self._told.release()
        if not self._done.acquire(timeout=60):
            raise RuntimeError(f"The editor of the store has ended after {self._name!r}.")
        return self._name, False

    def run(self) -> None:
        while self._told.acquire():
            kinds = (
                self.write,
                self.write,
                self.same_again,
                self.add,
                self.delete,
                self.rename,
                self.rename_folder,
            )
            chosen = self._dice.choice(kinds)
            self._name = chosen.__name__
            chosen()
            self._done.release()

    def _write(self, path: str) -> None:
        self._store.write_bytes(path, text_of(marker(self._dice), self._dice).encode())

    def _path(self) -> str:
        return self._dice.choice(self._store.list())

    def _move(self, path: str, to: str) -> None:
        data = self._store.read_bytes(path)
        self._store.delete(path)
        self._store.write_bytes(to, data)

    def write(self) -> None:
        self._write(self._path())

    def same_again(self) -> None:
        path = self._path()
        self._store.write_bytes(path, self._store.read_bytes(path))

    def add(self) -> None:
        self._write(f"{marker(self._dice)}/{marker(self._dice)}.md")

    def delete(self) -> None:
        if len(self._store.list()) > FILES // 2:
            self._store.delete(self._path())

    def rename(self) -> None:
        self._move(self._path(), f"{marker(self._dice)}.md")

    def rename_folder(self) -> None:
        folder, to = self._path().rpartition("/")[0], marker(self._dice)
        for path in self._store.list(folder) if folder else []:
            self._move(path, to + path.removeprefix(folder))


def watch_store(seed: int, count: int) -> Watched:
    """Watch a store that another thread changes."""
    store = TaggedStore()
    editor = StoreEditor(store, seed)
    editor.start()

    def texts() -> dict[str, str]:
        return {path.removesuffix(".md"): store.read_bytes(path).decode() for path in store.list()}

    with Bundle(store) as bundle:
        return Watcher(bundle, texts, seed).watch(editor.change, count)
