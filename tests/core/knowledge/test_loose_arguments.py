"""Ids and filters arrive as models send them: as a text, or as the list and the object that it stands for."""

from __future__ import annotations

from typing import Any

import pytest

from fingerpost.knowledge.builder import KnowledgeBuilder
from fingerpost.tools import Tool
from tests.core.knowledge.shelves import Archive, row


def answered(name: str, archive: Archive, **sent: Any) -> str:
    tools = {each.__name__: Tool.of(each) for each in KnowledgeBuilder([archive]).build()}
    return tools[name].invoke({"backend": "archive", **sent})


@pytest.mark.parametrize("ids", ["a, [b]", ["a", "b"], '["a", "b"]', ["[a]", " b "], "a,,b"])
def test_ids_are_a_text_or_a_list(ids: Any) -> None:
    archive = Archive(rows=[row("One.", id="a"), row("Two.", id="b")])
    answered("fetch_kb", archive, ids=ids)
    assert archive.asked == [("fetch", ["a", "b"])]


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        ('{"type": "Policy"}', {"type": "Policy"}),
        ({"type": "Policy"}, {"type": "Policy"}),
        ("null", {}),
        ("", {}),
        ({}, {}),
    ],
)
def test_filters_are_the_text_of_an_object_or_the_object(sent: Any, taken: dict[str, str]) -> None:
    archive = Archive(filters=["type"])
    answered("search_kb", archive, query="x", filters_json=sent)
    assert archive.asked == [("search", "x", 3, taken)]


@pytest.mark.parametrize("sent", [["type"], "[]", "5", "type=Policy"])
def test_filters_that_are_no_object_are_refused_and_nothing_is_searched(sent: Any) -> None:
    archive = Archive(filters=["type"])
    assert "takes the text of a JSON object" in answered("search_kb", archive, query="x", filters_json=sent)
    assert archive.asked == []


def test_parameters_are_taken_as_an_object_too() -> None:
    archive = Archive()
    answered("write_kb", archive, query="CREATE ($n)", params_json={"n": 1})
    assert archive.asked[0][1][0]["metadata"]["params"] == {"n": 1}
