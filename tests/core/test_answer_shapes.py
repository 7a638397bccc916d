"""The shapes in which a bundle is answered, as agents and programs know them."""

from __future__ import annotations

import inspect
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fingerpost import Bundle, MemoryDocumentStore, OKFTools, Tool, demo_bundle

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


def test_a_switch_that_cannot_be_read_is_off_and_that_is_said() -> None:
    kb = tools({"old.md": note("bakhoor", status="deprecated"), "new.md": note("bakhoor")})
    asked = {"text": "bakhoor", "include_deprecated": "perhaps"}
    found = answer(Tool.of(kb.kb_find).call(asked).text)
    assert [hit["id"] for hit in found["results"]] == ["new"]
    assert "include_deprecated" in found["notes"][0]
    shown = answer(Tool.of(kb.kb_find).call({**asked, "include_deprecated": "yes"}).text)
    assert [hit["id"] for hit in shown["results"]] == ["new", "old"]


def test_an_index_and_a_log_are_no_concepts_at_any_level() -> None:
    reserved = {
        f"{folder}{name}.md": note("bakhoor") for folder in ("", "a/", "a/b/") for name in ("index", "log")
    }
    kb = tools({**reserved, "a/b/c.md": note("bakhoor")})
    assert [hit["id"] for hit in answer(kb.kb_find("bakhoor"))["results"]] == ["a/b/c"]
    assert kb.bundle.ids() == ["a/b/c"]


def test_hidden_files_are_neither_listed_nor_found_nor_read() -> None:
    hidden = [".git/x.md", "sub/.b.md", ".c.md"]
    kb = tools({**{path: note("bakhoor", title="Hidden") for path in hidden}, "a.md": note()})
    assert answer(kb.kb_find("bakhoor"))["results"] == []
    assert "Hidden" not in kb.kb_index("/")
    for path in hidden:
        assert list(answer(kb.kb_read(path))) == ["error"]


@pytest.mark.parametrize("link", ["", "[the code](compute.py)"])
def test_a_script_beside_concepts_is_neither_read_nor_run(link: str, tmp_path: Path) -> None:
    trace = tmp_path / "was_run"
    (tmp_path / "kb").mkdir()
    script = tmp_path / "kb" / "compute.py"
    script.write_text(f"#!/bin/sh\ntouch {trace}\n")
    script.chmod(0o755)
    (tmp_path / "kb" / "margin.md").write_text(
        note(f"See the code. {link}", type="Attested Computation", runtime="python", entrypoint="compute.py")
    )
    kb = OKFTools(tmp_path / "kb")
    assert answer(kb.kb_read("margin"))["id"] == "margin"
    assert "touch" not in kb.kb_read("margin") + kb.kb_index("/") + kb.kb_find("touch")
    assert list(answer(kb.kb_read("compute.py"))) == ["error"]
    assert not trace.exists()


def test_the_tools_leave_every_file_as_it_is(tmp_path: Path) -> None:
    root = tmp_path / "kb"
    shutil.copytree(demo_bundle(), root)

    def state() -> dict[str, tuple[bytes, int]]:
        files = [path for path in sorted(root.rglob("*")) if path.is_file()]
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}

    before = state()
    kb = OKFTools(root)
    kb.kb_index("/")
    for id_ in kb.bundle.ids():
        kb.kb_read(id_)
    kb.kb_find("plan", include_deprecated=True)
    assert state() == before
