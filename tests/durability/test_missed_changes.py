"""A bundle that stays open misses no change, whoever makes it and however it is made."""

from __future__ import annotations

from pathlib import Path

from tests.durability.missed import no_events, watch_folder, watch_store


def test_no_change_of_a_folder_by_another_process_is_missed(tmp_path: Path) -> None:
    watched = watch_folder(tmp_path, seed=4, count=150)
    assert watched.missed == []
    assert len(watched.changes) > 15


def test_no_change_of_a_folder_that_has_to_be_walked_over_is_missed(tmp_path: Path) -> None:
    with no_events():
        watched = watch_folder(tmp_path, seed=5, count=75)
    assert watched.missed == []


def test_no_change_of_a_store_that_only_has_tags_is_missed() -> None:
    watched = watch_store(seed=4, count=150)
    assert watched.missed == []
    assert len(watched.changes) == 6
