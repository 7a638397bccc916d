"""Many threads of several processes that write to one bundle at once, and whether all of it is there after.

python -m tests.durability.crowd_of_writers FOLDER NUMBER THREADS
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from fingerpost.bundle.bundle import Bundle
from fingerpost.bundle.change import Change
from fingerpost.bundle.writer import BundleWriter
from fingerpost.errors import KnowledgeError

ROOT = Path(__file__).resolve().parents[2]
FIRST_LINE = "Refunds are paid within a week"
PREFIX = "generated"
SHARED = f"{PREFIX}/shared"
_GUARD = 300.0
_MOST_HITS = 100


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a crowd has done.

    Attributes:
        writes: How many notes, additions and entries were acknowledged.
        seconds: How long it took all of them.
        longest: The longest that one write took, in seconds.
        faults: What was wrong, one sentence each.
    """

    writes: int
    seconds: float
    longest: float
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A write that was acknowledged, or refused.

    Attributes:
        kind: "create", "append" or "log".
        token: The word that it wrote, as nobody else did.
        id: The id of the concept.
        seconds: How long it took.
        error: Why it was refused.
    """

    kind: str
    token: str
    id: str
    seconds: float
    error: str = ""


def write_at_once(folder: Path, processes: int, threads: int) -> Outcome:
    """Let all threads write a note with one first line, add to one concept and to one log, at the same time.

    Args:
        folder: An empty folder.
        processes: How many processes write.
        threads: How many threads each of them has.
    """
    with Bundle(folder, cache="") as bundle:
        BundleWriter(bundle).create("What all of them add to.", id=SHARED)
    command = [sys.executable, "-m", "tests.durability.crowd_of_writers", str(folder)]
    pipe = subprocess.PIPE
    with ExitStack() as stack:
        crowd = [
            subprocess.Popen([*command, str(number), str(threads)], cwd=ROOT, stdin=pipe, stdout=pipe)
            for number in range(processes)
        ]
        for process in crowd:
            stack.enter_context(process)
            stack.callback(process.kill)
        for process in crowd:
            assert process.stdout is not None
            process.stdout.readline()  # it is ready
        start = time.monotonic()
        for process in crowd:
            assert process.stdin is not None
            process.stdin.write(b"go\n")
            process.stdin.flush()
        told = [process.communicate(timeout=_GUARD)[0] for process in crowd]
        seconds = time.monotonic() - start
    writes = [Written(**each) for text in told for each in json.loads(text or "[]")]
    faults = [f"{each.kind} of {each.token} was refused: {each.error}" for each in writes if each.error]
    if len(writes) != 3 * processes * threads:
        faults.append(f"{len(writes)} writes came to an end, of {3 * processes * threads}.")
    done = [each for each in writes if not each.error]
    faults += _not_there(folder, done)
    return Outcome(len(done), seconds, max((each.seconds for each in done), default=0.0), tuple(faults))


def _not_there(folder: Path, done: list[Written]) -> Iterator[str]:
    """What was acknowledged and cannot be read, or found, or is there otherwise."""
    created = {each.id: each.token for each in done if each.kind == "create"}
    if len(created) != sum(each.kind == "create" for each in done):
        yield "Two notes were given one id."
    with Bundle(folder, cache="") as bundle:
        bundle.wait(_GUARD)
        if (ids := bundle.ids()) != sorted([*created, SHARED]):
            yield f"There are the concepts {ids}, and acknowledged were {sorted(created)}."
        for id_, token in created.items():
            body = (folder / f"{id_}.md").read_text(encoding="utf-8")
            if not body.rstrip().endswith(_text(token)):
                yield f"{id_} holds {body!r}, and no end {token}."
            if [hit["id"] for hit in bundle.find(token, limit=_MOST_HITS)["results"]] != [id_]:
                yield f"{id_} is not found by {token}."
    for kind, file in (("append", f"{SHARED}.md"), ("log", f"{PREFIX}/log.md")):
        text = (folder / file).read_text(encoding="utf-8")
        counts = {each.token: text.count(each.token) for each in done if each.kind == kind}
        if wrong := {token: count for token, count in counts.items() if count != 1}:
            yield f"{file} holds these not once: {wrong}."
    if left := [path.name for path in folder.rglob(".*")]:
        yield f"Left behind are {left}."


def _text(token: str) -> str:
    return f"{FIRST_LINE}\n\nSo said {token}."


def main(arguments: list[str]) -> None:
    folder, number, threads = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    written: list[Written] = []
    with Bundle(folder, cache="") as bundle:
        writer = BundleWriter(bundle, actor=f"process:writer{number}", prefix=PREFIX)
        bundle.ids()
        gate = threading.Barrier(threads + 1)
        workers = [
            threading.Thread(target=_write_all, args=(writer, f"x{number}y{thread}z", gate, written))
            for thread in range(threads)
        ]
        for worker in workers:
            worker.start()
        os.write(1, b"ready\n")
        sys.stdin.readline()
        gate.wait()
        for worker in workers:
            worker.join()
    rows = [{name: getattr(each, name) for name in Written.__slots__} for each in written]
    os.write(1, json.dumps(rows).encode())


def _write_all(writer: BundleWriter, name: str, gate: threading.Barrier, written: list[Written]) -> None:
    writes: dict[str, Callable[[str], Change]] = {
        "create": lambda token: writer.create(_text(token)),
        "append": lambda token: writer.append(SHARED, f"So said {token}."),
        "log": lambda token: writer.log(f"So said {token}.", PREFIX),
    }
    gate.wait()
    for kind, write in writes.items():
        token, start = f"{kind}{name}", time.monotonic()
        try:
            id_, error = write(token).id, ""
        except KnowledgeError as refusal:
            id_, error = "", str(refusal)
        written.append(Written(kind, token, id_, time.monotonic() - start, error))


if __name__ == "__main__":
    main(sys.argv[1:])
