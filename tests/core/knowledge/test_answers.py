"""What the tools answer with: the part that was asked for, its data, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from fingerpost.knowledge.builder import KnowledgeBuilder
from fingerpost.records import Record, Records
from fingerpost.tools import Tool, ToolResult
from tests.core.knowledge.shelves import Archive, row

BUDGET = 20_000
NOTES = ["One file was not read. " * 60, "Another was. " * 60]


class Noted(Archive):
    """One that heeds no limit, and says a lot of what it returns."""

    notes: Sequence[str] = NOTES

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return Records(self.rows, len(self.rows), self.notes)

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        return Records(super().fetch(ids), notes=self.notes)


def called(base: Archive, name: str, **sent: Any) -> ToolResult:
    tools = {each.__name__: Tool.of(each) for each in KnowledgeBuilder([base]).build()}
    return tools[name].call({"backend": "archive", **sent})


def test_no_more_is_shown_than_was_asked_for_of_one_that_returns_more() -> None:
    base = Noted(rows=[row(f"Row {number}.", id=str(number)) for number in range(9)])
    answer = called(base, "search_kb", query="x", limit=2, offset=3)
    assert [each["metadata"]["id"] for each in answer.data["records"]] == ["3", "4"]
    assert "\n9 in all. Call again with offset=5.\n" in answer.text


def test_the_data_are_the_records_that_are_shown() -> None:
    base = Archive(rows=[row("refund", id="a", source="Ada"), {"text": "refund", "metadata": {"id": "b"}}])
    assert called(base, "search_kb", query="refund").data == {
        "backend": "archive",
        "records": [
            {"text": "refund", "metadata": {"id": "a", "source": "Ada"}},
            {"text": "refund", "metadata": {"id": "b"}},
        ],
    }
    long = Archive(rows=[row("refund " + "x" * 3_000, id=str(number)) for number in range(20)])
    answer = called(long, "search_kb", query="refund", limit=20)
    assert "Only 6 of 20 records have room here." in answer.text
    assert len(answer.data["records"]) == 6


@pytest.mark.parametrize("size", [400, 900, 1_300, 2_100, 3_700, 6_400])
def test_as_many_records_are_shown_as_have_room_beside_what_is_said_of_them(size: int) -> None:
    base = Noted(rows=[row("x" * size, id=f"{number:02}") for number in range(50)])
    answer = called(base, "search_kb", query="x", limit=50)
    shown = len(answer.data["records"])
    line = len(f"- [00] {'x' * size}\n")
    assert f"Only {shown} of 50 records have room here. Call again with offset={shown}.\n" in answer.text
    assert len(answer.text) <= BUDGET < len(answer.text) + line + 600
    assert answer.text.count("x" * size) == shown
    assert all(note.strip() in answer.text for note in NOTES)


def test_long_records_lose_nothing_on_their_pages_whatever_is_said_of_them() -> None:
    lines = [f"{number:03} " + "y" * 500 for number in range(120)]
    base = Noted(rows=[row("\n".join(lines), id="long")])
    first = called(base, "fetch_kb", ids="long")
    pages = [called(base, "fetch_kb", ids="long", page=number + 1) for number in range(first.data["pages"])]
    assert len(pages) > 3
    assert "".join(page.data["text"] for page in pages) == base.format_results(base.rows)
    for number, page in enumerate(pages, start=1):
        assert len(page.text) <= BUDGET
        assert "Cut here" not in page.text
        assert page.data["page"] == number
        assert all(note.strip() in page.text for note in NOTES)
    assert [line for line in lines if not any(line in page.text for page in pages)] == []


@pytest.mark.parametrize(("asked", "given"), [(0, 1), (-3, 1), (99, 4)])
def test_a_page_that_there_is_not_is_the_nearest_one_and_that_is_said(asked: int, given: int) -> None:
    base = Archive(rows=[row("\n".join(["y" * 500] * 130), id="long")])
    answer = called(base, "fetch_kb", ids="long", page=asked)
    assert (answer.data["page"], answer.data["pages"]) == (given, 4)
    assert f"Records of archive, page {given} of 4" in answer.text
    assert answer.text.endswith(f"Note: There is no page {asked}; this is page {given}.")


def test_nothing_after_what_was_passed_over_is_not_nothing_at_all() -> None:
    base = Archive(rows=[row("refund", id="a")])
    message = called(base, "search_kb", query="refund", offset=5).data["message"]
    assert message.startswith("The knowledge base 'archive' has nothing after the first 5. ")
