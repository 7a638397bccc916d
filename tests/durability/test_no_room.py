"""A disk that is full or may only be read costs speed, never an answer, and is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.durability.no_room import seen_in, why_not


@pytest.fixture(scope="module")
def own_mounts() -> None:
    """Skips where no disk can be mounted."""
    if reason := why_not():
        pytest.skip(reason)


def refused_but_whole(seen: dict[str, Any]) -> None:
    """Each refusal is one sentence; nothing of what was refused is there, and all of what was not."""
    assert (seen["found"], seen["faults"]) == (seen["written"], [])
    assert seen["later"] == {"integrity": "ok", "found": seen["written"], "faults": []}
    assert len(set(seen["refusals"])) == 1
    assert seen["refusals"][0].count(". ") == 0


@pytest.mark.usefixtures("own_mounts")
@pytest.mark.parametrize("size", [350, 500, 700])
def test_a_catalog_on_a_full_disk_refuses_updates_whole_and_goes_on_when_there_is_room(
    size: int, tmp_path: Path
) -> None:
    seen = seen_in("full_disk", tmp_path, str(size))
    refused_but_whole(seen)
    assert "the disk is full" in str(seen["refusals"])


def test_a_catalog_whose_file_may_not_grow_refuses_updates_whole_and_goes_on_when_it_may(
    tmp_path: Path,
) -> None:
    seen = seen_in("file_limit", tmp_path, alone=False)
    refused_but_whole(seen)


@pytest.mark.usefixtures("own_mounts")
def test_a_bundle_whose_index_has_no_room_answers_rightly_or_names_the_disk(tmp_path: Path) -> None:
    seen = seen_in("full_for_bundle", tmp_path)
    assert seen["at once"] == []
    meanwhile = seen["meanwhile"]
    assert meanwhile == [] or "the disk is full" in str(meanwhile)
    assert (seen["later"], seen["new"]) == ([], [])


@pytest.mark.usefixtures("own_mounts")
def test_a_bundle_whose_cache_folder_may_not_be_written_works_in_memory_and_says_so_once(
    tmp_path: Path,
) -> None:
    seen = seen_in("read_only", tmp_path)
    assert (seen["empty"], seen["filled"]) == ([], [])
    for said in (seen["said, empty"], seen["said, filled"]):
        assert ["kept in memory" in each for each in said] == [True]
        assert said[0].endswith(" FINGERPOST_CACHE names another folder.")
