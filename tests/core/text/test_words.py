"""Words: what is indexed and what is asked are cut alike.

More texts and questions are on the page docs/languages.md, which `test_languages_page.py` reads.
"""

from __future__ import annotations

import base64
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.text.folding import fold
from fingerpost.text.forms import form_key
from fingerpost.text.words import (
    STOP_WORDS,
    counted_words,
    indexed_words,
    is_unspaced,
    query_words,
    typed_like,
    typed_words,
)

TEXTS = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("aAbBzZ019 _-.'’\n"),
        st.sampled_from("äßéøïŁа́йёшαςأةى٣ー々のは退款的怎么ガｶﾞहिंदीคำนโយ្មែရန်"),
        st.characters(min_codepoint=0x0900, max_codepoint=0x0FFF),
    )
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Refund policy (2026)", ["refund", "policy", "2026"]),
        ("a___b", ["a", "b"]),
        ("tab\tnext\x1fline\x85end\u2028past\u3000last", ["tab", "next", "line", "end", "past", "last"]),
        ("“curly” — dash…dots", ["curly", "dash", "dots"]),
        ("ﷺ ½", ["صلي", "الله", "عليه", "وسلم", "1", "2"]),
        ("½cup", ["1", "2cup"]),
        ("صندوق، بخور؛ ١٠٠١٪", ["صندوق", "بخور", "1001"]),
        ("می\u200cروم", ["ميروم"]),
        ("\u0301 \u093f", []),
        ("a\ud800b", ["a", "b"]),
        ("👍🏽 ❤\ufe0f ok", ["ok"]),
        ("", []),
        ("—…!?", []),
    ],
)
def test_letters_digits_and_their_signs_make_words(text: str, words: list[str]) -> None:
    assert indexed_words(text) == words


@pytest.mark.parametrize(
    "text",
    [
        *("multi-agent", "don't", "TODO: fix", '"open', "C++", "NOT x", "x AND y OR z", "*", "100%", "a_b"),
        *("(", "NEAR/2", "title:x", "^x", "x*", "-x", "'", "\\", "\x00", "{x}", "x; DROP TABLE y"),
    ],
)
def test_nothing_in_a_question_is_syntax(text: str) -> None:
    assert set(query_words(text)) <= set(indexed_words(text))
    assert bool(query_words(text)) == any(character.isalnum() for character in text)


@pytest.mark.parametrize("text", ["हिंदी", "বাংলা", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "ગુજરાતી", "ਪੰਜਾਬੀ", "සිංහල"])
def test_vowel_signs_do_not_cut_a_word(text: str) -> None:
    assert indexed_words(f"{text}, {text}") == [text, text]


@pytest.mark.parametrize(
    "text",
    ["ภาษาไทย", "ພາສາລາວ", "ភាសាខ្មែរ", "မြန်မာ", "日本語", "かな々ー〇", "退款政策", "\U00020000\U00020001"],
)
def test_a_text_without_blanks_finds_every_text_that_it_stands_in(text: str) -> None:
    assert set(query_words(text)) <= set(indexed_words(f"x{text}{text[0]}{text}1"))
    assert set(query_words(text[:1])) <= set(indexed_words(text + text[0]))


def test_scripts_without_blanks_make_no_pair_with_others() -> None:
    assert indexed_words("v2退款api") == ["v2", "退", "款", "退款", "api"]
    assert indexed_words("日本ไทย") == ["日", "本", "日本", "ไ", "ท", "ย", "ไท", "ทย"]


def test_a_long_text_without_blanks_is_cut_like_a_short_one() -> None:
    assert indexed_words("退款" * 50)[:3] == ["退", "款", "退"]
    assert query_words("退款" * 50) == ["退款", "款退"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("customerID", ["customerid", "customer", "id"]),
        ("OrderLineItem(orderId)", ["orderlineitem", "orderid", "order", "line", "item", "order", "id"]),
        ("shaHash256", ["shahash256", "sha", "hash256"]),
        ("sha256Hash", ["sha256hash"]),
        ("iPhone getX OAuth", ["iphone", "getx", "oauth"]),
        ("größeId", ["grosseid"]),
        ("naïve orderId", ["naive", "orderid", "order", "id"]),
        ("ORDER order Order", ["order", "order", "order"]),
    ],
)
def test_the_parts_of_an_identifier_are_indexed_behind_the_text(text: str, words: list[str]) -> None:
    assert indexed_words(text) == words


@pytest.mark.parametrize("value", [base64.urlsafe_b64encode(b"hello world").decode(), "zzzYyy" * 11])
def test_encoded_values_have_no_parts(value: str) -> None:
    assert indexed_words(value) == [value.rstrip("=").lower()]


