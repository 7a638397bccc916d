"""Processes that are killed at random moments while they write, and whether what they leave is right."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fingerpost.catalog.persisted import PersistedCatalog
from tests.durability.history import LIMITS, History, differences, integrity, mixed_versions, version_of
from tests.durability.some_bundles import make_bundle, wrong_answers

ROOT = Path(__file__).resolve().parents[2]
_FOREVER = "100000"


@dataclass(frozen=True, slots=True)
class Moment:
    """A process that was killed.

    Attributes:
        acknowledged: The last update that it said was done.
        found: The last update that the file holds; -1 where that cannot be said.
        faults: What was wrong with what it left behind, one sentence each.
    """

    acknowledged: int
    found: int
    faults: tuple[str, ...]


def killed_writer(arguments: list[str], dice: random.Random) -> int:
    """Start a writer, kill it at a random moment, and return the last number that it acknowledged."""
    command = [sys.executable, "-m", "tests.durability.writer", *arguments, _FOREVER]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(1 + dice.choice([0, 1, 2, 3, 5, 8]))]
        # Where in an update it is hit is left to chance.
        time.sleep(dice.choice([0.002, 0.02, 0.2]) * dice.random())
        process.kill()
        told += [int(line) for line in process.stdout if line.endswith(b"\n")]
    return told[-1]


def killed_catalogs(folder: Path, seed: int, moments: int) -> Iterator[Moment]:
    """Kill writers of a catalog; each goes on with what the one before has left, now and then from nothing.

    Args:
        folder: An empty folder.
        seed: Another seed makes other histories and moments.
        moments: How often.
    """
    dice = random.Random(seed)
    history = History(seed)
    file = folder / "kept" / "catalog.db"
    last = 0
    for moment in range(moments):
        if moment % 5 == 0:
            shutil.rmtree(file.parent, ignore_errors=True)
            history, last = History(seed + moment), 0
        acknowledged = killed_writer(["catalog", str(file), str(seed + moment - moment % 5)], dice)
        last = max(last, acknowledged)
        copy = (
            folder / "copy"
        )  # what is looked at is closed in good order; the next writer must find it as it is
        shutil.rmtree(copy, ignore_errors=True)
        if file.parent.exists():
            shutil.copytree(file.parent, copy)
        found, faults = look_at(copy / file.name, history, last, last + 1)
        yield Moment(acknowledged, found, faults)
        last = found


def look_at(file: Path, history: History, earliest: int, latest: int) -> tuple[int, tuple[str, ...]]:
    """Open a catalog that was left behind.

    Args:
        file: Its file.
        history: What was written to it.
        earliest: The oldest update that may be its last.
        latest: The newest that may be.

    Returns:
        Its last update, and what is wrong with it.
    """
    faults: list[str] = []
    if (said := integrity(file)) != "ok":
        faults.append(f"SQLite says: {said}")
    with PersistedCatalog(file, LIMITS) as catalog:
        with catalog.reading() as view:
            found = version_of(view)
            if not earliest <= found <= latest:
                faults.append(f"It holds update {found}, which is none of {earliest} to {latest}.")
            if mixed := mixed_versions(view):
                faults.append(f"Two states are mixed: {mixed}.")
            faults += differences(view, history, found)
        history.step(found + 1).apply(catalog)
        with catalog.reading() as view:
            faults += [f"After the next update: {fault}" for fault in differences(view, history, found + 1)]
    return found, tuple(faults)


def killed_bundles(folder: Path, seed: int, moments: int, files: int = 120) -> Iterator[Moment]:
    """Kill processes that edit a bundle and look at it, which share one kept index.

    Args:
        folder: An empty folder.
        seed: Another seed makes other edits and moments.
        moments: How often.
        files: How many files the bundle has at first; of more than 500 the headers are read first.
    """
    dice = random.Random(seed)
    bundle, cache, copy = folder / "bundle", folder / "cache", folder / "copy"
    for moment in range(moments):
        if moment % 5 == 0:
            shutil.rmtree(bundle, ignore_errors=True)
            shutil.rmtree(cache, ignore_errors=True)
            make_bundle(bundle, dice, files)
        acknowledged = killed_writer(["bundle", str(bundle), str(cache), str(seed + moment)], dice)
        shutil.rmtree(copy, ignore_errors=True)
        if cache.exists():
            shutil.copytree(cache, copy)
        faults = [said for file in copy.glob("*.db") if (said := integrity(file)) != "ok"]
        yield Moment(acknowledged, -1, (*faults, *wrong_answers(bundle, copy)))
