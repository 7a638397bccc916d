from __future__ import annotations

import dataclasses
import enum
from datetime import date
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest

from fingerpost.tools import Between, JsonText, Tool, ToolResult


class Tier(enum.Enum):
    UNVERIFIED = "unverified"
    HUMAN = "human-reviewed"


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Row(TypedDict, total=False):
    id: str
    score: float


REQUIRED: dict[str, Any] = {
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
    "list[str]": list[str],
    "list[int]": list[int],
    "dict": dict[str, int],
    "mode": Literal["fast", "full"],
    "tier": Tier,
    "date": date,
    "point": Point,
    "row": Row,
    "set[str]": set[str],
    "union": Union[int, list[str]],
    "bounded": Annotated[int, Between(1, 100)],
    "optional": Optional[int],
    "any": Any,
    "list[dict]": list[dict[str, Any]],
}
MISSING: Any = object()


def received(annotation: Any, value: Any, default: Any = MISSING) -> tuple[Any, ToolResult]:
    """What a function with one argument of this type gets, and the answer."""
    got: list[Any] = []
    if default is MISSING:

        def required(value: Any) -> str:
            got.append(value)
            return "ok"

        function: Any = required
    else:

        def optional(value: Any = default) -> str:
            got.append(value)
            return "ok"

        function = optional
    function.__annotations__ = {"value": annotation, "return": str}
    result = Tool.of(function).call({"value": value})
    return (got[0] if got else MISSING), result


@pytest.mark.parametrize(
    ("kind", "sent", "taken"),
    [
        ("int", "2", 2),
        ("int", " +2.0 ", 2),
        ("int", 2.0, 2),
        ("int", "1e3", 1000),
        ("int", "٢", 2),
        ("float", "2.5", 2.5),
        ("float", 2, 2.0),
        ("bool", "false", False),
        ("bool", "No", False),
        ("bool", "off", False),
        ("bool", "0", False),
        ("bool", 0, False),
        ("bool", 1.0, True),
        ("bool", " TRUE ", True),
        ("str", 5, "5"),
        ("str", True, "true"),
        ("str", 2.5, "2.5"),
        ("str", ["only"], "only"),
        ("str", "null", "null"),
        ("str", "a\ud83d\ude00\ud800", "a😀\ufffd"),
        ("list[str]", "finance", ["finance"]),
        ("list[str]", '["finance", "hr"]', ["finance", "hr"]),
        ("list[str]", "a, b", ["a, b"]),
        ("list[str]", "[draft] notes", ["[draft] notes"]),
        ("list[str]", [1, None, "b"], ["1", "b"]),
        ("list[int]", 3, [3]),
        ("list[int]", ["1", 2.0], [1, 2]),
        ("dict", '{"a": "1"}', {"a": 1}),
        ("mode", " FAST", "fast"),
        ("tier", "Human Reviewed", Tier.HUMAN),
        ("tier", "UNVERIFIED", Tier.UNVERIFIED),
        ("tier", Tier.HUMAN, Tier.HUMAN),
        ("date", "2026-09-23", date(2026, 9, 23)),
        ("point", {"x": "1", "z": 3}, Point(1)),
        ("row", '{"score": "1"}', {"score": 1.0}),
        ("set[str]", "a", {"a"}),
        ("union", "5", 5),
        ("union", ["a"], ["a"]),
        ("union", "finance", ["finance"]),
        ("bounded", "7", 7),
        ("optional", None, None),
        ("optional", "null", None),
        ("any", {"a": [1]}, {"a": [1]}),
        ("int", {"type": "integer", "value": "3"}, 3),
        ("str", {"description": "the text", "value": "x"}, "x"),
        ("str", {"title": "Query", "default": "x"}, "x"),
        ("str", {"value": "x"}, "x"),
        ("list[str]", {"type": "array", "value": ["x"]}, ["x"]),
        ("list[dict]", {"type": "tag", "value": "x"}, [{"type": "tag", "value": "x"}]),
        ("list[dict]", '{"a": 1}', [{"a": 1}]),
    ],
)
def test_an_unambiguous_value_is_converted(kind: str, sent: Any, taken: Any) -> None:
    got, result = received(REQUIRED[kind], sent)
    assert got == taken
    assert type(got) is type(taken)
    assert result == ToolResult(data="ok", text="ok")


