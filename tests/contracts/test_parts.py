"""The parts that contracts are made of: samples, contracts of one capability alone, and reports."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from fingerpost import KnowledgeBase, Record
from fingerpost_testing.contracts import (
    SAMPLES,
    BrowseContract,
    DerivedSchemaContract,
    FetchContract,
    QueryContract,
    SearchContract,
    WriteContract,
    run_contract,
)
from fingerpost_testing.contracts.contract import Contract
from fingerpost_testing.contracts.fetching import is_plain_id
from fingerpost_testing.contracts.rows import why_no_json
from fingerpost_testing.contracts.samples import SHARED_WORD, UNKNOWN_WORD
from fingerpost_testing.contracts.subject import KnowledgeBaseSubject
from tests.core.knowledge.shelves import Archive, Searched


def test_each_sample_is_known_by_its_word_and_all_by_another() -> None:
    texts = [sample.text for sample in SAMPLES]
    for sample in SAMPLES:
        assert [text for text in texts if sample.word in text] == [sample.text]
        assert SHARED_WORD in sample.text
        assert UNKNOWN_WORD not in str(sample.record)
        assert is_plain_id(sample.id)
        assert why_no_json(sample.record) == ""
    assert len({sample.id for sample in SAMPLES}) == len(SAMPLES)
    assert {sample.word.isascii() for sample in SAMPLES} == {True, False}
    for key in ("title", "source"):
        assert len({sample.record["metadata"][key] for sample in SAMPLES}) == len(SAMPLES)


@pytest.mark.parametrize("id_", ["a,b", " a", "a ", "a\nb", "[a]", "a\u2028b"])
def test_an_id_that_does_not_survive_a_list_is_told_from_one_that_does(id_: str) -> None:
    assert not is_plain_id(id_)
    assert is_plain_id("a/b c [d] é")


@pytest.mark.parametrize(
    "value", [{"a": float("nan")}, {"a": float("inf")}, {1: "x"}, {"a": {1, 2}}, {"a": b"x"}, {"a": (1, 2)}]
)
def test_what_is_no_json_is_told(value: object) -> None:
    assert why_no_json(value)
    assert why_no_json({"a": [1, {"b": None}], "é": "🗼"}) == ""


PARTS = [SearchContract, FetchContract, BrowseContract, WriteContract]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_can_be_had_alone(part: type[KnowledgeBaseSubject]) -> None:
    class OfIt(part):  # type: ignore[valid-type]
        def make(self) -> KnowledgeBase:
            return Archive()

    report = run_contract(OfIt)
    assert report.broken == {}
    assert len(report.held) >= 6


@pytest.mark.parametrize(
    ("part", "declaration"),
    [
        (QueryContract, "query"),
        (FetchContract, "fetch"),
        (BrowseContract, "browse"),
        (WriteContract, "writable"),
        (DerivedSchemaContract, "derives_schema"),
    ],
)
def test_a_part_that_is_not_declared_fails_where_it_was_asked_for(
    part: type[KnowledgeBaseSubject], declaration: str
) -> None:
    class OfIt(part):  # type: ignore[valid-type]
        def make(self) -> KnowledgeBase:
            return Searched()

        def seed(self, base: KnowledgeBase, records: Sequence[Record]) -> Iterable[Record] | None:
            return None

    report = run_contract(OfIt)
    assert (report.held, report.left_out) == ((), {})
    (sentence,) = set(report.broken.values())
    assert sentence == (
        f"The contract of {declaration} is not for this one, because the knowledge base 'shelf' does not "
        f"declare {declaration}; declare it."
    )


def test_what_is_kept_alone_is_stored_along_with_the_ids() -> None:
    class OfIt(SearchContract):
        keeps = ("tags",)

        def make(self) -> KnowledgeBase:
            return Archive()

    (first, *_) = OfIt().records
    assert first["metadata"] == {"id": "lamp-oil", "tags": ["oil", "winter"]}
    first["metadata"]["tags"].clear()
    assert OfIt().records[0]["metadata"]["tags"] == ["oil", "winter"]


class Made:
    """Something that notes when it is closed, and does not like it."""

    closed = 0

    def close(self) -> None:
        self.closed += 1
        raise RuntimeError("cannot be closed")


class Checks(Contract):
    made: list[Any] = []  # noqa: RUF012 - what all tests of the class made

    def test_holds(self) -> None:
        (self.folder / "file").write_text("x")
        self.made.extend((self.folder, self.closed_later(Made())))

    def test_raises(self) -> None:
        raise KeyError("x")

    def helps(self) -> None:
        raise AssertionError


def test_a_report_says_what_became_of_each_check() -> None:
    report = run_contract(Checks)
    assert report.held == ("test_holds",)
    assert report.broken == {"test_raises": "KeyError(\"'x'\")"}
    assert str(report) == ("1 checks hold, 0 do not apply, 1 is broken.\ntest_raises: KeyError(\"'x'\")")


def test_what_a_test_made_is_closed_and_its_folder_is_gone() -> None:
    Checks.made.clear()
    run_contract(Checks)
    folder, made = Checks.made
    assert not folder.exists()
    assert not folder.parent.parent.exists()
    assert made.closed == 1


def test_the_secrets_lie_where_their_paths_lead() -> None:
    checks = Checks()
    checks.setup_method()
    try:
        reached = [path for path in checks.paths_to_secrets() if not path.startswith("file:")]
        (checks.folder / "x").mkdir()
        read = [(checks.folder / path).read_text("utf-8") for path in reached if path.endswith(".md")]
        assert set(read) == {"A secret that lies outside."}
        assert len(read) == 4
    finally:
        checks.teardown_method()


FILE = """
from fingerpost_testing import KnowledgeBaseContract
from tests.contracts.broken import IgnoresLimit
from tests.core.knowledge.shelves import Archive


class TestArchive(KnowledgeBaseContract):
    def make(self):
        return Archive()


class TestBroken(KnowledgeBaseContract):
    def make(self):
        return IgnoresLimit()
"""


def test_pytest_finds_the_checks_and_shows_the_sentence(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "test_archive.py").write_text(FILE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "test_archive.py"]
    paths = os.pathsep.join([str(repository), *sys.path])
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "2 failed, 94 passed, 22 skipped" in done.stdout
    assert "the knowledge base 'archive' does not declare query" in done.stdout
    assert "ContractError: search('signpost', limit=1) of the knowledge base 'archive' gave 6" in done.stdout
    assert "TestBroken.test_search_heeds_the_limit" in done.stdout.replace("::", ".")
