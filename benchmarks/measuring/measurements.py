"""Each figure of search: which processes it takes to measure it, and what it is held against."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.bundles import Made
from benchmarks.measuring.edits import FOLDER, Edit, planned_edits
from benchmarks.measuring.figures import Figure
from benchmarks.measuring.processes import Measured, measure, measure_lean
from benchmarks.measuring.questions import known_question, question_sets

_YOUNG = 2.1  # seconds for which a file is looked at again at each call, to be sure


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured.

    Attributes:
        made: The bundle.
        index: The folder for its index, empty at first.
        starts: Processes that are started for each figure of a start.
        builds: Cold builds.
        questions: Questions for each figure of `find`.
        edits: Edits.
        slowest: Whether the slowest questions are shown.
    """

    made: Made
    index: Path
    starts: int
    builds: int
    questions: int
    edits: int
    slowest: bool = False

    @property
    def folder(self) -> str:
        """The bundle, as a path."""
        return str(self.made.folder)

    @property
    def on_bundle(self) -> dict[str, Any]:
        """What a measurement has to be told of the bundle."""
        return {"folder": self.folder, "index": str(self.index)}

    def start(self, *, watch: bool = False, wait: bool = False, alone: bool = False) -> Measured:
        """Open the bundle in a fresh process, which may be left alone, and ask for a title that is in it."""
        text, expected = known_question(self.made)
        asked = {"text": text, "expected": expected, "wait": wait}
        settings = {"FINGERPOST_PROCESSES": "1"} if alone else {}
        return measure("start", self.on_bundle | asked, watch=watch, settings=settings)

    def lean_start(self) -> Measured:
        """The same in a process that imports nothing else."""
        return measure_lean("start", self.folder, *known_question(self.made), index=self.index)


def all_figures(plan: Plan) -> Iterator[Figure]:
    """Measure everything, in the order in which one needs the other."""
    _let_settle(plan.made)
    for step in (
        builds,
        index_size,
        warm_starts,
        memory_after_open,
        answers,
        engine,
        pages,
        unchanged,
        edits,
    ):
        print(f"  {step.__name__.replace('_', ' ')}", file=sys.stderr, flush=True)
        yield from step(plan)


def builds(plan: Plan) -> Iterator[Figure]:
    """Cold builds in fresh processes; the last one leaves its index to the other measurements."""
    runs: list[Measured] = []
    floors: list[float] = []
    measure("read_and_parse", plan.on_bundle)  # so that none of those that count waits for the disk
    for _ in range(plan.builds):
        _empty(plan.index)
        floors.append(measure("read_and_parse", plan.on_bundle).figures["seconds"])
        runs.append(plan.start(watch=True, wait=True))
    floor = 1000 * statistics.median(floors)
    note = "floor: read all, CSafeLoader"
    yield Figure("headers", 1000 * _median(runs, lambda run: run.figures["seconds"]), floor, note)
    yield Figure("build", 1000 * _median(runs, lambda run: run.figures["whole seconds"]), floor, note)
    yield Figure("build wall", 1000 * _median(runs, lambda run: run.figures["wall seconds"]), floor, note)
    helped = _median(runs, lambda run: run.figures["seconds of helpers"])
    if helped:
        _empty(plan.index)
        alone = plan.start(wait=True, alone=True).figures["wall seconds"]
        note = f"with FINGERPOST_PROCESSES=1; else a second one is at work for {helped:.1f} s"
        yield Figure("build wall alone", 1000 * alone, note=note)
    bare = measure_lean("bare").figures["memory"]
    yield Figure(
        "memory build", _median(runs, lambda run: run.peak) - bare, note=f"bare Python: {bare:.1f} MB"
    )


def index_size(plan: Plan) -> Iterator[Figure]:
    """The size of what the build has left."""
    size = sum(path.stat().st_size for path in plan.index.rglob("*") if path.is_file())
    note = f"{size / 1e6:.1f} of {plan.made.size / 1e6:.1f} MB"
    yield Figure("index size", size / plan.made.size, note=note)


def warm_starts(plan: Plan) -> Iterator[Figure]:
    """Starts that find an index, beside walks over the files that look at each."""
    rounds = [
        (
            measure("walked", plan.on_bundle),
            plan.start(),
            measure_lean("walk", plan.folder),
            plan.lean_start(),
        )
        for _ in range(plan.starts)
    ]
    walks, starts, whole_walks, whole_starts = map(list, zip(*rounds, strict=True))
    floor = 1000 * _median(walks, lambda run: run.figures["seconds"])
    yield Figure(
        "warm", 1000 * _median(starts, lambda run: run.figures["seconds"]), floor, "floor: scandir, stat"
    )
    floor = 1000 * _median(whole_walks, lambda run: run.seconds)
    yield Figure(
        "warm whole", 1000 * _median(whole_starts, lambda run: run.seconds), floor, "floor: the same, whole"
    )


