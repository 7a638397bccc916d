"""Whether documents and the kept index survive what happens to processes and disks, and what is missed.

    ./run bench durability [--only writes,writers,kills,...] [--share 1.0] [--seed 1]

All counts of what was wrong, refused or missed should be 0. Cuts and changes come from the seed; where in an
update a kill falls is left to chance. All of it takes some twenty minutes, a share of it less.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measuring.machine import about_line  # noqa: E402
from tests.durability import cut_documents as cutting  # noqa: E402
from tests.durability import damage, missed, no_room, power  # noqa: E402
from tests.durability.crowd import Crowd, Outcome, bundle_crowd, catalog_crowd, cold_starts  # noqa: E402
from tests.durability.crowd_of_writers import write_at_once  # noqa: E402
from tests.durability.deleting import deleted_while_open  # noqa: E402
from tests.durability.killed_documents import killed_documents  # noqa: E402
from tests.durability.killing import killed_bundles, killed_catalogs  # noqa: E402

KILLED_WRITERS = 500
KILLS = 200
CUTS = 1000
SECONDS = 60
CHANGES = 1000
DAMAGES = 200
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """Where, with which dice and how much to do."""

    folder: Path
    seed: int
    share: float

    def new_folder(self) -> Path:
        """An empty folder."""
        return Path(tempfile.mkdtemp(dir=self.folder))

    def some(self, count: int) -> int:
        """The share of a count."""
        return max(1, round(count * self.share))


Part = Callable[[Plan], Iterator[str]]
"""A part of the benchmark: it prints its figures and yields faults."""


def show(what: str, figures: str) -> None:
    print(f"{what:<46} {figures}", flush=True)


def writes(plan: Plan) -> Iterator[str]:
    """Documents whose writers are killed, or lose their power."""
    for kind in ("documents", "concepts"):
        seen, faults = Counter[str](), list[str]()
        for kill in killed_documents(plan.new_folder(), kind, plan.seed, plan.some(KILLED_WRITERS // 2)):
            seen["kills"] += 1
            seen["writing"] += kill.was_writing
            seen["left"] += kill.has_left
            seen["done"] += kill.acknowledged
            faults += kill.faults
        show(
            f"kill -9, {kind} written",
            f"{seen['kills']} kills, {seen['writing']} in a write, {seen['left']} left a temporary file; "
            f"{seen['done']} acknowledged; wrong: {len(faults)}",
        )
        yield from faults
    if reason := power.why_not():
        show("power cuts, documents", f"not done: {reason}")
        return
    for kind in ("documents", "concepts"):
        calls, watched = cutting.record_of(plan.new_folder(), kind, plan.seed, plan.some(200))
        left = cutting.cut_documents(calls, watched, plan.seed, opened=plan.some(300))
        left.faults += (f"The record says nothing of {path}." for path in cutting.unexplained(calls, watched))
        told = f"{left.states['all']} states at {left.moments} calls, {left.opened} of them opened"
        show(f"power cuts, {kind}", f"{told}; {left.acknowledged} acknowledged; wrong: {len(left.faults)}")
        yield from left.faults
    seen_each = list(cutting.taken_over(plan.new_folder(), plan.seed, 6, plan.some(60)))
    states, faults = (
        sum(seen.states["all"] for seen in seen_each),
        [f for seen in seen_each for f in seen.faults],
    )
    show(
        "power cuts, tasks of the killed done anew",
        f"{len(seen_each)} kills, {states} states; wrong: {len(faults)}",
    )
    yield from faults


def writers(plan: Plan) -> Iterator[str]:
    """50 threads in each of 4 processes that write the same at once."""
    threads = plan.some(50)
    seen = write_at_once(plan.new_folder(), 4, threads)
    show(
        f"4 x {threads} writers of one title, text and log",
        f"{seen.writes} writes in {seen.seconds:.0f} s, longest {seen.longest:.2f} s; "
        f"wrong: {len(seen.faults)}",
    )
    yield from seen.faults


def kills(plan: Plan) -> Iterator[str]:
    """kill -9 at random moments."""
    count = plan.some(KILLS)
    for name, moments in (
        ("a catalog", killed_catalogs(plan.new_folder(), plan.seed, count * 6 // 10)),
        ("a bundle of 120 files", killed_bundles(plan.new_folder(), plan.seed, count * 3 // 10)),
        (
            "a bundle of 700, its headers first",
            killed_bundles(plan.new_folder(), plan.seed, count // 10, 700),
        ),
    ):
        faults, done, last = list[str](), 0, 0
        for moment in moments:
            done, last = done + 1, max(last, moment.acknowledged)
            faults += moment.faults
        show(f"kill -9, {name}", f"{done} moments, up to {last} updates; wrong: {len(faults)}")
        yield from faults


def cuts(plan: Plan) -> Iterator[str]:
    """Power cuts that lose what was not synced."""
    if reason := power.why_not():
        show("power cuts", f"not done: {reason}")
        return
    states, faults = Counter[str](), list[str]()
    for left in power.cut_catalogs(plan.new_folder(), plan.seed, 200, plan.some(CUTS)):
        kept = "kept all" if left.found >= left.acknowledged else "kept some" if left.found else "empty"
        states[kept if left.is_power else "ended at a call"] += 1
        states["made anew"] += left.is_replaced
        faults += left.faults
    told = ", ".join(f"{count} {name}" for name, count in states.items())
    show("power cuts, a catalog", f"states: {told}; wrong: {len(faults)}")
    yield from faults
    all_wrong = list(power.cut_bundles(plan.new_folder(), plan.seed, 30, plan.some(CUTS // 10)))
    faults = [fault for wrong in all_wrong for fault in wrong]
    show("power cuts, a bundle", f"{len(all_wrong)} states; wrong: {len(faults)}")
    yield from faults


def crowd(plan: Plan) -> Iterator[str]:
    """200 readers and 4 writers."""
    many = {"readers": 4, "threads": 50, "writers": 4, "seconds": plan.share * SECONDS}
    for name, gather, members in (
        ("a catalog", catalog_crowd, Crowd(**many, pause=1)),
        ("bundles", bundle_crowd, Crowd(**many, pause=1)),
        ("a catalog, nobody pauses", catalog_crowd, Crowd(**many | {"seconds": plan.share * SECONDS / 4})),
    ):
        outcome: Outcome = gather(plan.new_folder(), members)
        show(
            f"200 readers and 4 writers, {name}",
            f"{outcome.answers} answers, {outcome.updates} updates in {members.seconds:.0f} s; "
            f"longest {outcome.longest_answer:.2f} s and {outcome.longest_update:.2f} s; "
            f"wrong: {len(outcome.faults)}",
        )
        yield from outcome.faults
    files = plan.some(6000)
    failed = cold_starts(plan.new_folder(), files, 4)
    show(f"4 processes, {files} files, first start", f"failed: {len(failed)}")
    yield from failed


def changes(plan: Plan) -> Iterator[str]:
    """Changes by somebody else."""
    count = plan.some(CHANGES)

    def walked() -> missed.Watched:
        with missed.no_events():
            return missed.watch_folder(plan.new_folder(), plan.seed + 1, count)

    for name, watch in (
        ("a folder", lambda: missed.watch_folder(plan.new_folder(), plan.seed, count)),
        ("a folder without events", walked),
        ("a store with tags", lambda: missed.watch_store(plan.seed, count)),
    ):
        seen: missed.Watched = watch()
        kinds = f"{sum(seen.changes.values())} of {len(seen.changes)} kinds"
        show(
            f"changes of {name}", f"{kinds}, longest answer {seen.longest:.2f} s; missed: {len(seen.missed)}"
        )
        yield from seen.missed


def disks(plan: Plan) -> Iterator[str]:
    """Disks that are full or may only be read."""
    if reason := no_room.why_not():
        show("full disks", f"not done: {reason}")
        return
    sizes = range(350, 350 + 1400, round(100 / plan.share))
    faults: list[str] = []
    for size in sizes:
        try:
            seen = no_room.seen_in("full_disk", plan.new_folder(), str(size))
        except RuntimeError as error:
            faults.append(f"{size} KB: {error}")
            continue
        whole = {"integrity": "ok", "found": seen["written"], "faults": []}
        if (seen["found"], seen["faults"], seen["later"]) != (seen["written"], [], whole):
            faults.append(f"{size} KB: {seen}")
    show("full disks", f"{len(sizes)} sizes; wrong: {len(faults)}")
    yield from faults


def damages(plan: Plan) -> Iterator[str]:
    """Damaged and deleted files."""
    seen = list(damage.cases(plan.new_folder(), plan.seed, plan.some(DAMAGES)))
    refused = [f"{case.damage}: {case.refused[0]}" for case in seen if case.refused]
    sure = [
        f"{case.damage}: {case.wrong[0]}"
        for case in seen
        if case.wrong and case.damage in damage.UNMISTAKABLE
    ]
    silent = sum(bool(case.wrong) for case in seen) - len(sure)
    show("damaged files", f"{len(seen)} cases; refused: {len(refused)}, wrong: {len(sure)}")
    show("bytes changed that nobody noticed", f"{silent} cases")
    rounds = plan.some(50)
    deleted = deleted_while_open(plan.new_folder(), plan.seed, rounds)
    show("files deleted while open", f"{rounds} times, in 3 processes; wrong: {len(deleted)}")
    yield from (*refused, *sure, *deleted)


PARTS: dict[str, Part] = {
    "writes": writes,
    "writers": writers,
    "kills": kills,
    "cuts": cuts,
    "crowd": crowd,
    "changes": changes,
    "disks": disks,
    "damage": damages,
}


def parts_of(text: str) -> list[str]:
    """The parts named in a text such as "kills,cuts".

    Raises:
        argparse.ArgumentTypeError: If one of them is none.
    """
    names = [name.strip() for name in text.split(",")]
    unknown = next((name for name in names if name not in PARTS), None)
    if unknown is not None:
        raise argparse.ArgumentTypeError(f"there is no part {unknown!r}; there are: {', '.join(PARTS)}")
    return names


def main(arguments: list[str]) -> int:
    """Print each figure as soon as it is known, and the first faults of each part."""
    parser = argparse.ArgumentParser(
        "./run bench durability", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only",
        metavar="PART,PART",
        type=parts_of,
        default=",".join(PARTS),
        help="parts, separated by commas (default: %(default)s)",
    )
    parser.add_argument(
        "--share",
        metavar="S",
        type=float,
        default=1.0,
        help="how much of it all to do (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=1, help="of what is left to dice (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    total = 0
    for name in options.only:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            faults = list(PARTS[name](Plan(Path(folder).resolve(), options.seed, options.share)))
        total += len(faults)
        for fault in faults[:SHOWN]:
            print(f"    {fault[-600:]}", flush=True)
        show(f"{name}", f"{time.monotonic() - start:.0f} s")
    print(f"\n{about_line()}\n{total} faults." if total else f"\n{about_line()}\nNothing was wrong.")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
