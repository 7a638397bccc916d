"""Bundles of any size for the other benchmarks: the same bytes from the same seed, on every machine.

    ./run bench bundles [--sizes 1k,10k] [--seed 1] [--cache FOLDER]

Some forty files a folder, 3.8 KB each: English, German, Arabic, Chinese and Japanese, made names and
identifiers, links, tables, code, trust, what is deprecated, and a few files that are no concepts. A bundle is
made once and found again; each is the beginning of every larger one. What is made is counted and shown.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.generator.concept import (  # noqa: E402
    CONCEPTS_A_FOLDER,
    Concept,
    concept,
    folder_path,
    subfolders,
)
from benchmarks.generator.page import description, page  # noqa: E402


@dataclass(frozen=True, slots=True)
class Made:
    """A bundle that lies ready.

    Attributes:
        folder: Where.
        concepts: How many files there are that are or should be concepts.
        seed: What it was made of.
        files: Its Markdown files, index.md and log.md included.
        size: Bytes of these.
    """

    folder: Path
    concepts: int
    seed: int
    files: int
    size: int

    def concept(self, number: int) -> Concept:
        """What was put into it."""
        return concept(self.seed, number)


def make(folder: Path, concepts: int, seed: int = 1) -> Made:
    """Make a bundle, or find it as it was made before; a file beside it says how it was made.

    Args:
        folder: Where; it must not exist, or be what an earlier call has made.
        concepts: How many concepts.
        seed: Another seed makes another bundle.

    Raises:
        FileExistsError: If the folder holds something else; it is left alone.
    """
    recipe = {"version": _version(), "concepts": concepts, "seed": seed}
    marker = folder.with_name(f"{folder.name}.made.json")
    if marker.is_file() and folder.is_dir():
        known = json.loads(marker.read_text(encoding="utf-8"))
        if known.get("recipe") == recipe and "files" in known:
            return Made(folder, concepts, seed, known["files"], known["size"])
        shutil.rmtree(folder)
    elif folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} holds something else; name a folder that does not exist.")
    folder.mkdir(parents=True, exist_ok=True)
    marker.write_text(json.dumps({"recipe": recipe}), encoding="utf-8")
    files = size = 0
    made_folders: set[str] = set()
    for path, data in contents(concepts, seed):
        target = os.path.join(folder, path)
        parent = os.path.dirname(target)
        if parent not in made_folders:
            os.makedirs(parent, exist_ok=True)
            made_folders.add(parent)
        with open(target, "wb") as file:
            file.write(data)
        files, size = files + 1, size + len(data)
    marker.write_text(json.dumps({"recipe": recipe, "files": files, "size": size}), encoding="utf-8")
    return Made(folder, concepts, seed, files, size)


def contents(concepts: int, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """The files of a bundle: path and bytes, folder by folder."""
    folders = -(-concepts // CONCEPTS_A_FOLDER)
    for place in range(folders):
        first = place * CONCEPTS_A_FOLDER
        inside = [concept(seed, number) for number in range(first, min(first + CONCEPTS_A_FOLDER, concepts))]
        for written in inside:
            yield written.path, page(seed, written.number)
        path = folder_path(seed, place)
        below = [folder_path(seed, other) for other in subfolders(place) if other < folders]
        yield f"{path}/index.md".lstrip("/"), _index(path, below, inside)
    yield "log.md", _log(concepts, seed)


def _index(path: str, below: list[str], inside: list[Concept]) -> bytes:
    name = path.rpartition("/")[2] or "knowledge"
    lines = [] if path else ["---", 'okf_version: "0.2"', "---", ""]
    lines += [f"# {name.capitalize()}", ""]
    lines += [f"* [{each.rpartition('/')[2].capitalize()}]({each.rpartition('/')[2]}/)" for each in below]
    for written in inside:
        file = written.path.rpartition("/")[2]
        lines.append(f"* [{written.title}]({file}) - {description(written.seed, written.number)}")
    return ("\n".join(lines) + "\n").encode()


def _log(concepts: int, seed: int) -> bytes:
    lines = ["# Log"]
    for day in range(min(28, concepts), 0, -1):
        written = concept(seed, concepts * (day - 1) // 28)
        lines += ["", f"## 2026-02-{day:02d}", "", f"* **Update**: [{written.title}](/{written.path})"]
    return ("\n".join(lines) + "\n").encode()


@cache
def _version() -> str:
    """What the generator's sources hold, so that no bundle outlives the program that made it."""
    sources = [Path(__file__), *sorted(Path(__file__).parent.joinpath("generator").glob("*.py"))]
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


# ---- where bundles lie, and the command


def default_cache() -> Path:
    """Where benchmarks keep what they make, unless told otherwise."""
    return Path(tempfile.gettempdir()) / "fingerpost-benchmarks"


def sizes_of(text: str) -> list[int]:
    """The numbers in a text such as "1k,10k".

    Raises:
        argparse.ArgumentTypeError: If something else stands in it.
    """
    return [_size_of(part.strip()) for part in text.split(",")]


def _size_of(part: str) -> int:
    digits = part.removesuffix("k")
    if not digits.isdecimal() or not int(digits):
        raise argparse.ArgumentTypeError(
            f"{part!r} is no number of concepts; write numbers such as 1k,10k or 200"
        )
    return int(digits) * (1 if digits == part else 1000)


def add_bundles(parser: argparse.ArgumentParser, sizes: str) -> None:
    """Add the arguments that say which generated bundles are wanted, and where they lie.

    Args:
        parser: Where to add them.
        sizes: The sizes when none are given, as they are typed.
    """
    parser.add_argument(
        "--sizes",
        metavar="N,N",
        type=sizes_of,
        default=sizes,
        help="concepts of each generated bundle, separated by commas; 1k is 1000 (default: %(default)s)",
    )
    parser.add_argument(
        "--cache",
        metavar="FOLDER",
        type=Path,
        default=default_cache(),
        help="where generated bundles are kept for the next run (default: %(default)s)",
    )


def shown_size(concepts: int) -> str:
    """A number as it was typed: 1k, 10k, 200."""
    return f"{concepts // 1000}k" if concepts % 1000 == 0 else str(concepts)


def standard_bundle(cache_folder: Path, concepts: int, seed: int = 1) -> Made:
    """The bundle of a size, in a folder that benchmarks share."""
    folder = cache_folder / f"bundle-{shown_size(concepts)}-{seed}"
    print(f"Bundle of {concepts} concepts: {folder}", file=sys.stderr, flush=True)
    return make(folder, concepts, seed)


def _show(made: Made, seconds: float) -> None:
    written = [made.concept(number) for number in range(made.concepts)]
    languages = Counter(each.language.code for each in written)
    print(
        f"{shown_size(made.concepts):>6}: {made.files} files, {made.size / 1e6:.1f} MB, "
        f"{made.size / made.files / 1000:.2f} KB a file, {seconds:.1f} s; "
        + ", ".join(f"{code} {count}" for code, count in languages.most_common())
        + f"; deprecated {sum(each.status == 'deprecated' for each in written)}"
        + f", invalid {sum(bool(each.flaw) for each in written)}"
    )


def main(arguments: list[str]) -> int:
    """Make the bundles asked for."""
    parser = argparse.ArgumentParser(
        "./run bench bundles", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_bundles(parser, "1k")
    parser.add_argument(
        "--seed", type=int, default=1, help="another seed makes another bundle (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    for concepts in options.sizes:
        start = time.process_time()
        made = standard_bundle(options.cache, concepts, options.seed)
        _show(made, time.process_time() - start)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
