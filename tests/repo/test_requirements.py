"""No promise of a seed without a row, no row without a promise, and each row is kept by what it names."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from tests.repo.sources import ROOT
from tests.requirements import PROMISES, SEEDS
from tests.requirements.honesty import (
    QUOTED_WORDS,
    copied,
    first_cells,
    misquoted,
    missing_tests,
    stale_asides,
    unpromised,
)
from tests.requirements.promise import Later, Promise, Seed, at

TESTS = ROOT / "tests"


def texts() -> dict[str, str]:
    """The seeds by their numbers; they lie next to a checkout of this repository and are not distributed."""
    folder = ROOT.parent / "shared" / "seeds"
    if not folder.is_dir():
        pytest.skip(f"the seeds are not there: {folder}")
    return {path.name[:3]: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}


each_seed = pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.number)
each_promise = pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.id)


def test_ids_are_unique_and_name_their_seed() -> None:
    assert [id_ for id_, count in Counter(promise.id for promise in PROMISES).items() if count > 1] == []
    assert [
        promise.id
        for seed in SEEDS
        for promise in seed.promises
        if not re.fullmatch(rf"{seed.prefix}-\d{{3}}", promise.id)
    ] == []


@each_promise
def test_a_promise_is_a_sentence_and_something_keeps_it(promise: Promise) -> None:
    assert promise.says[0].isupper()
    assert promise.says.endswith(".")
    kept = [bool(promise.tests), promise.later is not None]
    assert sum(kept) == 1 or (promise.differs and not any(kept))
    assert promise.quotes
    assert [
        quote for quote in promise.quotes if len(quote.split()) > QUOTED_WORDS or quote.endswith(".")
    ] == []


def test_every_later_part_has_something_to_keep() -> None:
    assert {promise.later for promise in PROMISES} - {None} == set(get_args(Later))


@each_promise
def test_the_tests_that_a_promise_names_exist(promise: Promise) -> None:
    assert missing_tests(promise, TESTS) == []


def test_what_is_answered_otherwise_is_on_the_page_of_differences() -> None:
    cells = first_cells((ROOT / "docs" / "differences.md").read_text(encoding="utf-8"))
    assert [promise.id for promise in PROMISES if promise.differs and promise.differs not in cells] == []


def test_every_seed_has_its_promises() -> None:
    assert list(texts()) == [seed.number for seed in SEEDS]


@each_seed
def test_every_quote_stands_in_its_section(seed: Seed) -> None:
    assert misquoted(seed, texts()[seed.number]) == []


@each_seed
def test_every_section_statement_row_and_name_of_a_seed_is_promised_or_an_aside(seed: Seed) -> None:
    assert unpromised(seed, texts()[seed.number]) == []


@each_seed
def test_an_aside_is_one(seed: Seed) -> None:
    assert stale_asides(seed, texts()[seed.number]) == []


@each_seed
def test_promises_are_told_in_words_of_our_own(seed: Seed) -> None:
    text = texts()[seed.number]
    assert [(promise.id, copied(promise, text)) for promise in seed.promises if copied(promise, text)] == []


SAMPLE = """Shelf

A shelf holds books, and find_book() finds one.

Rules

• Books are read with read_book(title).
• Nothing is ever lost.

Kind	Good for
novel	evenings
atlas	journeys

Code alone

shelf = Shelf()
"""
FINDING = Promise("S-001", ("find_book()",), "One book is found.", at("a.py", "test_a"))
READING = Promise("S-002", ("read_book(title)", "novel", "atlas"), "One book is read.", later="page")
KEEPING = Promise("S-003", ("Nothing is ever lost",), "All is kept.", later="page")
CODE = Promise("S-004", ("Shelf()",), "A shelf is made.", later="page")


def sample(*rules: Promise, code: tuple[Promise, ...] = (CODE,), asides: tuple[str, ...] = ()) -> Seed:
    sections = {"Shelf": (FINDING,), "Rules": rules, "Code alone": code}
    return Seed("9", "S", sections, {"for the sake of it": asides})


def test_a_gap_is_found_whatever_it_is() -> None:
    assert unpromised(sample(READING, KEEPING), SAMPLE) == []
    assert unpromised(sample(READING), SAMPLE) == ["• Nothing is ever lost."]
    assert unpromised(sample(KEEPING), SAMPLE) == [
        "• Books are read with read_book(title).",
        "novel\tevenings",
        "atlas\tjourneys",
        "read_book",
    ]
    assert unpromised(sample(READING, KEEPING, code=()), SAMPLE) == ["Code alone", "Shelf"]


def test_an_aside_fills_a_gap_and_is_stale_without_one() -> None:
    seed = sample(READING, asides=("ever lost", "Shelf", "never said"))
    assert unpromised(seed, SAMPLE) == []
    assert stale_asides(seed, SAMPLE) == ["Shelf", "never said"]
    assert stale_asides(sample(READING, KEEPING, asides=("ever lost",)), SAMPLE) == ["ever lost"]


def test_a_quote_from_elsewhere_and_a_copied_sentence_are_found() -> None:
    elsewhere = Promise("S-005", ("A shelf holds",), "A shelf holds books and find_book finds.", later="page")
    assert misquoted(sample(elsewhere), SAMPLE) == ["S-005: A shelf holds"]
    assert copied(elsewhere, SAMPLE) == [
        "a shelf holds books and find_book",
        "shelf holds books and find_book finds",
    ]
    assert copied(KEEPING, SAMPLE) == []


def test_a_test_that_there_is_not_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class TestA:\n    def test_a(self): ...\n\n\ndef helper(): ...\n")
    assert missing_tests(FINDING, tmp_path) == []
    for named in (at("a.py", "test_b"), at("b.py", "test_a"), at("a.py", "helper")):
        assert missing_tests(Promise("S-006", ("x",), "X.", named), tmp_path) == list(named)


def test_rows_of_a_page_are_known_by_their_first_cell() -> None:
    assert first_cells("| there | here |\n|---|---|\n| an id | a text |\nno | row |\n") == {"there", "an id"}
