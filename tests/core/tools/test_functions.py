from __future__ import annotations

import inspect
import json
import typing
from typing import Annotated, Any, Literal, Optional

import pydantic
import pytest

from fingerpost import ConfigError
from fingerpost.tools import Between, Cut, Tool, ToolContext, tool, tool_method


@tool
def kb_find(
    text: str | None = None,
    tags: list[str | None] | None = None,
    mode: Literal["fast", "full"] = "fast",
    limit: Annotated[int, Between(1, 100)] = 20,
    context: ToolContext | None = None,
) -> dict[str, Any]:
    """Find concepts.

    Args:
        text: What to look for.
    """
    return {"text": text, "limit": limit, "user": (context or ToolContext()).get("user")}


def test_a_guarded_function_shows_frameworks_what_they_read() -> None:
    assert inspect.isfunction(kb_find)
    assert kb_find.__name__ == kb_find.__qualname__ == "kb_find"
    assert kb_find.__module__ == __name__
    assert kb_find.__doc__ == "Find concepts."
    assert typing.get_type_hints(kb_find) == {
        "text": Optional[str],
        "tags": Optional[list[Optional[str]]],
        "mode": Literal["fast", "full"],
        "limit": int,
        "return": str,
    }
    assert "|" not in str(kb_find.__annotations__)
    assert not hasattr(kb_find, "__wrapped__")
    signature = inspect.signature(kb_find)
    assert [(p.name, p.default) for p in signature.parameters.values()] == [
        ("text", None),
        ("tags", None),
        ("mode", "fast"),
        ("limit", 20),
    ]
    assert signature.return_annotation is str


def test_each_annotation_holds_the_description_and_leaves_the_reading_to_the_core() -> None:
    in_signature = inspect.signature(kb_find).parameters["text"].annotation
    kind, description, extra = typing.get_args(in_signature)
    assert (kind, description, repr(extra)) == (Optional[str], "What to look for.", "AsSent")
    assert typing.get_args(kb_find.__annotations__["text"])[2] == "What to look for."
    hints = typing.get_type_hints(kb_find, include_extras=True)
    shown = {
        name: hint.__metadata__[0].__get_pydantic_json_schema__(None, None)
        for name, hint in hints.items()
        if name != "return"
    }
    assert shown == Tool.of(kb_find).schema["properties"]


def test_pydantic_shows_the_schema_of_the_core_and_validates_nothing() -> None:
    fields: dict[str, Any] = {
        parameter.name: (parameter.annotation, parameter.default)
        for parameter in inspect.signature(kb_find).parameters.values()
    }
    model = pydantic.create_model("Model", **fields)
    assert model(limit="many", tags="a").model_dump() == {
        "text": None,
        "tags": "a",
        "mode": "fast",
        "limit": "many",
    }
    properties = model.model_json_schema()["properties"]
    assert properties["limit"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 20,
        "title": "Limit",
    }


def test_it_returns_a_text_and_carries_its_tool() -> None:
    assert json.loads(kb_find("a", limit=500))["limit"] == 100
    carried = Tool.of(kb_find)
    assert carried is Tool.of(carried)
    assert carried.call({"text": "a"}).data == {"text": "a", "limit": 20, "user": None}


def test_a_python_caller_can_give_the_context() -> None:
    assert json.loads(kb_find("a", context=ToolContext(user="ann")))["user"] == "ann"
    forged: Any = {"user": "eve"}
    assert json.loads(kb_find("a", context=forged))["user"] is None


def test_guarding_twice_guards_once() -> None:
    assert Tool.of(tool(kb_find)).function is Tool.of(kb_find).function


def test_a_tool_becomes_a_function_again() -> None:
    carried = Tool.of(kb_find)
    assert Tool.of(tool(carried)).function is carried.function
    assert tool(carried, name="look_up")("a") == kb_find("a")
    assert tool(carried, name="look_up").__name__ == "look_up"


