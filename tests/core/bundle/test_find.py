"""`Bundle.find`: words, filters, signals, and answers when nothing matches."""

from __future__ import annotations

import pytest

from fingerpost import Bundle, MemoryDocumentStore


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
    assert [hit["id"] for hit in found["results"]] == ["policies/refunds"]
    assert (found["total"], found["left_out_deprecated"], found["skipped_invalid"]) == (1, 1, 1)
    assert ids(text="refund policy", include_deprecated=True) == ["policies/refunds", "policies/refunds-2024"]


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
