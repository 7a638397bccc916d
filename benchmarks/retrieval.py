"""Whether search finds what is known to be there, class by class of ways to ask for it.

    ./run bench retrieval [--sizes 1k,10k] [--bundle FOLDER ...] [--queries 60] [--cache FOLDER]

Questions are made from concepts of generated bundles, and of the public bundles beside the checkout or those
given. hit@3 is the share of questions whose concept is among the first three results, MRR the mean of one
over its place. A question is reachable when a brute-force scorer with the same rules has the concept in its
top three; one is unique when a single concept holds all that it means. A class fails, and so does the
benchmark, when hit@3 is below 0.9, below 0.97 among the reachable, or hit@1 below 0.9 among the unique.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.asking.classes import CLASSES, Asked  # noqa: E402
from benchmarks.asking.items import Shelf, generated_shelf, real_shelf  # noqa: E402
from benchmarks.asking.reference import Reference  # noqa: E402
from benchmarks.bundles import add_bundles, standard_bundle  # noqa: E402
from benchmarks.corpus import bundle_roots  # noqa: E402
from benchmarks.measuring.machine import about_line  # noqa: E402
from fingerpost import Bundle  # noqa: E402

PUBLIC_BUNDLES = ROOT.parent / "shared" / "bundles"
LEAST_RAW, LEAST_REACHABLE, LEAST_UNIQUE = 0.9, 0.97, 0.9
LEAST_QUERIES = 10
"""A class with fewer questions is shown and not judged."""

_LOOKED_AT = 20
_COLUMNS = ("n", "unique", "hit@1", "unique@1", "hit@3", "MRR", "reachable", "reached@3")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question.

    Attributes:
        asked: The question.
        rank: The place of its concept among the answers, from 1; 0 when it is not among the first twenty.
        unique: Whether one concept alone holds what was meant.
        reachable: Whether the brute-force scorer has it in its top three.
    """

    asked: Asked
    rank: int
    unique: bool
    reachable: bool

    @property
    def is_missed(self) -> bool:
        """Whether its concept is neither first nor, where others hold what was meant, in the top three."""
        return not 1 <= self.rank <= (1 if self.unique else 3)


@dataclass
class Outcome:
    """The answers to the questions of a class."""

    name: str
    answers: list[Answer] = field(default_factory=list[Answer])

    def figures(self) -> list[float]:
        """The figures of `_COLUMNS`."""
        unique = [answer for answer in self.answers if answer.unique]
        reachable = [answer for answer in self.answers if answer.reachable]
        return [
            len(self.answers),
            len(unique),
            _hits(self.answers, 1),
            _hits(unique, 1),
            _hits(self.answers, 3),
            sum(1 / answer.rank for answer in self.answers if answer.rank) / max(1, len(self.answers)),
            len(reachable) / max(1, len(self.answers)),
            _hits(reachable, 3),
        ]

    def shortfalls(self) -> list[str]:
        """Which bounds it misses."""
        if len(self.answers) < LEAST_QUERIES:
            return []
        count, unique, _, unique_first, raw, _, _, reached = self.figures()
        judged = (
            ("hit@3", raw, LEAST_RAW, count),
            ("hit@3 of the reachable", reached, LEAST_REACHABLE, count),
            ("hit@1 of the unique", unique_first, LEAST_UNIQUE, unique),
        )
        return [
            f"{what} {figure:.3f} < {bound}"
            for what, figure, bound, held in judged
            if held and figure < bound
        ]


def _hits(answers: Sequence[Answer], most: int) -> float:
    """The share of answers that are among the first; 1 where nothing was asked."""
    return sum(1 <= answer.rank <= most for answer in answers) / len(answers) if answers else 1.0


def answers_of(shelf: Shelf, bundle: Bundle, reference: Reference, queries: int) -> dict[str, Outcome]:
    """Ask everything of one bundle."""
    outcomes: dict[str, Outcome] = {}
    for each in CLASSES:
        start = time.process_time()
        outcome = outcomes[each.name] = Outcome(each.name)
        for asked in each.asked(shelf, queries):
            found = [hit["id"] for hit in bundle.find(asked.text, limit=_LOOKED_AT)["results"]]
            rank = found.index(asked.target) + 1 if asked.target in found else 0
            reachable = asked.target in reference.best(asked.text, 3)
            outcome.answers.append(Answer(asked, rank, shelf.holders(asked.meant) == 1, reachable))
        seconds = time.process_time() - start
        said = f"{shelf.name}: {each.name}, {len(outcome.answers)} questions, {seconds:.1f} s CPU"
        print(said, file=sys.stderr, flush=True)
    return outcomes


