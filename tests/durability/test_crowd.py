"""Many read and some write at once, in several processes: every answer is a state that was committed."""

from __future__ import annotations

from pathlib import Path

from tests.durability.crowd import Crowd, bundle_crowd, catalog_crowd, cold_starts


def test_every_answer_of_a_catalog_is_a_committed_state_while_others_write(tmp_path: Path) -> None:
    outcome = catalog_crowd(tmp_path, Crowd(readers=2, threads=4, writers=2, looks=60))
    assert outcome.faults == ()
    assert outcome.answers == 480
    assert outcome.updates > 5


def test_every_answer_of_a_bundle_is_as_new_as_the_files_while_others_edit_them(tmp_path: Path) -> None:
    outcome = bundle_crowd(tmp_path, Crowd(readers=2, threads=4, writers=2, looks=30))
    assert outcome.faults == ()
    assert outcome.answers == 240
    assert outcome.updates > 5


def test_processes_that_open_a_large_bundle_anew_at_once_all_find_everything(
    tmp_path: Path,
) -> None:
    assert cold_starts(tmp_path, files=900, processes=3) == []
