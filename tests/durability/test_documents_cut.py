"""A power cut, or a kill, at any call leaves each document absent, old or new, and loses no write."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.durability.cut_documents import cut_documents, record_of, taken_over, unexplained, without
from tests.durability.disk import Call
from tests.durability.power import why_not

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not())

Record = tuple[list[Call], Path]


@pytest.fixture(scope="module", params=["documents", "concepts"])
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Record:
    return record_of(tmp_path_factory.mktemp("record"), request.param, seed=4, steps=60)


def test_no_acknowledged_write_is_lost_and_none_is_torn_at_any_call(record: Record) -> None:
    calls, watched = record
    assert unexplained(calls, watched) == []
    seen = cut_documents(calls, watched, seed=4, opened=30)
    assert seen.faults == []
    assert seen.acknowledged > 50
    assert seen.states["with temporary files"] > 100
    assert seen.opened > 5


@pytest.mark.parametrize(
    ("what", "fault"), [("files", "is torn"), ("folders", "is lost"), ("folders of folders", "is lost")]
)
def test_a_writer_that_left_out_a_sync_would_be_caught(what: str, fault: str, record: Record) -> None:
    calls, watched = record
    assert any(fault in each for each in cut_documents(without(calls, what), watched, seed=4).faults)


def test_whoever_does_the_task_of_a_writer_that_was_killed_anew_loses_nothing(tmp_path: Path) -> None:
    seen = list(taken_over(tmp_path.resolve(), seed=4, steps=2))
    assert [each.faults for each in seen if each.faults] == []
    assert len(seen) > 3
