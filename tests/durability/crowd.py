"""Many readers and a few writers at once, in several processes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from fingerpost import Bundle
from tests.durability.crowd_member import DOCUMENTS, Member, Seen, bundle_text
from tests.durability.some_bundles import make_bundle, write

ROOT = Path(__file__).resolve().parents[2]
_LONG = 1e6
_GUARD = 300.0


@dataclass(frozen=True, slots=True)
class Crowd:
    """Who takes part.

    Attributes:
        readers: Processes that read.
        threads: Threads in each of them.
        writers: Processes that write, with one thread each; four at most.
        seconds: How long all of them are at it; 0 for as long as it takes.
        looks: How many answers each reader asks for; 0 for any number. The writers write until all are had.
        pause: Seconds between two looks of a reader, on average; a tenth between two updates of a writer.
    """

    readers: int
    threads: int
    writers: int
    seconds: float = 0
    looks: int = 0
    pause: float = 0.02


@dataclass(frozen=True, slots=True)
class Outcome:
    """What they saw: answers and updates, the longest waits in seconds, and what was wrong."""

    answers: int
    updates: int
    longest_answer: float
    longest_update: float
    faults: tuple[str, ...]


def catalog_crowd(folder: Path, crowd: Crowd) -> Outcome:
    """Let a crowd use one catalog."""
    return _gathered(crowd, "catalog", folder / "kept" / "catalog.db", folder / "kept")


def bundle_crowd(folder: Path, crowd: Crowd) -> Outcome:
    """Let a crowd use bundles over one folder, with one kept index; the writers write the files."""
    for number in range(DOCUMENTS):
        write(folder / "bundle" / f"note{number}.md", bundle_text(f"note{number}", 1))
    return _gathered(crowd, "bundle", folder / "bundle", folder / "cache")


def cold_starts(folder: Path, files: int, processes: int) -> list[str]:
    """Open a bundle of some size for the first time in several processes at once.

    Returns:
        What those said that did not find all there is, once they had waited for it.
    """
    bundle, cache = folder / "bundle", folder / "cache"
    make_bundle(bundle, random.Random(files), files)
    with Bundle(bundle, cache="") as anew:
        anew.wait()
        right = str(anew.find("refund")["total"])
    command = [sys.executable, "-m", "tests.durability.writer", "look", str(bundle), str(cache), "1"]
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True) for _ in range(processes)
    ]
    said = [process.communicate(timeout=_GUARD) for process in started]
    return [f"{out} instead of {right}. {errors}"[-1000:] for out, errors in said if out.strip() != right]


def _gathered(crowd: Crowd, kind: str, place: Path, cache: Path) -> Outcome:
    seconds, stop = crowd.seconds or _LONG, str(cache.with_name("stop"))
    writer = Member(kind, "writer", str(place), str(cache), 0, 1, seconds, int(_LONG), crowd.pause / 10, stop)
    looks = crowd.looks or int(_LONG)
    reader = replace(writer, role="reader", threads=crowd.threads, looks=looks, pause=crowd.pause)
    members = [replace(reader, number=number) for number in range(crowd.readers)]
    members += [replace(writer, number=number) for number in range(crowd.writers)]
    command = [sys.executable, "-m", "tests.durability.crowd_member"]
    processes = [
        subprocess.Popen([*command, json.dumps(asdict(member))], cwd=ROOT, stdout=subprocess.PIPE)
        for member in members
    ]
    seen: dict[str, list[Seen]] = {"reader": [], "writer": []}
    try:
        for process, member in zip(processes, members, strict=True):
            if member.role == "writer":
                Path(stop).touch()  # the readers come first, so they are done
            told = process.communicate(timeout=crowd.seconds + _GUARD)[0]
            seen[member.role] += [Seen(**each) for each in json.loads(told or b"[]")]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    missing = len(members) - sum(process.returncode == 0 for process in processes)
    faults = [fault for group in seen.values() for each in group for fault in each.faults]
    return Outcome(
        sum(each.looks for each in seen["reader"]),
        sum(each.looks for each in seen["writer"]),
        max((each.longest for each in seen["reader"]), default=0.0),
        max((each.longest for each in seen["writer"]), default=0.0),
        (*faults, *([f"{missing} processes failed."] if missing else [])),
    )
