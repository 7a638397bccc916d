"""What a power cut may leave of the files that a process wrote, worked out from a record of its calls.

`recorder.c` records them. Whatever was synced before the cut is there after it. Of what was not, each file
keeps a choice of its own: nothing, all, what came first, any writes, or any sectors of them. Names that were
made, moved or removed since their folder was synced are kept in order, up to some point. What is in shared
memory is gone.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.durability.history import History
from tests.durability.killing import look_at
from tests.durability.some_bundles import make_bundle, wrong_answers

ROOT = Path(__file__).resolve().parents[2]
SECTOR = 512
_HEADER = struct.Struct("=iiqII")
_CHANGES_OF_NAMES = "oru"


@dataclass(frozen=True, slots=True)
class Call:
    """One call: "o" opens, "w" writes, "t" truncates, "s" syncs, "r" renames, "u" unlinks, "m" is a mark."""

    kind: str
    descriptor: int
    offset: int
    path: str
    data: bytes


def why_not() -> str:
    """Why nothing can be recorded here, "" when it can be."""
    if not sys.platform.startswith("linux"):
        return "recording needs LD_PRELOAD, which Linux has"
    return "" if shutil.which("cc") else "recording needs a C compiler, cc"


def recorded(folder: Path, watched: Path, arguments: Sequence[str]) -> list[Call]:
    """Run a writer to its end, and return what it did to the files of a folder.

    Args:
        folder: Where the recorder and its record are put.
        watched: The folder to record.
        arguments: What `tests.durability.writer` is told to do.
    """
    recorder, record = folder / "recorder.so", folder / "record"
    source = Path(__file__).with_name("recorder.c")
    compile_ = ["cc", "-shared", "-fPIC", "-O1", "-o", str(recorder), str(source), "-ldl", "-lpthread"]
    subprocess.run(compile_, check=True)
    settings = {"LD_PRELOAD": str(recorder), "RECORD": str(record), "RECORDED_FOLDER": str(watched)}
    command = [sys.executable, "-m", "tests.durability.writer", *arguments]
    subprocess.run(command, cwd=ROOT, env=os.environ | settings, stdout=subprocess.DEVNULL, check=True)
    return list(_calls(record.read_bytes()))


def _calls(record: bytes) -> Iterator[Call]:
    place = 0
    while place < len(record):
        kind, descriptor, offset, path, data = _HEADER.unpack_from(record, place)
        middle = place + _HEADER.size + path
        name = os.fsdecode(record[middle - path : middle])
        yield Call(chr(kind), descriptor, offset, name, record[middle : middle + data])
        place = middle + data


@dataclass(eq=False, slots=True)
class _File:
    """What is surely in a file, and the calls that may be lost."""

    synced: bytearray = field(default_factory=bytearray)
    unsynced: list[Call] = field(default_factory=list[Call])

    def sync(self) -> None:
        for call in self.unsynced:
            _apply(self.synced, call)
        self.unsynced.clear()

    def content(self) -> bytes:
        content = bytearray(self.synced)
        for call in self.unsynced:
            _apply(content, call)
        return bytes(content)

    def after_a_cut(self, dice: random.Random) -> bytes:
        content = bytearray(self.synced)
        fate = dice.choice(["nothing", "all", "first", "any", "any", "sectors", "sectors"])
        kept = {"nothing": 0, "first": dice.randint(0, len(self.unsynced))}.get(fate, len(self.unsynced))
        share = dice.choice([0.2, 0.9, 0.99, 0.999])
        for call in self.unsynced[:kept]:
            if fate == "sectors" and call.kind == "w":
                for piece in _sectors(call):
                    if dice.random() < share:
                        _apply(content, piece)
            elif fate != "any" or dice.random() < share:
                _apply(content, call)
        return bytes(content)


def _apply(content: bytearray, call: Call) -> None:
    if call.kind == "t":
        del content[call.offset :]
        content.extend(bytes(call.offset - len(content)))
    else:
        content.extend(bytes(max(0, call.offset - len(content))))
        content[call.offset : call.offset + len(call.data)] = call.data


def _sectors(call: Call) -> Iterator[Call]:
    end = call.offset + len(call.data)
    start = call.offset
    while start < end:
        stop = min(end, start - start % SECTOR + SECTOR)
        yield Call("w", -1, start, "", call.data[start - call.offset : stop - call.offset])
        start = stop


def _write(target: Path, contents: dict[str, bytes], folder: str) -> None:
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for name, content in contents.items():
        (target / os.path.relpath(name, folder)).write_bytes(content)


class Disk:
    """A folder on a disk that has not written everything yet.

    Args:
        folder: The folder that was recorded.

    Attributes:
        marks: What the process has written to its standard output.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._names: dict[str, _File] = {}
        self._synced_names: dict[str, _File] = {}
        self._unsynced: list[tuple[str, str, _File | None]] = []
        self._open: dict[int, _File | None] = {}
        self.marks = b""

    def play(self, call: Call) -> None:
        """Do what a call did."""
        match call.kind:
            case "m":
                self.marks += call.data
            case "o":
                self._opened(call)
            case "r":
                file, to = self._names.pop(call.path), os.fsdecode(call.data)
                self._names[to] = file
                self._unsynced += [(call.path, to, file)]
            case "u":
                self._names.pop(call.path, None)
                self._unsynced += [(call.path, "", None)]
            case "s":
                self._sync(self._open[call.descriptor])
            case _:
                if (file := self._open[call.descriptor]) is not None:
                    file.unsynced.append(call)

    def _opened(self, call: Call) -> None:
        if call.path == self._folder:
            self._open[call.descriptor] = None
            return
        if call.path not in self._names:
            self._names[call.path] = _File()
            self._unsynced += [("", call.path, self._names[call.path])]
        self._open[call.descriptor] = file = self._names[call.path]
        if call.offset:  # it was truncated
            file.unsynced.append(Call("t", -1, 0, "", b""))

    def _sync(self, file: _File | None) -> None:
        if file is not None:
            file.sync()
            return
        self._synced_names = dict(self._names)
        self._unsynced.clear()

    def end(self, target: Path) -> None:
        """Write what the end of the process leaves at this moment into a new folder: all that it did."""
        _write(target, {name: file.content() for name, file in self._names.items()}, self._folder)

    def cut(self, target: Path, dice: random.Random) -> None:
        """Write what a power cut may leave at this moment into a new folder."""
        names = dict(self._synced_names)
        for before, after, file in self._unsynced[: dice.randint(0, len(self._unsynced))]:
            names.pop(before, None)
            if file is not None:
                names[after] = file
        _write(target, {name: file.after_a_cut(dice) for name, file in names.items()}, self._folder)

    @property
    def is_settled(self) -> bool:
        """Whether no name can be lost, and no file that has one was never synced."""
        return not self._unsynced and all(file.synced for file in self._synced_names.values())


