"""Answers that are too long or empty: the field cases 79 and 80, each with its smallest input."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from fingerpost import ConfigError, MemoryDocumentStore, OKFTools, StoreError, Tool, tool
from fingerpost.stores.base import Changes, Cursor
from tests.field_cases.adapters import WAYS
from tests.field_cases.folders import concept

FAMILY = "👨\u200d👩\u200d👧"


def tools(files: dict[str, str]) -> OKFTools:
    return OKFTools(MemoryDocumentStore(files))


FIVE_MEGABYTES = {
    "lines": "One line of the text, with ünïcödé.\n" * 140_000,
    "one line": FAMILY * 280_000,
    "a cell of two megabytes": "| h |\n|---|\n| " + "cell " * 400_000 + "|\n",
}


@pytest.mark.parametrize("name", FIVE_MEGABYTES)
def test_a_concept_of_megabytes_comes_in_pages_that_join_and_says_how_to_get_the_next(name: str) -> None:
    """Row 79."""
    body = FIVE_MEGABYTES[name]
    kb = tools({"a.md": concept(body.removesuffix("\n"))})
    first = json.loads(kb.kb_read("a"))
    last = json.loads(kb.kb_read("a", page=first["pages"]))
    pages: list[dict[str, Any]] = [first, *(json.loads(kb.kb_read("a", page=number)) for number in (2, 3))]
    joined = "".join(page["body"] for page in pages)
    assert body.startswith(joined)
    assert len(joined) > 40_000 or name == "one line"
    assert body.rstrip("\n").endswith(last["body"])
    assert first["next"] == "The text goes on: call again with page=2, or with a section."
    assert "next" not in last
    for page in (*pages, last):
        assert len(json.dumps(page, ensure_ascii=False)) <= 20_000
        if name == "one line":
            assert page["body"].replace(FAMILY, "") == ""


@pytest.fixture(scope="module")
def ten_thousand() -> OKFTools:
    kb = tools({f"c{number:05}.md": concept("word") for number in range(10_000)})
    assert kb.bundle.wait().left == 0
    return kb


@pytest.mark.parametrize(("sent", "shown"), [({}, 20), ({"limit": 100}, None), ({"limit": 10_000}, None)])
@pytest.mark.parametrize("offset", [0, 5_000])
def test_ten_thousand_hits_are_capped_and_counted_and_the_next_are_named(
    offset: int, sent: dict[str, Any], shown: int | None, ten_thousand: OKFTools
) -> None:
    """Row 79."""
    text = ten_thousand.kb_find("word", **sent, offset=offset)
    answer = json.loads(text)
    hits = [hit["id"] for hit in answer["results"]]
    assert len(text) <= 6_000
    assert answer["total"] == 10_000
    assert hits == [f"c{number:05}" for number in range(offset, offset + len(hits))]
    assert len(hits) == shown or (shown is None and len(hits) > 20)
    assert answer["next"] == f"There are more: call again with offset={offset + len(hits)}."
    notes = ['"limit" was set to 100, the most it takes.'] if sent.get("limit", 0) > 100 else []
    assert answer.pop("notes", []) == notes
    assert list(answer) == ["results", "total", "skipped_invalid", "left_out_deprecated", "next"]


def test_the_last_of_ten_thousand_hits_have_no_next(ten_thousand: OKFTools) -> None:
    """Row 79."""
    last = json.loads(ten_thousand.kb_find("word", offset=9_990))
    assert [hit["id"] for hit in last["results"]] == [f"c{number:05}" for number in range(9_990, 10_000)]
    assert (last["total"], "next" in last) == (10_000, False)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("limit", [7, 100])
def test_who_follows_what_the_answer_says_sees_every_hit_once(limit: int, way: str) -> None:
    """Row 79."""
    kb = tools({f"c{number:02}.md": concept("word " * 40) for number in range(60)})
    seen: list[str] = []
    sent: dict[str, Any] = {"text": "word", "limit": limit}
    while True:
        answer = json.loads(WAYS[way](kb.kb_find, sent))
        assert 0 < len(answer["results"]) <= limit
        seen += [hit["id"] for hit in answer["results"]]
        if "next" not in answer:
            break
        assert answer["next"] == f"There are more: call again with offset={len(seen)}."
        sent = {**sent, "offset": len(seen)}
    assert seen == [f"c{number:02}" for number in range(60)]


def test_a_title_and_a_description_of_any_length_cost_no_other_hit_and_no_page_of_the_text() -> None:
    """Row 79."""
    long = {"title": "ü" * 20_000, "description": f"{FAMILY} " * 1_000}
    text = f"---\ntype: Policy\ntitle: {long['title']}\ndescription: {long['description']}\n---\nword\n"
    kb = tools({"a.md": text, "b.md": concept("word")})
    hits = {hit["id"]: hit for hit in json.loads(kb.kb_find("word"))["results"]}
    assert sorted(hits) == ["a", "b"]
    assert hits["a"]["title"] == "ü" * 199 + "…"
    assert hits["a"]["description"].endswith("…")
    assert len(hits["a"]["description"]) <= 400
    assert hits["a"]["description"].rstrip("…").replace(FAMILY, "").strip() == ""
    index = kb.kb_index("/")
    assert len(index) <= 6_000
    assert "(/a)" in index
    assert "(/b)" in index
    view = json.loads(kb.kb_read("a"))
    assert view["body"] == "word"
    assert [(loss["field"], loss["total"]) for loss in view["left_out"]] == [
        ("description", len(long["description"].strip())),
        ("title", 20_000),
    ]


def test_a_budget_in_which_no_answer_fits_is_refused_before_any_call() -> None:
    """Row 79."""
    with pytest.raises(ConfigError, match="allow 2,000 or more"):
        OKFTools(MemoryDocumentStore({"a.md": concept()}), max_chars=1_999)
    with pytest.raises(ConfigError, match="give at least 200"):
        tools({"a.md": concept()}).bundle.index(max_chars=199)


def test_ten_thousand_entries_of_a_folder_are_paged_and_each_page_names_the_next(
    ten_thousand: OKFTools,
) -> None:
    """Row 79."""
    first, second = ten_thousand.kb_index("/"), ten_thousand.kb_index("/", page=2)
    assert max(len(first), len(second)) <= 6_000
    assert "(call again with page=2 for the next)" in first.splitlines()[0]
    ids = re.findall(r"\]\((/c\d+)\)", first + second)
    assert len(ids) > 100
    assert ids == [f"/c{number:05}" for number in range(len(ids))]


@tool
def rows() -> list[dict[str, Any]]:
    """List rows, one with a cell of two megabytes."""
    return [{"id": number, "cell": "é" * (2_000_000 if number == 3 else 20)} for number in range(20)]


@pytest.mark.parametrize("way", WAYS)
def test_a_row_with_a_huge_cell_is_cut_there_and_the_json_stays_valid(way: str) -> None:
    """Row 79."""
    text = WAYS[way](rows, {})
    answer = json.loads(text)
    assert len(text) <= Tool.of(rows).max_chars
    assert [row["id"] for row in answer["result"]] == list(range(20))
    assert {row["cell"] for row in answer["result"] if row["id"] != 3} == {"é" * 20}
    cut = answer["result"][3]["cell"]
    assert cut == "é" * len(cut)
    assert [(loss["field"], loss["total"]) for loss in answer["left_out"]] == [("result[].cell", 2_000_000)]


SEARCHED = "2 concepts of this bundle were searched, and none matches."
ABSENT = "So nothing in this bundle says it in these words; that does not make it untrue."
NOT_SHOWN = "So this does not show that the bundle says nothing of it."
FURTHER = "Try fewer or other words, or call kb_index to browse."
COMPLETE = f"{SEARCHED} {ABSENT} {FURTHER}"


@pytest.mark.parametrize("way", WAYS)
def test_nothing_found_says_what_was_searched_what_it_proves_and_what_to_do(way: str) -> None:
    """Row 80."""
    kb = tools({"a.md": concept("alpha"), "b.md": concept("beta")})
    text = WAYS[way](kb.kb_find, {"text": "bakhoor"})
    assert json.loads(text) == {
        "results": [],
        "total": 0,
        "skipped_invalid": 0,
        "left_out_deprecated": 0,
        "message": COMPLETE,
    }
    assert WAYS[way](kb.kb_find, {"text": "bakhoor"}) == text


@pytest.mark.parametrize("words", ["of the", "bakhoor -rose AND NOT (oud)"])
def test_words_that_carry_nothing_get_the_same_message_as_words_that_are_not_there(words: str) -> None:
    """Row 80."""
    kb = tools({"a.md": concept("alpha"), "b.md": concept("beta")})
    assert json.loads(kb.kb_find(words))["message"] == COMPLETE


@pytest.mark.parametrize("signs", ["!?", "*", "\N{SLIGHTLY SMILING FACE}", "[[["])
def test_a_question_without_a_word_is_told_so_and_proves_nothing(signs: str) -> None:
    """Row 80."""
    kb = tools({"a.md": concept("alpha")})
    said = "The question holds no word, letters or digits, so nothing was searched, and this proves nothing. "
    assert (
        json.loads(kb.kb_find(signs, type="Note"))["message"]
        == f"{said}Ask for words, or call kb_index to browse."
    )


class PartlyUnreadable(MemoryDocumentStore):
    """A store that cannot read one of its files, and for a while nothing at all."""

    fails = False

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path == "unreadable.md":
            raise StoreError("The disk does not answer.")
        return super().read_bytes(path, max_bytes)

    def changes(self, cursor: Cursor | None = None) -> Changes:
        if self.fails:
            raise StoreError("The disk does not answer.")
        return super().changes(cursor)


RETIRED = concept("bakhoor", "status: deprecated\n")
NOT_SEARCHED: dict[str, tuple[dict[str, str], str]] = {
    "one invalid file": (
        {"c.md": "no front matter, bakhoor"},
        "1 file was not searched: no valid concept.",
    ),
    "two invalid files": (
        {"c.md": "no front matter, bakhoor", "d.md": "---\ntype: ''\n---\nbakhoor\n"},
        "2 files were not searched: no valid concept.",
    ),
    "an unreadable file": ({"unreadable.md": concept("bakhoor")}, "1 file was not searched: not readable."),
    "a file that is too large": (
        {"big.md": concept("bakhoor " * 1_100_000)},
        "1 file was not searched: not readable.",
    ),
    "an invalid and an unreadable file": (
        {"c.md": "bakhoor", "unreadable.md": concept("bakhoor")},
        "1 file was not searched: no valid concept. 1 file was not searched: not readable.",
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NOT_SEARCHED)
def test_nothing_found_in_an_incomplete_source_counts_what_was_not_searched_and_proves_nothing(
    name: str, way: str
) -> None:
    """Row 80."""
    files, said = NOT_SEARCHED[name]
    kb = OKFTools(PartlyUnreadable({"a.md": concept("alpha"), "b.md": concept("beta"), **files}))
    text = WAYS[way](kb.kb_find, {"text": "bakhoor"})
    answer = json.loads(text)
    assert (answer["results"], answer["total"]) == ([], 0)
    assert answer["message"] == f"{SEARCHED} {said} {NOT_SHOWN} {FURTHER}"
    assert WAYS[way](kb.kb_find, {"text": "bakhoor"}) == text


def test_nothing_in_force_found_names_the_retired_and_how_to_see_them() -> None:
    """Row 80."""
    kb = tools({"a.md": concept("alpha"), "old.md": RETIRED})
    answer = json.loads(kb.kb_find("bakhoor"))
    shown = "1 deprecated concept matches: set include_deprecated to true to see what is retired."
    assert (answer["results"], answer["left_out_deprecated"]) == ([], 1)
    assert answer["message"] == f"{SEARCHED} {shown} {NOT_SHOWN} {FURTHER}"
    assert [hit["id"] for hit in json.loads(kb.kb_find("bakhoor", include_deprecated=True))["results"]] == [
        "old"
    ]


def test_nothing_found_in_an_old_state_proves_nothing_and_says_of_when_it_is() -> None:
    """Row 80."""
    store = PartlyUnreadable({"a.md": concept("alpha"), "b.md": concept("beta")})
    kb = OKFTools(store)
    assert json.loads(kb.kb_find("bakhoor"))["message"] == COMPLETE
    store.fails = True
    answer = json.loads(kb.kb_find("bakhoor"))
    assert answer["message"] == f"{SEARCHED} {NOT_SHOWN} {FURTHER}"
    old = "Not all of the knowledge base could be read now, so this may be old or not all."
    assert answer["notes"] == [f"{old} The disk does not answer."]
    assert kb.kb_find("bakhoor") == json.dumps(answer, ensure_ascii=False)
    store.fails = False
    assert json.loads(kb.kb_find("bakhoor"))["message"] == COMPLETE


def test_nothing_found_for_want_of_a_type_or_tag_names_those_there_are() -> None:
    """Row 80."""
    kb = tools({"a.md": concept("alpha", "tags: [finance]\n"), "b.md": concept("beta")})
    passed = "2 concepts of this bundle were searched, and none passes all these filters."
    known = (
        "No concept has the type 'Polcy'. Did you mean Policy? There are: Policy. "
        "No concept has the tag 'finanse'. Did you mean finance? There are: finance."
    )
    assert (
        json.loads(kb.kb_find(type="Polcy", tags=["finanse"]))["message"]
        == f"{passed} {known} Leave a filter out, or call kb_index to browse."
    )
