"""What is kept within a budget."""

from __future__ import annotations

from fingerpost.catalog.kept import Kept


def test_what_was_asked_for_least_recently_goes_first() -> None:
    kept = Kept[str, int](100)
    for number, key in enumerate("abcd"):
        kept.keep(key, number, 25)
    assert kept.get("a") == 0
    kept.keep("e", 4, 25)
    assert [kept.get(key) for key in "abcde"] == [0, None, 2, 3, 4]


def test_what_is_kept_again_counts_once_and_what_is_large_is_not_kept() -> None:
    kept = Kept[str, int](100)
    for number in range(9):
        kept.keep("a", number, 25)
    kept.keep("b", 1, 25)
    kept.keep("large", 1, 26)
    assert [kept.get(key) for key in ("a", "b", "large")] == [8, 1, None]
