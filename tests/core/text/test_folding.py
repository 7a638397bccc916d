"""Folding: spellings that people take for the same word compare equal, and others do not.

The table of pairs is on the page docs/languages.md, which `test_languages_page.py` reads.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fingerpost.text.folding import fold

# Letters of the scripts that folding has rules for, marks and invisible characters among them.
SCRIPTS = st.text(
    st.one_of(
        st.characters(),
        st.characters(min_codepoint=0x00C0, max_codepoint=0x06FF),
        st.characters(min_codepoint=0x0900, max_codepoint=0x0DFF),
        st.characters(min_codepoint=0x1E00, max_codepoint=0x20FF),
        st.characters(min_codepoint=0x3000, max_codepoint=0x30FF),
        st.characters(min_codepoint=0xF900, max_codepoint=0xFFEF),
    )
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("آسفي", "اسفي"),
        ("أحمد", "احمد"),
        ("مَرَّاكُش", "مراكش"),
        ("قائمة", "قايمه"),
        ("Ærø", "aero"),
        ("Ångström", "angstrom"),
        ("İstanbul", "istanbul"),
        ("ΐ", "ι"),
        ("Tiếng Việt", "tieng viet"),
        ("ガイド", "ガイド"),
        ("한국어", "한국어"),
        ("йод", "йод"),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_spellings_of_one_word_fold_alike_in_both_unicode_forms(
    one: str, other: str, form: Literal["NFC", "NFD"]
) -> None:
    assert fold(unicodedata.normalize(form, one)) == fold(other)
    assert fold(unicodedata.normalize(form, other)) == fold(one)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Kündigungsfrist", "kundigungsfrist"),
        ("Größe ẞ", "grosse ss"),
        ("ﷺ", "صلي الله عليه وسلم"),
        ("½ Ⅳ ㌔", "1⁄2 iv キロ"),
        ("٣٫٥", "3٫5"),
        ("𝟙𝟚 𝒜", "12 a"),
        ("Йод и Ёлка", "йод и елка"),
        ("‘quoted’ text", "'quoted' text"),
        ("🇩🇪 👩\u200d💻", "🇩🇪 👩💻"),
        ("\ud800é", "\ud800e"),
    ],
)
def test_the_folded_text_is_this(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    "word", ["हिंदी", "বাংলা", "தமிழ்", "ภาษาไทย", "ខ្មែរ", "한국어", "退款", "かな", "カナ", "їжак"]
)
def test_letters_and_the_signs_that_belong_to_them_stay(word: str) -> None:
    assert fold(word) == word


def test_ascii_keeps_its_length() -> None:
    text = "".join(map(chr, range(128)))
    assert fold(text) == text.lower()


@given(SCRIPTS)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    once = fold(text)
    assert fold(once) == once


@given(SCRIPTS)
def test_composed_and_decomposed_texts_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text)) == fold(text)


@given(SCRIPTS)
def test_letter_case_makes_no_difference(text: str) -> None:
    assume(
        "\u0345" not in unicodedata.normalize("NFD", text)
    )  # the iota below a letter: a letter beside it as capital
    assert fold(text.upper()) == fold(text.casefold()) == fold(text)


@given(SCRIPTS)
def test_nothing_invisible_is_left(text: str) -> None:
    assert not {character for character in fold(text) if unicodedata.category(character) == "Cf"}


@given(SCRIPTS)
def test_every_decimal_digit_is_an_ascii_digit(text: str) -> None:
    assert all(character.isascii() for character in fold(text) if character.isdecimal())
