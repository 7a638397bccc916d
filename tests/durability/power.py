"""What a power cut may leave of the files that a process wrote, worked out from a record of its calls.

`recorder.c` records them, and `disk.py` works it out.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.durability.disk import Call, Disk, write_out
from tests.durability.history import History
from tests.durability.killing import look_at
from tests.durability.some_bundles import make_bundle, wrong_answers

ROOT = Path(__file__).resolve().parents[2]
_KILLED = 137
_HEADER = struct.Struct("=iiqII")


def why_not() -> str:
    """Why nothing can be recorded here, "" when it can be."""
    if not sys.platform.startswith("linux"):
        return "recording needs LD_PRELOAD, which Linux has"
    return "" if shutil.which("cc") else "recording needs a C compiler, cc"


def recorded(
    folder: Path,
    watched: Path,
    arguments: Sequence[str],
    program: str = "tests.durability.writer",
    most_calls: int = 0,
) -> list[Call]:
    """Run a writer, and return what it and those before it did to the files of a folder.

    Args:
        folder: Where the recorder and its record are put, or lie already.
        watched: The folder to record.
        arguments: What the writer is told to do.
        program: The module of the writer.
        most_calls: After how many calls it is killed; 0 to run it to its end.
    """
    recorder, record = folder / "recorder.so", folder / "record"
    if not recorder.exists():
        source = Path(__file__).with_name("recorder.c")
        options = ["-shared", "-fPIC", "-O1", "-o", str(recorder), str(source), "-ldl", "-lpthread"]
        subprocess.run(["cc", *options], check=True)
    settings = {"LD_PRELOAD": str(recorder), "RECORD": str(record), "RECORDED_FOLDER": str(watched)}
    if most_calls:
        settings["RECORDED_CALLS"] = str(most_calls)
    command = [sys.executable, "-m", program, *arguments]
    environ = os.environ | settings
    done = subprocess.run(command, cwd=ROOT, env=environ, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != (_KILLED if most_calls else 0):
        raise RuntimeError(f"The writer {arguments} ended with {done.returncode}.")
    return list(_calls(record.read_bytes()))


def _calls(record: bytes) -> Iterator[Call]:
    place = 0
    while place < len(record):
        kind, descriptor, offset, path, data = _HEADER.unpack_from(record, place)
        middle = place + _HEADER.size + path
        name = os.fsdecode(record[middle - path : middle])
        yield Call(chr(kind), descriptor, offset, name, record[middle : middle + data])
        place = middle + data


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
        write_out(disk.cut(dice) if is_power else disk.end(), target)
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
