"""Compounds: one word that is asked for apart, and two words that are asked for as one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.text.compounds import is_compound_of, may_be_compound, splits
from fingerpost.text.forms import form_key

GERMAN = """
    kundigung frist vertrag miete verlangerung schule weg arbeit recht haftung versicherung kranke steuer
    daten schutz leistung storung schaden ersatz anspruch haus verwaltung auto bahn kosten umsatz kauf
    erklarung amt feier
""".split()
ENGLISH = """
    time zone data base pass word port card credit member rest cur car sup concur pay back under stand
    work flow ship order line item name space end inter net trans gene rate mon sum avail ability read
    thing every some pro
""".split()
KOREAN = ["환불", "정책", "고객", "센터"]


def known(*words: str) -> Callable[[str], bool]:
    return frozenset(words).__contains__


def known_in_any_form(*words: str) -> Callable[[str], bool]:
    keys = {form_key(word) for word in words}
    return lambda word: form_key(word) in keys


IS_KNOWN = known(*GERMAN, *ENGLISH, *KOREAN)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("kundigungsfrist", ["kundigung", "frist"]),
        ("mietvertrag", ["miete", "vertrag"]),
        ("mietvertragsverlangerung", ["miete", "vertrag", "verlangerung"]),
        ("krankenversicherung", ["kranke", "versicherung"]),
        ("datenschutz", ["daten", "schutz"]),
        ("leistungsstorung", ["leistung", "storung"]),
        ("schadensersatzanspruch", ["schaden", "ersatz", "anspruch"]),
        ("hausverwaltung", ["haus", "verwaltung"]),
        ("umsatzsteuer", ["umsatz", "steuer"]),
        ("autobahn", ["auto", "bahn"]),
        ("steueramt", ["steuer", "amt"]),
        ("schulweg", ["schule", "weg"]),
        ("timezone", ["time", "zone"]),
        ("database", ["data", "base"]),
        ("password", ["pass", "word"]),
        ("creditcard", ["credit", "card"]),
        ("workflow", ["work", "flow"]),
        ("환불정책", ["환불", "정책"]),
        ("고객센터", ["고객", "센터"]),
    ],
)
def test_a_compound_is_cut_into_the_words_that_are_known(word: str, parts: list[str]) -> None:
    assert list(splits(word, IS_KNOWN)) == parts


@pytest.mark.parametrize(
    "word",
    [
        *("frist", "vertrag", "kundigungs", "kundigungsxfrist", "verwaltungsakt", "kundigungsfrists"),
        *("membership", "understand", "internet", "generate", "availability", "everything", "something"),
        *(
            "payback9",
            "time_zone",
            "endpro",
            "weghaus",
            "amtsweg",
            "환불",
            "환불정",
            "退款政策",
            "",
            "a" * 10_000,
        ),
    ],
)
def test_other_words_are_not_cut(word: str) -> None:
    assert splits(word, IS_KNOWN) == ()


def test_the_fewest_parts_win_and_then_the_fewest_linking_letters() -> None:
    is_known = known("kauf", "vertrag", "kaufvertrag", "recht", "rechts", "kaufvertrags")
    assert splits("kaufvertragsrecht", is_known) == ("kaufvertrags", "recht")
    assert splits("kaufvertragsrecht", known("kauf", "vertrag", "recht")) == ("kauf", "vertrag", "recht")


def test_a_cut_uses_forms_when_they_count_as_known() -> None:
    assert splits("kundigungsfristen", known("kundigung", "frist")) == ()
    assert splits("kundigungsfristen", known_in_any_form("kundigung", "frist")) == ("kundigungs", "fristen")


def test_a_cut_asks_once_for_each_piece() -> None:
    asked: list[str] = []

    def is_known(word: str) -> bool:
        asked.append(word)
        return word in {"miete", "vertrag"}

    assert splits("mietvertrag", is_known) == ("miete", "vertrag")
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("kundigungsfrist", "frist"),
        ("kundigungsfristen", "frist"),
        ("kundigungsfrist", "fristen"),
        ("kundigungsfrist", "kundigung"),
        ("kundigungsfrist", "kundigungen"),
        ("kundigungsfrist", "kuendigung"),
        ("mietvertrag", "vertrag"),
        ("mietvertrage", "vertrag"),
        ("mietvertrag", "vertrage"),
        ("mietvertragskundigung", "kundigung"),
        ("vertragsverlangerung", "vertrag"),
        ("vertragsverlangerung", "verlangerung"),
        ("krankenversicherung", "versicherung"),
        ("leistungsstorungsrecht", "recht"),
        ("umsatzsteuererklarung", "umsatz"),
        ("timezone", "zone"),
        ("timezones", "zone"),
        ("passport", "port"),
        ("workflows", "work"),
        ("creditcard", "credit"),
        ("namespace", "space"),
        ("환불정책", "정책"),
        ("환불정책", "환불"),
    ],
)
def test_a_word_is_found_in_its_compounds(word: str, part: str) -> None:
    assert is_compound_of(word, part, IS_KNOWN)


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("current", "rent"),
        ("parent", "rent"),
        ("support", "port"),
        ("report", "port"),
        ("transport", "port"),
        ("montage", "tag"),
        ("feiertag", "tag"),
        ("membership", "ship"),
        ("understand", "stand"),
        ("something", "thing"),
        ("everything", "thing"),
        ("generate", "rate"),
        ("availability", "ability"),
        ("internet", "inter"),
        ("update", "date"),
        ("profile", "file"),
        ("border", "order"),
        ("ordered", "order"),
        ("standard", "stand"),
        ("refunds", "refund"),
        ("refund", "refund"),
        ("fund", "refund"),
        ("kundigungsxfrist", "frist"),
        ("fristlos", "frist"),
        ("time2zone", "zone"),
        ("time zone", "zone"),
        ("정책", "정책"),
        ("退款政策", "政策"),
    ],
)
def test_a_word_is_not_found_in_words_that_merely_hold_its_letters(word: str, part: str) -> None:
    assert not is_compound_of(word, part, IS_KNOWN)


def test_written_out_umlauts_count_when_forms_do() -> None:
    is_known = known_in_any_form("kundigung", "frist")
    assert is_compound_of("kuendigungsfristen", "frist", is_known)
    assert is_compound_of("kuendigungsfristen", "kundigung", is_known)


def test_nothing_is_a_compound_of_unknown_words() -> None:
    assert not is_compound_of("kundigungsfrist", "frist", known())
    assert splits("kundigungsfrist", known()) == ()


@given(st.lists(st.sampled_from(GERMAN), min_size=1, max_size=5), st.sampled_from(["", "s", "es", "n", "en"]))
def test_what_is_cut_is_known_and_in_the_order_of_the_word(parts: list[str], link: str) -> None:
    word = link.join(parts)
    position = 0
    for part in splits(word, IS_KNOWN):
        assert IS_KNOWN(part)
        position = word.index(part.removesuffix("e"), position) + len(part) - 1


@given(st.text(), st.text())
def test_any_text_may_be_asked(word: str, part: str) -> None:
    assert isinstance(is_compound_of(word, part, lambda _: True), bool)
    assert all(splits(word, lambda _: True))


def test_a_hostile_word_takes_no_time_to_speak_of() -> None:
    calls = 0

    def is_known(word: str) -> bool:
        nonlocal calls
        calls += 1
        return True

    splits("es" * 32, is_known)
    is_compound_of("es" * 32, "eses", is_known)
    assert calls < 10_000


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("profits", False),
        ("haustuer", True),
        ("회사규정", True),
        ("it회사", True),
        ("회사원", False),
        ("", False),
    ],
)
def test_a_word_is_a_compound_only_if_it_is_long_enough_for_two_parts(word: str, expected: bool) -> None:
    assert may_be_compound(word) == expected


@given(st.text("abn회사", max_size=9), st.text("abn회사", max_size=5))
def test_no_word_is_a_compound_that_is_too_short_for_one(word: str, part: str) -> None:
    assert may_be_compound(word) or not is_compound_of(word, part, bool)
