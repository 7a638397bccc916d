"""What is measured in a process of its own: the name of a measurement and its arguments in, figures out.

python benchmarks/measuring/child.py NAME < arguments.json > figures.json
"""

from __future__ import annotations

import itertools
import json
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.measuring.lean import walk  # noqa: E402
from benchmarks.measuring.processes import ended_seconds, tree_seconds  # noqa: E402

if TYPE_CHECKING:
    from fingerpost import Bundle

Arguments = dict[str, Any]
Figures = dict[str, Any]


# ---- floors


def walked(arguments: Arguments) -> Figures:
    """Name and stat of every file, and nothing else."""
    start = time.process_time()
    walk(arguments["folder"])
    return {"seconds": time.process_time() - start}


def read_and_parse(arguments: Arguments) -> Figures:
    """Read every Markdown file, and parse its frontmatter with the fastest loader of PyYAML."""
    import yaml

    folder: str = arguments["folder"]
    start = time.process_time()
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".md"):
                with open(os.path.join(parent, name), "rb") as file:
                    data = file.read()
                _parse(yaml, data)
    return {"seconds": time.process_time() - start}


def _parse(yaml: Any, data: bytes) -> None:
    end = data.find(b"\n---", 3)
    if data.startswith(b"---") and end > 0:
        try:
            yaml.load(data[4:end], Loader=yaml.CSafeLoader)  # the floor that others are compared with
        except (yaml.YAMLError, UnicodeDecodeError):
            return


# ---- starts


def _import_all() -> None:
    """Import what opening a bundle and finding in it imports, by doing so with the bundle of the demo."""
    from fingerpost import Bundle
    from fingerpost.demo import demo_bundle

    with Bundle(demo_bundle(), cache="") as bundle:
        bundle.find("refund")
        bundle.wait()


def start(arguments: Arguments) -> Figures:
    """Open a bundle and ask for a title: CPU of this process and of those that it starts, without imports.

    With `wait` among the arguments, it goes on until every body is in the index. The processes that helped
    with that have ended by then.
    """
    from fingerpost import Bundle

    _import_all()
    clock, begun, ended = time.perf_counter(), tree_seconds(), ended_seconds()
    bundle = Bundle(arguments["folder"], cache=arguments["index"])
    found = bundle.find(arguments["text"])
    answered = tree_seconds()
    figures: Figures = {"seconds": answered - begun}
    if arguments["expected"] not in [hit["id"] for hit in found["results"]]:
        raise SystemExit(f"{arguments['text']!r} did not find {arguments['expected']}.")
    if arguments.get("wait"):
        bundle.wait()
        figures["whole seconds"] = tree_seconds() - begun
        figures["wall seconds"] = time.perf_counter() - clock
        figures["seconds of helpers"] = ended_seconds() - ended
    return figures


def pages(arguments: Arguments) -> Figures:
    """The texts of twenty results, as every answer has to get them: from the files, and from the index."""
    from fingerpost.catalog.documents import stored_sample

    connection = sqlite3.connect(next(Path(arguments["index"]).rglob("*.db")))
    numbers = [number for (number,) in connection.execute("SELECT number FROM content WHERE sample > 0")]
    sample = stored_sample(connection)
    paths = sorted(map(str, Path(arguments["folder"]).rglob("*.md")))
    dice = random.Random(1)
    pages = itertools.cycle([dice.sample(paths, 20) for _ in range(100)])
    numbers_of_pages = itertools.cycle([dice.sample(numbers, 20) for _ in range(100)])

    def read_files() -> None:
        for path in next(pages):
            with open(path, "rb") as file:
                file.read().decode("utf-8", "replace")

    def unpack_texts() -> None:
        select = f"SELECT text FROM content WHERE number IN ({','.join('?' * 20)})"
        for (stored,) in connection.execute(select, next(numbers_of_pages)):
            sample.decompress(stored).all.decode()

    figures = {"files": _each(read_files, 10), "texts": _each(unpack_texts, 10)}
    connection.close()
    return figures


