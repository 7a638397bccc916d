"""What power cuts leave of documents that are written, at each call of a record, with all syncs or not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from fingerpost.stores import LocalDocumentStore
from tests.durability.disk import Call, Disk, write_out
from tests.durability.ledger import Ledger
from tests.durability.power import recorded
from tests.durability.whole import whole_text

PROGRAM = "tests.durability.document_writer"
_MANY_CUTS = 12


@dataclass
class Seen:
    """What was looked at, and what was wrong.

    Attributes:
        moments: How many moments between two calls.
        states: How many states were looked at, and how many of them held temporary files.
        opened: How many of them were opened as a store, which then wrote.
        acknowledged: How many writes were acknowledged.
        faults: What was wrong, one sentence each.
    """

    moments: int = 0
    states: Counter[str] = field(default_factory=Counter[str])
    opened: int = 0
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list[str])


def record_of(folder: Path, kind: str, seed: int, steps: int, most_calls: int = 0) -> tuple[list[Call], Path]:
    """Record a writer, and return its calls and the folder that it wrote to.

    Args:
        folder: An empty folder.
        kind: "documents", "concepts" or "task".
        seed: Another seed makes other writes.
        steps: How many writes.
        most_calls: After how many calls it is killed; 0 to run it to its end.
    """
    watched = folder.resolve() / "watched"
    watched.mkdir()
    arguments = [kind, str(watched), str(seed), str(steps)]
    return recorded(folder, watched, arguments, PROGRAM, most_calls), watched


def cut_documents(calls: Sequence[Call], watched: Path, seed: int, opened: int = 0, cuts: int = 3) -> Seen:
    """Cut the power at each moment of a record, and kill the process there.

    Args:
        calls: The record.
        watched: The folder that was recorded.
        seed: Another seed makes other cuts.
        opened: How many of the states are opened as a store.
        cuts: How often the power is cut at each moment.
    """
    dice = random.Random(seed)
    disk, ledger, seen = Disk(watched), Ledger(), Seen()
    to_open = set(dice.sample(range(len(calls)), min(opened, len(calls))))
    for moment, call in enumerate(calls):
        disk.play(call)
        if call.kind == "m":
            ledger.hear([call.data])
        if call.kind in "od":
            continue  # which changed nothing, or is looked at with the write that follows
        seen.moments += 1
        for state in [disk.end(), *(disk.cut(dice) for _ in range(cuts))]:
            seen.states["all"] += 1
            shown = _shown(state)
            seen.faults += (f"Call {moment}: {fault}" for fault in ledger.faults(shown))
            seen.states["with temporary files"] += len(shown) < len(state)
        if moment in to_open:
            seen.opened += 1
            seen.faults += _opened(disk.cut(dice), watched.with_name("cut"), dice)
    seen.acknowledged = ledger.done
    return seen


def taken_over(folder: Path, seed: int, steps: int, moments: int = 0) -> Iterator[Seen]:
    """Kill a writer at some call, let another do its task anew from the beginning, and cut the power.

    Args:
        folder: An empty folder.
        seed: Another seed makes another task and other cuts.
        steps: How many writes the task has.
        moments: At how many calls, taken by dice; 0 for each after which something shows that is not synced.
    """
    dice = random.Random(seed)
    first = folder / "first"
    first.mkdir()
    whole = [call.kind for call in record_of(first, "task", seed, steps)[0]]
    shows = [number for number, kind in enumerate(whole, 1) if kind in "kr"]
    for most in sorted(dice.sample(range(1, len(whole)), moments)) if moments else shows:
        own = folder / f"until{most}"
        own.mkdir()
        watched = record_of(own, "task", seed, steps, most)[1]
        calls = recorded(own, watched, ["task", str(watched), str(seed), str(steps)], PROGRAM)
        seen = cut_documents(calls, watched, seed, cuts=_MANY_CUTS)
        seen.faults += (f"The record says nothing of {path}." for path in unexplained(calls, watched))
        yield seen


def unexplained(calls: Sequence[Call], watched: Path) -> list[str]:
    """The files that are not what the record makes of them; else calls are missing in it."""
    disk = Disk(watched)
    for call in calls:
        disk.play(call)
    made, there = disk.end(), files_in(watched)
    return sorted(path for path in {*made, *there} if made.get(path) != there.get(path))


def without(calls: Sequence[Call], what: str) -> list[Call]:
    """A record as it would be if some were not synced: "files", "folders" or "folders of folders"."""
    kinds = {"files": "o", "folders": "d", "folders of folders": "d"}
    opened: dict[int, str] = {}
    kept = list(calls[:1])
    for before, call in pairwise(calls):
        if call.kind in "od":
            opened[call.descriptor] = call.kind
        is_meant = call.kind == "s" and opened[call.descriptor] == kinds[what]
        if not is_meant or (what == "folders of folders" and before.kind != "k"):
            kept.append(call)
    return kept


def files_in(folder: Path) -> dict[str, bytes]:
    """The contents of all files below a folder, hidden ones too, by path."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()
    }


def _shown(files: dict[str, bytes]) -> dict[str, bytes]:
    return {path: content for path, content in files.items() if not f"/{path}".count("/.")}


def _opened(state: dict[str, bytes], target: Path, dice: random.Random) -> Iterator[str]:
    """Let a store list what is left, and write to it."""
    write_out(state, target)
    shown = _shown(state)
    store = LocalDocumentStore(target)
    if store.list() != sorted(shown):
        yield f"Listed were {store.list()}, of {sorted(state)}."
    for path, content in shown.items():
        if store.read_bytes(path) != content:
            yield f"{path} was read as something else."
    text = whole_text(dice, 3).encode()
    store.write_bytes("next/note.md", text)
    if files_in(target) != shown | {"next/note.md": text}:
        yield f"After the next write there are {sorted(files_in(target))}."
