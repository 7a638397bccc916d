"""The reference catalog: ranking, filters, near spellings, edges."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalog.base import Entry, Query, edits_allowed
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.snippet import snippet
from fingerpost.text.folding import fold


def entry(id_: str, title: str = "", body: str = "", edges: tuple[str, ...] = (), **facets: str) -> Entry:
    return Entry(
        id_, (title, id_), body, {name: tuple(value.split()) for name, value in facets.items()}, edges
    )


def catalog(*entries: Entry) -> MemoryCatalog:
    made = MemoryCatalog()
    made.update(entries)
    return made


def found(searched: MemoryCatalog, text: str, **query: object) -> list[str]:
    return [hit.id for hit in searched.search(Query(text, **query)).hits]  # type: ignore[arg-type]


def test_every_word_beats_some_words_however_often_those_stand_there() -> None:
    searched = catalog(
        entry("some", "refund", "refund " * 50),
        entry("every", "", "refund for a bicycle"),
        entry("other", "", "bicycle"),
    )
    assert found(searched, "refund bicycle") == ["every", "some", "other"]


def test_a_rare_word_beats_a_common_one_when_no_document_holds_both() -> None:
    common = [entry(f"common{number}", "policy", "policy") for number in range(9)]
    searched = catalog(*common, entry("rare", "", "the bakhoor box"))
    assert found(searched, "policy bakhoor")[0] == "rare"


def test_the_header_beats_the_body() -> None:
    searched = catalog(entry("in-body", "", "refund " * 20), entry("in-header", "Refund", ""))
    assert found(searched, "refund") == ["in-header", "in-body"]


def test_question_words_do_not_win() -> None:
    searched = catalog(
        entry("noise", "What is what", "what is what is what"), entry("subject", "", "margin of a shop")
    )
    assert found(searched, "what is the margin") == ["subject"]


def test_the_shorter_header_then_the_id_settle_a_tie() -> None:
    searched = catalog(
        entry("b", "Gross margin"), entry("a", "Gross margin"), entry("c", "Gross margin of old shops")
    )
    assert found(searched, "gross margin") == ["a", "b", "c"]


def test_exact_beats_misspelt() -> None:
    searched = catalog(entry("near", "refunds"), entry("exact", "", "refund here, and refunds there"))
    assert found(searched, "refund") == ["exact"]
    assert found(searched, "refunb") == ["near", "exact"]


@pytest.mark.parametrize(
    ("asked", "stands"),
    [
        ("liqudity", "liquidity"),
        ("refnud", "refund"),
        ("مراكس", "مراكش"),
        ("Kündigunk", "Kuendigung".replace("ue", "ü")),
    ],
)
def test_a_misspelt_word_finds_what_was_meant_and_says_so(asked: str, stands: str) -> None:
    hits = catalog(entry("it", stands), entry("other", "different")).search(Query(asked))
    assert [hit.id for hit in hits.hits] == ["it"]
    assert list(hits.corrected.values()) == [(fold(stands),)]


@pytest.mark.parametrize("asked", ["ab", "1002", "v3", "xyzzy"])
def test_short_words_and_words_with_digits_are_exact(asked: str) -> None:
    assert found(catalog(entry("it", "ac 1001 v2 abyss")), asked) == []


def test_near_spellings_are_tried_when_no_document_holds_every_word() -> None:
    searched = catalog(entry("meant", "white musk perfume"), entry("must", "must"))
    assert found(searched, "white must")[0] == "meant"


def test_the_limits_on_edits() -> None:
    assert [edits_allowed(word) for word in ("ab", "abc", "abcde", "abcdef", "ab3def")] == [0, 1, 1, 2, 0]


def test_facets_are_all_required_and_compared_without_letter_case() -> None:
    searched = catalog(entry("a", tag="Finance sales"), entry("b", tag="finance"), entry("c", tag="other"))
    assert found(searched, "", require=(("tag", "FINANCE"),)) == ["a", "b"]
    assert found(searched, "", require=(("tag", "finance"), ("tag", "sales"))) == ["a"]


def test_what_is_left_out_is_counted() -> None:
    hits = catalog(
        entry("old", "margin", status="deprecated"), entry("new", "margin", status="stable")
    ).search(Query("margin", leave_out=(("status", "deprecated"),)))
    assert ([hit.id for hit in hits.hits], hits.total, hits.left_out) == (["new"], 1, 1)


def test_a_left_out_document_does_not_keep_near_spellings_from_being_tried() -> None:
    searched = catalog(
        entry("old", "refund rule", status="deprecated"), entry("new", "refunds rule", status="stable")
    )
    assert found(searched, "refund rule", leave_out=(("status", "deprecated"),)) == ["new"]


def test_pages_follow_each_other_and_total_counts_all() -> None:
    searched = catalog(*(entry(f"{number:02}", "word") for number in range(7)))
    assert found(searched, "word", limit=3, offset=3) == ["03", "04", "05"]
    assert searched.search(Query("word", limit=3)).total == 7


def test_replacing_and_removing_leave_nothing_behind() -> None:
    searched = catalog(entry("a", "first", edges=("x",)), entry("b", "keeps", edges=("x",)))
    searched.update([entry("a", "second", edges=("y",))], remove=["b", "unknown"])
    assert found(searched, "first") == []
    assert found(searched, "keeps") == []
    assert found(searched, "second") == ["a"]
    assert (searched.sources("x"), searched.sources("y"), len(searched)) == ((), ("a",), 1)


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
def test_operators_and_quotes_are_literal_text(text: str) -> None:
    stands = entry("it", text, "and more")
    hits = catalog(stands, entry("other", "zebra")).search(Query(text))
    if text == "" or text.strip("*("):
        assert hits.hits[0].id == "it"
    else:
        assert hits.total == 0


@given(st.lists(st.text(max_size=20), max_size=6), st.text(max_size=20))
def test_any_text_can_be_stored_and_asked(titles: list[str], asked: str) -> None:
    searched = catalog(*(entry(str(number), title, title) for number, title in enumerate(titles)))
    hits = searched.search(Query(asked))
    assert hits.total == len({hit.id for hit in hits.hits})


def test_readers_and_a_writer_do_not_disturb_each_other() -> None:
    searched = catalog(*(entry(str(number), "word") for number in range(50)))
    failures: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(40):
                assert searched.search(Query("word", limit=100)).total == 50
        except BaseException as error:  # noqa: BLE001 - handed to the main thread
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for round_ in range(40):
        searched.update([entry(str(number), f"word {round_}") for number in range(50)])
    for reader in readers:
        reader.join()
    assert failures == []


def test_a_snippet_shows_the_place_of_the_match_on_one_line() -> None:
    body = "start " * 40 + "the\nrefund   window is 30 days " + "end " * 40
    cut = snippet(body, ["refund"])
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert "the refund window is 30 days" in cut
    assert len(cut) <= 202


def test_a_snippet_finds_folded_words() -> None:
    assert snippet("Für das Café gilt die Regel.", ["cafe"]) == "Für das Café gilt die Regel."
    assert snippet("我们的退款政策", ["退款"]) == "我们的退款政策"
    assert snippet("nothing here", ["refund"]) == ""


def test_the_shorter_header_wins_where_all_else_is_the_same() -> None:
    two_in_header = Entry("a", ("margin", "shop"), "x", {})
    one_in_header = Entry("b", ("margin",), "shop x", {})
    assert found(catalog(two_in_header, one_in_header), "margin") == ["b", "a"]