def of_generated(concepts: int, cache: Path, queries: int) -> dict[str, Outcome]:
    """Ask a generated bundle."""
    made = standard_bundle(cache, concepts)
    with tempfile.TemporaryDirectory(dir=cache) as index, Bundle(made.folder, cache=index) as bundle:
        bundle.wait()
        return answers_of(generated_shelf(made), bundle, Reference(made.folder), queries)


def of_real(folders: Iterable[Path], cache: Path, queries: int) -> dict[str, Outcome]:
    """Ask other bundles, each on its own, and put the answers together."""
    together = {each.name: Outcome(each.name) for each in CLASSES}
    for folder in folders:
        with tempfile.TemporaryDirectory(dir=cache) as index, Bundle(folder, cache=index) as bundle:
            bundle.wait()
            outcomes = answers_of(real_shelf(folder.name, bundle), bundle, Reference(folder), queries)
        for name, outcome in outcomes.items():
            together[name].answers += outcome.answers
    return together


def report(title: str, outcomes: Iterable[Outcome], misses: int) -> list[str]:
    """Print a table; return the classes that fall short, with how."""
    print(f"\n{title:<34}" + "".join(f"{name:>11}" for name in _COLUMNS))
    short: list[str] = []
    asked = [outcome for outcome in outcomes if outcome.answers]
    for outcome in asked:
        count, unique, *shares = outcome.figures()
        missed = outcome.shortfalls()
        print(
            f"{outcome.name:<34}{count:>11.0f}{unique:>11.0f}"
            + "".join(f"{share:>11.3f}" for share in shares)
            + ("  short" if missed else "")
        )
        short += [f"{title}: {outcome.name}: {', '.join(missed)}"] if missed else []
    for outcome in asked:
        for answer in [answer for answer in outcome.answers if answer.is_missed][:misses]:
            asked_for = f"{answer.asked.text!r} for {answer.asked.target}"
            print(f"  missed, {outcome.name}: {asked_for}, rank {answer.rank or 'none'}")
    return short


def folder_of_bundles(text: str) -> Path:
    """A folder with a bundle.

    Raises:
        argparse.ArgumentTypeError: If there is none.
    """
    folder = Path(text)
    if not folder.is_dir() or not any(bundle_roots(folder)):
        raise argparse.ArgumentTypeError(f"there is no bundle in {text!r}")
    return folder


def main(arguments: list[str]) -> int:
    """Print a table for each size, and one for the other bundles together."""
    parser = argparse.ArgumentParser(
        "./run bench retrieval", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_bundles(parser, "1k,10k")
    parser.add_argument(
        "--bundle",
        metavar="FOLDER",
        type=folder_of_bundles,
        action="append",
        help="a folder of other bundles, or one of them; may be given several times",
    )
    parser.add_argument(
        "--queries",
        metavar="N",
        type=int,
        default=60,
        help="most questions of a class in a bundle (default: %(default)s)",
    )
    parser.add_argument(
        "--misses",
        metavar="N",
        type=int,
        default=0,
        help="show so many questions of a class that missed (default: %(default)s)",
    )
    options = parser.parse_args(arguments)
    options.cache.mkdir(parents=True, exist_ok=True)
    short: list[str] = []
    for concepts in options.sizes:
        outcomes = of_generated(concepts, options.cache, options.queries)
        short += report(f"{concepts} generated concepts", outcomes.values(), options.misses)
    folders = options.bundle or [PUBLIC_BUNDLES]
    roots = [root for folder in folders if folder.is_dir() for root in bundle_roots(folder)]
    if roots:
        outcomes = of_real(roots, options.cache, options.queries)
        short += report(f"{len(roots)} other bundles", outcomes.values(), options.misses)
    else:
        print(f"\nThere is no bundle in {', '.join(map(str, folders))}, so no other bundle was asked.")
    print(f"\n{about_line()}")
    print("\n".join(["Short:", *short]) if short else "No class falls short.")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
