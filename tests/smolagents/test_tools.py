"""A tool of Fingerpost becomes a smolagents tool without losing or adding anything."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable
from typing import Any, Optional, Union, cast

import pytest
from smolagents import models  # pyright: ignore[reportMissingTypeStubs]
from smolagents.tools import validate_tool_arguments  # pyright: ignore[reportMissingTypeStubs]

from fingerpost import ConfigError, Tool, demo_bundle, tool
from fingerpost.tools import ToolContext
from fingerpost_smolagents import bind, okf_tools
from fingerpost_testing.scenarios import find_passages


def shown(made: Any) -> dict[str, Any]:
    """The tool as a `ToolCallingAgent` shows it to its model."""
    describe: Any = getattr(models, "get_tool_json_schema")  # noqa: B009 - it is typed only in part
    return describe(made)["function"]


def native(function: Callable[..., object] | Tool) -> Any:
    """The tool of one function."""
    (made,) = bind([function])
    return made


def called(made: Any, arguments: object) -> str:
    """Call a tool as a `ToolCallingAgent` does with what a model sent."""
    validate_tool_arguments(made, arguments)
    if isinstance(arguments, dict):
        return made(**cast("dict[str, Any]", arguments), sanitize_inputs_outputs=True)
    return made(arguments, sanitize_inputs_outputs=True)


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def choose(either: Union[int, dict[str, int]], what: Any, none: Optional[str] = None) -> str:
    """Choose."""
    return f"{either} {what} {none}"


@pytest.mark.parametrize("function", [find_passages, add, choose, *okf_tools(demo_bundle())])
def test_a_model_with_tool_calls_is_shown_what_the_core_says(function: Any) -> None:
    core = getattr(function, "guarded", None) or Tool.of(function)
    assert shown(native(core)) == {
        "name": core.name,
        "description": core.description,
        "parameters": core.schema,
    }


def test_showing_a_tool_leaves_it_as_it_is() -> None:
    core = Tool.of(choose)
    before = copy.deepcopy(core.schema)
    made = native(core)
    shown(made)["parameters"]["properties"]["what"]["type"] = "string"
    assert shown(made)["parameters"] == before
    assert core.schema == before


def test_a_model_that_writes_code_is_shown_the_function_as_python() -> None:
    assert native(add).to_code_prompt() == (
        """def add(first: int, second: int = 1) -> str:
    \"\"\"Add two numbers.

    Args:
        first: A number.
        second: Another one.
    \"\"\""""
    )
    assert native(choose).to_code_prompt() == (
        """def choose(either: Union[int, dict], what: Any, none: Optional[str] = None) -> str:
    \"\"\"Choose.
    \"\"\""""
    )


def test_the_prompt_that_lists_tools_shows_their_schemas() -> None:
    prompt = native(add).to_tool_calling_prompt()
    assert prompt.startswith("add: Add two numbers.\n")
    assert f"{Tool.of(add).schema['properties']}" in prompt


def test_every_kind_of_callable_is_bound_in_the_order_given() -> None:
    class Shelf:
        def count(self, kind: str = "all") -> int:
            """Count the books."""
            return len(kind)

    async def wait(turns: int) -> str:
        """Wait for some turns of the loop."""
        for _ in range(turns):
            await asyncio.sleep(0)
        return f"waited {turns}"

    bracket: Callable[[str], str] = lambda word: f"<{word}>"  # noqa: E731
    made = bind([bracket, tool(add, name="sum_up"), Tool.of(find_passages), Shelf().count, wait])
    assert [each.name for each in made] == ["function", "sum_up", "find_passages", "count", "wait"]
    assert called(made[0], {"word": "x"}) == "<x>"
    assert called(made[1], {"first": 2.0, "second": "3"}) == "5"
    assert called(made[3], {}) == "3"
    assert called(made[4], {"turns": "4"}) == "waited 4"


def test_a_prefix_tells_two_bundles_apart() -> None:
    names = [made.name for made in okf_tools(demo_bundle(), prefix="support_")]
    assert names == ["support_kb_index", "support_kb_read", "support_kb_find"]


def test_a_prefix_that_no_model_takes_is_refused_when_the_tools_are_made() -> None:
    with pytest.raises(ConfigError, match=r"my\.kb_index"):
        okf_tools(demo_bundle(), prefix="my.")


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ({"first": "2"}, "3"),
        ({"first": 2.0, "second": None}, "3"),
        ('{"first": 2}', "3"),
        ({}, "3"),
    ],
)
def test_the_check_of_smolagents_lets_everything_through_to_the_core(sent: Any, answer: str) -> None:
    def add_up(first: int = 2, second: int = 1) -> str:
        """Add."""
        return str(first + second)

    assert called(native(add_up), sent) == answer


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ('{"first": 2, "sec', "not valid JSON"),
        (["first"], "are a list"),
        ({"second": 1}, '\\"first\\" is missing'),
        ({"first": "two"}, "takes a whole number"),
    ],
)
def test_what_cannot_be_read_is_answered_with_the_sentence_of_the_core(sent: Any, said: str) -> None:
    answer = called(native(add), sent)
    assert answer.startswith('{"error": ')
    assert said in answer


def test_the_plain_inputs_beneath_say_what_smolagents_says_of_its_own_tools() -> None:
    made = native(add)
    made.inputs = dict(made.inputs)
    made.validate_arguments()
    assert called(made, {"first": 1}) == "2"
    with pytest.raises(TypeError, match="first has type 'string'"):
        called(made, {"first": "1"})
    with pytest.raises(ValueError, match="first is required"):
        called(made, {"second": 1})


def test_a_tool_without_arguments_takes_anything() -> None:
    def ping() -> str:
        """Ping."""
        return "pong"

    made = native(ping)
    assert called(made, {}) == called(made, "{}") == "pong"
    assert called(made, {"colour": "red"}).startswith("pong\n")
    assert "not valid JSON" in called(made, '{"colour": ')


def test_an_error_is_an_answer_and_no_exception() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    answer = called(native(fail), {"reason": "secret"})
    assert "ValueError" in answer
    assert "secret" not in answer


def test_python_code_calls_a_tool_by_position_and_by_name() -> None:
    made = native(add)
    assert made(1) == made.forward(1) == "2"
    assert made(1, 2) == made(first="1", second=2) == made(1, second=2) == "3"
    assert "At most 2" in made(1, 2, 3)
    assert "twice" in made(1, first=2)


@pytest.mark.parametrize("name", ["self", "args", "kwargs", "forward", "name", "inputs"])
def test_an_argument_with_a_name_that_smolagents_uses_is_ignored_with_a_note(name: str) -> None:
    answer = called(native(add), {"first": 1, name: 7})
    assert answer.startswith("2\n")
    assert f'"{name}"' in answer


def test_a_parameter_with_a_name_that_smolagents_uses_gets_what_the_model_sent() -> None:
    def describe(inputs: str, args: int = 0, name: Optional[str] = None, forward: str = "none") -> str:
        """Describe a thing."""
        return f"{inputs} {args} {name} {forward}"

    sent = {"inputs": "a", "args": "2", "name": "b", "forward": "c"}
    assert called(native(describe), sent) == "a 2 b c"


def test_a_tool_that_takes_a_context_gets_an_empty_one_and_no_model_can_set_it() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        return f"{sorted(context)}"

    made = native(whose)
    assert shown(made)["parameters"]["properties"] == {}
    assert called(made, {"context": {"tenant": "south"}}).startswith("[]")


def test_a_tool_belongs_to_its_process_and_cannot_be_saved() -> None:
    with pytest.raises(ValueError, match="Tool validation failed"):
        native(add).to_dict()
