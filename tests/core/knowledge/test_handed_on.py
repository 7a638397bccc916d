"""What the tools hand on to knowledge bases, of what a model sent and of what they were made with."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fingerpost.errors import ConfigError, KnowledgeError
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.knowledge.builder import KnowledgeBuilder
from fingerpost.records import Record
from fingerpost.tools import Tool
from tests.core.knowledge.shelves import Archive, Searched, Tables, row

NAMES = {"<TOPIC>": "refund", "<TOP>": "a", "<ORDERS>": "shop.orders"}


def tools(*bases: KnowledgeBase, max_chars: int | None = None) -> dict[str, Callable[..., str]]:
    return {each.__name__: each for each in KnowledgeBuilder(bases, NAMES, max_chars=max_chars).build()}


def error(text: str) -> str:
    return json.loads(text)["error"]


class Able(Archive):
    """One that would do what it does not declare."""

    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> list[Record]:
        self.asked.append(("query", statement, limit))
        return []


@pytest.mark.parametrize(
    ("tool", "declared", "operation"),
    [
        ("read_kb", {"search": False}, "search"),
        ("search_kb", {"search": False}, "search"),
        ("fetch_kb", {"fetch": False}, "fetch"),
        ("browse_kb", {"browse": False}, "browse"),
        ("write_kb", {"writable": False}, "write"),
    ],
)
def test_what_is_not_declared_is_not_asked_though_it_is_there(
    tool: str, declared: dict[str, Any], operation: str
) -> None:
    able = Able("able", **declared)
    assert error(tools(able, Archive())[tool]("able", "x")).startswith(
        f"The knowledge base 'able' does not offer {operation}; it offers "
    )
    assert able.asked == []


def test_logical_names_are_put_in_wherever_they_can_stand() -> None:
    archive, tables = Archive(), Tables("t")
    called = tools(archive, tables)
    called["read_kb"]("archive", "<TOPIC>")
    called["search_kb"]("archive", "<TOPIC>")
    called["fetch_kb"]("archive", "<TOP>/1")
    called["browse_kb"]("archive", "<TOP>")
    called["write_kb"]("archive", "Text of <TOPIC>", id="<TOP>/1")
    metadata = {"source": "agent", "id": "a/1"}
    assert archive.asked == [
        ("search", "refund", 3, {}),
        ("search", "refund", 3, {}),
        ("fetch", ["a/1"]),
        ("browse", "a", 50),
        ("write", [{"text": "Text of <TOPIC>", "metadata": metadata}]),
    ]
    assert error(called["read_kb"]("t", "SELECT * FROM <ODRERS>")).startswith(
        "The placeholder <ODRERS> stands"
    )
    assert tables.asked == []


def test_all_that_is_said_of_what_is_written_is_handed_on_as_it_is() -> None:
    archive = Archive(rows=[row("Old.", id="a", revision="r4")])
    said = {
        "source": "Ada",
        "id": "a",
        "revision": "r4",
        "type": "Note",
        "title": "T",
        "description": "What it says.",
        "tags": ["x"],
    }
    answer = tools(archive)["write_kb"]("archive", "  New.\n", params_json='{"n": 1}', **said)
    assert answer == (
        "Stored in 'archive' under id 'a', revision 'r5'.\n"
        'Note: "params_json" was not used: it goes with a statement under "query".'
    )
    assert archive.asked == [("write", [{"text": "  New.\n", "metadata": said}])]


def test_blanks_for_a_name_are_no_name() -> None:
    schemas = tools(Archive("a").add_schema({}), Archive("b").add_schema({}))["get_schemas"](" ")
    assert list(json.loads(schemas)) == ["a", "b"]


def test_descriptions_take_a_line_each_and_are_data_too() -> None:
    class Told(Searched):
        def get_description(self) -> str:
            return "Two\nlines.  "

    answer = Tool.of(tools(Told("a"), Told("b"))["get_all_kb_descriptions"]).call({})
    assert answer.text == "- a: Two lines.\n- b: Two lines."
    assert answer.data == {"a": "Two lines.", "b": "Two lines."}


def endless() -> Iterator[Record]:
    for number in itertools.count():
        assert number < 20, "more was taken than was asked for"
        yield row(f"Row {number}.", id=str(number))


class Endless(Archive):
    """One that does not heed the limit, and whose records have no end."""

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Any:
        return endless()

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Any:
        return endless()


@pytest.mark.parametrize("name", ["read_kb", "search_kb", "browse_kb"])
def test_what_has_no_end_is_taken_as_far_as_it_was_asked_for(name: str) -> None:
    answer = tools(Endless())[name]("archive", "x", limit=2, offset=3)
    assert "- [3] Row 3.\n- [4] Row 4.\n=" in answer
    assert answer.endswith("There may be more. Call again with offset=5.")


def listed(name: str, most: int | None) -> int:
    """How long a list of ninety records is, of which there is room for some, and the rest is told of."""
    rows = [row("x" * 300, id=f"x{number}") for number in range(90)]
    answer = tools(Archive(rows=rows), max_chars=most)[name]("archive", "x", limit=90)
    shown = answer.count("\n- [x")
    assert answer.endswith(f"Only {shown} of 90 records have room here. Call again with offset={shown}.")
    return len(answer)


@pytest.mark.parametrize("name", ["read_kb", "search_kb", "browse_kb"])
def test_a_list_is_as_long_as_the_budget_of_the_builder_allows(name: str) -> None:
    assert 2_000 < listed(name, 3_000) <= 3_000
    assert 8_000 < listed(name, 9_000) <= 9_000


def test_a_listing_is_shorter_than_a_reading() -> None:
    assert 5_000 < listed("browse_kb", None) <= 6_000
    assert 19_000 < listed("search_kb", None) <= 20_000


def test_nothing_below_a_path_names_the_path() -> None:
    called = tools(Archive())
    assert "has nothing below zz. Try" in called["browse_kb"]("archive", " zz ")
    assert "has nothing below the top. Try" in called["browse_kb"]("archive", " ")


def test_an_error_of_a_schema_names_what_the_agent_knows() -> None:
    class Broken(Searched):
        def schema(self) -> dict[str, Any]:
            raise KnowledgeError("There is no table shop.orders.")

    assert json.loads(tools(Broken("b"))["get_schemas"]())["b"]["error"] == ("There is no table <ORDERS>.")


def test_of_several_names_that_are_alike_the_one_that_is_meant_is_as_written() -> None:
    called = tools(Searched("Orders", [row("refund one")]), Searched("orders", [row("refund two")]))
    assert "- refund one" in called["read_kb"]("Orders", "refund")
    assert "- refund two" in called["read_kb"]("orders", "refund")
    assert error(called["read_kb"]("ORDERS", "refund")).startswith("Unknown backend 'ORDERS'.")


@pytest.mark.parametrize(
    ("ids", "wanted"),
    [("[ a ]", ["a"]), ("[a", ["[a"]), ("a]", ["a]"]), ("[" * 100_000, ["[" * 100_000])],
)
def test_brackets_are_taken_off_an_id_in_pairs(ids: str, wanted: list[str]) -> None:
    archive = Archive()
    tools(archive)["fetch_kb"]("archive", ids)
    assert archive.asked == [("fetch", wanted)]


def test_where_there_is_no_filter_that_is_said() -> None:
    assert error(tools(Archive())["search_kb"]("archive", "x", filters_json='{"type": "x"}')) == (
        "The knowledge base 'archive' has no filter 'type'; it knows none."
    )


@pytest.mark.parametrize(
    ("written", "said", "stored"),
    [
        ([row("", id="a", revision="")], "Stored in 'odd' under id 'a'.", [{"id": "a"}]),
        ([row("", revision="r1")], "Stored in 'odd'.", [{"revision": "r1"}]),
        (
            [row("", id="a"), row("", id="b", revision="r2")],
            None,
            [{"id": "a"}, {"id": "b", "revision": "r2"}],
        ),
        ([{"text": ""}], "Stored in 'odd'.", [dict[str, str]()]),
    ],
)
def test_what_is_known_of_what_was_written_is_told(
    written: list[Record], said: str | None, stored: list[dict[str, str]]
) -> None:
    class Odd(Archive):
        def write(self, records: Any, **kwargs: Any) -> Any:
            return written

    answer = Tool.of(tools(Odd("odd"))["write_kb"]).call({"backend": "odd", "text": "x"})
    assert answer.text == (said or "Stored in 'odd' under id 'a'; id 'b', revision 'r2'.")
    assert answer.data == {"backend": "odd", "stored": stored}


def test_an_error_is_flagged_for_the_host() -> None:
    answer = Tool.of(tools(Archive())["search_kb"]).call({"backend": "x", "query": "x"})
    assert (answer.is_error, set(answer.data)) == (True, {"error"})


@pytest.mark.parametrize("prefix", ["1", "a b", "x" * 80])
def test_a_prefix_that_makes_no_name_of_a_tool_is_refused(prefix: str) -> None:
    with pytest.raises(ConfigError):
        KnowledgeBuilder([Archive()], prefix=prefix)


def test_a_budget_that_is_of_no_use_is_refused_when_the_builder_is_made() -> None:
    with pytest.raises(ConfigError, match="1999"):
        KnowledgeBuilder([Archive()], max_chars=1_999)