@pytest.mark.parametrize(
    ("kind", "sent", "sentence"),
    [
        ("int", 2.5, "takes a whole number, not 2.5"),
        ("int", "many", 'takes a whole number, not "many"'),
        ("int", True, "takes a whole number, not true"),
        ("int", "9" * 5000, 'takes a whole number, not "999'),
        pytest.param("int", 10**5000, "not a number of more than 300 digits", id="huge"),
        ("int", float("inf"), "takes a whole number"),
        ("float", "nan", 'takes a number, not "nan"'),
        ("bool", "maybe", 'takes true or false, not "maybe"'),
        ("bool", 2, "takes true or false, not 2"),
        ("str", {"a": 1}, "takes a text, not an object"),
        ("str", ["a", "b"], "takes a text, not a list"),
        ("list[int]", ["one"], "takes a list of whole numbers, not a list"),
        ("dict", "[1]", "takes an object"),
        ("mode", "ful", 'takes one of "fast", "full", not "ful"; the nearest is "full".'),
        ("tier", "robot", 'takes one of "unverified", "human-reviewed", not "robot"'),
        ("date", "soon", 'takes a date as text, not "soon"'),
        ("point", {"y": 1}, 'takes an object with "x", "y", not an object'),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(kind: str, sent: Any, sentence: str) -> None:
    got, result = received(REQUIRED[kind], sent)
    assert got is MISSING
    assert result.is_error
    assert result.data["error"].startswith('The argument "value" takes')
    assert sentence in result.data["error"]


def test_a_refusal_says_what_to_send() -> None:
    assert received(int, "many")[1].data["error"] == (
        'The argument "value" takes a whole number, not "many"; send one JSON object such as {"value": 1}.'
    )


@pytest.mark.parametrize(
    ("annotation", "default", "sent", "note"),
    [
        (int, 10, "many", '"value" takes a whole number, not "many"; its default 10 was used.'),
        (list[str] | None, None, {"a": 1}, '"value" takes a list of texts, not an object; it was left out.'),
        (
            Literal["fast", "full"],
            "fast",
            "ful",
            (
                '"value" takes one of "fast", "full", not "ful" (the nearest is "full"); '
                'its default "fast" was used.'
            ),
        ),
    ],
)
def test_an_optional_argument_falls_back_to_its_default_with_a_note(
    annotation: Any, default: Any, sent: Any, note: str
) -> None:
    got, result = received(annotation, sent, default)
    assert got == default
    assert result.notes == (note,)
    assert result.text == f"ok\nNote: {note}"
    assert not result.is_error


@pytest.mark.parametrize("kind", sorted(REQUIRED))
def test_null_is_the_default_without_a_note(kind: str) -> None:
    default = object()
    got, result = received(REQUIRED[kind], None, default)
    assert got is default
    assert result.notes == ()


@pytest.mark.parametrize("word", ["null", "None", "", " NULL "])
def test_the_word_for_nothing_is_the_default_unless_a_text_is_asked_for(word: str) -> None:
    assert received(int, word, 7)[0] == 7
    assert received(list[str], word, ["d"])[0] == ["d"]
    assert received(str, word, "d")[0] == word


@pytest.mark.parametrize(
    ("sent", "taken", "note"),
    [
        (500, 100, '"value" was set to 100, the most it takes.'),
        ("-3", 1, '"value" was set to 1, the least it takes.'),
    ],
)
def test_a_number_beyond_its_bounds_is_clamped_with_a_note(sent: Any, taken: int, note: str) -> None:
    got, result = received(REQUIRED["bounded"], sent)
    assert got == taken
    assert result.notes == (note,)


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        ({"type": "Policy"}, '{"type": "Policy"}'),
        (["a", "é"], '["a", "é"]'),
        ([{"a": 1}], '[{"a": 1}]'),
        ({"value": '{"a": 1}'}, '{"a": 1}'),
        ('{"a": 1}', '{"a": 1}'),
        ("no JSON", "no JSON"),
        (5, "5"),
    ],
)
def test_a_text_of_json_takes_what_it_stands_for(sent: Any, taken: str) -> None:
    got, result = received(Annotated[str, JsonText()], sent)
    assert (got, result.notes) == (taken, ())


def test_a_text_of_json_is_shown_as_a_text_and_refuses_what_json_cannot_hold() -> None:
    def ask(where: Annotated[str, JsonText()] = "{}") -> str:
        return where

    assert Tool.of(ask).schema["properties"]["where"] == {"type": "string", "default": "{}"}
    assert Tool.of(ask).call({"where": {"a": object()}}).notes != ()