def memory_after_open(plan: Plan) -> Iterator[Figure]:
    """Anonymous memory of a process that has opened the bundle and found something."""
    bare = measure_lean("bare").figures["memory"]
    memory = _median([plan.lean_start() for _ in range(3)], lambda run: run.figures["memory"])
    yield Figure("memory open", memory - bare, note=f"bare Python: {bare:.1f} MB")


def answers(plan: Plan) -> Iterator[Figure]:
    """The times of answers, beside what a search through the files takes."""
    sets = question_sets(plan.made, plan.questions)
    found = measure("find", plan.on_bundle | {"sets": sets}).figures
    program, command = _search_program(plan.made.concept(0).title.split()[0])
    taken = [
        measure("search_files", {"command": [*command, plan.folder]}).figures["seconds"] for _ in range(3)
    ]
    floor = 1000 * statistics.median(taken)
    for name in ("spelt right", "filtered", "common", "misspelt"):
        for percentile in ("p50", "p99"):
            measured = 1000 * found[name][percentile]
            yield Figure(f"{name} {percentile}", measured, floor, f"floor: {program}, one word")
        for seconds, question in found[name]["slowest"] if plan.slowest else ():
            print(f"    {name}: {1000 * seconds:.2f} ms: {question}", file=sys.stderr, flush=True)


def engine(plan: Plan) -> Iterator[Figure]:
    """What the same questions cost with SQLite's own index, before an answer has any text."""
    questions = question_sets(plan.made, plan.questions)["spelt right"]
    found = measure("engine", plan.on_bundle | {"questions": questions}).figures
    for percentile in ("p50", "p99"):
        yield Figure(f"engine {percentile}", 1000 * found[percentile], note="spelt right, numbers alone")


def pages(plan: Plan) -> Iterator[Figure]:
    """What the texts of a page of results cost by themselves; `find` cannot do without them."""
    found = measure("pages", plan.on_bundle).figures
    yield Figure("files of a page", 1000 * found["files"], note="read and decoded")
    yield Figure("texts of a page", 1000 * found["texts"], note="read from the index, unpacked, decoded")


def unchanged(plan: Plan) -> Iterator[Figure]:
    """What a call pays for being sure that nothing has changed."""
    found = measure("unchanged", plan.on_bundle | {"calls": 200}).figures
    yield Figure("unchanged", 1e6 * found["seconds"], 1e6 * found["floor"], "floor: one stat")


def edits(plan: Plan) -> Iterator[Figure]:
    """Edits of files that are added for that and removed at the end."""
    with _edited_folder(plan.made) as planned:
        asked = {"edits": [edit.values() for edit in planned[: plan.edits]]}
        found = measure("edits", plan.on_bundle | asked).figures
    floor, note = 1000 * found["floor"], "floor: read the file, CSafeLoader"
    yield Figure("edit p50", 1000 * found["p50"], floor, note)
    yield Figure("edit p99", 1000 * found["p99"], floor, note)
    yield Figure("edits missed", len(found["missed"]), note="; ".join(found["missed"][:3]))


@contextmanager
def _edited_folder(made: Made) -> Generator[list[Edit]]:
    """A folder in the bundle for files that come and go, and edits for it."""
    folder = made.folder / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield planned_edits(made, 400)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def index_folder(cache: Path) -> Generator[Path]:
    """A folder for an index, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="index-", dir=cache) as folder:
        yield Path(folder)


def _let_settle(made: Made) -> None:
    """Wait until no file of a bundle is young any more, and remove what a run that was cut short has left."""
    shutil.rmtree(made.folder / FOLDER, ignore_errors=True)
    newest = max(path.stat().st_ctime for path in (made.folder, *made.folder.iterdir()))
    time.sleep(max(0.0, newest + _YOUNG - time.time()))


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _median(runs: list[Measured], figure: Callable[[Measured], float]) -> float:
    return statistics.median(map(figure, runs))


def _search_program(word: str) -> tuple[str, list[str]]:
    if shutil.which("rg"):
        return "ripgrep", ["rg", "--files-with-matches", "--fixed-strings", word]
    return "grep", ["grep", "-rlF", word]
