"""`Bundle.find`: words, filters, signals, and answers when nothing matches."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fingerpost import Bundle, KnowledgeNotFoundError, MemoryDocumentStore
from fingerpost.bundle.asking import asked_again
from fingerpost.catalog.base import CatalogEmptiedError
from fingerpost.demo import demo_bundle
from fingerpost.errors import ArgumentError


def concept(body: str = "Text.", **fields: str) -> str:
    lines = [f"{key}: {value}" for key, value in {"type": "Policy", **fields}.items()]
    return "---\n" + "\n".join(lines) + f"\n---\n{body}\n"


KB = Bundle(
    MemoryDocumentStore(
        {
            "policies/refunds.md": concept("Thirty days.", title="Refund policy", tags="[support, no]"),
            "policies/refunds-2024.md": concept(
                "Fourteen days.", title="Refund policy of 2024", status="deprecated"
            ),
            "metrics/margin.md": concept(
                "Revenue less cost; see refunds.", type="Metric", tags="[finance, support]"
            ),
            "broken.md": "no frontmatter",
        }
    )
)


def ids(**query: object) -> list[str]:
    return [hit["id"] for hit in KB.find(**query)["results"]]  # type: ignore[arg-type]


def test_the_best_comes_first_and_deprecated_ones_are_left_out_and_counted() -> None:
    found = KB.find("refund policy")
    assert [hit["id"] for hit in found["results"]] == ["policies/refunds", "metrics/margin"]
    assert (found["total"], found["left_out_deprecated"], found["skipped_invalid"]) == (2, 1, 1)
    every = ["policies/refunds", "policies/refunds-2024", "metrics/margin"]
    assert ids(text="refund policy", include_deprecated=True) == every


def test_a_hit_carries_its_signals() -> None:
    (hit,) = KB.find("thirty")["results"]
    assert hit == {
        "id": "policies/refunds",
        "type": "Policy",
        "title": "Refund policy",
        "description": "",
        "status": "stable",
        "trust": "unverified",
        "stale": False,
        "snippet": "Thirty days.",
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"type": "metric"}, ["metrics/margin"]),
        ({"tags": ["support"]}, ["metrics/margin", "policies/refunds"]),
        ({"tags": ["support", "FINANCE"]}, ["metrics/margin"]),
        ({"tags": "no"}, ["policies/refunds"]),
        ({"text": "refunds", "type": "Metric"}, ["metrics/margin"]),
        ({"text": "refnud"}, ["policies/refunds", "metrics/margin"]),
        ({"text": "margin metrics"}, ["metrics/margin"]),
        ({}, ["metrics/margin", "policies/refunds"]),
        ({"limit": 1}, ["metrics/margin"]),
        ({"limit": 0}, ["metrics/margin"]),
        ({"limit": 1, "offset": 1}, ["policies/refunds"]),
    ],
)
def test_filters(query: dict[str, object], expected: list[str]) -> None:
    assert ids(**query) == expected


def test_nothing_found_says_what_was_searched_what_that_shows_and_what_to_try() -> None:
    found = KB.find("bakhoor")
    message = found.get("message", "")
    assert found["results"] == []
    assert "3 concepts" in message
    assert "1 file" in message
    assert "kb_index" in message
    assert KB.find("bakhoor") == found


def test_an_unknown_type_or_tag_is_answered_with_those_there_are() -> None:
    assert "Policy" in KB.find(type="Polcy").get("message", "")
    assert "finance" in KB.find(tags=["finanse"]).get("message", "")
    assert "set include_deprecated" in KB.find("fourteen").get("message", "")


def test_silence_of_a_source_that_was_not_wholly_searched_proves_nothing() -> None:
    whole = Bundle(MemoryDocumentStore({"a.md": concept()}))
    assert "nothing in this bundle says it" in whole.find("bakhoor").get("message", "")
    assert "does not show" in KB.find("bakhoor").get("message", "")
    retired = Bundle(MemoryDocumentStore({"a.md": concept("bakhoor", status="deprecated")}))
    assert "1 deprecated concept matches" in retired.find("bakhoor").get("message", "")
    assert "does not show" in retired.find("bakhoor").get("message", "")


def test_a_title_of_any_length_leaves_room_for_the_other_hits() -> None:
    kb = Bundle(MemoryDocumentStore({"a.md": concept(title="word " * 5000, description="word " * 5000)}))
    (hit,) = kb.find("word")["results"]
    assert len(hit["title"]) <= 200
    assert len(hit["description"]) <= 400


def test_blank_tags_are_no_filter() -> None:
    assert ids(tags=["", " "]) == ids()


SIGNALS = Bundle(
    MemoryDocumentStore(
        {
            "a/old.md": concept(
                stale_after="2026-06-01", verified="{ by: human:a, at: 2026-01-01T00:00:00Z }"
            ),
            "a/b/new.md": concept(
                stale_after="2027-06-01", verified="{ by: bot:x, at: 2026-01-01T00:00:00Z }"
            ),
            "ab/plain.md": concept(),
            "ab/draft.md": concept(status="draft"),
            "ab/gone.md": concept(status="Deprecated"),
        }
    )
)
NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"path": "a"}, ["a/b/new", "a/old"]),
        ({"path": "/a/"}, ["a/b/new", "a/old"]),
        ({"path": "a/b", "text": "text"}, ["a/b/new"]),
        ({"path": "/"}, ["a/b/new", "a/old", "ab/draft", "ab/plain"]),
        ({"path": " "}, ["a/b/new", "a/old", "ab/draft", "ab/plain"]),
        ({"status": "DRAFT"}, ["ab/draft"]),
        ({"status": "deprecated"}, ["ab/gone"]),
        ({"trust": "human-reviewed"}, ["a/old"]),
        ({"trust": "unverified", "path": "ab"}, ["ab/draft", "ab/plain"]),
        ({"stale": True}, ["a/old"]),
        ({"stale": False}, ["a/b/new", "ab/draft", "ab/plain"]),
        ({"stale": True, "now": datetime(2027, 6, 1, tzinfo=UTC)}, ["a/b/new", "a/old"]),
        ({"stale": True, "now": datetime(2026, 5, 31, tzinfo=UTC)}, []),
        ({"stale": False, "path": "a", "limit": 1}, ["a/b/new"]),
    ],
)
def test_filters_by_folder_status_trust_and_staleness(query: dict[str, Any], expected: list[str]) -> None:
    asked: dict[str, Any] = {"now": NOW, **query}
    found = SIGNALS.find(**asked)
    assert ([hit["id"] for hit in found["results"]], found["total"]) == (expected, len(expected))


def test_a_result_is_stale_or_not_at_the_moment_that_is_asked_about_however_often_it_is_shown() -> None:
    for now, stale in (
        (datetime(2026, 5, 31, tzinfo=UTC), False),
        (datetime(2026, 6, 1, tzinfo=UTC), True),
    ) * 2:
        shown = {hit["id"]: hit for hit in SIGNALS.find(now=now)["results"]}
        assert shown["a/old"]["stale"] is stale
        assert shown["a/old"].keys() == shown["ab/plain"].keys()


def test_a_filter_counts_before_the_limit_does() -> None:
    many = {f"x/{number:03}.md": concept("plan") for number in range(120)}
    kb = Bundle(MemoryDocumentStore({**many, "y/last.md": concept("a plan, a second plan, a third")}))
    assert [hit["id"] for hit in kb.find("plan", path="y", limit=1)["results"]] == ["y/last"]


def test_a_folder_that_does_not_exist_is_answered_with_the_nearest() -> None:
    with pytest.raises(KnowledgeNotFoundError, match="Did you mean a/b/"):
        SIGNALS.find(path="a/bb")
    with pytest.raises(KnowledgeNotFoundError, match=r"'a/old\.md' is no folder"):
        SIGNALS.find(path="a/old")


def test_values_that_no_concept_has_are_answered_with_those_there_are() -> None:
    by_status, by_trust = SIGNALS.find(status="drafts"), SIGNALS.find(trust="reviewed")
    assert by_status.get("message", "") == (
        "5 concepts of this bundle were searched, and none passes all these filters. "
        "No concept has the status 'drafts'. Did you mean draft? There are: deprecated, draft, stable. "
        "Leave a filter out, or call kb_index to browse."
    )
    assert (
        "No concept has the trust 'reviewed'. Did you mean human-reviewed? "
        "There are: human-reviewed, machine-confirmed, unverified." in by_trust.get("message", "")
    )
    tagless = SIGNALS.find(tags=["finance"]).get("message", "")
    assert "No concept has the tag 'finance'. There is none. Leave" in tagless


def test_of_many_values_some_are_named_and_the_others_counted() -> None:
    files = {f"{letter}.md": concept(tags=f"[t{letter}]") for letter in "abcdefghijklmn"}
    kb = Bundle(MemoryDocumentStore(files))
    message = kb.find(tags=["zzzz"]).get("message", "")
    assert "'zzzz'. There are: ta, tb, tc, td, te, tf, tg, th, ti, tj, tk, tl and 2 more." in message
    del files["m.md"], files["n.md"]
    assert "tk, tl. " in Bundle(MemoryDocumentStore(files)).find(tags=["zzzz"]).get("message", "")


def test_what_nothing_found_shows_depends_on_what_was_asked() -> None:
    searched = "5 concepts of this bundle were searched, and none"
    no_words = SIGNALS.find(path="ab", stale=True, now=NOW).get("message", "")
    assert no_words == (
        f"{searched} passes all these filters. Leave a filter out, or call kb_index to browse."
    )
    assert SIGNALS.find("bakhoor", path="ab").get("message", "") == (
        f"{searched} matches. So no concept that passes these filters says it in these words; that does not "
        "make it untrue. Try fewer or other words, leave a filter out, or call kb_index to browse."
    )
    assert (
        KB.find(status="draft")
        .get("message", "")
        .endswith(
            "So this does not show that the bundle holds no such concept. "
            "Leave a filter out, or call kb_index to browse."
        )
    )
    assert Bundle(MemoryDocumentStore({})).find().get("message", "") == (
        "0 concepts of this bundle were searched, and none matches. Call kb_index to browse."
    )


def test_an_explanation_names_words_fields_edits_and_weight() -> None:
    (hit, _) = KB.find("refnud policies thirty", explain=True)["results"]
    why = hit.get("why", [])
    assert [{key: word[key] for key in ("asked", "found", "as", "edits", "in")} for word in why] == [
        {"asked": "refnud", "found": ["refund"], "as": "near", "edits": 1, "in": ["title"]},
        {"asked": "policies", "found": ["policies"], "as": "exact", "edits": 0, "in": ["id"]},
        {"asked": "thirty", "found": ["thirty"], "as": "exact", "edits": 0, "in": ["text"]},
    ]
    assert why[2]["weight"] > why[1]["weight"]
    assert "why" not in KB.find("thirty")["results"][0]


def test_what_the_field_asks_for_as_syntax_is_words() -> None:
    kb = Bundle(MemoryDocumentStore({"a.md": concept("TODO: fix the multi-agent C++ build, don't say NOT")}))
    for text in (
        "multi-agent",
        "don't",
        "TODO: fix",
        '"fix',
        "C++",
        "NOT",
        "build*",
        "fix AND build",
        "(fix",
    ):
        assert [hit["id"] for hit in kb.find(text)["results"]] == ["a"], text
    for text in ("*", "100%", "x" * 10_000):
        assert kb.find(text)["total"] == 0, text


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            {"text": 12},
            {"text": ["refund"]},
            {"text": b"refund"},
            {"limit": 2.5},
            {"offset": "1"},
            {"tags": 5},
        ),
        *({"type": 5}, {"tags": ["finance", 1]}, {"path": 5}, {"status": 5}, {"trust": 5}),
    ],
    ids=str,
)
def test_an_argument_of_another_kind_is_refused_and_harms_no_index(
    wrong: dict[str, Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Bundle(demo_bundle(), cache=tmp_path) as bundle:
        before = bundle.find("refund")
        with pytest.raises(ArgumentError, match=r"is a (text|whole number)|are texts"):
            bundle.find(**wrong)
        assert bundle.find("refund") == before
    assert not caplog.records


@pytest.mark.parametrize("id_", [12, None, b"policies"], ids=str)
def test_an_id_of_another_kind_is_refused(id_: Any, tmp_path: Path) -> None:
    with Bundle(demo_bundle(), cache=tmp_path) as bundle:
        for question in (bundle.read, bundle.links, bundle.backlinks, bundle.index):
            with pytest.raises(ArgumentError, match="is a text"):
                question(id_)


@pytest.mark.parametrize("text", ["ß\ud800x\u200b", "\ud800", "ä\udfffss", "㈱ﾊﾟﾌﾞ\ud800"])
def test_what_is_no_unicode_text_is_asked_for_like_any_other(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(concept("Strasse ss, パブ and x."), encoding="utf-8")
    with Bundle(tmp_path, cache=tmp_path / "cache") as kept, Bundle(tmp_path, cache="") as fresh:
        assert kept.find(text) == fresh.find(text)
        assert kept.find(text)["total"] == (1 if "ss" in text or "ß" in text or "ﾌ" in text else 0)


def test_a_question_that_is_asked_again_is_the_same() -> None:
    @asked_again
    def asked(tags: object, *, more: object) -> list[object]:
        answers.append([tags, more])
        if len(answers) == 1:
            list(tags)  # type: ignore[call-overload]
            raise CatalogEmptiedError("It was damaged.")
        return [list(tags), list(more)]  # type: ignore[call-overload]

    answers: list[object] = []
    assert asked(iter(["a", "b"]), more=(each for each in "cd")) == [["a", "b"], ["c", "d"]]


@pytest.mark.parametrize(
    "ask",
    [
        lambda: KB.index("/", page="a"),  # type: ignore[arg-type]
        lambda: KB.index("/", max_chars=float("nan")),  # type: ignore[arg-type]
        lambda: KB.index("/", max_chars=None),  # type: ignore[arg-type]
        lambda: KB.read("metrics/margin", section=5),  # type: ignore[arg-type]
    ],
)
def test_arguments_of_another_kind_are_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(ArgumentError):
        ask()
