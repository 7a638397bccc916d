from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from fingerpost.catalog.base import Catalog
from fingerpost.catalog.building import Limits
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.persisted import PersistedCatalog

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
