"""`KnowledgeCapabilities`: what a declaration offers, and how it is shown."""

from __future__ import annotations

from typing import Any

import pytest

from fingerpost import KnowledgeCapabilities, Records

NOTHING: dict[str, Any] = {
    "kinds": [],
    "search": False,
    "search_mode": None,
    "query": False,
    "query_language": None,
    "fetch": False,
    "browse": False,
    "writable": False,
    "derives_schema": False,
}


@pytest.mark.parametrize(
    "declared",
    [
        {},
        {"kinds": ["graph"]},
        {"search": True, "search_mode": "hybrid"},
        {"query": True, "query_language": "sql"},
        {"fetch": True},
        {"browse": True},
        {"writable": True},
        {"derives_schema": True},
        {"search": True, "filters": ["type"]},
    ],
)
def test_what_is_shown_is_what_is_declared(declared: dict[str, Any]) -> None:
    assert KnowledgeCapabilities(**declared).view() == {**NOTHING, **declared}


def test_what_is_shown_is_a_copy() -> None:
    capabilities = KnowledgeCapabilities(kinds=["graph"], search=True, filters=["type"])
    shown = capabilities.view()
    shown["kinds"].append("x")
    shown["filters"].append("x")
    assert (capabilities.kinds, capabilities.filters) == (["graph"], ["type"])


def declared(*members: str) -> KnowledgeCapabilities:
    everything: dict[str, Any] = dict.fromkeys(members, True)
    return KnowledgeCapabilities(**everything)


def test_operations_are_those_that_are_declared_in_order() -> None:
    members = ("search", "query", "fetch", "browse", "writable")
    operations = ("search", "query", "fetch", "browse", "write")
    assert declared(*members).operations == operations
    for member, operation in zip(members, operations, strict=True):
        assert declared(member).operations == (operation,)


def test_records_are_a_list_with_more_to_say() -> None:
    records = Records(({"text": name} for name in "ab"), 7, (note for note in ("One.", "Two.")))
    assert records == [{"text": "a"}, {"text": "b"}]
    assert (records.total, records.notes) == (7, ("One.", "Two."))
    assert (Records(), Records().total, Records().notes) == ([], None, ())
