from __future__ import annotations

import dataclasses
import enum
import functools
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Optional, TypedDict, Union

import pytest

from fingerpost.errors import ConfigError
from fingerpost.tools import Between, Tool, ToolContext

if TYPE_CHECKING:
    from decimal import Decimal


class Mode(enum.Enum):
    FAST = "fast"
    FULL = "full"


class Row(TypedDict):
    id: str
    score: float


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


def properties(function: Any) -> dict[str, Any]:
    return Tool.of(function).schema["properties"]


def find_passages(
    query: str,
    limit: int = 10,
    tags: list[str] | None = None,
    exact: bool = False,
    mode: Literal["fast", "full"] = "fast",
) -> str:
    """Find passages.

    Args:
        query: What to look for.
        tags: All of them must match.
    """
    return query


def test_a_signature_becomes_one_simple_schema() -> None:
    assert json.dumps(Tool.of(find_passages).schema) == json.dumps(
        {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "What to look for."},
                "limit": {"type": "integer", "default": 10},
                "tags": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "All of them must match.",
                },
                "exact": {"type": "boolean", "default": False},
                "mode": {"type": "string", "enum": ["fast", "full"], "default": "fast"},
            },
            "required": ["query"],
        }
    )


def test_every_kind_of_annotation_has_its_schema() -> None:
    def lookup(
        any_value: Any,
        number: float,
        old: Optional[int],
        union: Union[str, list[str]],
        mapping: dict[str, int],
        member: Mode = Mode.FAST,
        row: Row | None = None,
        point: Point | None = None,
        day: date | None = None,
        path: Path = Path("x"),
        many: Sequence[Mode] = (),
        pair: tuple[int, ...] = (1, 2),
        rank: Annotated[int, "How far down.", Between(1, 9)] = 3,
        level: Literal[1, 2] = 1,
    ) -> str:
        return ""

    assert properties(lookup) == {
        "any_value": {},
        "number": {"type": "number"},
        "old": {"type": "integer"},
        "union": {"type": "array", "items": {"type": "string"}},
        "mapping": {"type": "object"},
        "member": {"type": "string", "enum": ["fast", "full"], "default": "fast"},
        "row": {
            "type": "object",
            "properties": {"id": {"type": "string"}, "score": {"type": "number"}},
            "required": ["id", "score"],
        },
        "point": {
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
            "required": ["x"],
        },
        "day": {"type": "string", "format": "date"},
        "path": {"type": "string"},
        "many": {"type": "array", "items": {"type": "string", "enum": ["fast", "full"]}, "default": []},
        "pair": {"type": "array", "items": {"type": "integer"}, "default": [1, 2]},
        "rank": {"type": "integer", "minimum": 1, "maximum": 9, "description": "How far down.", "default": 3},
        "level": {"type": "integer", "enum": [1, 2], "default": 1},
    }


def test_a_type_without_hints_is_that_of_its_default() -> None:
    def bare(query, limit=10, exact=False, tags=None):  # type: ignore[no-untyped-def]
        return ""

    assert properties(bare) == {
        "query": {},
        "limit": {"type": "integer", "default": 10},
        "exact": {"type": "boolean", "default": False},
        "tags": {},
    }


def test_one_hint_that_cannot_be_resolved_costs_the_others_nothing() -> None:
    def convert(amount: Decimal, places: int = 2) -> str:
        return ""

    assert properties(convert) == {"amount": {}, "places": {"type": "integer", "default": 2}}


class Finder:
    """Finds."""

    def __call__(self, text: str) -> str:
        """Find a text."""
        return f"found {text}"

    def find(self, text: str, limit: int = 3) -> str:
        """Find by method."""
        return f"{text} {limit}"


def test_lambdas_partials_methods_and_objects_are_tools() -> None:
    by_object = Tool.of(Finder())
    assert (by_object.name, by_object.description, by_object.invoke({"text": "x"})) == (
        "finder",
        "Find a text.",
        "found x",
    )
    assert Tool.of(Finder().find).invoke({"text": "x", "limit": "5"}) == "x 5"
    shout: Any = lambda text="a": text.upper()  # noqa: E731
    assert Tool.of(shout).invoke({"text": "b"}) == "B"
    assert Tool.of(shout).name == "function"
    assert Tool.of(len).call({"obj": "abc"}).text == "3"


def test_what_a_partial_has_bound_is_not_for_the_model_to_choose() -> None:
    def fetch(tenant: str, key: str, depth: int = 1) -> str:
        return f"{tenant}/{key}/{depth}"

    bound = Tool.of(functools.partial(fetch, tenant="acme"))
    assert list(bound.schema["properties"]) == ["key", "depth"]
    assert bound.invoke({"key": "k", "tenant": "evil"}).startswith("acme/k/1")
    assert Tool.of(functools.partial(fetch, "acme")).invoke({"key": "k", "depth": 2}) == "acme/k/2"


def test_what_no_schema_can_describe_is_refused_by_name() -> None:
    def loose(query: str, **options: Any) -> str:
        return query

    with pytest.raises(ConfigError, match=r'"loose" takes \*\*options'):
        Tool.of(loose)
    with pytest.raises(ConfigError, match=r"takes \*args"):
        Tool.of(lambda *args: "")
    with pytest.raises(ConfigError, match='"max" has no readable signature'):
        Tool.of(max)


def test_the_host_fills_the_context_and_no_model_can() -> None:
    def whoami(question: str, context: ToolContext, spare: Optional[ToolContext] = None) -> str:
        return str(context.get("user"))

    def maybe(context: ToolContext | None = None) -> str:
        return str(context)

    tool = Tool.of(whoami)
    assert list(tool.schema["properties"]) == ["question"]
    assert tool.call({"question": "?"}, {"user": "ann"}).text == "ann"
    assert tool.call({"question": "?", "context": {"user": "eve"}}, {"user": "ann"}).text.startswith(
        "ann\nNote: "
    )
    assert tool.call({"question": "?"}).text == "None"
    assert Tool.of(maybe).call({}).text == "None"
    assert Tool.of(maybe).call({}, {"user": "ann"}).text == "{'user': 'ann'}"


def test_an_unresolvable_context_annotation_is_still_kept_from_the_model() -> None:
    def whoami(question: str, context: Any) -> str:
        return str(context.get("user"))

    whoami.__annotations__["context"] = "Missing | ToolContext"

    assert list(properties(whoami)) == ["question"]
    assert Tool.of(whoami).call({"question": "?"}, {"user": "ann"}).text == "ann"


def test_positional_only_and_keyword_only_arguments_are_called_rightly() -> None:
    def mixed(first: int, second: int = 2, /, *, third: int) -> str:
        return f"{first}{second}{third}"

    assert Tool.of(mixed).invoke({"first": "1", "third": 3}) == "123"
    assert Tool.of(mixed).schema["required"] == ["first", "third"]
