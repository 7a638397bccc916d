"""Names of files: readable, and good everywhere."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.okf.paths import portable_key
from fingerpost.okf.slug import MOST_BYTES, numbered, slug
from fingerpost.okf.unseen import hidden_characters


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Refunds: how & when?", "refunds-how-when"),
        ("  The  Customer's “Order”  ", "the-customers-order"),
        ("Größe über Maß", "größe-über-maß"),
        ("Größe".encode().decode().replace("ö", "o\u0308"), "größe"),
        ("سياسة الاسترداد", "سياسة-الاسترداد"),
        ("退款政策 2026", "退款政策-2026"),
        ("हिन्दी", "हिन्दी"),
        ("İstanbul", unicodedata.normalize("NFC", "i\u0307stanbul")),
        ("a/b\\c.d_e", "a-b-c-d-e"),
        (".hidden", "hidden"),
        ("../../etc/passwd", "etc-passwd"),
        ("v1.10", "v1-10"),
        ("a\u202eb\u200bc\x00d", "abc-d"),
        ("\u0301a", "a"),
        ("❤️ love", "love"),
        ("می\u200cخواهم", "میخواهم"),
        ("--a--b--", "a-b"),
        ("Index", "index-concept"),
        ("LOG", "log-concept"),
        ("Readme", "readme-concept"),
        ("con", "con-concept"),
        ("Nul", "nul-concept"),
        ("COM1", "com1-concept"),
        ("lpt¹", "lpt¹-concept"),
        ("con game", "con-game"),
        ("index.md", "index-md"),
        ("???", "fallback"),
        ("", "fallback"),
        ("\u3164", "fallback"),
    ],
)
def test_names_of_titles(title: str, expected: str) -> None:
    assert slug(title, "Fallback!") == expected


def test_a_fallback_is_treated_alike() -> None:
    assert slug("", "") == slug("?", "!") == "concept"
    assert slug("?", "index") == "index-concept"


def test_long_titles_are_cut_at_a_word_or_between_characters() -> None:
    assert slug("word " * 100, "x") == "-".join(["word"] * 40)
    assert slug("x" * 300, "x") == "x" * MOST_BYTES
    assert slug("退" * 300, "x") == "退" * (MOST_BYTES // 3)
    assert slug("a" + "e\u0323\u0302\u0301" * 100, "x").endswith(
        unicodedata.normalize("NFC", "e\u0323\u0302\u0301")
    )
    assert slug("short " + "y" * 300, "x").startswith("short-yyy")


def test_numbers_go_behind() -> None:
    assert numbered("refunds", 2) == "refunds-2"
    longest = slug("word " * 100, "x")
    assert numbered(longest, 2) == f"{longest}-2"
    assert len(f"{numbered('退' * 84, 10**12)}.md".encode()) <= 255
    assert numbered("con", 2) == "con-2"


def test_titles_that_differ_in_case_or_form_are_the_same_to_the_caller() -> None:
    assert portable_key(slug("STRASSE", "x")) == portable_key(slug("straße", "x"))
    assert slug("Cafe\u0301", "x") == slug("CAFÉ", "x")


@settings(max_examples=400, deadline=None)
@given(st.text(), st.text(max_size=5), st.integers(2, 10**9))
def test_any_title_makes_a_good_name(title: str, fallback: str, number: int) -> None:
    name = slug(title, fallback)
    assert slug(name, "x") == name
    assert unicodedata.is_normalized("NFC", name)
    assert name == name.strip("-. ")
    assert len(name.encode()) <= MOST_BYTES + len("-concept")
    assert not set(name) & set('/\\:*?"<>|.#%& ')
    assert all(unicodedata.category(character)[0] in "LMN" or character == "-" for character in name)
    assert hidden_characters(name) == []
    assert len(f"{numbered(name, number)}.md".encode()) <= 255