def cuts(
    calls: Sequence[Call], folder: Path, target: Path, seed: int, count: int
) -> Iterator[tuple[Disk, bool]]:
    """Cut the power, or end the process, at random moments of a record.

    Args:
        calls: The record.
        folder: The folder that was recorded.
        target: Where to put what is left; it is there until the next cut.
        seed: Another seed makes other cuts.
        count: How many.

    Yields:
        The disk, and whether it was the power that was cut; else everything is there that was done.
    """
    dice = random.Random(seed)
    disk = Disk(folder)
    played = 0
    for number, moment in enumerate(sorted(dice.choices(range(len(calls)), k=count))):
        for call in calls[played : moment + 1]:
            disk.play(call)
        played = moment + 1
        is_power = number % 2 == 0
        if is_power:
            disk.cut(target, dice)
        else:
            disk.end(target)
        yield disk, is_power


@dataclass(frozen=True, slots=True)
class Left:
    """What a power cut, or the end of the process, has left of a catalog.

    Attributes:
        is_power: Whether it was a power cut.
        acknowledged: The last update that was said to be done.
        found: The last update that is there.
        is_replaced: Whether the file was of no use and made anew.
        faults: What is wrong, one sentence each.
    """

    is_power: bool
    acknowledged: int
    found: int
    is_replaced: bool
    faults: tuple[str, ...]


def cut_catalogs(folder: Path, seed: int, steps: int, count: int) -> Iterator[Left]:
    """Record the writing of a catalog, and look at it after power cuts at random moments.

    Args:
        folder: An empty folder.
        seed: Another seed makes another history and other cuts.
        steps: How many updates to record.
        count: How many cuts.
    """
    folder = folder.resolve()
    watched, target = folder / "kept", folder / "cut"
    calls = recorded(folder, watched, ["catalog", str(watched / "catalog.db"), str(seed), str(steps)])
    history, file = History(seed), target / "catalog.db"
    for disk, is_power in cuts(calls, watched, target, seed, count):
        acknowledged = max(0, *map(int, disk.marks.split()), 0)
        before = file.stat().st_ino if file.exists() else 0
        found, faults = look_at(file, history, 0 if is_power else acknowledged, acknowledged + 1)
        is_replaced = before not in (0, file.stat().st_ino)
        if is_replaced and disk.is_settled:
            faults = (*faults, f"A sound file was thrown away at update {acknowledged}.")
        yield Left(is_power, acknowledged, found, is_replaced, faults)


def cut_bundles(folder: Path, seed: int, steps: int, count: int) -> Iterator[tuple[str, ...]]:
    """Record the kept index of a bundle that is edited, and ask a bundle that finds what power cuts left.

    Args:
        folder: An empty folder.
        seed: Another seed makes other edits and cuts.
        steps: How many rounds of edits to record.
        count: How many cuts.

    Yields:
        For each cut what is answered wrongly.
    """
    folder = folder.resolve()
    bundle, watched, target = folder / "bundle", folder / "kept", folder / "cut"
    make_bundle(bundle, random.Random(seed), 60)
    calls = recorded(folder, watched, ["bundle", str(bundle), str(watched), str(seed), str(steps)])
    for _ in cuts(calls, watched, target, seed, count):
        yield tuple(wrong_answers(bundle, target))
