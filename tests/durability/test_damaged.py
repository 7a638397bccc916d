"""An index is a cache: whatever is done to its file, a bundle answers from what is in the bundle."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.durability.damage import UNMISTAKABLE, cases
from tests.durability.deleting import deleted_while_open


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_index_costs_no_answer(seed: int, tmp_path: Path) -> None:
    seen = list(cases(tmp_path, seed, 22))
    assert [case for case in seen if case.refused] == []
    assert [case for case in seen if case.wrong and case.damage in UNMISTAKABLE] == []


def test_an_index_that_is_deleted_while_processes_have_it_open_costs_no_answer(tmp_path: Path) -> None:
    assert deleted_while_open(tmp_path, seed=4, rounds=12) == []
