"""Words as people type them: Arabic spellings, misspelt short words, and what looks like syntax."""

from __future__ import annotations

import json
import time
import unicodedata
from typing import Any

import pytest

from fingerpost import MemoryDocumentStore, OKFTools


def tools(*texts: str) -> OKFTools:
    return OKFTools(
        MemoryDocumentStore(
            {f"{number}.md": f"---\ntype: Note\n---\n{text}\n" for number, text in enumerate(texts)}
        )
    )


def found(kb: OKFTools, text: str) -> list[str]:
    answer: dict[str, Any] = json.loads(kb.kb_find(text))
    return [hit["id"] for hit in answer["results"]]


@pytest.mark.parametrize("is_composed", [True, False])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("آسفي", "اسفي"),
        ("مَرَّاكُش", "مراكش"),
        ("مــراكش", "مراكش"),
        ("مدرسة", "مدرسه"),
        ("موسى", "موسي"),
        ("أحمد", "احمد"),
        ("إسلام", "اسلام"),
        ("١٠٠١", "1001"),
    ],
)
def test_spellings_of_one_arabic_word_find_each_other(one: str, other: str, is_composed: bool) -> None:
    """Row 86."""
    form = "NFC" if is_composed else "NFD"
    for stands, asked in ((one, other), (other, one)):
        kb = tools(unicodedata.normalize(form, stands), "شيء آخر")
        answer = json.loads(kb.kb_find(unicodedata.normalize(form, asked)))
        assert [hit["id"] for hit in answer["results"]] == ["0"]
        assert "corrected" not in answer


def test_an_exact_word_comes_before_one_that_an_edit_away_is_another() -> None:
    """Row 89."""
    kb = tools("كرك", "ترك")
    assert found(kb, "كرك") == ["0"]
    assert found(kb, "كرك فستق") == ["0", "1"]


@pytest.mark.parametrize(
    ("stands", "asked", "is_found"),
    [
        ("عود", "عدو", True),  # a swap of neighbours is one edit
        ("عود", "عدوا", False),
        ("ab", "ac", False),
        ("abc", "abd", True),
        ("abcde", "abxde", True),
        ("abcde", "axxde", False),
        ("abcdef", "axxdef", True),
        ("abcdef", "axxxef", False),
        ("كتاب", "كُِتَابِ", True),  # vowel signs do not count
        ("كتب", "كُتُِبَِّخف", False),
        ("abc1", "abd1", False),
    ],
)
def test_edits_are_counted_after_folding_and_limited_by_length(
    stands: str, asked: str, is_found: bool
) -> None:
    """Row 89."""
    assert found(tools(stands, "zzzz"), asked) == (["0"] if is_found else [])


@pytest.mark.parametrize(
    ("stands", "asked"),
    [
        ("a multi-agent system", "multi-agent"),
        ("they don't ship", "don't"),
        ("TODO: fix", "TODO: fix"),
        ('it says "open', '"open'),
        ("in C++ only", "C++"),
        ("do NOT touch", "NOT"),
        ("100% wool", "100%"),
        ("the column a_b", "a_b"),
        ("one (two", "(two"),
        ("NEAR the sea", "NEAR/2"),
        ("title: x", "title:x"),
    ],
)
def test_what_looks_like_syntax_is_searched_as_it_stands(stands: str, asked: str) -> None:
    """Row 90."""
    assert found(tools(stands, "something else"), asked) == ["0"]


@pytest.mark.parametrize("asked", ["*", '"', "'", "-", "AND OR", "the of and", " ", "\x00", "(" * 500, "\\"])
def test_a_question_without_words_of_its_own_is_no_error(asked: str) -> None:
    """Row 90."""
    answer = json.loads(tools("something else").kb_find(asked))
    assert "error" not in answer
    assert answer["total"] == (1 if asked.isspace() else 0)


@pytest.mark.parametrize(
    "asked", ["x" * 10_000, "word " * 2_000, "ab cd ef gh ij kl " * 600, "日本語" * 3_000]
)
def test_a_question_of_ten_thousand_characters_takes_bounded_time(asked: str) -> None:
    """Row 90."""
    kb = tools(*(f"word {number} 日本 abcdef" for number in range(300)))
    kb.kb_find("word")
    start = time.process_time()
    assert "error" not in json.loads(kb.kb_find(asked))
    assert time.process_time() - start < 10  # a guard against what grows with the square, no measurement
