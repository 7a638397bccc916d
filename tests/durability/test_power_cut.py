"""A power cut that loses what was not synced, or the end at any call, leaves a state that was committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.durability.power import cut_bundles, cut_catalogs, why_not

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())


def test_a_catalog_holds_a_state_that_was_committed_whatever_a_power_cut_has_left(tmp_path: Path) -> None:
    left = list(cut_catalogs(tmp_path, seed=4, steps=70, count=60))
    assert [each.faults for each in left if each.faults] == []
    assert sum(0 < each.found < each.acknowledged for each in left) > 2


def test_a_bundle_answers_like_one_that_keeps_no_index_whatever_a_power_cut_has_left(tmp_path: Path) -> None:
    wrong = list(cut_bundles(tmp_path, seed=4, steps=12, count=8))
    assert [answers for answers in wrong if answers] == []
