from __future__ import annotations

import logging
import os
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from fingerpost.catalog import preparing
from fingerpost.catalog.base import Catalog
from fingerpost.catalog.building import Limits
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.catalog.helped import AT_ONCE, two_processors

SEGMENTS_AT_ONCE = Limits(small=0, headers=0, recent=0, memory=1, segments=2, dead=10)
"""Every update writes a segment for each few documents, and merges."""

Make = Callable[[], Catalog]


@pytest.fixture(params=["memory", "file", "file in segments", "file in memory"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Make]:
    """Makes an empty catalog of each kind, closed at the end of the test."""
    made: list[Catalog] = []

    def one() -> Catalog:
        path = tmp_path / "cache" / f"{len(made)}.db"
        made.append(
            {
                "memory": MemoryCatalog,
                "file": lambda: PersistedCatalog.open(path),
                "file in segments": lambda: PersistedCatalog(path, SEGMENTS_AT_ONCE),
                "file in memory": lambda: PersistedCatalog.open(None),
            }[request.param]()
        )
        return made[-1]

    yield one
    for catalog in made:
        catalog.close()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started, of a computer with two processors, where batches are small."""
    processes: list[subprocess.Popen[bytes]] = []

    class Recorded(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            processes.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    monkeypatch.setattr(preparing, "_DOCUMENTS_AT_ONCE", AT_ONCE)
    monkeypatch.setattr(os, "sched_getaffinity", two_processors, raising=False)
    monkeypatch.delenv(preparing.VARIABLE, raising=False)
    return processes


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the log says of the other process."""
    lines: list[str] = []

    def note(line: str, *values: object) -> None:
        lines.append(line % values)

    monkeypatch.setattr(logging.getLogger("fingerpost.catalog"), "info", note)
    return lines
