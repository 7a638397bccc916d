"""A host that allows less than a tool was made with still gets every page whole."""

from __future__ import annotations

import re
from typing import Any

import pytest

from fingerpost import KnowledgeBuilder, MemoryDocumentStore, OKFManager, OKFTools, Tool, tool
from fingerpost.tools import Toolbox
from fingerpost.tools.allowance import allowed_chars

LINES = 3_000
STORE = MemoryDocumentStore(
    {
        "long.md": "---\ntype: Policy\n---\n" + "".join(f"Line {number:05}.\n" for number in range(LINES)),
        "listed/index.md": "".join(f"* Line {number:05}.\n" for number in range(LINES)),
    }
)


def tools() -> list[Any]:
    return [*OKFTools(STORE).functions(), *KnowledgeBuilder([OKFManager(STORE, name="kb")]).build()]


@pytest.mark.parametrize("max_chars", [2_000, 6_000, 50_000])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("kb_read", {"concept_id": "long"}),
        ("kb_index", {"path": "listed"}),
        ("fetch_kb", {"backend": "kb", "ids": "long"}),
        ("fetch_kb", {"backend": "kb", "ids": "listed/"}),
    ],
)
def test_the_pages_together_are_the_whole(name: str, arguments: dict[str, Any], max_chars: int) -> None:
    box = Toolbox(tools(), max_chars=max_chars)
    seen: list[str] = []
    for page in range(1, 200):
        text = box.call(name, {**arguments, "page": page}).text
        assert len(text) <= max_chars
        seen += re.findall(r"Line (\d{5})\.", text)
        if not re.search(rf"page={page + 1}|[Pp]age {page} of (?!{page}\b)", text):
            break
    assert seen == [f"{number:05}" for number in range(LINES)]


def test_what_is_allowed_is_known_within_a_call_alone() -> None:
    asked: list[int] = []

    @tool(max_chars=3_000)
    def inner() -> str:
        """Answer."""
        asked.append(allowed_chars(20_000))
        return "x"

    @tool(max_chars=9_000)
    def outer() -> str:
        """Answer."""
        inner()
        asked.append(allowed_chars(20_000))
        asked.append(allowed_chars(500))
        return "x"

    Tool.of(outer).call({})
    assert [*asked, allowed_chars(20_000)] == [3_000, 9_000, 500, 20_000]
