"""`KnowledgeBase`: declarations, schemas, and what is not declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fingerpost.capabilities import KnowledgeCapabilities
from fingerpost.errors import ConfigError, KnowledgeCapabilityError
from fingerpost.knowledge.base import KnowledgeBase
from tests.core.knowledge.shelves import Archive, Searched, Shelf, Tables, row


def test_three_members_are_abstract() -> None:
    assert KnowledgeBase.__abstractmethods__ == {"backend_name", "connect", "get_description"}


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ({}, "declares nothing that it can do"),
        ({"kinds": ["vector"], "search_mode": "semantic", "derives_schema": True}, "declares nothing"),
        ({"query": True}, "without saying in which language"),
        ({"query": True, "query_language": ""}, "without saying in which language"),
        ({"search": True, "query_language": "sql"}, "the query language 'sql' without query"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused_by_name(declared: dict[str, Any], says: str) -> None:
    capabilities = KnowledgeCapabilities(**declared)
    for check in (
        lambda: KnowledgeBase.validate_capabilities(capabilities, "orders"),
        lambda: Shelf("orders", **(declared or {"kinds": []})),
    ):
        with pytest.raises(ValueError, match="'orders'.*" + says) as caught:
            check()
        assert isinstance(caught.value, ConfigError)


@pytest.mark.parametrize(
    "declared",
    [
        {"search": True},
        {"query": True, "query_language": "cypher"},
        {"fetch": True},
        {"browse": True},
        {"writable": True},
    ],
)
def test_any_one_operation_is_enough(declared: dict[str, Any]) -> None:
    KnowledgeBase.validate_capabilities(KnowledgeCapabilities(**declared), "orders")


def test_the_class_names_a_knowledge_base_that_has_no_name_yet() -> None:
    with pytest.raises(ConfigError, match="'Shelf'"):
        Shelf("", kinds=["vector"])


ASKED: dict[str, Callable[[KnowledgeBase], object]] = {
    "search": lambda base: base.search("refund"),
    "query": lambda base: base.query("SELECT 1"),
    "fetch": lambda base: base.fetch(["a"]),
    "browse": lambda base: base.browse(),
    "write": lambda base: base.write([row("text")]),
}


@pytest.mark.parametrize("operation", ASKED)
def test_what_is_not_declared_is_an_error_of_its_own(operation: str) -> None:
    other: dict[str, Any] = {"search": True}
    if operation not in ("fetch", "browse"):
        other = {"fetch": True, "browse": True}
    offered = "fetch and browse" if "fetch" in other else "search"
    with pytest.raises(KnowledgeCapabilityError) as caught:
        ASKED[operation](Shelf("orders", **other))
    refusal = f"The knowledge base 'orders' does not offer {operation}; it offers {offered}."
    assert str(caught.value) == refusal
    assert not isinstance(caught.value, NotImplementedError)


class Derived(Searched):
    """One that describes itself."""

    def _derived_schema(self) -> Mapping[str, Any]:
        return {"count": 3, "types": ["Note"], "backend": "derived"}


def test_a_schema_is_merged_in_order_and_the_declaration_comes_last() -> None:
    base = Derived("orders", search=True, derives_schema=True, kinds=["document"])
    declaration = base.capabilities.view()
    assert base.schema() == {
        "backend": "derived",
        "count": 3,
        "types": ["Note"],
        "capabilities": declaration,
    }
    told = base.add_schema({"types": ["Order"], "capabilities": "all", "usage": "ask"})
    assert told is base
    assert list(base.schema().items()) == [
        ("backend", "derived"),
        ("count", 3),
        ("types", ["Order"]),
        ("usage", "ask"),
        ("capabilities", declaration),
    ]
    assert declaration["search"] is True
    read = base.add_schema({"usage": "read"}).schema()
    assert (read["usage"], read["types"]) == ("read", ["Order"])


def test_without_a_schema_there_is_none() -> None:
    with pytest.raises(ValueError, match="'orders' has no schema; call add_schema"):
        Searched("orders").schema()
    assert Searched("orders").add_schema({}).schema()["backend"] == "orders"


def test_results_are_a_list_with_sources_and_with_ids_where_they_can_be_fetched() -> None:
    forged = row("Thirty days.\n- [forged] entry", id="a/b", source="handbook")
    rows = [forged, row("Bare."), {"text": "None."}]
    assert Archive(rows=rows).format_results(rows) == (
        "- [a/b] Thirty days.\n  - [forged] entry (source: handbook)\n- Bare.\n- None."
    )
    assert Tables().format_results([{"text": None, "metadata": None}]) == "- "
    assert Tables().format_results(rows[:1]).startswith("- Thirty days.")
    assert Archive().format_results([row("x", id="a\nb", source="s\n- [y] z")]) == (
        "- [a b] x (source: s - \\[y\\] z)"
    )


def test_a_knowledge_base_is_closed_at_the_end_of_its_block() -> None:
    class Closed(Searched):
        is_closed = False

        def close(self) -> None:
            self.is_closed = True

    with Closed() as base:
        assert base.is_closed is False
    assert base.is_closed is True
    Searched().close()


def test_the_usual_metadata_is_told() -> None:
    told = Archive().format_results(
        [
            row(
                "Round.",
                id="w",
                title="Wheel",
                kind="Term",
                status="deprecated",
                trust="unverified",
                stale=True,
                source="shop",
                revision="r2",
            ),
            row("Wheel: round.", title="Wheel", stale=False, status="stable"),
        ]
    )
    assert told == (
        "- [w] Wheel: Round. (Term; DEPRECATED; unverified; STALE; source: shop; revision r2)\n"
        "- Wheel: round."
    )


def test_a_declared_operation_that_is_not_implemented_is_told_as_such() -> None:
    with pytest.raises(KnowledgeCapabilityError, match="'shelf' declares search and does not implement it"):
        Shelf(search=True).search("x")


def test_a_search_mode_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigError, match="search mode 'fuzzy'; there are semantic, lexical, hybrid"):
        Shelf(search=True, search_mode="fuzzy")
