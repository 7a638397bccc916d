"""What bundles hold and how well they are read: one row a bundle, and one of totals.

    ./run bench corpus [FOLDER ...]

Without folders, the public bundles beside the checkout (../shared/bundles). Every concept, every link that
leads to something, and every index entry is opened through kb_read or kb_index; what they refuse is named at
the end.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from fingerpost import Bundle, OKFTools, Tool
from fingerpost.bundle.concept_view import place_view
from fingerpost.bundle.edges import Place, locate
from fingerpost.bundle.index_text import index_reference
from fingerpost.bundle.names import INDEX
from fingerpost.bundle.refresh import Reader
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.markdown.scan import Link, scan
from fingerpost.okf.index_file import read_index
from fingerpost.okf.paths import resolve

PUBLIC_BUNDLES = Path(__file__).resolve().parents[2] / "shared" / "bundles"
NOW = datetime(2026, 11, 29, tzinfo=UTC)
CLASSES = (
    *("concept", "invalid", "folder", "log", "file", "broken"),
    *("anchor", "external", "leaves_root", "unsafe", "image", "wiki", "html"),
)
MANNERS = ("exact", "candidate", "unicode", "case", "root", "missing")
ENTRIES = ("entries", "lead somewhere", "taken")


@dataclass
class Survey:
    """What was found in one bundle.

    Attributes:
        name: Name of its folder.
        documents: Markdown files.
        concepts: Concepts.
        invalid: Markdown files that should be concepts and are none.
        specification: Which text of the format was applied.
        conformant: Whether it conforms.
        rules: Diagnostics by rule.
        classes: Links in the bodies of concepts, by what they are or lead to.
        manners: How the links of concepts and index entries within the bundle were found, or not.
        entries: Index entries: all that point into the bundle, those that lead somewhere, those that came
            back from kb_index as an id that kb_read or kb_index took.
        refused: Ids that kb_read or kb_index did not take, though the bundle or a link says that they exist.
        load: CPU seconds to read the bundle.
        check: CPU seconds to hold it to all rules.
    """

    name: str
    documents: int = 0
    concepts: int = 0
    invalid: int = 0
    specification: str = ""
    conformant: bool = False
    rules: Counter[str] = field(default_factory=Counter)
    classes: Counter[str] = field(default_factory=Counter)
    manners: Counter[str] = field(default_factory=Counter)
    entries: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    load: float = 0.0
    check: float = 0.0


class Opener:
    """Opens ids through the tools, each once."""

    def __init__(self, bundle: Bundle) -> None:
        tools = OKFTools(bundle)
        self._read = Tool.of(tools.kb_read)
        self._index = Tool.of(tools.kb_index)
        self._taken: dict[str, bool] = {}

    def takes(self, id_: str) -> bool:
        """Whether kb_index takes the id of a folder, or kb_read that of anything else."""
        if id_ not in self._taken:
            is_folder = id_.endswith("/")
            call = self._index.call({"path": id_}) if is_folder else self._read.call({"concept_id": id_})
            self._taken[id_] = not call.is_error
        return self._taken[id_]

    def whole_index(self, folder: str) -> str:
        """The text of a folder's index, all its pages."""
        pages, number, count = [], 1, 1
        while number <= count:
            answer = self._index.call({"path": f"/{folder}", "page": number})
            if answer.is_error:
                raise RuntimeError(f"kb_index did not list {folder!r}: {answer.text}")
            pages.append(answer.data["text"])
            count = answer.data["pages"]
            number += 1
        return "".join(pages)

    @property
    def refused(self) -> list[str]:
        """The ids that were not taken."""
        return sorted(id_ for id_, taken in self._taken.items() if not taken)


def survey(folder: Path) -> Survey:
    """Read a bundle, check it, and open everything in it."""
    found = Survey(folder.name)
    start = time.process_time()
    bundle = Bundle(folder)
    found.concepts = len(bundle)
    loaded = time.process_time()
    validation = bundle.validate(now=NOW)
    found.load, found.check = loaded - start, time.process_time() - loaded
    found.documents, found.conformant = validation.documents, validation.conformant
    found.specification = validation.specification
    found.rules.update(validation.rules)
    reader = Reader(bundle.store, MemoryCatalog)
    opener = Opener(bundle)
    with reader.snapshot() as snapshot:
        found.invalid = snapshot.invalid_count
        for header in snapshot.concepts():
            opener.takes(header.id)
            for link in reader.documents.read(header.path).scan.links:
                _count_link(found, snapshot, opener, link, header.path)
        for path in snapshot.files():
            if path.rpartition("/")[2] == INDEX:
                body = read_index(bundle.store.read_bytes(path), path).body
                _count_entries(found, snapshot, opener, body, path)
    found.refused = opener.refused
    return found


