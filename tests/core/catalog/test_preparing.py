"""Much is prepared by a second process, which nobody can tell from the index."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fingerpost.catalog import preparing
from fingerpost.catalog.base import Entry
from fingerpost.catalog.building import Limits
from fingerpost.catalog.documents import Indexed, Sample, Stored, prepare
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.catalog.asked import entry, found, listed
from tests.core.catalog.helped import ALONE, AT_ONCE, HELPED, built, documents, one_processor
from tests.core.catalog.test_catalogs_alike import Chance, assert_alike

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="there is one process on Windows"),
    pytest.mark.usefixtures("started"),
]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the documents that this process prepares."""
    ids: list[str] = []

    def noted(each: Entry, sample: Sample) -> tuple[Stored, Indexed]:
        ids.append(each.id)
        return prepare(each, sample)

    monkeypatch.setattr(preparing, "prepare", noted)
    return ids


# ---- the same index


def test_the_index_is_the_same_row_for_row(
    tmp_path: Path, started: list[subprocess.Popen[bytes]], here: list[str], said: list[str]
) -> None:
    alone = built(tmp_path / "alone.db", documents(), ALONE)
    assert (len(here), started) == (65, [])
    here.clear()
    assert built(tmp_path / "helped.db", documents()) == alone
    assert here == [each.id for each in documents(AT_ONCE)]
    assert len(started) == 1
    assert said == []


def test_every_question_has_the_same_answer(started: list[subprocess.Popen[bytes]]) -> None:
    chance = Chance(3)
    entries = [chance.entry() for _ in range(120)]
    reference = MemoryCatalog()
    with PersistedCatalog(None, HELPED) as catalog:
        for _ in range(2):
            catalog.update(entries)
            reference.update(entries)
            assert_alike(reference, catalog, chance)
    assert len(started) == 2


def test_of_an_id_that_comes_twice_the_last_document_stays(here: list[str]) -> None:
    twice = [entry(f"{number % 4}", f"round{number}", "text") for number in range(60)]
    with PersistedCatalog(None, HELPED) as catalog:
        catalog.update(twice + documents(30))
        assert (found(catalog, "round59"), found(catalog, "round55")) == (["3"], [])
        assert len(listed(catalog)) == 34


# ---- when there is a second process


def test_it_is_started_once_the_first_has_prepared_much_text_and_prepares_what_follows(
    here: list[str], started: list[subprocess.Popen[bytes]]
) -> None:
    entries = [entry(f"{number:02}", "title", "x" * 10) for number in range(65)]
    with PersistedCatalog(None, Limits(small=0, headers=0, apart=250)) as catalog:
        catalog.update(entries[:25])
        assert started == []
        here.clear()
        catalog.update(entries)
    assert here == [each.id for each in entries[:30]]
    assert len(started) == 1


def test_batches_are_given_and_taken_in_turn_whatever_their_size(here: list[str], said: list[str]) -> None:
    first, second, third = documents(10), documents(12), documents(1)
    with preparing.Preparing(Sample(), 0) as exchanging:
        taken = [exchanging.exchange(batch) for batch in (first, second, [], third, [])]
    assert taken == [[prepare(each, Sample()) for each in batch] for batch in ([], first, second, [], third)]
    assert here == [each.id for each in first]
    assert said == []


def test_nothing_is_done_where_there_is_nothing_to_prepare() -> None:
    def sample_of(_batch: list[Entry]) -> Sample:
        raise AssertionError

    assert list(preparing.prepared([], sample_of, 0)) == []


def test_documents_without_text_are_prepared_by_one(started: list[subprocess.Popen[bytes]]) -> None:
    with PersistedCatalog(None, HELPED) as catalog:
        catalog.update([entry(f"{number}", "title") for number in range(65)])
    assert started == []


def test_a_batch_ends_where_its_text_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "_TEXT_AT_ONCE", 100)
    lengths = [(99, 0), (1, 0), (0, 100), (5000, 0), *[(1, 0)] * 11]
    entries = [
        Entry(str(number), body="x" * body, details="x" * details)
        for number, (body, details) in enumerate(lengths)
    ]
    sizes = [len(batch) for batch in preparing.prepared(entries, lambda _: Sample(), 10**9)]
    assert sizes == [2, 1, 1, 10, 1]


ONE_PROCESS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "when that is wished": lambda patch: patch.setenv("FINGERPOST_PROCESSES", " 1 "),
    "on one processor": lambda patch: patch.setattr(os, "sched_getaffinity", one_processor),
    "on one processor of an unknown number": lambda patch: (
        patch.delattr(os, "sched_getaffinity"),
        patch.setattr(os, "cpu_count", lambda: None),
    )[1],
    "in a frozen program": lambda patch: patch.setattr(sys, "frozen", True, raising=False),
    "in a program that holds a Python": lambda patch: patch.setattr(sys, "executable", "/usr/bin/uwsgi"),
    "where the program is unknown": lambda patch: patch.setattr(sys, "executable", None),
    "on Windows": lambda patch: patch.setattr(sys, "platform", "win32"),
}


@pytest.mark.parametrize("where", ONE_PROCESS)
def test_there_is_one_process(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert preparing.may_have_help()
    ONE_PROCESS[where](monkeypatch)
    assert not preparing.may_have_help()


def test_that_there_is_one_process_may_be_wished(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINGERPOST_PROCESSES", "1")
    with PersistedCatalog(None, HELPED) as catalog:
        catalog.update(documents(30))
        assert len(listed(catalog)) == 30
    assert started == []


def test_processors_are_counted_where_it_is_unknown_which_of_them_may_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert preparing.may_have_help()
    monkeypatch.setenv("FINGERPOST_PROCESSES", "2")
    assert preparing.may_have_help()
