"""Runs where the peers are installed: opens a bundle, asks, edits a file and asks again; prints CPU seconds.

python peer_program.py astromesh-okf < questions.json
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_SECONDS_TO_ASK = 30.0

Ask = Callable[[str], list[str]]


def astromesh_okf(folder: str) -> Callable[[], Ask]:
    """How astromesh-okf is brought up to date: not at all, since it reads the files at each question."""
    bundle: Any = importlib.import_module("astromesh_okf").Bundle(folder)

    def ask(text: str) -> list[str]:
        return [hit["id"] for hit in bundle.find(text, limit=20)["results"]]

    return lambda: ask


def okflib(folder: str) -> Callable[[], Ask]:
    """How okflib is brought up to date: by reading everything."""
    library: Any = importlib.import_module("okflib")
    search: Any = importlib.import_module("okflib.search")

    def reload() -> Ask:
        index: Any = search.Index(library.Bundle.load(folder))
        return lambda text: [hit.concept_id for hit in index.query(text, limit=20)]

    return reload


def measured(peer: str, asked: dict[str, Any]) -> dict[str, object]:
    """The seconds to open, of a question, and from an edit to an answer that knows of it."""
    prepare = {"astromesh-okf": astromesh_okf, "okflib": okflib}[peer](asked["folder"])
    begun = time.process_time()
    ask = prepare()
    opened = time.process_time() - begun
    times: list[float] = []
    while len(times) < len(asked["questions"]) and sum(times) < _SECONDS_TO_ASK:
        start = time.process_time()
        ask(asked["questions"][len(times)])
        times.append(time.process_time() - start)
    Path(asked["path"]).write_text(asked["text"], encoding="utf-8")
    start = time.process_time()
    found = prepare()(asked["word"])
    edit = time.process_time() - start
    if len(found) != 1:
        raise SystemExit(f"After the edit {peer} found {found}.")
    return {
        "version": importlib.metadata.version(peer),
        "open": opened,
        "find": statistics.median(times),
        "edit": edit,
        "asked": len(times),
    }


if __name__ == "__main__":
    json.dump(measured(sys.argv[1], json.load(sys.stdin)), sys.stdout)
