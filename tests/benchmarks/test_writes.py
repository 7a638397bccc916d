"""The benchmark of writes shows each kind beside its floor."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import writes


def test_each_kind_of_write_is_shown_beside_its_floor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert writes.main(["--documents", "5", "--times", "3", "--folder", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert re.findall(r"^(\w+) +p50 +[\d.]+ ms, floor +[\d.]+ ms", printed, re.MULTILINE) == writes.KINDS
    assert list(tmp_path.iterdir()) == []


def test_what_is_measured_is_written(tmp_path: Path) -> None:
    taken = writes.measured(tmp_path, documents=4, times=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"note{number}.md" for number in range(4)]
    assert {kind: len(each) for kind, each in taken.items()} == dict.fromkeys(taken, 2)
