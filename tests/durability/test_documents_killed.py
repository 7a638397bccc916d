"""A process that is killed while it writes documents leaves whole ones, and all that it acknowledged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.durability.killed_documents import killed_documents


@pytest.mark.parametrize("kind", ["documents"])
def test_every_document_is_whole_and_every_acknowledged_one_is_there(kind: str, tmp_path: Path) -> None:
    kills = list(killed_documents(tmp_path, kind, seed=4, moments=20))
    assert [kill.faults for kill in kills if kill.faults] == []
    assert sum(kill.was_writing for kill in kills) > 2
    assert sum(kill.acknowledged for kill in kills) > 50
    assert sum(kill.looks for kill in kills) > 50
