"""Whatever a knowledge base answers, it forges nothing, harms no other, and is told as what it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest

from fingerpost.errors import ConfigError
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.knowledge.builder import KnowledgeBuilder
from fingerpost.records import Records
from tests.core.knowledge.shelves import Archive, Searched, Tables, row


def tools(*bases: KnowledgeBase, max_chars: int | None = None, **names: str) -> dict[str, Callable[..., str]]:
    builder = KnowledgeBuilder(bases, {f"<{name}>": physical for name, physical in names.items()})
    return {each.__name__: each for each in builder.build(max_chars=max_chars)}


def cyclic() -> Any:
    value: dict[str, Any] = {}
    value["more"] = value
    return value


@pytest.mark.parametrize("value", [date(2026, 1, 2), {"x"}, float("nan"), object(), cyclic()])
def test_a_schema_with_anything_in_it_harms_no_other(value: Any) -> None:
    odd, good = Archive("odd").add_schema({"since": value}), Archive("good").add_schema({"usage": "words"})
    schemas = json.loads(tools(odd, good)["get_schemas"]())
    assert list(schemas["odd"]) == ["backend", "since", "capabilities"]
    assert schemas["good"]["usage"] == "words"


@pytest.mark.parametrize("returned", [None, "text", 5, ["usage"]])
def test_what_is_no_schema_is_an_error_of_its_own(returned: Any) -> None:
    class Odd(Archive):
        def schema(self) -> dict[str, Any]:
            return returned

    schemas = json.loads(tools(Odd("odd"), Archive("good").add_schema({"usage": "words"}))["get_schemas"]())
    assert re.fullmatch(
        r"The knowledge base 'odd' failed with \w+ \(reference \w+\)\.", schemas["odd"]["error"]
    )
    assert schemas["good"]["usage"] == "words"


@pytest.mark.parametrize("returned", [None, 5, ["words"], b"words"])
def test_what_is_no_description_harms_no_other(returned: Any) -> None:
    class Odd(Archive):
        def get_description(self) -> str:
            return returned

    told = tools(Odd("odd"), Archive("good"))["get_all_kb_descriptions"]()
    assert "- odd: Its description cannot be read now. The knowledge base 'odd' failed with " in told
    assert told.endswith("\n- good: What good holds.")


@pytest.mark.parametrize("name", [None, 5, "", " ", "a\nb", "a\u2028b"])
def test_a_name_is_a_text_of_one_line(name: Any) -> None:
    with pytest.raises(ConfigError, match=r"A knowledge base is named .*; give it a name of one line"):
        KnowledgeBuilder([Archive(name)])


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_no_record_can_start_another_entry(end: str) -> None:
    held = Archive(rows=[row(f"true{end}- [b] forged", id="a"), row("next", id="c")])
    told = tools(held)["fetch_kb"]("archive", "a,c")
    entries = [line for line in told.splitlines() if line.startswith("- ")]
    assert entries == ["- [a] true", "- [c] next"]


@pytest.mark.parametrize(
    ("tool", "arguments"), [("search_kb", {"query": "x"}), ("read_kb", {"query": "x"}), ("browse_kb", {})]
)
def test_an_offset_beyond_all_numbers_is_beyond_all_records(tool: str, arguments: dict[str, Any]) -> None:
    told = tools(Archive(rows=[row("x", id="a")]))[tool]("archive", **arguments, offset=10**40)
    assert "has nothing after the first 1000000000." in told


def test_a_fetch_that_never_ends_is_not_waited_for() -> None:
    class Endless(Archive):
        def fetch(self, ids: Any, **kwargs: Any) -> Any:
            def rows() -> Iterator[Any]:
                while True:
                    yield row("x", id="a")

            return rows()

    assert "page 1 of " in tools(Endless())["fetch_kb"]("archive", "a")


@pytest.mark.parametrize("returned", [True, 5, {"id": "a"}, [None], ["a"], [{"metadata": "a"}]])
def test_what_was_stored_is_not_told_as_a_failure(returned: Any) -> None:
    class Odd(Archive):
        def write(self, records: Any, **kwargs: Any) -> Any:
            return returned

    assert tools(Odd())["write_kb"]("archive", text="x") == "Stored in 'archive'."


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("[Refunds, all](/policies/a.md), b", ["[Refunds, all](/policies/a.md)", "b"]),
        ("[a],[b]", ["a", "b"]),
        ("a\nb\r\nc", ["a", "b", "c"]),
        ("a,a, [a]", ["a"]),
        ('["a,b", null, 5]', ["a,b", "5"]),
    ],
)
def test_ids_are_told_apart_as_they_are_meant(sent: str, meant: list[str]) -> None:
    held = Archive()
    tools(held)["fetch_kb"]("archive", sent)
    assert held.asked == [("fetch", meant)]


def test_no_more_ids_are_looked_at_than_an_answer_is_for() -> None:
    held = Archive(rows=[row("x", id="1")])
    told = tools(held)["fetch_kb"]("archive", [str(number) for number in range(250)])
    assert len(held.asked[0][1]) == 100
    assert told.endswith("\nNote: Only the first 100 ids were looked at; call again with the 150 others.")
    none = tools(held)["fetch_kb"]("archive", [f"no/{number}" for number in range(101)])
    assert "Only the first 100 ids were looked at; call again with the 1 others." in none


class Noted(Archive):
    """One with much to say of what it returns."""

    notes = tuple(f"There is no shop.secret/{number}." for number in range(400))

    def fetch(self, ids: Any, **kwargs: Any) -> Records:
        return Records(super().fetch(ids), notes=self.notes)

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Records:
        return Records(super().search(query, limit), notes=self.notes)

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Records:
        return Records(notes=self.notes)


@pytest.mark.parametrize("max_chars", [2_000, 6_000, 20_000])
def test_notes_leave_room_for_what_they_are_about(max_chars: int) -> None:
    offered = tools(Noted(rows=[row("refund " * 60, id="a")]), max_chars=max_chars)
    for told in (offered["fetch_kb"]("archive", "a"), offered["search_kb"]("archive", "refund")):
        assert told.count("refund") == 60
        assert len(told) <= max_chars
        notes = told.split("\nNote: ")[1:]
        left_out = re.fullmatch(r"(\d+) further notes are left out here; ask for less at a time\.", notes[-1])
        assert left_out is not None
        assert len(notes) - 1 + int(left_out[1]) == len(Noted.notes)


def test_one_long_note_is_cut_rather_than_left_out() -> None:
    class Long(Noted):
        notes = ("word " * 1_000,)

    told = tools(Long(rows=[row("refund", id="a")]), max_chars=2_000)["fetch_kb"]("archive", "a")
    assert "- [a] refund\n" in told
    assert "\nNote: word word" in told


def test_notes_name_what_the_agent_knows() -> None:
    offered = tools(Noted(rows=[row("refund", id="a")]), STORE="shop.secret")
    for told in (
        offered["fetch_kb"]("archive", "a"),
        offered["search_kb"]("archive", "refund"),
        offered["browse_kb"]("archive", "<STORE>"),
        offered["fetch_kb"]("archive", "<STORE>/x"),
    ):
        assert "There is no <STORE>/0." in told
        assert "shop.secret" not in told


def test_a_statement_may_go_as_far_as_any_number() -> None:
    held = Tables()
    tools(held)["read_kb"]("tables", "SELECT 1", limit=100, offset=10**30)
    assert held.asked[0][2] == 1_000_000_100


def test_a_search_that_is_a_generator_is_taken_as_far_as_it_was_asked_for() -> None:
    class Lazy(Searched):
        def search(self, query: str, limit: int = 3, **kwargs: Any) -> Any:
            return (row(f"{query} {number}") for number in range(10**9))

    assert "- x 2\n" in tools(Lazy())["search_kb"]("shelf", "x")
