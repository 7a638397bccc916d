"""A process that is killed while it writes documents leaves whole ones, and all that it acknowledged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.durability.killed_documents import killed_documents


@pytest.mark.parametrize(("kind", "moments"), [("documents", 20), ("concepts", 10)])
def test_every_document_is_whole_and_every_acknowledged_one_is_there(
    kind: str, moments: int, tmp_path: Path
) -> None:
    kills = list(killed_documents(tmp_path, kind, seed=4, moments=moments))
    assert [kill.faults for kill in kills if kill.faults] == []
    assert any(kill.was_writing for kill in kills)
    assert sum(kill.acknowledged for kill in kills) > 20
    assert sum(kill.looks for kill in kills) > 50
