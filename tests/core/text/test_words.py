"""Words: what is indexed and what is asked are cut alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.text.words import STOP_WORDS, indexed_words, query_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Refund policy (2026)", ["refund", "policy", "2026"]),
        ("tables/events_intraday.md", ["tables", "events", "intraday", "md"]),
        ("a___b", ["a", "b"]),
        ("C++, 100% & don't", ["c", "100", "don", "t"]),
        ("", []),
        ("—…!?", []),
    ],
)
def test_letters_and_digits_make_words(text: str, words: list[str]) -> None:
    assert indexed_words(text) == words


def test_text_without_blanks_is_indexed_as_characters_and_pairs_and_asked_as_pairs() -> None:
    assert indexed_words("退款政策v2") == ["退", "款", "政", "策", "退款", "款政", "政策", "v2"]
    assert query_words("退款政策") == ["退款", "款政", "政策"]
    assert query_words("退") == ["退"]


def test_a_question_asks_for_its_subject_alone() -> None:
    assert query_words("What is the refund policy for us?") == ["refund", "policy"]
    assert query_words("Wie ist die Kündigungsfrist?") == ["kundigungsfrist"]


def test_a_query_of_stop_words_alone_still_asks_for_them() -> None:
    assert query_words("The Who") == ["the", "who"]


def test_repeats_are_asked_for_once() -> None:
    assert query_words("refund REFUND Refund") == ["refund"]


def test_stop_words_are_listed_as_they_are_compared() -> None:
    for word in STOP_WORDS:
        assert indexed_words(word) == [word]


@given(st.text())
def test_what_is_asked_is_among_what_is_indexed(text: str) -> None:
    assert set(query_words(text)) <= set(indexed_words(text))
