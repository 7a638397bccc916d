"""What users of knowledge bases know of them: signatures, defaults, records, and backends of strangers."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import pytest

from fingerpost import KnowledgeBase, KnowledgeBuilder, KnowledgeCapabilities, KnowledgeError, Record, errors
from fingerpost.records import KnowledgeMetadata, KnowledgeRecord
from tests.core.knowledge.shelves import Archive, Searched, Shelf, Tables, row


def tools(*bases: KnowledgeBase, names: dict[str, str] | None = None) -> dict[str, Callable[..., str]]:
    return {function.__name__: function for function in KnowledgeBuilder(bases, semantic_map=names).build()}


def signature(function: Callable[..., object]) -> dict[str, object]:
    """The parameters of a function with their defaults; `...` for one that has to be given."""
    return {
        name: ... if parameter.default is inspect.Parameter.empty else parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if name != "self"
    }


@pytest.mark.parametrize(
    ("operation", "parameters"),
    [
        ("search", {"query": ..., "limit": 3, "kwargs": ...}),
        ("query", {"statement": ..., "limit": 3, "kwargs": ...}),
        ("fetch", {"ids": ..., "kwargs": ...}),
        ("browse", {"path": "", "limit": 50, "kwargs": ...}),
        ("write", {"records": ..., "kwargs": ...}),
        ("connect", {"kwargs": ...}),
        ("get_description", {}),
    ],
)
def test_each_operation_takes_what_is_known_of_it_with_the_known_defaults(
    operation: str, parameters: dict[str, object]
) -> None:
    assert signature(getattr(KnowledgeBase, operation)) == parameters


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("get_schemas", {}),
        ("read_kb", {"backend": ..., "query": ..., "limit": 3}),
        ("write_kb", {"backend": ..., "text": "", "source": "agent", "query": "", "params_json": "{}"}),
        ("get_all_kb_descriptions", {}),
        ("search_kb", {"backend": ..., "query": ..., "limit": 3}),
        ("fetch_kb", {"backend": ..., "ids": ...}),
        ("browse_kb", {"backend": ..., "path": "", "limit": 50}),
    ],
)
def test_each_tool_takes_what_is_known_of_it_with_the_known_defaults(
    name: str, parameters: dict[str, object]
) -> None:
    taken = list(signature(tools(Archive())[name]).items())
    assert taken[: len(parameters)] == list(parameters.items())
    assert ... not in [default for _, default in taken[len(parameters) :]]


def test_what_is_built_are_plain_functions_that_return_text() -> None:
    for function in KnowledgeBuilder([Archive("a").add_schema({})]).build():
        assert inspect.isfunction(function)
    called = tools(Archive("a").add_schema({}))
    assert isinstance(called["get_schemas"](), str)
    assert isinstance(called["fetch_kb"]("a", "missing"), str)


def test_nothing_is_declared_by_default() -> None:
    assert KnowledgeCapabilities().view() == {
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


def test_kinds_and_languages_are_any_words() -> None:
    base = Tables(kinds=["recipes", "letters"], query_language="gremlin").add_schema({})
    told = json.loads(tools(base)["get_schemas"]())["tables"]["capabilities"]
    assert (told["kinds"], told["query_language"]) == (["recipes", "letters"], "gremlin")


@pytest.mark.parametrize(
    "declared",
    [
        {"search": True},
        {"search": True, "search_mode": "hybrid"},
        {"fetch": True, "search_mode": "semantic"},
    ],
)
def test_a_search_needs_no_mode_and_a_mode_no_search(declared: dict[str, Any]) -> None:
    base = Shelf("orders", **declared)
    assert base.capabilities.search_mode == declared.get("search_mode")
    assert ("search_kb" in tools(base)) is ("search" in declared)


def test_the_constructor_wants_a_declaration_and_may_have_a_name() -> None:
    class Bare(Shelf):
        def __init__(self, *arguments: Any) -> None:
            KnowledgeBase.__init__(self, *arguments)

    with pytest.raises(TypeError, match="capabilities"):
        Bare()
    assert Bare(KnowledgeCapabilities(fetch=True)).capabilities.fetch is True
    assert Bare(KnowledgeCapabilities(fetch=True), "orders").capabilities.fetch is True


def test_a_method_called_read_is_no_part_of_it_and_never_called() -> None:
    class WithRead(Searched):
        def read(self, query: str, limit: int = 3) -> Sequence[Record]:
            raise AssertionError("read() was called")

    assert not hasattr(KnowledgeBase, "read")
    base = WithRead("w", [row("refund in 30 days")])
    assert "refund in 30 days" in tools(base)["read_kb"]("w", "refund")
    assert base.asked == [("search", "refund", 3, {})]


def test_the_usual_keys_of_metadata_are_named() -> None:
    usual = {"id", "source", "title", "kind", "trust", "stale", "links"}
    assert usual <= KnowledgeMetadata.__annotations__.keys()
    assert KnowledgeMetadata.__required_keys__ == frozenset()
    assert KnowledgeRecord.__annotations__.keys() == {"text", "metadata"}


def test_records_are_any_mappings_and_nothing_is_checked() -> None:
    odd = [
        row("One.", id="a", stale="perhaps", mine=[1]),
        {"text": "Two."},
        {"metadata": {"id": 3}, "more": 4},
    ]
    answer = tools(Searched("odd", cast("Iterable[Record]", [{"text": "", **each} for each in odd])))[
        "search_kb"
    ]("odd", "", limit=5)
    assert "\n- One.\n- Two.\n- \n" in answer


def test_nothing_found_is_an_answer_and_no_error() -> None:
    empty, archive = Searched("empty"), Archive("archive")
    assert list(empty.search("x")) == list(archive.fetch(["x"])) == list(archive.browse("x")) == []
    for call in (
        tools(empty)["read_kb"]("empty", "x"),
        tools(empty)["search_kb"]("empty", "x"),
        tools(archive)["browse_kb"]("archive", "x"),
    ):
        assert json.loads(call)["records"] == []
        assert "error" not in json.loads(call)


def test_every_error_is_of_one_tree() -> None:
    found = [
        each
        for _, each in inspect.getmembers(errors, inspect.isclass)
        if issubclass(each, BaseException) and each.__module__ == errors.__name__
    ]
    assert {"KnowledgeCapabilityError", "KnowledgePathError", "ConfigError"} <= {
        each.__name__ for each in found
    }
    assert [each for each in found if not issubclass(each, KnowledgeError)] == []


def test_a_declared_operation_that_is_not_there_is_answered_by_the_tool() -> None:
    answer = json.loads(tools(Shelf("s", search=True))["read_kb"]("s", "x"))
    assert list(answer) == ["error"]
    assert answer["error"].startswith("The knowledge base 's' declares search and does not")


def test_descriptions_are_told_for_each_backend_also_where_one_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken(Searched):
        def get_description(self) -> str:
            raise RuntimeError("password=1234")

    lines = tools(Archive("a"), Broken("b"), Tables("c"))["get_all_kb_descriptions"]().splitlines()
    assert lines[0] == "- a: What a holds."
    assert lines[1].startswith("- b: Its description cannot be read now. ")
    assert lines[2] == "- c: What c holds."
    assert "1234" not in "".join(lines)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_logical_names_are_resolved_wherever_a_tool_takes_them() -> None:
    archive, tables = Archive("archive", [row("x", id="eu/west/1")]), Tables("tables", [row("1")])
    called = tools(
        archive, tables, names={"<AREA>": "eu/west", "<ORDERS>": "shop.public.orders", "<SHOP>": "tables"}
    )
    called["read_kb"]("archive", "late in <AREA>")
    called["search_kb"]("archive", "<AREA>")
    called["browse_kb"]("archive", "<AREA>/")
    called["fetch_kb"]("archive", "a, <AREA>/1, <AREA>/2")
    called["write_kb"]("archive", query="CREATE <ORDERS>")
    called["read_kb"]("<SHOP>", "SELECT * FROM <ORDERS>")
    asked = [each[1] for each in archive.asked]
    assert asked[:4] == ["late in eu/west", "eu/west", "eu/west/", ["a", "eu/west/1", "eu/west/2"]]
    assert asked[4][0]["metadata"]["query"] == "CREATE shop.public.orders"
    assert [each[1] for each in tables.asked] == ["SELECT * FROM shop.public.orders"]


def test_a_backend_may_print_its_records_in_its_own_way() -> None:
    class Numbered(Searched):
        def format_results(self, rows: Iterable[Record]) -> str:
            return "\n".join(f"{number}) {each['text']}" for number, each in enumerate(rows, 1))

    assert "\n1) refund\n2) refunds\n" in tools(Numbered("n", [row("refund"), row("refunds")]))["read_kb"](
        "n", "ref"
    )


class MyBackend(KnowledgeBase):
    """What somebody writes who has read how to write one."""

    def __init__(self) -> None:
        super().__init__(
            KnowledgeCapabilities(kinds=["vector"], search=True, search_mode="semantic", writable=True)
        )
        self.kept: list[Record] = []

    @property
    def backend_name(self) -> str:
        return "mine"

    def connect(self, **kwargs: Any) -> None:
        """Nothing to connect to."""

    def get_description(self) -> str:
        return "Things of my own."

    def write(self, records: Iterable[Record], **kwargs: Any) -> None:
        self.kept += records

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return [each for each in self.kept if query in each["text"]][:limit]


def test_the_backend_of_a_stranger_is_searched_and_written() -> None:
    called = tools(MyBackend().add_schema({"usage": "Use a few words."}))
    assert list(called) == ["get_schemas", "read_kb", "write_kb", "get_all_kb_descriptions", "search_kb"]
    assert called["write_kb"]("mine", "A plan can be cancelled.", source="Ada") == "Stored in 'mine'."
    for name in ("read_kb", "search_kb"):
        assert "- A plan can be cancelled. (source: Ada)" in called[name]("mine", "plan")
    assert json.loads(called["get_schemas"]())["mine"]["usage"] == "Use a few words."