# ---- answers


def _opened(arguments: Arguments) -> Bundle:
    """The bundle, with every body in its index."""
    from fingerpost import Bundle

    bundle = Bundle(arguments["folder"], cache=arguments["index"])
    bundle.wait()
    return bundle


def look_for_changes(bundle: Bundle) -> None:
    """A call that does next to nothing but look whether the bundle has changed."""
    len(bundle)


def find(arguments: Arguments) -> Figures:
    """Ask every question of each set once; CPU of each answer, and the slowest questions."""
    bundle = _opened(arguments)
    figures: Figures = {}
    for name, questions in arguments["sets"].items():
        times: list[float] = []
        for question in questions:
            start = time.process_time_ns()
            bundle.find(**question)
            times.append((time.process_time_ns() - start) / 1e9)
        slowest = sorted(zip(times, map(str, questions), strict=True), reverse=True)[:3]
        figures[name] = {"p50": percentile(times, 50), "p99": percentile(times, 99), "slowest": slowest}
    return figures


def engine(arguments: Arguments) -> Figures:
    """What the full-text index of SQLite takes for the numbers of a page."""
    from benchmarks.measuring.engine import times_of

    times = times_of(arguments["folder"], arguments["questions"])
    return {"p50": percentile(times, 50), "p99": percentile(times, 99)}


def unchanged(arguments: Arguments) -> Figures:
    """What it costs to look whether anything has changed when nothing has, beside one stat of the root."""
    bundle = _opened(arguments)
    folder, calls = arguments["folder"], arguments["calls"]
    return {
        "seconds": _each(lambda: look_for_changes(bundle), calls),
        "floor": _each(lambda: os.stat(folder), calls),
    }


def _each(call: Callable[[], object], calls: int, rounds: int = 15) -> float:
    """CPU of one call: the median of some rounds of many calls."""
    taken: list[float] = []
    for _ in range(rounds):
        start = time.process_time_ns()
        for _ in range(calls):
            call()
        taken.append((time.process_time_ns() - start) / 1e9 / calls)
    return statistics.median(taken)


def edits(arguments: Arguments) -> Figures:
    """Another process writes, adds, renames and deletes; the next answer has to know."""
    import yaml

    from benchmarks.measuring.edits import Edit, Editor

    bundle = _opened(arguments)
    times: list[float] = []
    floors: list[float] = []
    missed: list[str] = []
    with Editor() as editor:
        for edit in map(Edit.of, arguments["edits"]):
            editor.make(edit)
            start = time.process_time_ns()
            found = bundle.find(edit.word)
            times.append((time.process_time_ns() - start) / 1e9)
            ids = {hit["id"] for hit in found["results"]}
            gone = {hit["id"] for hit in bundle.find(edit.gone)["results"]} if edit.gone else set[str]()
            if ids != set(edit.holders) or gone:
                missed.append(f"{edit.manner} {edit.path}: {sorted(ids)}, {sorted(gone)}")
            start = time.process_time_ns()
            if edit.text:
                with open(edit.path, "rb") as file:
                    _parse(yaml, file.read())
                floors.append((time.process_time_ns() - start) / 1e9)
    return {
        "p50": percentile(times, 50),
        "p99": percentile(times, 99),
        "floor": percentile(floors, 50),
        "missed": missed,
    }


def percentile(times: list[float], percent: int) -> float:
    """The time within which so many of a hundred answers came."""
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def search_files(arguments: Arguments) -> Figures:
    """What ripgrep, or grep, takes to find the files that hold a word."""
    start = tree_seconds()
    subprocess.run(arguments["command"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return {"seconds": tree_seconds() - start}


MEASUREMENTS: dict[str, Callable[[Arguments], Figures]] = {
    each.__name__: each
    for each in (walked, read_and_parse, start, pages, find, engine, unchanged, edits, search_files)
}

if __name__ == "__main__":
    json.dump(MEASUREMENTS[sys.argv[1]](json.load(sys.stdin)), sys.stdout)
