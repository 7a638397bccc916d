"""What does not fit into an answer can be had all the same, and the answer says how."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from fingerpost.configuration import kb_tools
from fingerpost.errors import ConfigError
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.knowledge.builder import KnowledgeBuilder
from fingerpost.tools import Tool
from tests.core.knowledge.shelves import Archive, Searched, row

MOST = 6_000
LONG = {"usage": [f"Table {number} has the columns a, b and c." for number in range(400)]}


def tools(*bases: KnowledgeBase, max_chars: int | None = None) -> dict[str, Callable[..., str]]:
    return {each.__name__: each for each in KnowledgeBuilder(bases).build(max_chars=max_chars)}


def test_a_record_that_is_cut_in_a_list_says_how_to_get_the_rest_of_it() -> None:
    rows = [row("refund " + "y" * 100_000, id="a"), row("refund", id="b")]
    fetchable = tools(Archive(rows=rows))["search_kb"]("archive", "refund")
    assert "characters are shown. fetch_kb reads it whole.)" in fetchable
    assert fetchable.endswith("Only 1 of 2 records have room here. Call again with offset=1.")
    assert "The knowledge base shows no more of it.)" in tools(Searched(rows=rows))["read_kb"](
        "shelf", "refund"
    )


def test_long_schemas_are_cut_and_each_is_to_be_had_alone() -> None:
    both = tools(Archive("a").add_schema(LONG), Archive("b").add_schema(LONG))["get_schemas"]
    cut = json.loads(both())
    assert list(cut) == ["a", "b", "left_out"]
    assert "Call again with backend='a', to see that one alone." in {each["how"] for each in cut["left_out"]}
    assert json.loads(both("b"))["b"]["usage"] == LONG["usage"]
    alone = json.loads(tools(Archive("a").add_schema(LONG), max_chars=MOST)["get_schemas"]("a"))
    assert "The schema of 'a' is longer than an answer may be" in alone["left_out"][0]["how"]


def test_descriptions_that_are_cut_say_where_the_others_are() -> None:
    class Talkative(Searched):
        def get_description(self) -> str:
            return "word " * 1_000

    answer = tools(Talkative("a"), Talkative("b"))["get_all_kb_descriptions"]()
    assert len(answer) <= MOST
    assert answer.endswith("get_schemas lists all that there are.)")


def test_a_smaller_budget_leaves_every_line_of_a_record_within_reach() -> None:
    text = "".join(f"Line {number:05}.\n" for number in range(1_500))
    fetch = tools(Archive(rows=[row(text, id="a")]), max_chars=MOST)["fetch_kb"]
    seen: list[str] = []
    while True:
        seen.append(fetch("archive", "a", page=len(seen) + 1))
        if f"call again with page={len(seen) + 1}" not in seen[-1]:
            break
    assert max(map(len, seen)) <= MOST
    assert len(seen) > 3
    assert not any("Cut here" in answer for answer in seen)
    assert [line for line in text.splitlines() if line not in "".join(seen)] == []


@pytest.mark.parametrize(("own", "budget"), [(None, MOST), (3_000, 3_000), (9_000, MOST)])
def test_the_smaller_budget_holds(own: int | None, budget: int) -> None:
    builder = KnowledgeBuilder([Archive()], prefix="shop_", max_chars=own)
    made = [Tool.of(function) for function in kb_tools(builder, max_chars=MOST)]
    assert {tool.max_chars for tool in made} == {budget}
    assert made[0].name == "shop_get_schemas"


def test_a_budget_that_is_of_no_use_is_refused() -> None:
    with pytest.raises(ConfigError, match="An answer has max_chars=1999"):
        KnowledgeBuilder([Archive()]).build(max_chars=1_999)


def test_a_configuration_takes_a_budget_too() -> None:
    config = {"okf": {"databases": {"kb": {"uri": "missing", "consumer": ["support"]}}}}
    made = kb_tools(config, "support", max_chars=3_000)
    assert {Tool.of(function).max_chars for function in made} == {3_000}
