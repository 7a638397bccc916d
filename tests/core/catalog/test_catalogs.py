"""What every catalog promises, the one in memory and the persisted one: ranking, filters, updates."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalog.base import AtMost, Entry, Query
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.persisted import PersistedCatalog
from fingerpost.catalog.spellings import edits_allowed, may_be_near
from fingerpost.text.folding import fold
from tests.core.catalog.asked import entry, filled, found, listed, search, tagged
from tests.core.catalog.conftest import Make


def test_every_word_beats_some_words_however_often_those_stand_there(make: Make) -> None:
    catalog = filled(
        make(),
        entry("some", "refund", "refund " * 50),
        entry("every", "", "refund for a bicycle"),
        entry("other", "", "bicycle"),
    )
    assert found(catalog, "refund bicycle") == ["every", "some", "other"]


def test_a_rare_word_beats_a_common_one_when_no_document_holds_both(make: Make) -> None:
    common = [entry(f"common{number}", "policy", "policy") for number in range(9)]
    catalog = filled(make(), *common, entry("rare", "", "the bakhoor box"))
    assert found(catalog, "policy bakhoor")[0] == "rare"


def test_the_header_beats_the_body(make: Make) -> None:
    catalog = filled(make(), entry("in-body", "", "refund " * 20), entry("in-header", "Refund", ""))
    assert found(catalog, "refund") == ["in-header", "in-body"]


def test_question_words_do_not_win(make: Make) -> None:
    catalog = filled(
        make(),
        entry("noise", "What is what", "what is what is what"),
        entry("subject", "", "margin of a shop"),
    )
    assert found(catalog, "what is the margin") == ["subject"]


def test_the_shorter_header_then_the_id_settle_a_tie(make: Make) -> None:
    catalog = filled(
        make(),
        Entry("b", ("Gross margin",)),
        Entry("a", ("Gross margin",)),
        Entry("c", ("Gross margin", "of old"), ""),
    )
    assert found(catalog, "gross margin") == ["a", "b", "c"]


def test_a_form_of_a_word_is_found_beside_it_and_after_it(make: Make) -> None:
    catalog = filled(make(), entry("a", "", "many refunds here"), entry("b", "", "one refund here"))
    assert found(catalog, "refund") == ["b", "a"]
    assert search(catalog, "refund", explain=True).hits[1].matches[0].manner == "form"


def test_exact_beats_misspelt(make: Make) -> None:
    catalog = filled(make(), entry("near", "margit"), entry("exact", "", "margin here, and margit there"))
    assert found(catalog, "margin") == ["exact"]
    assert found(catalog, "margim") == ["near", "exact"]


@pytest.mark.parametrize(
    ("asked", "stands"),
    [("liqudity", "liquidity"), ("refnud", "refund"), ("مراكس", "مراكش"), ("Kündigunk", "Kündigung")],
)
def test_a_misspelt_word_finds_what_was_meant_and_says_so(make: Make, asked: str, stands: str) -> None:
    hits = search(filled(make(), entry("it", stands), entry("other", "different")), asked)
    assert [hit.id for hit in hits.hits] == ["it"]
    assert list(hits.corrected.values()) == [(fold(stands),)]


@pytest.mark.parametrize("asked", ["ab", "1002", "v3", "xyzzy"])
def test_short_words_and_words_with_digits_are_exact(make: Make, asked: str) -> None:
    assert found(filled(make(), entry("it", "ac 1001 v2 abyss")), asked) == []


def test_near_spellings_are_tried_when_no_document_holds_every_word(make: Make) -> None:
    catalog = filled(make(), entry("meant", "white musk perfume"), entry("must", "must"))
    assert found(catalog, "white must")[0] == "meant"


def test_a_near_spelling_is_as_good_as_a_word_only_if_nobody_has_the_word(make: Make) -> None:
    common = [entry(f"common{number}", "adjust", "the agreement") for number in range(20)]
    near = entry("near", "", "we adjust the agreement of margit")
    itself = entry("itself", "", "we adjust the margins")
    catalog = filled(make(), *common, near, itself)
    assert found(catalog, "adjust agreement margin")[:2] == ["itself", "near"]
    catalog = filled(make(), *common, near)
    assert found(catalog, "adjust agreement margin")[0] == "near"


def test_a_compound_is_found_by_its_part_and_its_parts_by_the_compound(make: Make) -> None:
    catalog = filled(
        make(),
        entry("whole", "", "Kundendatenbank"),
        entry("parts", "", "Kunden und Datenbank"),
        entry("other", "", "Fahrrad"),
    )
    assert found(catalog, "kundendatenbank fahrrad") == ["other", "whole", "parts"]


def test_the_limits_on_edits() -> None:
    words = ["ab", "abc", "abcde", "abcdef", "ab3def"]
    assert [edits_allowed(word) for word in words] == [0, 1, 1, 2, 0]
    assert may_be_near(words) == ["abc", "abcde", "abcdef"]


def test_conditions_are_all_required_and_values_compared_as_they_are(make: Make) -> None:
    catalog = filled(
        make(), entry("a", tag="finance sales"), entry("b", tag="finance"), entry("c", tag="Finance")
    )
    assert found(catalog, "", [tagged("finance")]) == ["a", "b"]
    assert found(catalog, "", [tagged("finance"), tagged("sales")]) == ["a"]
    assert found(catalog, "", [tagged("sales", "Finance")]) == ["a", "c"]
    assert found(catalog, "", [tagged("finance", holds=False)]) == ["c"]


def test_a_condition_on_a_number_leaves_out_who_has_none(make: Make) -> None:
    catalog = filled(
        make(),
        *(Entry(str(number), ("x",), ordered={"due": number}) for number in (1, 5, 9)),
        Entry("none", ("x",)),
    )
    assert found(catalog, "x", [AtMost("due", 5)]) == ["1", "5"]
    assert found(catalog, "x", [AtMost("due", 5, holds=False)]) == ["9", "none"]
    assert found(catalog, "x", [AtMost("due", 1 << 80)]) == ["1", "5", "9"]


def test_what_is_left_out_is_counted(make: Make) -> None:
    catalog = filled(make(), entry("old", "margin", tag="deprecated"), entry("new", "margin", tag="stable"))
    hits = search(catalog, "margin", (), [tagged("deprecated")])
    assert ([hit.id for hit in hits.hits], hits.total, hits.left_out) == (["new"], 1, 1)


def test_a_left_out_document_does_not_keep_near_spellings_from_being_tried(make: Make) -> None:
    catalog = filled(make(), entry("old", "margin", tag="deprecated"), entry("new", "margit", tag="stable"))
    assert [hit.id for hit in search(catalog, "margin", (), [tagged("deprecated")]).hits] == ["new"]


def test_pages_follow_each_other_and_total_counts_all(make: Make) -> None:
    catalog = filled(make(), *(entry(f"{number:03}", "word") for number in range(500)))
    assert found(catalog, "word", limit=3, offset=3) == ["003", "004", "005"]
    assert found(catalog, "", limit=2, offset=450) == ["450", "451"]
    assert search(catalog, "word", limit=3).total == 500
    assert found(catalog, "word", limit=3, offset=500) == []


def test_a_document_without_a_header_is_listed_and_never_found(make: Make) -> None:
    catalog = filled(make(), Entry("hidden", (), "margin", {"tag": ("x",)}), Entry("seen", ("margin",)))
    assert found(catalog, "margin") == ["seen"]
    assert found(catalog, "") == ["seen"]
    assert listed(catalog) == ["hidden", "seen"]
    assert listed(catalog, tagged("x")) == ["hidden"]


def test_replacing_and_removing_leave_nothing_behind(make: Make) -> None:
    catalog = filled(make(), entry("a", "first", edges=("x",)), entry("b", "keeps", edges=("x",), tag="old"))
    catalog.update([entry("a", "second", edges=("y",))], remove=["b", "unknown"])
    assert found(catalog, "first") == []
    assert found(catalog, "keeps") == []
    assert found(catalog, "second") == ["a"]
    with catalog.reading() as view:
        assert (view.sources("x"), view.sources("y"), view.count()) == ((), ("a",), 1)
        assert list(view.values("tag")) == []
        assert (view.card("b"), view.details("b")) == (None, None)


def test_the_last_entry_of_an_id_counts_and_putting_beats_removing(make: Make) -> None:
    catalog = make()
    catalog.update([entry("a", "first"), entry("a", "second")], remove=["a"])
    assert (found(catalog, "first"), found(catalog, "second")) == ([], ["a"])


def test_cards_details_and_values_are_handed_out_as_they_were_given(make: Make) -> None:
    odd = 'ü"\n\0\ud800'
    catalog = filled(make(), Entry(odd, (odd,), odd, {odd: ("b", "a" + odd)}, {}, (odd,), odd, odd))
    with catalog.reading() as view:
        assert (view.card(odd), view.details(odd)) == (odd, odd)
        assert list(view.listing()) == [(odd, odd)]
        assert list(view.values(odd)) == ["a" + odd, "b"]
        assert list(view.values(odd, "a")) == ["a" + odd]
        assert view.sources(odd) == (odd,)


def test_a_listing_begins_after_an_id_and_ends_at_a_limit(make: Make) -> None:
    catalog = filled(make(), *(entry(id_, tag="x" if id_ != "c" else "y") for id_ in "abcdef"))
    with catalog.reading() as view:
        assert [id_ for id_, _ in view.listing((tagged("x"),), after="a", limit=3)] == ["b", "d", "e"]


def test_notes_are_told_apart_by_the_generation_that_wrote_them(make: Make) -> None:
    catalog = make()
    catalog.update(notes={"a": "1", "b": "1"})
    with catalog.reading() as view:
        generation = view.generation
    catalog.update(notes={"b": "", "c": "2"})
    with catalog.reading() as view:
        assert dict(view.notes()) == {"a": "1", "b": "", "c": "2"}
        assert dict(view.notes(generation)) == {"b": "", "c": "2"}


def test_what_somebody_else_changed_since_is_left_and_named(make: Make) -> None:
    catalog = filled(make(), entry("a", "mine"), entry("b", "mine"), entry("c", "mine"))
    catalog.update(notes={"n": "mine"})
    with catalog.reading() as view:
        generation = view.generation
    catalog.update([entry("a", "theirs")], remove=["b"], notes={"n": "theirs"})
    left = catalog.update(
        [entry("a", "late"), entry("b", "late"), entry("c", "late")], notes={"n": "late"}, since=generation
    )
    assert left == {"a", "b", "n"}
    assert (found(catalog, "late"), found(catalog, "theirs")) == (["c"], ["a"])


def test_notes_are_left_with_the_documents_that_they_tell_of(make: Make) -> None:
    catalog = filled(make(), entry("a", "first"), entry("b", "first"))
    catalog.update(notes={"n": "first"})
    with catalog.reading() as view:
        generation = view.generation
    catalog.update([entry("a", "theirs")])
    assert catalog.update([entry("b", "ours")], ["a"], {"n": "ours"}, since=generation) == {"a", "n"}
    with catalog.reading() as view:
        assert dict(view.notes()) == {"n": "first"}
        generation = view.generation
    assert (found(catalog, "theirs"), found(catalog, "ours")) == (["a"], ["b"])
    assert catalog.update([], ["a"], {"n": "ours"}, since=generation) == frozenset()
    with catalog.reading() as view:
        assert (dict(view.notes()), view.card("a")) == ({"n": "ours"}, None)


def test_an_update_that_breaks_off_changes_nothing(make: Make) -> None:
    catalog = filled(make(), *(entry(str(number), "old") for number in range(300)))

    def broken() -> Iterator[Entry]:
        yield from (entry(str(number), "new") for number in range(250))
        raise RuntimeError("the source failed")

    with pytest.raises(RuntimeError, match="the source failed"):
        catalog.update(broken())
    assert (search(catalog, "old").total, search(catalog, "new").total) == (300, 0)


@pytest.mark.parametrize(
    "text",
    [
        "multi-agent",
        "don't",
        "TODO: fix",
        '"open',
        "C++",
        "NOT",
        "*",
        "100%",
        "a_b",
        "the",
        "",
        "(",
        "x" * 10_000,
    ],
)
def test_operators_and_quotes_are_literal_text(make: Make, text: str) -> None:
    hits = search(filled(make(), entry("it", text, "and more"), entry("other", "zebra")), text)
    if text == "" or text.strip("*("):
        assert hits.hits[0].id == "it"
    else:
        assert hits.total == 0


@given(st.lists(st.text(max_size=20), max_size=6), st.text(max_size=20))
def test_any_text_can_be_stored_and_asked(titles: list[str], asked: str) -> None:
    entries = [entry(str(number), title, title) for number, title in enumerate(titles)]
    with PersistedCatalog.open(None) as persisted:
        hits = search(filled(persisted, *entries), asked, limit=100, explain=True)
    assert hits == search(filled(MemoryCatalog(), *entries), asked, limit=100, explain=True)


def test_readers_and_a_writer_do_not_disturb_each_other(make: Make) -> None:
    catalog = filled(make(), *(entry(str(number), "word") for number in range(50)))
    failures: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(20):
                assert search(catalog, "word", limit=100).total == 50
        except BaseException as error:  # noqa: BLE001 - handed to the main thread
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for round_ in range(20):
        catalog.update([entry(str(number), f"word {round_}") for number in range(50)])
    for reader in readers:
        reader.join()
    assert failures == []


@pytest.mark.parametrize(("asked", "stands"), [("vertrag", "Vertragsfrist"), ("frist", "Vertragsfrist")])
def test_a_word_is_found_at_either_end_of_a_compound(make: Make, asked: str, stands: str) -> None:
    other = {"vertrag": "Frist", "frist": "Vertrag"}[asked]
    catalog = filled(make(), entry("compound", stands), entry("rest", other), entry("else", "Bestellung"))
    (hit,) = search(catalog, asked, explain=True).hits
    assert (hit.id, hit.words, hit.matches[0].manner) == ("compound", (stands.lower(),), "part")


@pytest.mark.parametrize("wrong", [{"text": 12}, {"text": "a", "limit": 1.5}, {"text": "a", "offset": "1"}])
def test_what_is_no_question_is_refused_before_the_catalog_is_asked(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="this is none"):
        Query(**wrong)


@pytest.mark.parametrize("offset", [449, 450, 2**63 - 20, 2**63, 10**30])
@pytest.mark.parametrize("text", ["", "bike"])
def test_a_page_far_behind_the_last_is_empty(make: Make, text: str, offset: int) -> None:
    catalog = filled(make(), *[entry(f"a{number:03}", "bike") for number in range(450)])
    hits = search(catalog, text, offset=offset)
    assert (hits.total, len(hits.hits)) == (450, 1 if offset == 449 else 0)
    assert len(search(catalog, text, limit=2**63, offset=400).hits) == 50


@pytest.mark.parametrize("wrong", [{"limit": -1}, {"offset": -100}])
def test_numbers_of_a_question_are_not_negative(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not negative"):
        Query("a", **wrong)


@pytest.mark.parametrize("id_", [12, b"a"])
def test_an_id_that_is_no_text_is_no_damage(make: Make, id_: Any) -> None:
    catalog = filled(make(), entry("a", "refund"))
    for look in ("card", "details"):
        with catalog.reading() as view, suppress(TypeError, AttributeError):
            getattr(view, look)(id_)
    assert found(catalog, "refund") == ["a"]
