"""What cannot be seen is shown, and what a language needs stays as it is."""

from __future__ import annotations

import json

import pytest

from fingerpost.cli.visible import visible_json, visible_line, visible_text

HIDDEN = [
    *("\x00", "\x1b", "\x7f", "\x85", "\x9b", "\u00ad", "\u180e", "\u200b", "\u2028", "\u2029", "\u202e"),
    *("\u2060", "\u2066", "\u2069", "\u206f", "\ufeff", "\ufffb", "\U000e0001", "\U000e0041", "\U000e007f"),
]
NEEDED = [
    "نامه\u200cها",  # Persian, spelt with a non-joiner
    "क्\u200dष",  # an Indic half form
    "👨\u200d👩\u200d👧",
    "❤\ufe0f\u200d🔥",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # the flag of England
    "葛\U000e0100",  # an ideograph in one of its forms
    "مرحبا C++\u200f!",  # a mark of direction where it has a purpose
    "a\u00a0b – 30 € 東京",
]


@pytest.mark.parametrize("character", HIDDEN, ids=ascii)
def test_a_hidden_character_is_shown_as_an_escape(character: str) -> None:
    escape = character.encode("unicode_escape").decode()
    assert escape.startswith("\\")
    for text in ("a{}b", "ب{}ب"):
        assert visible_text(text.format(character)) == text.format(escape)
        assert visible_line(text.format(character)) == text.format(escape)


@pytest.mark.parametrize("text", NEEDED, ids=ascii)
def test_what_a_language_or_an_emoji_needs_stays(text: str) -> None:
    assert visible_text(text) == visible_line(text) == text


@pytest.mark.parametrize("character", ["\u061c", "\u200e", "\u200f"], ids=ascii)
def test_a_mark_of_direction_without_a_purpose_is_shown(character: str) -> None:
    assert visible_line(f"plans/day{character}") == "plans/day" + character.encode("unicode_escape").decode()


def test_joiners_between_plain_letters_and_in_runs_are_shown() -> None:
    assert visible_line("a\u200db") == r"a\u200db"
    assert visible_line("नमः\u200c\u200cx") == r"नमः\u200c\u200cx"


def test_of_stacked_variation_selectors_all_but_the_first_are_shown() -> None:
    assert visible_line("x\ufe0f\ufe01\U000e0101") == "x\ufe0f" + r"\ufe01\U000e0101"


def test_json_keeps_its_meaning_and_uses_its_own_escapes() -> None:
    data = {"hidden": HIDDEN, "needed": NEEDED[:6], "بـ": "\u200f\U000e0041"}
    written = visible_json(json.dumps(data, ensure_ascii=False, indent=2))
    assert json.loads(written) == data
    assert "\\u200f\\udb40\\udc41" in written
    assert not any(character in written for character in HIDDEN[:-1])
    assert all(text in written for text in NEEDED[:6])
