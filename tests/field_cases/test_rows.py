"""Every field case and need is asserted somewhere, or says why not."""

from __future__ import annotations

import ast
import re
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from tests.field_cases.needs import NEEDS
from tests.field_cases.row import Row
from tests.field_cases.rows import FIELD_CASES

TESTS = Path(__file__).resolve().parents[1]
HERE = Path(__file__).resolve().parent
LABEL = re.compile(r"(Row|Need) (\d+)\.")

ROWS_OF_THIS_PRODUCT = {
    "A": [1, 2, 4, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 19, 22],
    "B": [23, 24, 26, 27, 28, 30, 31, 32, 35],
    "C": [36, 37, 38, 41, 42, 43],
    "D": [44, 45, 46, 48],
    "F": [58, 61],
    "H": [70, 71, 72, 73, 74, 75, 77, 78, 79, 80, 81],
    "I": [82, 83, 84],
    "J": [86, 89, 90],
    "K": [101, 102, 103, 104, 106],
}
NEEDS_OF_THIS_PRODUCT = [*range(1, 14), 17, 19]
NOT_APPLICABLE = {106}


@cache
def functions(file: Path) -> dict[str, str]:
    """The test functions of a file, those of its classes included, with their docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {
        node.name: ast.get_docstring(node) or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def labelled(kind: str) -> dict[int, list[str]]:
    """The tests of this folder by the row or need that their docstring names."""
    found: dict[int, list[str]] = {}
    for file in sorted(HERE.glob("test_*.py")):
        for name, docstring in functions(file).items():
            label = LABEL.fullmatch(docstring)
            if label and label[1] == kind:
                found.setdefault(int(label[2]), []).append(f"{file.name}::{name}")
    return found


def test_every_row_is_accounted_for() -> None:
    assert sorted(FIELD_CASES) == sorted(chain.from_iterable(ROWS_OF_THIS_PRODUCT.values()))
    assert sorted(NEEDS) == NEEDS_OF_THIS_PRODUCT
    rows, needs = labelled("Row"), labelled("Need")
    assert (rows.keys() - FIELD_CASES.keys(), needs.keys() - NEEDS.keys()) == (set(), set())
    asserted = {number for number, row in FIELD_CASES.items() if row.elsewhere or number in rows}
    assert FIELD_CASES.keys() - asserted == NOT_APPLICABLE
    assert {number for number, row in NEEDS.items() if not row.elsewhere and number not in needs} == set()


@pytest.mark.parametrize(
    "row",
    [*FIELD_CASES.values(), *NEEDS.values()],
    ids=[*(f"row {n}" for n in FIELD_CASES), *(f"need {n}" for n in NEEDS)],
)
def test_the_tests_that_a_row_names_exist_and_what_it_leaves_open_is_a_sentence(row: Row) -> None:
    missing = [
        test
        for test in row.elsewhere
        for file, _, name in [test.partition("::")]
        if not (TESTS / file).is_file() or name not in functions(TESTS / file)
    ]
    assert missing == []
    assert row.left_open == "" or row.left_open.endswith(".")


def test_every_test_of_this_folder_names_its_row() -> None:
    unlabelled = [
        f"{file.name}::{name}"
        for file in sorted(HERE.glob("test_*.py"))
        if file != Path(__file__).resolve()
        for name, docstring in functions(file).items()
        if not LABEL.fullmatch(docstring)
    ]
    assert unlabelled == []
