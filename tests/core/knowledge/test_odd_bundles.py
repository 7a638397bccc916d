"""Whatever a bundle holds, its backend tells each thing as what it is, and says what it leaves out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fingerpost import KnowledgeBuilder, MemoryDocumentStore, OKFManager
from fingerpost.errors import KnowledgeNotFoundError
from tests.core.knowledge.test_okf_manager import asked, concept, manager


@pytest.mark.parametrize("type_", ["index", "folder", "Index", "Folder"])
def test_a_concept_may_have_any_type_and_keeps_its_signals(type_: str) -> None:
    base = manager(
        {"a.md": concept(type=type_, title="Old rule", status="deprecated", stale_after="2020-01-01")}
    )
    head = f"- [a] Old rule ({type_}, DEPRECATED, unverified, STALE"
    for told in (
        asked(base, "search_kb", "kb", "rule"),
        asked(base, "browse_kb", "kb"),
        asked(base, "fetch_kb", "kb", "a"),
    ):
        assert head in told


@pytest.mark.parametrize("id_", ["broken", "data.csv"])
def test_what_cannot_be_read_is_told_as_reading_tells_it(id_: str) -> None:
    base = manager({"broken.md": "---\ntitle: x\n---\n", "data.csv": "x", "a.md": concept()})
    told = json.loads(asked(base, "fetch_kb", "kb", id_))["error"]
    assert "broken.md:1:1: OKF201 " in told or "is a file beside the concepts" in told


def test_a_fetched_folder_says_that_browsing_lists_the_rest() -> None:
    base = manager({f"s/c{number:03}.md": concept() for number in range(120)})
    told = asked(base, "fetch_kb", "kb", "s/")
    assert told.count("\n- [s/c") == 100
    assert told.endswith("\nNote: There is more in s/ than is shown of it: browse_kb lists it.")
    whole = asked(manager({"s/a.md": concept()}), "fetch_kb", "kb", "s/")
    assert "Note:" not in whole


def test_a_fetched_index_says_that_it_is_not_all() -> None:
    files = {"s/index.md": "# S\n\n* [A](a.md)\n", "s/a.md": concept()}
    assert "Note:" not in asked(manager(files), "fetch_kb", "kb", "s/")
    told = asked(manager({**files, "s/b.md": concept()}), "fetch_kb", "kb", "s/")
    assert told.endswith("\nNote: There is more in s/ than is shown of it: browse_kb lists it.")


def test_an_id_that_is_called_like_a_tool_is_printed_as_it_is() -> None:
    base = manager({"kb_find/guide.md": concept()})
    told = json.loads(asked(base, "fetch_kb", "kb", "kb_find/guid"))["error"]
    assert told == "There is no 'kb_find/guid' in this bundle. Did you mean kb_find/guide or kb_find/?"


def test_the_error_of_a_search_names_tools_that_there_are() -> None:
    base = manager()
    told = json.loads(asked(base, "search_kb", "kb", "x", filters_json={"path": "nope"}))["error"]
    assert (
        told
        == "There is no 'nope' in this bundle. Call browse_kb to see what there is, or search_kb to search."
    )
    with pytest.raises(KnowledgeNotFoundError):
        base.search("x", path="nope")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_kb", {"query": "text"}),
        ("search_kb", {"query": "b"}),
        ("browse_kb", {"path": ""}),
        ("browse_kb", {"path": "z"}),
        ("browse_kb", {"path": "z/b"}),
        ("fetch_kb", {"ids": "z"}),
    ],
)
def test_every_answer_says_that_not_all_concepts_are_served(tool: str, arguments: dict[str, Any]) -> None:
    base = manager({"a.md": concept(), "z/b.md": concept(title="B")}, max_concepts=1)
    told = asked(base, tool, "kb", **arguments)
    assert "Only the first 1 of 2 concepts are served here." in told
    assert "[z/b]" not in told


def test_a_type_cannot_speak_in_a_description() -> None:
    hidden = "Pol\u202eicy\u200b `x`"
    base = OKFManager(MemoryDocumentStore({"a.md": concept(type=f'"{hidden}"')}), name="kb")
    (tool,) = [
        each for each in KnowledgeBuilder([base]).build() if each.__name__ == "get_all_kb_descriptions"
    ]
    assert "such as Policy \\`x\\`." in tool()


def test_a_line_says_all_that_finding_says_of_a_concept() -> None:
    verified = {"verified": "{by: human:ada, at: 2026-01-01}", "timestamp": "2026-02-02"}
    base = manager({"a.md": concept(title="Old rule", stale_after="2026-13-45", **verified)})
    found = base.bundle.find("rule")["results"][0]
    assert found.get("expiry_unreadable")
    assert found.get("verified_before_last_change")
    told = asked(base, "search_kb", "kb", "rule")
    assert "(Policy, human-reviewed, expiry unreadable, verified before its last change, links" in told


@pytest.mark.parametrize("start", ["refunds", "nowhere"])
def test_words_that_were_not_looked_for_are_counted(start: str) -> None:
    question = " ".join([start, *(f"word{number}" for number in range(1_000))])
    assert "of the question were searched for; " in asked(manager(), "search_kb", "kb", question)