def _count_link(found: Survey, snapshot: Snapshot, opener: Opener, link: Link, path: str) -> None:
    reference = resolve(link.target, path)
    place = locate(snapshot, reference.candidates)
    kind = "broken" if place.kind == "missing" else place.kind
    of_its_own = link.kind if link.kind in ("image", "wiki", "html") else ""
    found.classes[of_its_own or (kind if reference.kind == "internal" else reference.kind)] += 1
    if reference.kind == "internal" and link.kind not in ("image", "wiki"):
        found.manners["missing" if place.manner == "none" else place.manner] += 1
        if _can_be_opened(place):
            opener.takes(place_view(place)["id"])


def _count_entries(found: Survey, snapshot: Snapshot, opener: Opener, body: str, path: str) -> None:
    """Compare the entries of an index.md, in their order, with what kb_index makes of them."""
    served = _entries(opener.whole_index(path.removesuffix(INDEX)))
    for link, answer in zip(_entries(body), served, strict=False):
        reference = index_reference(link, path)
        if reference.kind != "internal":
            continue
        place = locate(snapshot, reference.candidates)
        from_folder = locate(snapshot, resolve(link.target, path).candidates)
        found.entries["entries"] += 1
        found.manners[
            "missing" if not place.exists else from_folder.manner if from_folder.exists else "root"
        ] += 1
        if _can_be_opened(place):
            found.entries["lead somewhere"] += 1
            found.entries["taken"] += opener.takes(answer.target)


def _entries(text: str) -> list[Link]:
    return [link for link in scan(text).links if link.kind in ("link", "wiki")]


def _can_be_opened(place: Place) -> bool:
    return place.kind in ("concept", "folder", "log")


def bundle_roots(folder: Path) -> Iterator[Path]:
    """The bundles of a folder: the topmost folders with an index.md, else itself if it has Markdown."""
    if (folder / INDEX).is_file():
        yield folder
        return
    below = [root for child in sorted(folder.iterdir()) if child.is_dir() for root in bundle_roots(child)]
    if below:
        yield from below
    elif any(folder.glob("*.md")):
        yield folder


def table(title: str, columns: Iterable[str], rows: Iterable[tuple[str, list[object]]]) -> None:
    """Print a table of numbers with a column for names."""
    names = list(columns)
    print(f"\n{title:<30}" + "".join(f"{name:>{max(len(name), 6) + 2}}" for name in names))
    for name, values in rows:
        print(
            f"{name[:29]:<30}"
            + "".join(f"{v:>{max(len(c), 6) + 2}}" for c, v in zip(names, values, strict=True))
        )


def total(surveys: list[Survey]) -> Survey:
    """All bundles as one."""
    summed = Survey("total", conformant=all(found.conformant for found in surveys))
    for found in surveys:
        for name in ("documents", "concepts", "invalid", "load", "check"):
            setattr(summed, name, getattr(summed, name) + getattr(found, name))
        for name in ("rules", "classes", "manners", "entries"):
            getattr(summed, name).update(getattr(found, name))
    return summed


def report(surveys: list[Survey]) -> None:
    """Print what was found."""
    rows = [*surveys, total(surveys)]
    facts = ("files", "concepts", "invalid", "conforms", "load s", "check s", "text")
    table(
        "bundle",
        facts,
        (
            (
                found.name,
                [
                    found.documents,
                    found.concepts,
                    found.invalid,
                    "yes" if found.conformant else "no",
                    f"{found.load:.2f}",
                    f"{found.check:.2f}",
                    f"  {found.specification}",
                ],
            )
            for found in rows
        ),
    )
    codes = sorted({code for found in surveys for code in found.rules})
    groups = (
        ("diagnostics by rule", "rules", codes),
        ("links of concepts by class", "classes", CLASSES),
        ("links and entries by manner", "manners", MANNERS),
        ("index entries", "entries", ENTRIES),
    )
    for title, attribute, names in groups:
        table(
            title,
            names,
            ((found.name, [getattr(found, attribute)[name] for name in names]) for found in rows),
        )
    refused = [f"{found.name}: {id_}" for found in surveys for id_ in found.refused]
    print("\nRefused by kb_read or kb_index:", *(refused or ["nothing"]), sep="\n  " if refused else " ")


def main(arguments: list[str]) -> int:
    """Survey the bundles of the folders given."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    folders = [Path(argument) for argument in arguments] or [PUBLIC_BUNDLES]
    gone = [str(folder) for folder in folders if not folder.is_dir()]
    if gone:
        print(
            f"There is no folder {gone[0]}. Name folders of bundles: ./run bench corpus FOLDER.",
            file=sys.stderr,
        )
        return 2
    roots = [root for folder in folders for root in bundle_roots(folder)]
    if not roots:
        print(f"There is no bundle in {', '.join(map(str, folders))}.", file=sys.stderr)
        return 2
    surveys: list[Survey] = []
    for number, root in enumerate(roots, 1):
        print(f"Reading {number} of {len(roots)}: {root.name}", file=sys.stderr, flush=True)
        surveys.append(survey(root))
    report(surveys)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