def test_a_guarded_function_can_be_renamed_and_keeps_the_rest() -> None:
    renamed = tool(kb_find, prefix="acme_", max_chars=3_000)
    assert renamed.__name__ == "acme_kb_find"
    assert Tool.of(renamed).max_chars == 3_000
    assert Tool.of(renamed).schema == Tool.of(kb_find).schema
    assert Tool.of(kb_find).name == "kb_find"


def test_the_decorator_takes_options() -> None:
    @tool(name="lookup", read_only=True, cuts=(Cut("body", "Ask again."),))
    def find(text: str) -> str:
        return text

    made = Tool.of(find)
    assert (made.name, made.read_only, made.cuts) == ("lookup", True, (Cut("body", "Ask again."),))
    assert (find.__doc__, made.description) == ("Call lookup.", "Call lookup.")
    assert Tool.of(lambda: "").read_only is None


class Shelf:
    def __init__(self, prefix: str = "", max_chars: int | None = None) -> None:
        self.prefix = prefix
        self.max_chars = max_chars
        self.books = ["one"]

    @tool_method(max_chars=6_000)
    def kb_read(self, concept_id: str, page: int = 1) -> dict[str, Any]:
        """Read one.

        Args:
            concept_id: Its id.
        """
        return {"id": concept_id, "page": page, "books": self.books}


def test_a_method_is_a_tool_of_its_instance() -> None:
    shelf = Shelf(prefix="acme_", max_chars=5_000)
    read = shelf.kb_read
    assert json.loads(read("x", page=2)) == {"id": "x", "page": 2, "books": ["one"]}
    assert read.__name__ == "acme_kb_read"
    assert list(inspect.signature(read).parameters) == ["concept_id", "page"]
    assert Tool.of(read).schema["properties"]["concept_id"] == {"type": "string", "description": "Its id."}
    assert (Tool.of(read).max_chars, Tool.of(read).read_only) == (5_000, True)
    assert shelf.kb_read is read


def test_instances_do_not_share_their_tools() -> None:
    first, second = Shelf(), Shelf()
    second.books = ["two"]
    assert json.loads(first.kb_read("x"))["books"] == ["one"]
    assert json.loads(second.kb_read("x"))["books"] == ["two"]
    assert Tool.of(first.kb_read).max_chars == 6_000


def test_the_class_keeps_the_documentation() -> None:
    assert (Shelf.kb_read.__doc__ or "").startswith("Read one.")


def test_a_bad_prefix_of_an_instance_is_named_at_first_access() -> None:
    with pytest.raises(ValueError, match="Acme-kb_read"):
        _ = Shelf(prefix="Acme-").kb_read


class Shop:
    def __init__(self, price: int) -> None:
        self.cost = price

    @tool(max_chars=3_000)
    def price(self, item: str, count: int = 1) -> str:
        """Say what an item costs.

        Args:
            item: Its name.
        """
        return f"{item} {self.cost * count}"


def test_a_function_that_was_guarded_in_its_class_is_a_tool_of_each_instance() -> None:
    cheap, dear = Tool.of(Shop(1).price), Tool.of(Shop(9).price)
    assert list(cheap.schema["properties"]) == ["item", "count"]
    assert (cheap.name, cheap.max_chars) == ("price", 3_000)
    assert [each.call({"item": "a", "count": "2"}).data for each in (cheap, dear)] == ["a 2", "a 18"]
    assert Shop(1).price("a") == "a 1"


def test_a_default_that_cannot_travel_is_left_to_the_function() -> None:
    missing = object()

    @tool
    def find(limit: float = float("inf"), after: Any = missing, near: int = missing) -> str:  # pyright: ignore[reportArgumentType]
        """Find."""
        return f"{limit} {after is missing} {near is missing}"

    defaults = [parameter.default for parameter in inspect.signature(find).parameters.values()]
    assert defaults == [None, None, None]
    assert find() == find(limit=None, after=None, near=None) == "inf True True"  # pyright: ignore[reportArgumentType]


def test_a_function_that_yields_in_parts_is_refused() -> None:
    async def count() -> Any:
        """Count."""
        yield 1

    with pytest.raises(ConfigError, match="yields its answer in parts: return a list instead"):
        tool(count)
