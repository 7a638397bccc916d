"""How fast search is, how soon it knows of an edit, and what its index costs: each figure beside its floor.

    ./run bench search [--sizes 1k,10k,100k] [--peers] [--json] [--slowest] [--cache FOLDER]

CPU time, medians, each start and build in a fresh process; memory is anonymous, over that of Python which
imports nothing. A floor is the least that is possible, or something plain to compare with, measured in the
same run; the note behind it says what. Bounds are this project's own goals for the next standard size: 1k,
10k or 100k concepts. "over" marks a figure that misses its goal on this machine.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.bundles import add_bundles, shown_size, standard_bundle  # noqa: E402
from benchmarks.measuring.figures import Figure, table  # noqa: E402
from benchmarks.measuring.machine import about, about_line  # noqa: E402
from benchmarks.measuring.measurements import Plan, all_figures, index_folder  # noqa: E402
from benchmarks.measuring.peers import PEERS, peer_rows, peer_table  # noqa: E402
from benchmarks.measuring.processes import MeasurementError  # noqa: E402

LARGE = 20_000
"""Of bundles with more concepts, everything is measured less often."""

STARTS, STARTS_OF_LARGE = 9, 5
QUESTIONS, QUESTIONS_OF_LARGE = 500, 200


def plan_for(concepts: int, options: argparse.Namespace, index: Path) -> Plan:
    """How much to measure of a bundle of some size."""
    large = concepts > LARGE
    return Plan(
        made=standard_bundle(options.cache, concepts),
        index=index,
        starts=options.starts or (STARTS_OF_LARGE if large else STARTS),
        builds=1 if large or options.starts else 3,
        questions=options.questions or (QUESTIONS_OF_LARGE if large else QUESTIONS),
        edits=options.edits,
        slowest=options.slowest,
    )


def main(arguments: list[str]) -> int:
    """Print a table for each size, or everything as JSON."""
    parser = argparse.ArgumentParser(
        "./run bench search", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_bundles(parser, "1k,10k")
    parser.add_argument(
        "--peers", action="store_true", help=f"also install and measure {' and '.join(PEERS)}"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--slowest", action="store_true", help="show the slowest questions")
    large = f"of more than {LARGE:,} concepts"
    parser.add_argument(
        "--questions",
        metavar="N",
        type=int,
        default=0,
        help=f"questions for each figure of find (default: {QUESTIONS}; {large} {QUESTIONS_OF_LARGE})",
    )
    parser.add_argument(
        "--starts",
        metavar="N",
        type=int,
        default=0,
        help=f"processes for each figure of a start (default: {STARTS}; {large} {STARTS_OF_LARGE})",
    )
    parser.add_argument(
        "--edits", metavar="N", type=int, default=100, help="edits, 400 at most (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    options.cache.mkdir(parents=True, exist_ok=True)
    results: list[dict[str, object]] = []
    over: list[str] = []
    for concepts in options.sizes:
        with index_folder(options.cache) as index:
            plan = plan_for(concepts, options, index)
            figures: list[Figure] = list(all_figures(plan))
        rows = [figure.row(concepts) for figure in figures]
        over += [f"{shown_size(concepts)}: {row['figure']}" for row in rows if row["verdict"] == "over"]
        peers = peer_rows(plan.made, options.cache) if options.peers else []
        results.append({"concepts": concepts, "figures": rows, "peers": peers})
        if not options.json:
            size = f"{plan.made.files} files, {plan.made.size / 1e6:.1f} MB"
            print(table(f"{concepts} concepts, {size}", figures, concepts), flush=True)
            print(peer_table(peers), end="", flush=True)
    if options.json:
        print(json.dumps({"sizes": results, "about": about()}, indent=1))
    else:
        print(f"\n{about_line()}")
        missed = f"Over this project's own bounds: {'; '.join(over)}."
        print(missed if over else "All figures are within this project's own bounds.")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except MeasurementError as failure:
        sys.exit(str(failure))
