"""The tables of docs/languages.md are what the code does: each row is tried, both ways."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from fingerpost.catalog.base import Entry, Query
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.text.compounds import is_compound_of, splits
from fingerpost.text.folding import fold
from fingerpost.text.forms import form_key
from fingerpost.text.words import indexed_words, query_words

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "languages.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`]+)`")
ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


def rows(heading: str, first_column: str) -> list[list[str]]:
    """The cells of the table below a heading that has this first column."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    found: list[list[str]] = []
    in_table = False
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if in_table and line.startswith("| "):
            found.append(cells)
        in_table = line.startswith("|") and (in_table or cells[0] == first_column)
    return found


def codes(cell: str) -> list[str]:
    return [ESCAPE.sub(lambda found: chr(int(found[1], 16)), code) for code in CODE.findall(cell)]


def groups(cell: str) -> list[list[str]]:
    """The groups of a cell such as "`a` = `b` = `c`, `d` = `e`"."""
    return [codes(group) for group in re.split(r"(?<=`), (?=`)", cell)]


def alike(heading: str) -> list[tuple[str, str]]:
    return [
        pair
        for cells in rows(heading, "what")
        for group in groups(cells[1])
        for pair in combinations(group, 2)
    ]


def unlike(heading: str) -> list[tuple[str, str]]:
    return [pair for cells in rows(heading, "what") for group in groups(cells[2]) for pair in pairwise(group)]


def known_to(bundle: str) -> Callable[[str], bool]:
    words = {fold(word) for word in codes(bundle)}
    return words.__contains__


def test_each_table_is_found_with_as_many_rows_as_it_has() -> None:
    tables = [("Folding", "what"), ("Words", "text"), ("Questions", "question"), ("Forms", "what")]
    compounds = [("Compounds", "asked")]
    found = sum(len(rows(heading, first)) for heading, first in tables + compounds)
    written = sum(1 for line in PAGE.splitlines() if line.startswith("| "))
    assert found == written - len(tables) - 2, "every row of the page belongs to a table that is tried"


@pytest.mark.parametrize(("one", "other"), alike("Folding"))
def test_what_the_page_calls_the_same_folds_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), unlike("Folding"))
def test_what_the_page_calls_not_the_same_folds_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize("cells", rows("Words", "text"), ids=lambda cells: cells[0])
def test_a_text_is_cut_as_the_page_says(cells: list[str]) -> None:
    (text,) = codes(cells[0])
    assert indexed_words(text) == codes(cells[1])


@pytest.mark.parametrize("cells", rows("Questions", "question"), ids=lambda cells: cells[0])
def test_a_question_asks_for_what_the_page_says(cells: list[str]) -> None:
    (question,) = codes(cells[0])
    assert query_words(question) == codes(cells[1])


@pytest.mark.parametrize(("one", "other"), alike("Forms"))
def test_what_the_page_calls_one_word_has_one_key(one: str, other: str) -> None:
    assert form_key(fold(one)) == form_key(fold(other))


@pytest.mark.parametrize(("one", "other"), unlike("Forms"))
def test_what_the_page_calls_different_words_has_different_keys(one: str, other: str) -> None:
    assert form_key(fold(one)) != form_key(fold(other))


def found_in(text: str, others: list[str], asked: str) -> bool:
    """Whether a search finds a document with a text, in a catalog that has others."""
    catalog = MemoryCatalog()
    catalog.update([Entry("it", ("of it",), text), Entry("others", ("of others",), " ".join(others))])
    return "it" in [hit.id for hit in catalog.search(Query(asked)).hits]


@pytest.mark.parametrize("cells", rows("Compounds", "asked"), ids=lambda cells: f"{cells[0]} in {cells[-1]}")
def test_compounds_are_found_and_cut_as_the_page_says(cells: list[str]) -> None:
    asked, is_known = fold(codes(cells[0])[0]), known_to(cells[-1])
    if len(cells) == 3:
        assert list(splits(asked, is_known)) == codes(cells[1])
        return
    for word in codes(cells[1]):
        assert is_compound_of(fold(word), asked, is_known), word
        assert found_in(word, codes(cells[3]), codes(cells[0])[0]), word
    for word in codes(cells[2]):
        assert not is_compound_of(fold(word), asked, is_known), word
