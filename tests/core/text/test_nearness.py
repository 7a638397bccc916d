from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.text.distance import distance
from fingerpost.text.suggest import did_you_mean, nearest

WORDS = st.text(alphabet="abc", max_size=7)


@pytest.mark.parametrize(
    ("a", "b", "edits"),
    [
        ("refund", "refund", 0),
        ("refund", "refnud", 1),
        ("عود", "عدو", 1),
        ("cat", "cart", 1),
        ("kitten", "sitting", 3),
    ],
)
def test_edits_are_counted_and_a_swap_is_one(a: str, b: str, edits: int) -> None:
    assert distance(a, b, 3) == edits
    assert distance(b, a, 3) == edits


def test_beyond_the_limit_it_is_the_limit_and_one() -> None:
    assert distance("kitten", "sitting", 2) == 3
    assert distance("a", "abcdefgh", 2) == 3
    assert distance("abc", "xyz", 0) == 1


def whole_table(a: str, b: str) -> int:
    """The plain recurrence, without band or limit."""
    rows = [
        [row + column if row * column == 0 else 0 for column in range(len(b) + 1)]
        for row in range(len(a) + 1)
    ]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            options = [rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1])]
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                options.append(rows[i - 2][j - 2] + 1)
            rows[i][j] = min(options)
    return rows[-1][-1]


@given(WORDS, WORDS, st.integers(0, 4))
def test_the_banded_count_agrees_with_the_whole_table(a: str, b: str, limit: int) -> None:
    assert distance(a, b, limit) == min(whole_table(a, b), limit + 1)


IDS = ["policies/refunds", "policies/returns", "tables/orders", "runbooks/on-call", "metrics/مبيعات"]


@pytest.mark.parametrize(
    ("asked", "best"),
    [
        ("Policies/Refunds", "policies/refunds"),
        ("refunds", "policies/refunds"),
        ("policies/refnuds", "policies/refunds"),
        ("refund policies", "policies/refunds"),
        ("order", "tables/orders"),
        ("runbooks on_call", "runbooks/on-call"),
        ("مبيعات", "metrics/مبيعات"),
    ],
)
def test_the_nearest_name_is_the_one_meant(asked: str, best: str) -> None:
    assert nearest(asked, IDS, 1) == [best]


def test_a_last_segment_is_closer_than_a_part_of_a_word() -> None:
    assert nearest("refunds", ["refundsheet", "policies/archive/refunds"], 1) == ["policies/archive/refunds"]


def test_nothing_close_is_no_suggestion() -> None:
    assert nearest("zzz", IDS) == []
    assert nearest("", IDS) == []
    assert nearest("!!!", IDS) == []


def test_the_order_of_the_choices_does_not_matter_and_the_limit_holds() -> None:
    found = nearest("policies", IDS, 5)
    assert found == nearest("policies", reversed(IDS), 5)
    assert found == ["policies/refunds", "policies/returns"]
    assert nearest("policies", IDS, 1) == found[:1]


def test_an_endless_word_is_compared_by_its_head() -> None:
    assert nearest("x" * 5_000_000, IDS) == []


@pytest.mark.parametrize(
    ("near", "question"),
    [
        ([], ""),
        (["a"], "Did you mean a?"),
        (["a", "b"], "Did you mean a or b?"),
        (["a", "b", "c"], "Did you mean a, b or c?"),
    ],
)
def test_the_question_offers_what_may_be_meant(near: list[str], question: str) -> None:
    assert did_you_mean(near) == question


def test_a_shared_word_may_be_misspelt_by_one_edit_when_it_is_long_enough() -> None:
    assert nearest("quarterly revenu report", ["sales/revenue-by-region"]) == ["sales/revenue-by-region"]
    assert nearest("old tax form", ["new/taz-office"]) == []
