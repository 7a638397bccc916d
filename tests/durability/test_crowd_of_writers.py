"""200 threads of four processes write to one bundle at once, and nothing that any of them wrote is lost."""

from __future__ import annotations

from pathlib import Path

from tests.durability.crowd_of_writers import write_at_once


def test_notes_of_one_title_additions_and_entries_in_a_log_all_survive(tmp_path: Path) -> None:
    outcome = write_at_once(tmp_path, processes=4, threads=50)
    assert outcome.faults == ()
    assert outcome.writes == 600
