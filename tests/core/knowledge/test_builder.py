"""`KnowledgeBuilder`: which tools there are, and what each answers."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from fingerpost.errors import ConfigError, KnowledgeError
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.knowledge.builder import KnowledgeBuilder
from fingerpost.records import Record, Records
from fingerpost.tools import Tool
from tests.core.knowledge.shelves import Archive, Searched, Shelf, Tables, row

END = "===== end of content ====="
ALWAYS = ["get_schemas", "read_kb", "write_kb", "get_all_kb_descriptions"]


def tools(*bases: KnowledgeBase, names: dict[str, str] | None = None) -> dict[str, Callable[..., str]]:
    return {function.__name__: function for function in KnowledgeBuilder(bases, names).build()}


def error(text: str) -> str:
    return json.loads(text)["error"]


@pytest.mark.parametrize(
    ("bases", "gated"),
    [
        ([Searched()], ["search_kb"]),
        ([Tables()], []),
        ([Tables(), Searched()], ["search_kb"]),
        ([Archive()], ["search_kb", "fetch_kb", "browse_kb"]),
        ([Shelf(fetch=True)], ["fetch_kb"]),
        ([Shelf("a", browse=True), Shelf("b", writable=True)], ["browse_kb"]),
    ],
)
def test_a_tool_is_there_where_something_can_serve_it(bases: list[KnowledgeBase], gated: list[str]) -> None:
    builder = KnowledgeBuilder(bases)
    assert [function.__name__ for function in builder.build()] == [*ALWAYS, *gated]
    without = [name for name in ALWAYS if name != "write_kb"]
    assert [function.__name__ for function in builder.build(writable=False)] == [*without, *gated]


def test_the_arguments_are_those_that_are_known_and_then_more() -> None:
    known = {
        "get_schemas": [],
        "read_kb": ["backend", "query", "limit"],
        "write_kb": ["backend", "text", "source", "query", "params_json"],
        "get_all_kb_descriptions": [],
        "search_kb": ["backend", "query", "limit"],
        "fetch_kb": ["backend", "ids"],
        "browse_kb": ["backend", "path", "limit"],
    }
    for name, function in tools(Archive()).items():
        tool = Tool.of(function)
        names = [parameter.name for parameter in tool.parameters]
        assert names[: len(known[name])] == known[name]
        assert not any(parameter.required for parameter in tool.parameters[len(known[name]) :])
        assert tool.read_only is (name != "write_kb")


def test_there_is_a_knowledge_base_and_no_two_share_a_name() -> None:
    with pytest.raises(ConfigError, match="at least one"):
        KnowledgeBuilder([])
    with pytest.raises(ConfigError, match="Two knowledge bases are named 'a'"):
        KnowledgeBuilder([Searched("a"), Tables("a")])


def test_schemas_are_told_also_where_one_fails(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Searched):
        def schema(self) -> dict[str, Any]:
            raise RuntimeError("password=1234")

    called = tools(Archive("a").add_schema({"usage": "ask"}), Searched("b"), Broken("c"), names={"<B>": "b"})
    schemas = json.loads(called["get_schemas"]())
    assert schemas["a"]["usage"] == "ask"
    assert schemas["a"]["capabilities"]["browse"] is True
    assert "'<B>' has no schema" in schemas["b"]["error"]
    assert schemas["c"]["error"].startswith("The knowledge base 'c' failed with RuntimeError (reference ")
    assert "1234" not in called["get_schemas"]()
    assert list(json.loads(called["get_schemas"]("a"))) == ["a"]
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 2


def test_reading_asks_with_a_statement_where_there_is_a_language_and_else_with_words() -> None:
    words = Searched("w", [row("refund in 30 days", source="h")])
    statements = Tables("t", [row("1"), row("2")])
    called = tools(words, statements)
    assert "- refund in 30 days (source: h)" in called["read_kb"]("w", "refund")
    answer = called["read_kb"]("t", "SELECT 1", limit="1")
    assert "- 1\n=" in answer
    assert answer.endswith("There may be more. Call again with offset=1.")
    assert "- 2\n" in called["read_kb"]("t", "SELECT 1", limit=1, offset=1)
    assert words.asked == [("search", "refund", 3, {})]
    assert statements.asked == [("query", "SELECT 1", 1, {}), ("query", "SELECT 1", 2, {})]


def test_a_declared_search_is_not_used_for_reading_where_there_is_a_language() -> None:
    both = Tables(search=True)
    tools(both)["read_kb"]("tables", "SELECT 1")
    assert both.asked == [("query", "SELECT 1", 3, {})]


def test_what_a_knowledge_base_does_not_offer_is_refused_with_what_it_offers() -> None:
    called = tools(Archive("a"), Tables("t"), Shelf("b", browse=True))
    asked = {"search": ("search_kb", "x"), "fetch": ("fetch_kb", "x"), "browse": ("browse_kb", "x")}
    for operation, (tool, text) in asked.items():
        refusal = f"The knowledge base 't' does not offer {operation}; it offers query."
        assert error(called[tool]("t", text)) == refusal
    refusal = "The knowledge base 'b' does not offer search; it offers browse."
    assert error(called["read_kb"]("b", "x")) == refusal


def test_an_unknown_name_lists_those_that_there_are() -> None:
    called = tools(Archive("handbook"), Tables("orders"), names={"<SHOP>": "orders"})
    for name in [*ALWAYS[1:3], "search_kb", "browse_kb"]:
        arguments = ["hanbook", *(["x"] if name != "browse_kb" else [])]
        assert error(called[name](*arguments)) == (
            "Unknown backend 'hanbook'. Available: 'handbook', '<SHOP>'. Did you mean handbook?"
        )
    assert "nothing like that" in called["read_kb"](" HANDBOOK ", "x")


def test_a_name_may_have_blanks_around_it_like_any_answer_about_it() -> None:
    called = tools(Searched(" orders ", [row("refund")]), Searched("orders_old"))
    for name in (" orders ", "orders", "ORDERS"):
        assert "- refund" in called["read_kb"](name, "refund")


def test_writing_names_what_was_stored_and_keeps_the_source() -> None:
    archive = Archive()
    called = tools(archive)
    fields = {"source": "Ada", "title": "T", "tags": ["x"], "type": "Note"}
    answer = called["write_kb"]("archive", text="New.", id="", **fields)
    assert answer == "Stored in 'archive' under id 'new/0', revision 'r1'."
    assert archive.asked == [("write", [{"text": "New.", "metadata": fields}])]
    result = Tool.of(called["write_kb"]).call({"backend": "archive", "text": "More."})
    assert result.data == {"backend": "archive", "stored": [{"id": "new/1", "revision": "r1"}]}


def test_a_statement_is_written_with_its_parameters() -> None:
    archive = Archive()
    called = tools(archive, names={"<NODE>": "Person"})
    called["write_kb"]("archive", query="CREATE (:<NODE> {n: $n})", params_json='{"n": 1}')
    metadata = {"source": "agent", "query": "CREATE (:Person {n: $n})", "params": {"n": 1}}
    assert archive.asked == [("write", [{"text": "", "metadata": metadata}])]
    for wrong in ('["oops"]', "{", "42"):
        assert '"params_json" takes the text of a JSON object' in error(
            called["write_kb"]("archive", query="CREATE ()", params_json=wrong)
        )
    assert "<NOED>" in error(called["write_kb"]("archive", query="CREATE (:<NOED>)"))


def test_nothing_is_written_where_there_is_nothing_or_no_writing() -> None:
    archive = Archive("a")
    called = tools(archive, Tables("t"))
    assert error(called["write_kb"]("a", text="  ")) == 'Nothing to store: give "text" or "query".'
    assert error(called["write_kb"]("t", text="x")) == (
        "The knowledge base 't' does not offer write; it offers query. Writes go to 'a'."
    )
    assert error(tools(Tables("t"))["write_kb"]("t", text="x")) == (
        "The knowledge base 't' does not offer write; it offers query. No other takes writes either."
    )
    assert archive.asked == []


def test_ids_are_fetched_as_they_are_printed() -> None:
    rows = [row("One.", id="a/1"), row("Two.", id="a/2")]
    archive = Archive(rows=rows)
    called = tools(archive, names={"<TOP>": "a"})
    answer = called["fetch_kb"]("archive", "[a/1], <TOP>/2,")
    assert "- [a/1] One.\n- [a/2] Two.\n" in answer
    assert archive.asked == [("fetch", ["a/1", "a/2"])]
    assert error(called["fetch_kb"]("archive", " , ")).startswith("Give at least one id")
    nothing = "The knowledge base 'archive' has nothing under x, y; use an id as another answer prints it."
    assert error(called["fetch_kb"]("archive", "x,y")) == nothing


def test_browsing_lists_a_part_and_says_that_there_may_be_more() -> None:
    archive = Archive(rows=[row(f"Entry {number}", id=f"a/{number}") for number in range(5)])
    called = tools(archive, names={"<TOP>": "a/"})
    answer = called["browse_kb"]("archive", "<TOP>", limit=2)
    assert "- [a/0] Entry 0\n- [a/1] Entry 1\n" in answer
    assert answer.endswith("There may be more. Call again with offset=2.")
    assert "- [a/4] Entry 4\n=" in called["browse_kb"]("archive", "<TOP>", limit=2, offset=4)
    assert archive.asked == [("browse", "a/", 2), ("browse", "a/", 6)]
    assert "There may be more" not in called["browse_kb"]("archive")
    assert json.loads(called["browse_kb"]("archive", "zz"))["records"] == []


def test_a_search_takes_the_filters_that_are_declared() -> None:
    archive = Archive(rows=[row("refund", id="a")], filters=["type"])
    called = tools(archive)
    assert "- [a] refund" in called["search_kb"]("archive", "refund", filters_json='{"type": "Policy"}')
    assert archive.asked == [("search", "refund", 3, {"type": "Policy"})]
    assert error(called["search_kb"]("archive", "refund", filters_json='{"tpye": "x"}')) == (
        "The knowledge base 'archive' has no filter 'tpye'; it knows type."
    )
    message = json.loads(called["search_kb"]("archive", "zz"))["message"]
    assert message.startswith("The knowledge base 'archive' has nothing like that. Try other words")


@pytest.mark.parametrize("failure", [RuntimeError("host=10.0.0.1"), KeyError("x"), RecursionError()])
def test_what_a_knowledge_base_raises_is_answered(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Searched("broken")
    broken.fails = failure
    called = tools(broken, Archive("fine", [row("refund", id="a")]))
    said = error(called["read_kb"]("broken", "refund"))
    assert said.startswith(f'The tool "read_kb" failed with {type(failure).__name__}')
    assert "10.0.0.1" not in said
    assert len(caplog.records) == 1
    assert "- [a] refund" in called["read_kb"]("fine", "refund")


def test_errors_name_what_the_agent_knows() -> None:
    broken = Tables("t")
    broken.fails = KnowledgeError("There is no column x in shop.public.orders.")
    called = tools(broken, names={"<ORDERS>": "shop.public.orders"})
    assert error(called["read_kb"]("t", "SELECT x FROM <ORDERS>")) == "There is no column x in <ORDERS>."
    assert broken.asked[0][1] == "SELECT x FROM shop.public.orders"


def test_long_answers_keep_whole_records_and_say_what_is_left_out() -> None:
    rows = [row(f"Record {number}. " + "x" * 900, id=str(number)) for number in range(50)]
    answer = tools(Archive(rows=rows))["search_kb"]("archive", "Record", limit=50)
    assert len(answer) <= 20_000
    assert "Only 21 of 50 records have room here. Call again with offset=21." in answer
    assert answer.count("\n- [") == 21
    huge = tools(Searched(rows=[row("refund " + "y" * 100_000)]))["read_kb"]("shelf", "refund")
    assert len(huge) <= 20_000
    assert "end of content" in huge


class Telling(Archive):
    """One that has something to say of what it returns."""

    said = Records()

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return Records(self.rows[:limit], self.said.total, self.said.notes)

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        return Records(super().fetch(ids), notes=self.said.notes)


def test_what_is_said_of_records_reaches_the_agent() -> None:
    base = Telling(rows=[row(f"Entry {number}", id=str(number)) for number in range(7)])
    called = tools(base)
    base.said = Records(total=7, notes=["Two files were not searched."])
    answer = called["search_kb"]("archive", "x", limit=5)
    assert answer.endswith("7 in all. Call again with offset=5.\nNote: Two files were not searched.")
    assert "in all" not in called["search_kb"]("archive", "x", limit=5, offset=5)
    assert "There may be more" not in called["search_kb"]("archive", "x", limit=7)
    base.said = Records(notes=["Did you mean 3?"])
    assert error(called["fetch_kb"]("archive", "33")) == "Did you mean 3?"
    assert called["fetch_kb"]("archive", "3,33").endswith("- [3] Entry 3\n" + END + "\nNote: Did you mean 3?")
    base.rows = []
    silence = json.loads(called["search_kb"]("archive", "x"))
    assert silence["message"] == "The knowledge base 'archive' has nothing like that. Did you mean 3?"


def test_long_records_are_read_page_by_page() -> None:
    text = "\n".join(f"Line {number} of the text." for number in range(3_000))
    called = tools(Archive(rows=[row(text, id="long"), row("Short.", id="short")]))
    first = called["fetch_kb"]("archive", "long,short")
    assert len(first) <= 20_000
    pages = int(first.partition("page 1 of ")[2].partition(":")[0])
    assert first.endswith("The text goes on: call again with page=2.")
    read = [called["fetch_kb"]("archive", "long,short", page=number) for number in range(1, pages + 1)]
    assert all(f"Line {number} of" in "".join(read) for number in range(3_000))
    assert read[-1].endswith(f"- [short] Short.\n{END}")
    assert called["fetch_kb"]("archive", "short", page=3).endswith(
        "Note: There is no page 3; this is page 1."
    )
    data = Tool.of(called["fetch_kb"]).call({"backend": "archive", "ids": "long", "page": 2}).data
    assert (data["page"], data["pages"]) == (2, pages)


def test_what_is_no_list_of_knowledge_bases_is_told() -> None:
    class Mute(Shelf):
        def __init__(self) -> None:
            """Without super().__init__()."""
            self.name = "mute"

    for wrong in (Archive(), "archive", {"a": Archive()}, 5):
        with pytest.raises(ConfigError, match="takes a list of knowledge bases"):
            KnowledgeBuilder(wrong)  # pyright: ignore[reportArgumentType] - on purpose
    with pytest.raises(ConfigError, match="5 is no knowledge base"):
        KnowledgeBuilder([5])  # pyright: ignore[reportArgumentType] - on purpose
    with pytest.raises(ConfigError, match=r"Mute declares nothing: call super\(\)"):
        KnowledgeBuilder([Mute()])


@pytest.mark.parametrize("id_", ["a,b", "a\nb", "a\x00"])
def test_an_id_that_could_not_be_fetched_is_not_written(id_: str) -> None:
    archive = Archive()
    assert "could not be fetched" in error(tools(archive)["write_kb"]("archive", text="x", id=id_))
    assert archive.asked == []
    tools(archive)["write_kb"]("archive", text="x", id=" [a/1] ")
    assert archive.asked[0][1][0]["metadata"]["id"] == "a/1"
