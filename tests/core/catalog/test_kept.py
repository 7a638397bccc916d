"""What is kept within a budget."""

from __future__ import annotations

from fingerpost.catalog.kept import Kept


def test_what_was_asked_for_lately_stays_and_the_rest_goes() -> None:
    kept = Kept[str, int](100)
    for number, key in enumerate("abcd"):
        kept.keep(key, number, 25)  # a and b are the older half by now
    assert kept.get("a") == 0  # so that c and d are
    kept.keep("e", 4, 25)
    assert [kept.get(key) for key in "abe"] == [0, None, 4]
    assert kept.get("c") == 2


def test_no_more_is_kept_than_the_budget() -> None:
    kept = Kept[int, int](100)
    for number in range(50):
        kept.keep(number, number, 10)
    assert [kept.get(number) for number in range(45, 50)] == [45, 46, 47, 48, 49]
    assert sum(kept.get(number) is not None for number in range(50)) <= 10


def test_what_is_kept_again_counts_once_and_what_is_large_is_not_kept() -> None:
    kept = Kept[str, int](100)
    for number in range(9):
        kept.keep("a", number, 20)
    kept.keep("b", 1, 20)
    kept.keep("large", 1, 51)
    assert [kept.get(key) for key in ("a", "b", "large")] == [8, 1, None]
