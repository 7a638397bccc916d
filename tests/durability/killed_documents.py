"""Processes that are killed at random moments while they write documents, and what they leave behind."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fingerpost.errors import KnowledgeNotFoundError
from fingerpost.stores import LocalDocumentStore
from tests.durability.cut_documents import PROGRAM, files_in
from tests.durability.killing import ROOT
from tests.durability.ledger import Ledger
from tests.durability.whole import torn, whole_text

_FOREVER = "1000000"
_MOMENTS_OF_A_FOLDER = 10


@dataclass(frozen=True, slots=True)
class Kill:
    """A process that was killed.

    Attributes:
        acknowledged: How many writes it acknowledged.
        was_writing: Whether it was in the middle of one.
        has_left: Whether it left a temporary file behind.
        looks: How often a store that is open all along was asked meanwhile.
        faults: What was wrong, one sentence each.
    """

    acknowledged: int
    was_writing: bool
    has_left: bool
    looks: int
    faults: tuple[str, ...]


@dataclass
class Watcher:
    """Asks a store that stays open, again and again, and keeps what it shows wrongly."""

    store: LocalDocumentStore
    looks: int = 0
    fault: str = ""

    @contextmanager
    def watching(self) -> Generator[None]:
        """Ask in a thread while the block lasts."""
        done = threading.Event()
        thread = threading.Thread(target=self._watch, args=(done,))
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _watch(self, done: threading.Event) -> None:
        while not done.wait(0.002) and not self.fault:
            try:
                self.fault = self._look()
            except Exception as error:  # noqa: BLE001 - whatever it is, it should not have happened
                self.fault = f"A store that stays open failed with {error!r}."
            self.looks += 1

    def _look(self) -> str:
        changes = self.store.changes()
        for path in self.store.list():
            if f"/{path}".count("/."):
                return f"{path} is listed."
            try:
                data = self.store.read_bytes(path)
            except KnowledgeNotFoundError:
                continue  # removed since
            if damage := torn(data):
                return f"{path} is read torn: {damage}."
        return f"Left out is {changes.skipped}." if changes.skipped else ""


def killed_documents(folder: Path, kind: str, seed: int, moments: int) -> Iterator[Kill]:
    """Kill writers of one folder; each goes on with what the one before has left, now and then from nothing.

    Args:
        folder: An empty folder.
        kind: "documents" or "concepts".
        seed: Another seed makes other writes and moments.
        moments: How often.
    """
    dice = random.Random(seed)
    place = folder / "documents"
    for first in range(0, moments, _MOMENTS_OF_A_FOLDER):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        ledger = Ledger()
        with LocalDocumentStore(place) as open_all_along:
            for moment in range(first, min(first + _MOMENTS_OF_A_FOLDER, moments)):
                yield _killed(place, [kind, str(place), str(seed + moment)], dice, ledger, open_all_along)


def _killed(
    place: Path, arguments: list[str], dice: random.Random, ledger: Ledger, open_all_along: LocalDocumentStore
) -> Kill:
    before = ledger.done
    watcher = Watcher(open_all_along)
    with watcher.watching():
        _kill_one(arguments, dice, ledger)
    was_writing = ledger.is_writing
    left = files_in(place)
    shown = {path: content for path, content in left.items() if not f"/{path}".count("/.")}
    faults = [watcher.fault] if watcher.fault else []
    faults += ledger.faults(shown)
    faults += _shown_wrongly(open_all_along, shown)
    ledger.settle(shown)
    text = whole_text(dice, 2).encode()
    LocalDocumentStore(place).write_bytes("next.md", text)
    if files_in(place) != shown | {"next.md": text}:
        faults.append(f"After the next write there are {sorted(files_in(place))}.")
    open_all_along.delete("next.md")
    faults += _shown_wrongly(open_all_along, shown)
    return Kill(ledger.done - before, was_writing, len(shown) < len(left), watcher.looks, tuple(faults))


def _kill_one(arguments: list[str], dice: random.Random, ledger: Ledger) -> None:
    """Start a writer, kill it at a random moment, and hear all that it said."""
    command = [sys.executable, "-m", PROGRAM, *arguments, _FOREVER]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        ledger.hear(process.stdout.readline() for _ in range(1 + dice.choice([0, 0, 1, 2, 10, 40])))
        # Where in a write it is hit is left to chance.
        time.sleep(dice.choice([0, 0, 0.002, 0.01, 0.05]) * dice.random())
        process.kill()
        ledger.hear(process.stdout)
    assert process.returncode == -9, f"The writer ended by itself, with {process.returncode}."


def _shown_wrongly(store: LocalDocumentStore, shown: dict[str, bytes]) -> Iterator[str]:
    """Where a store shows other files than there are."""
    listed = store.list()
    if listed != sorted(shown):
        yield f"Listed are {listed}, and there are {sorted(shown)}."
    elif wrong := [path for path in listed if store.read_bytes(path) != shown[path]]:
        yield f"Read otherwise than they are: {wrong}."