def test_an_identifier_is_asked_for_whole() -> None:
    assert query_words("orderId") == ["orderid"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("¿Qué es un reembolso?", ["reembolso"]),
        ("Quelle est la politique de remboursement", ["politique", "remboursement"]),
        ("ما هي سياسة الاسترجاع", ["سياسه", "الاسترجاع"]),
        ("Wann muss ich die Rechnung zahlen?", ["rechnung", "zahlen"]),
        ("How can't we've a customer’s refund?", ["customer", "refund"]),
        ("L’annulation", ["annulation"]),
        ("退款需要多少天", ["退款", "款需", "需要", "天"]),
        ("请问退款怎么办理？", ["退款"]),
        ("退款怎麼辦理", ["退款"]),
        ("我想了解一下退款的条件", ["退款", "条件"]),
        ("办理退款", ["办理", "理退", "退款"]),
        ("目的", ["目的"]),
        ("是否可以", ["是否", "否可", "可以"]),
        ("どうすれば解約できますか", ["解約", "約で", "でき"]),
        (
            "日本語の返品ポリシーについて教えてください",
            ["日本", "本語", "返品", "品ポ", "ポリ", "リシ", "シー"],
        ),
        ("plus plan", ["plus", "plan"]),
        ("die casting", ["die", "casting"]),
        ("die hat", ["die", "hat"]),
        ("IT POLICY", ["policy"]),
        ("don't", ["don", "t"]),
    ],
)
def test_a_question_asks_for_its_subject_alone(question: str, words: list[str]) -> None:
    assert query_words(question) == words


def test_repeats_are_asked_for_once() -> None:
    assert query_words("refund REFUND Refund") == ["refund"]


def test_stop_words_are_listed_as_they_are_compared() -> None:
    assert {word for word in STOP_WORDS if query_words(word) != [word] or fold(word) != word} == set()


def test_question_words_of_five_languages_are_stop_words() -> None:
    european = "what how why which wie was warum wann comment pourquoi combien que como cuando cuanto"
    assert {*european.split(), *"ما كيف متي كم لماذا".split()} <= STOP_WORDS


@pytest.mark.parametrize(
    "text", ["a" * 10_000, "a'" * 5_000, "n't" * 3_000, "的" * 10_000, "aA" * 5_000, "_" * 10_000]
)
def test_a_very_long_question_is_answered(text: str) -> None:
    assert set(query_words(text)) <= set(indexed_words(text))


@given(TEXTS)
def test_what_is_asked_is_among_what_is_indexed(text: str) -> None:
    assert set(query_words(text)) <= set(indexed_words(text))


@given(TEXTS)
def test_words_are_those_of_the_folded_text(text: str) -> None:
    words = indexed_words(fold(text))
    assert indexed_words(text)[: len(words)] == words


@given(TEXTS)
def test_words_are_folded_and_not_empty(text: str) -> None:
    words = indexed_words(text)
    assert all(words)
    assert [fold(word) for word in words] == words


@given(TEXTS, TEXTS)
def test_a_line_is_cut_the_same_wherever_it_stands(one: str, other: str) -> None:
    assert sorted(indexed_words(f"{one}\n{other}")) == sorted(indexed_words(one) + indexed_words(other))


@given(TEXTS)
def test_words_are_counted_as_they_are_listed(text: str) -> None:
    assert counted_words(text) == Counter(indexed_words(text))


def test_words_that_are_also_parts_of_others_are_counted_once() -> None:
    assert counted_words("日本 本 日本 orderId order") == {
        "日": 2,
        "本": 3,
        "日本": 2,
        "orderid": 1,
        "order": 2,
        "id": 1,
    }


def test_words_are_kept_as_they_were_typed_where_that_is_not_how_they_are_folded() -> None:
    assert typed_words("die KÜCHE, 2. Etage") == {"kuche": "küche"}
    assert typed_words("المدرسة وكتاب") == {"المدرسه": "المدرسة"}
    assert typed_words("plain words") == typed_words("退款 wort") == {}


@pytest.mark.parametrize(
    ("asked", "word", "spelling"),
    [
        ("inländischen", "inlandischen", "inländischen"),
        ("inländischen", "inlandische", "inländische"),
        ("أحمال", "احمالهم", "أحمالهم"),
        ("المؤقت", "موقت", "مؤقت"),
        ("مؤقت", "الموقت", "المؤقت"),
        ("kündigen", "kundendaten", ""),  # no more of it is alike than its beginning
        ("kündigen", "frist", ""),
        ("Größen", "grosse", ""),  # ß has become two letters
        ("regelmäßig größere", "grossere", "größere"),
        ("\u200b Büchern", "bucher", "bücher"),
        ("é Büchern", "bucher", "bücher"),
        ("inländischen", "inlander", "inländer"),
        ("mustergültig", "muster", ""),  # which is how it is folded
        ("plain", "plains", ""),
    ],
)
def test_a_form_is_spelt_as_the_word_was_typed(asked: str, word: str, spelling: str) -> None:
    assert typed_like(word, typed_words(asked)) == spelling


@given(
    st.text(st.sampled_from("aeusß㈱ﾌﾞブäé\u0301i\u0307\u200b\ud800أاـ")), st.text(st.sampled_from("aeusbブا"))
)
def test_a_guess_is_a_spelling_of_the_word(asked: str, word: str) -> None:
    guess = typed_like(word, typed_words(asked))
    assert not guess or fold(guess) == word


@given(st.text(st.sampled_from("退款我们のアขไ"), min_size=1))
def test_words_of_scripts_without_blanks_have_no_other_forms(text: str) -> None:
    words = [word for word in indexed_words(f"{text} refunds 환불은") if is_unspaced(word)]
    assert words
    assert [form_key(word) for word in words] == words


def test_words_with_blanks_around_them_are_not_taken_for_such() -> None:
    assert not any(map(is_unspaced, ["refund", "x1", "환불", "مدرسه", ""]))
