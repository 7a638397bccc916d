"""The shapes in which a bundle is answered, as agents and programs know them."""

from __future__ import annotations

import inspect
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from fingerpost import Bundle, MemoryDocumentStore, OKFTools, demo_bundle

NOW = datetime(2026, 11, 30, tzinfo=UTC)

REFUNDS = """---
type: Policy
title: Refund policy
description: Customers can ask for their money back within 30 days.
tags: [support, refunds]
generated: { by: human:support-lead, at: 2026-09-01T12:00:00Z }
verified: { by: human:support-lead, at: 2026-09-01T12:00:00Z }
owner: support
---
# Rule

A full refund within 30 days of [any plan](../products/plans.md).
"""


def tools(files: dict[str, str]) -> OKFTools:
    return OKFTools(Bundle(MemoryDocumentStore(files), clock=lambda: NOW))


def answer(text: str) -> dict[str, Any]:
    return json.loads(text)


def note(body: str = "Text.", **fields: str) -> str:
    lines = [f"{key}: {value}" for key, value in {"type": "Note", **fields}.items()]
    return "---\n" + "\n".join(lines) + f"\n---\n{body}\n"


def test_a_concept_is_read_in_the_shape_that_is_known() -> None:
    kb = tools({"policies/refunds.md": REFUNDS, "products/plans.md": note()})
    read = answer(kb.kb_read("policies/refunds"))
    known = {
        "id": "policies/refunds",
        "type": "Policy",
        "title": "Refund policy",
        "description": "Customers can ask for their money back within 30 days.",
        "status": "stable",
        "trust": "human-reviewed",
        "stale": False,
        "tags": ["support", "refunds"],
        "warnings": [],
        "body": "# Rule\n\nA full refund within 30 days of [any plan](../products/plans.md).",
        "links": [{"id": "products/plans", "exists": True}],
    }
    assert {key: read[key] for key in known} == known
    assert read["extra"]["owner"] == "support"
    for field in ("generated", "verified"):
        assert "human:support-lead" in json.dumps(read["extra"][field])


def test_a_search_is_answered_in_the_shape_that_is_known() -> None:
    found = answer(tools({"policies/refunds.md": REFUNDS, "broken.md": "no fields"}).kb_find(type="policy"))
    assert (len(found["results"]), found["skipped_invalid"]) == (1, 1)
    assert list(found["results"][0])[:7] == ["id", "type", "title", "description", "status", "trust", "stale"]


@pytest.mark.parametrize("where", ["title", "description", "tags", "body"])
def test_a_word_is_found_in_each_field_and_in_the_text(where: str) -> None:
    concept = note("A bakhoor box.") if where == "body" else note(**{where: "bakhoor"})
    kb = tools({"found.md": concept, "other.md": note()})
    assert [hit["id"] for hit in answer(kb.kb_find("bakhoor"))["results"]] == ["found"]


def test_a_word_far_into_a_text_is_found() -> None:
    words = " ".join(f"word{number}" for number in range(5_000))
    kb = tools({"long.md": note(f"{words} bakhoor."), "other.md": note()})
    assert [hit["id"] for hit in answer(kb.kb_find("bakhoor"))["results"]] == ["long"]


def test_a_misspelt_chest_finds_the_line_with_its_price() -> None:
    kb = tools({"chest.md": note("صندوق بخور — 95 ريال"), "oil.md": note("دهن عود — 450 ريال")})
    found = answer(kb.kb_find("صندق بخور"))
    assert [hit["id"] for hit in found["results"]] == ["chest"]
    assert "95" in found["results"][0]["snippet"]


def test_a_bundle_of_the_first_version_is_read() -> None:
    kb = tools(
        {"index.md": '---\nokf_version: "0.1"\n---\n# Top\n', "a.md": note(timestamp="2026-01-01T00:00:00Z")}
    )
    assert answer(kb.kb_read("a"))["body"] == "Text."
    assert "(/a)" in kb.kb_index("/")
    assert answer(kb.kb_find("text"))["skipped_invalid"] == 0


def test_the_tools_are_methods_and_functions_that_return_text() -> None:
    kb = OKFTools(demo_bundle())
    for method, function in zip((kb.kb_index, kb.kb_read, kb.kb_find), kb.functions(), strict=True):
        assert function.__name__ == method.__name__
        assert inspect.isfunction(function)
        assert inspect.signature(function).return_annotation in (str, "str")
    assert (kb.kb_index("/"), kb.kb_find("plan")) == (kb.functions()[0]("/"), kb.functions()[2]("plan"))
    assert isinstance(kb.kb_read("policies/cancellation"), str)


def test_the_top_of_a_bundle_is_the_same_text_each_time() -> None:
    first = Bundle(demo_bundle()).index("/")
    assert first == Bundle(demo_bundle()).index("/")
    assert "policies" in first


def test_what_a_model_is_told_names_trust_warnings_and_ids() -> None:
    kb = OKFTools(demo_bundle(), prefix="bikes_")
    assert all(name in kb.instructions for name in kb.names)
    assert "heed its warnings, and cite the ids" in kb.instructions
    read = kb.kb_read.__doc__ or ""
    assert 'Heed "warnings", "status", "trust" and "stale"' in read
    assert "never present a deprecated" in read
