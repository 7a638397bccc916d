from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from fingerpost.errors import ConfigError, KnowledgeError, KnowledgeNotFoundError
from fingerpost.tools import LEAST_CHARS, Cut, Tool, ToolResult, check_budget, tool


def answered(value: Any, **options: Any) -> ToolResult:
    def produce(limit: int = 1) -> Any:
        return value

    return Tool.build(produce, **options).call({"limit": "many"} if options.get("name") == "noted" else {})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("", ""),
        ({"b": 1, "a": "é"}, '{"b": 1, "a": "é"}'),
        ([1, None], "[1, null]"),
        (None, "null"),
        (5, "5"),
        ({1: float("nan")}, '{"1": null}'),
        ("lone \udcff", "lone \ufffd"),
    ],
)
def test_a_text_stays_text_and_all_else_is_json(value: Any, text: str) -> None:
    result = answered(value)
    assert result.text == text
    assert not result.is_error
    assert result.data == (text if isinstance(value, str) else json.loads(text))


NOTE = '"limit" takes a whole number, not "many"; its default 1 was used.'


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ({"a": 1}, {"a": 1, "notes": [NOTE]}),
        ({"a": 1, "notes": ["own"]}, {"a": 1, "notes": ["own", NOTE]}),
        ({"a": 1, "notes": "own"}, {"a": 1, "notes": "own", "call_notes": [NOTE]}),
        ([1], {"result": [1], "notes": [NOTE]}),
        ({}, {"notes": [NOTE]}),
    ],
)
def test_notes_are_part_of_what_the_model_sees(value: Any, data: Any) -> None:
    result = answered(value, name="noted")
    assert result.data == data
    assert json.loads(result.text) == data
    assert result.notes == (NOTE,)


def test_a_result_of_the_functions_own_keeps_its_parts() -> None:
    both = answered(ToolResult(data={"rows": 2}, text="two rows", notes=("one is stale",)))
    assert (both.data, both.text, both.notes) == (
        {"rows": 2},
        "two rows\nNote: one is stale",
        ("one is stale",),
    )
    assert answered(ToolResult(data={"rows": 2})).text == '{"rows": 2}'
    assert answered(ToolResult(text="bad", is_error=True)).text == '{"error": "bad"}'
    kept = answered(ToolResult(data={"error": "no", "near": ["x"]}, is_error=True))
    assert (kept.data, kept.is_error) == ({"error": "no", "near": ["x"]}, True)


@pytest.mark.parametrize("value", ["word " * 1_000_000, ["row"] * 100_000, {"cell": "y" * 2_000_000}])
@pytest.mark.parametrize("name", ["silent", "noted"])
def test_an_answer_never_has_more_than_its_budget(value: Any, name: str) -> None:
    result = answered(value, name=name, max_chars=2_000)
    assert 1_600 < len(result.text) <= 2_000
    if not isinstance(value, str):
        assert json.loads(result.text) == result.data


def test_a_long_text_says_how_to_get_the_rest() -> None:
    result = answered("word " * 1_000, cuts=(Cut("text", "Call again with page=2."),), max_chars=2_000)
    assert result.text.endswith(" of 5,000 characters are shown. Call again with page=2.)")


def test_a_budget_too_small_for_a_useful_answer_is_refused_wherever_it_is_given() -> None:
    expected = 'The tool "produce" has max_chars=1999, which is too little to be of use; allow 2,000 or more.'
    with pytest.raises(ConfigError) as built:
        answered("", max_chars=1_999)
    assert str(built.value) == expected

    @tool
    def produce() -> str:
        """Produce."""
        return ""

    with pytest.raises(ConfigError) as changed:
        tool(produce, max_chars=1_999)
    assert str(changed.value) == expected
    with pytest.raises(ConfigError, match=r"^An answer has max_chars=0, "):
        check_budget(0)
    assert check_budget(LEAST_CHARS) == LEAST_CHARS == 2_000


def raising(error: Callable[[], BaseException]) -> Tool:
    def fail(limit: int = 1) -> str:
        raise error()

    return Tool.of(fail)


class HostileError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


class Panic(BaseException):
    """Not an Exception, as foreign extensions raise them."""


def test_an_error_of_ours_speaks_for_itself(caplog: pytest.LogCaptureFixture) -> None:
    result = raising(lambda: KnowledgeNotFoundError('Nothing is at "x"; the nearest is "y".')).call({})
    assert result.data == {"error": 'Nothing is at "x"; the nearest is "y".'}
    assert result.text == json.dumps(result.data)
    assert result.is_error
    assert caplog.records == []


def test_any_other_error_is_logged_once_and_answered_with_its_reference(
    caplog: pytest.LogCaptureFixture,
) -> None:
    result = raising(lambda: ValueError("password=hunter2")).call({"limit": "many"})
    assert "hunter2" not in result.text
    assert result.data["error"].startswith(
        'The tool "fail" failed with ValueError; try other arguments, or go on without it (reference '
    )
    reference = result.data["error"].split("reference ")[1].rstrip(").")
    assert [(record.name, record.levelno) for record in caplog.records] == [
        ("fingerpost.tools", logging.ERROR)
    ]
    assert reference in caplog.records[0].getMessage()
    assert "hunter2" in caplog.text
    assert result.notes == (NOTE,)
    assert result.data["notes"] == [NOTE]


def test_the_same_failure_has_the_same_reference_and_another_one_has_not() -> None:
    addresses = iter(["<object at 0x7f01>", "<object at 0x7f02>"])
    moving = raising(lambda: ValueError(next(addresses)))
    assert moving.invoke({}) == moving.invoke({})
    assert raising(lambda: ValueError("a")).invoke() != raising(lambda: ValueError("b")).invoke()


@pytest.mark.parametrize(
    "error",
    [
        HostileError,
        MemoryError,
        RecursionError,
        StopIteration,
        Panic,
        lambda: BaseExceptionGroup("g", [Panic(), ValueError()]),
    ],
)
def test_nothing_a_function_raises_comes_through(error: Callable[[], BaseException]) -> None:
    result = raising(error).call({})
    assert result.is_error
    assert json.loads(result.text)["error"].startswith('The tool "fail" failed with ')


@pytest.mark.parametrize(
    "error",
    [KeyboardInterrupt, SystemExit, lambda: BaseExceptionGroup("g", [ValueError(), KeyboardInterrupt()])],
)
def test_what_ends_more_than_the_tool_does(error: Callable[[], BaseException]) -> None:
    with pytest.raises((KeyboardInterrupt, SystemExit, BaseExceptionGroup)):
        raising(error).call({})


def test_endless_recursion_is_answered() -> None:
    def descend(depth: int = 0) -> Any:
        return descend(depth + 1)

    assert "RecursionError" in Tool.of(descend).invoke()


def test_a_call_with_no_stack_left_is_answered() -> None:
    broken = raising(lambda: ValueError("x"))

    def near_the_end() -> str:
        try:
            return near_the_end()
        except RecursionError:
            return broken.invoke()

    assert json.loads(near_the_end())["error"].startswith("The tool")


def test_an_error_sentence_of_a_megabyte_is_cut() -> None:
    result = raising(lambda: KnowledgeError("é\n" * 500_000)).call({})
    assert len(result.text) <= 20_000
    assert json.loads(result.text) == result.data
    assert result.data["error"].endswith("…")
