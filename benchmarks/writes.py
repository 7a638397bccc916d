"""What a write of a document costs, beside what its system calls cost alone.

    ./run bench writes [--documents 1000] [--times 200] [--folder FOLDER]

Milliseconds by the clock, medians and 99th percentiles. The floor is one file that replaces another and
survives a power cut, by plain calls: open, write, fsync, rename, fsync of the folder. It is measured in turn
with the others in the same folder; what a disk takes to sync is most of each figure.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measuring.machine import about_line  # noqa: E402
from fingerpost.stores import LocalDocumentStore  # noqa: E402

KINDS = ["create", "replace"]
BYTES = 2000
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def text(number: int) -> bytes:
    """A document of some size, unlike all others."""
    return f"---\ntype: Note\ntitle: Document {number}\n---\n".encode().ljust(BYTES, b"x") + b"\n"


def by_plain_calls(folder: str, name: str, data: bytes) -> None:
    """The floor of a write."""
    beside, place = os.path.join(folder, f".{name}.tmp"), os.path.join(folder, name)
    opened = os.open(beside, _NEW, 0o666)
    os.write(opened, data)
    os.fsync(opened)
    os.close(opened)
    os.rename(beside, place)
    above = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(above)
    os.close(above)


def measured(folder: Path, documents: int, times: int) -> dict[str, list[float]]:
    """Milliseconds of each kind of write, taken in turn.

    Args:
        folder: An empty folder.
        documents: How many documents it is filled with.
        times: How often each kind is done.
    """
    for number in range(documents):
        (folder / f"note{number}.md").write_bytes(text(number))
    os.sync()
    store = LocalDocumentStore(folder)
    kinds: dict[str, Callable[[int], None]] = {
        "create, plain calls": lambda turn: by_plain_calls(str(folder), f"plain{turn}.md", text(turn)),
        "create": lambda turn: store.swap_bytes(f"new{turn}.md", None, text(turn)),
        "replace, plain calls": lambda turn: by_plain_calls(str(folder), f"plain{turn}.md", text(-turn - 1)),
        "replace": lambda turn: store.swap_bytes(f"new{turn}.md", text(turn), text(-turn - 1)),
    }
    taken: dict[str, list[float]] = {kind: [] for kind in kinds}
    for turn in range(times):
        for kind, write in kinds.items():
            start = time.perf_counter()
            write(turn)
            taken[kind].append((time.perf_counter() - start) * 1000)
        for written in (f"plain{turn}.md", f"new{turn}.md"):
            os.unlink(folder / written)
    return taken


def lines(taken: dict[str, list[float]]) -> list[str]:
    """The figures, a line for each kind of write."""
    shown: list[str] = []
    for kind in KINDS:
        mine, floor = taken[kind], taken[f"{kind}, plain calls"]
        p50, least = statistics.median(mine), statistics.median(floor)
        slow, slow_floor = (statistics.quantiles(each, n=100)[98] for each in (mine, floor))
        shown.append(
            f"{kind:<10} p50 {p50:7.2f} ms, floor {least:7.2f} ms, {p50 / least:5.2f} x;"
            f"   p99 {slow:7.2f} ms, floor {slow_floor:7.2f} ms"
        )
    return shown


def main(arguments: list[str]) -> int:
    """Print a line for each kind of write."""
    parser = argparse.ArgumentParser(
        "./run bench writes", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--documents", metavar="N", type=int, default=1000, help="in the folder (%(default)s)"
    )
    parser.add_argument("--times", metavar="N", type=int, default=200, help="of each kind (%(default)s)")
    parser.add_argument(
        "--folder", metavar="FOLDER", type=Path, help="on the disk to measure (a temporary one)"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        taken = measured(Path(folder).resolve(), options.documents, options.times)
    print(f"\n{options.documents:,} documents of {BYTES:,} bytes, {options.times} writes of each kind")
    print("\n".join(lines(taken)))
    print(f"\n{about_line()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
