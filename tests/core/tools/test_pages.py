from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from fingerpost.tools.pages import fitting_end, fitting_head, pages, written_length

TEXTS = st.text(alphabet='ab \n"\\\x01é😀\u0301🇩', max_size=300)


def test_length_counts_escapes_and_not_the_script() -> None:
    assert written_length('a"b\n') == 6
    assert written_length("مرحبا") == 5
    assert written_length("\x01") == 6


def test_pages_end_at_lines() -> None:
    text = "first line\nsecond line\nthird line\n"
    assert [text[start:end] for start, end in pages(text, 26)] == [
        "first line\nsecond line\n",
        "third line\n",
    ]


def test_an_empty_text_has_one_page() -> None:
    assert pages("", 100) == [(0, 0)]


def test_a_line_without_blanks_is_split_between_characters() -> None:
    text = "e\u0301" * 20
    assert [end for _, end in pages(text, 13)] == [12, 24, 36, 40]


@given(TEXTS, st.integers(12, 60))
def test_pages_are_the_text_and_each_fits(text: str, size: int) -> None:
    found = pages(text, size)
    assert "".join(text[start:end] for start, end in found) == text
    assert all(len(json.dumps(text[start:end], ensure_ascii=False)) - 2 <= size for start, end in found)
    assert all(start < end for start, end in found) or text == ""


@given(TEXTS, st.integers(0, 60))
def test_a_piece_reaches_as_far_as_it_can(text: str, size: int) -> None:
    end = fitting_end(text, 0, size)
    assert written_length(text[:end]) <= size
    assert end == len(text) or written_length(text[: end + 1]) > size


@given(TEXTS, st.integers(0, 60))
def test_a_head_fits_and_begins_the_text(text: str, size: int) -> None:
    head = fitting_head(text, size)
    assert text.startswith(head)
    assert written_length(head) <= size


def test_five_megabytes_are_paged_whole() -> None:
    text = "A line of some words\n" * 250_000
    found = pages(text, 20_000)
    assert found[-1][1] == len(text)
    assert all(text[end - 1] == "\n" for _, end in found)
