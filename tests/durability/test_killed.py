"""A process that is killed while it writes leaves a state behind that it had committed."""

from __future__ import annotations

from pathlib import Path

from tests.durability.killing import killed_bundles, killed_catalogs


def test_a_catalog_whose_writer_is_killed_holds_all_that_was_acknowledged(
    tmp_path: Path,
) -> None:
    moments = list(killed_catalogs(tmp_path, seed=4, moments=14))
    assert [moment.faults for moment in moments if moment.faults] == []
    assert max(moment.found for moment in moments) > 10


def test_a_bundle_whose_reader_is_killed_answers_like_one_that_keeps_no_index(tmp_path: Path) -> None:
    moments = list(killed_bundles(tmp_path, seed=4, moments=6))
    assert [moment.faults for moment in moments if moment.faults] == []
