from __future__ import annotations

import pytest

from fingerpost.text.cutting import boundary, character_boundary, cut

FAMILY = "👨\u200d👩\u200d👧"


def test_a_short_text_is_returned_as_it_is() -> None:
    assert cut("a b\n", 4) == "a b\n"


def test_the_head_ends_at_the_last_line_that_fits() -> None:
    assert cut("first line\nsecond line\nthird", 26) == "first line\nsecond line"


def test_without_a_line_the_head_ends_at_a_blank() -> None:
    assert cut("one two three four", 12) == "one two"
    assert cut("one two three four", 14) == "one two three"


def test_a_boundary_that_would_give_up_more_than_half_is_not_used() -> None:
    assert cut("a\n" + "b" * 50, 20) == "a\n" + "b" * 18


def test_another_boundary_can_be_preferred() -> None:
    assert cut("alpha. beta. gamma delta", 20, at=". ") == "alpha. beta."


@pytest.mark.parametrize(
    ("text", "limit", "head"),
    [
        ("abcde\u0301x", 5, "abcd"),
        ("ab" + FAMILY + "c", 4, "ab"),
        ("abc🇩🇪🇫🇷", 4, "abc"),
        ("abc🇩🇪🇫🇷", 6, "abc🇩🇪"),
        ("abc👍🏽", 4, "abc"),
        ("abc\u1112\u1161\u11ab", 5, "abc"),
        ("abcक्षि", 5, "abc"),
        ("abc\ud83d\ude00", 4, "abc"),
        ("abc\r\nd", 4, "abc"),
    ],
    ids=["accent", "family", "flag", "second flag", "skin tone", "hangul", "conjunct", "surrogates", "crlf"],
)
def test_a_character_is_never_cut_in_two(text: str, limit: int, head: str) -> None:
    assert text[: character_boundary(text, 0, limit)] == head


def test_a_text_of_marks_alone_still_makes_progress() -> None:
    assert character_boundary("\u0301" * 100, 10, 20) == 20


def test_a_boundary_lies_behind_the_start_and_not_behind_the_end() -> None:
    text = "ab\ncd ef" * 20
    for start in range(0, 100, 7):
        assert start < boundary(text, start, start + 5) <= start + 5
    assert boundary(text, 3, 3) == 3
