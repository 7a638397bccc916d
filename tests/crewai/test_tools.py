"""A tool of Fingerpost becomes a CrewAI tool without losing or adding anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Optional, TypedDict

import pytest
from crewai.tools import BaseTool
from crewai.tools.tool_failure import ToolFailure
from crewai.utilities.agent_utils import convert_tools_to_openai_schema

from fingerpost import ConfigError, MemoryDocumentStore, Tool, demo_bundle, tool
from fingerpost_crewai import bind, okf_tools
from fingerpost_testing.scenarios import find_passages


def called(native: BaseTool, arguments: dict[str, Any]) -> Any:
    """Call a tool as CrewAI does, in all of its ways."""
    answers = [
        native.run(**arguments),
        asyncio.run(native.arun(**arguments)),
        native.to_structured_tool().func(**arguments),
    ]
    assert answers[0] == answers[1] == answers[2]
    return answers[0]


def shown(native: BaseTool) -> dict[str, Any]:
    """What CrewAI shows a model of the tool."""
    schemas: Any = convert_tools_to_openai_schema([native])[0]
    return schemas[0]["function"]


class Named(TypedDict):
    """An object with a member."""

    colour: str


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def test_the_model_is_shown_the_core_and_may_leave_out_an_optional_argument_with_null() -> None:
    assert shown(bind([add])[0]) == {
        "name": "add",
        "description": "Add two numbers.",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {
                "first": {"type": "integer", "description": "A number."},
                "second": {
                    "anyOf": [{"type": "integer"}, {"type": "null"}],
                    "description": "Another one.",
                    "default": 1,
                },
            },
            "required": ["first", "second"],
            "additionalProperties": False,
        },
    }
    assert called(bind([add])[0], {"first": 1, "second": None}) == "2"


def test_an_object_is_shown_with_its_members_and_a_free_form_one_without_any() -> None:
    def paint(free: dict[str, Any], named: Named) -> str:
        """Paint."""
        return f"{free} {named}"

    properties = shown(bind([paint])[0])["parameters"]["properties"]
    closed = {"type": "object", "additionalProperties": False}
    assert properties["free"] == closed | {"properties": {}, "required": []}
    colour = {"properties": {"colour": {"type": "string"}}, "required": ["colour"]}
    assert properties["named"] == closed | colour


def test_what_crewai_does_to_the_schema_stays_with_it() -> None:
    core = Tool.of(add)
    (native,) = bind([core])
    native.args_schema.model_json_schema()["properties"].clear()
    assert list(native.args_schema.model_json_schema()["properties"]) == ["first", "second"]
    assert core.schema["required"] == ["first"]
    assert core.schema["properties"]["second"]["type"] == "integer"


def test_a_lambda_a_guarded_function_and_a_tool_are_bound_in_the_order_given() -> None:
    guarded = tool(add, name="sum_up")
    bracket: Callable[[str], str] = lambda word: f"<{word}>"  # noqa: E731
    tools = bind([bracket, guarded, Tool.of(find_passages)])
    assert [native.name for native in tools] == ["function", "sum_up", "find_passages"]
    assert called(tools[0], {"word": "x"}) == "<x>"
    assert called(tools[1], {"first": 2.0, "second": "3"}) == "5"


def test_a_method_and_a_coroutine_function_are_bound() -> None:
    class Shelf:
        def count(self, kind: str = "all") -> int:
            """Count the books."""
            return len(kind)

    async def wait(turns: int) -> str:
        """Wait for some turns of the loop."""
        for _ in range(turns):
            await asyncio.sleep(0)
        return f"waited {turns}"

    count, waiting = bind([Shelf().count, wait])
    assert called(count, {}) == "3"
    assert called(waiting, {"turns": "4"}) == "waited 4"


def test_a_coroutine_function_runs_although_an_event_loop_is_running_here() -> None:
    async def wait() -> str:
        """Wait."""
        await asyncio.sleep(0)
        return "waited"

    async def run() -> Any:
        return bind([wait])[0].run()

    assert asyncio.run(run()) == "waited"


def test_a_prefix_tells_two_bundles_apart() -> None:
    names = [native.name for native in okf_tools(demo_bundle(), prefix="support_")]
    assert names == ["support_kb_index", "support_kb_read", "support_kb_find"]


def test_a_prefix_that_no_model_takes_is_refused_when_the_tools_are_made() -> None:
    with pytest.raises(ConfigError, match=r"my\.kb_index"):
        okf_tools(demo_bundle(), prefix="my.")


def test_an_error_is_a_failure_and_raises_nothing() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    for native, arguments, mention in (
        (bind([fail])[0], {"reason": "secret"}, "ValueError"),
        (bind([add])[0], {"second": 1}, '"first" is missing'),
        (okf_tools(demo_bundle())[1], {"concept_id": "policies/cancelation"}, "policies/cancellation"),
    ):
        failure = called(native, arguments)
        assert isinstance(failure, ToolFailure)
        assert mention in json.loads(failure.message)["error"]
        assert "secret" not in failure.message


@pytest.mark.parametrize("name", ["self", "args", "kwargs", "config", "input", "security_context", "name"])
def test_an_argument_with_a_name_that_crewai_uses_is_ignored_with_a_note(name: str) -> None:
    answer = called(bind([add])[0], {"first": 1, name: 7})
    assert answer.startswith("2\n")
    assert f'"{name}"' in answer


def test_a_parameter_with_a_name_that_crewai_uses_gets_what_the_model_sent() -> None:
    def describe(config: str, args: int = 0, kwargs: Optional[str] = None, name: str = "none") -> str:
        """Describe a thing."""
        return f"{config} {args} {kwargs} {name}"

    (native,) = bind([describe])
    assert list(shown(native)["parameters"]["properties"]) == ["config", "args", "kwargs", "name"]
    assert called(native, {"config": "a", "args": "2", "kwargs": "b", "name": "c"}) == "a 2 b c"


def test_a_tool_answers_at_most_six_thousand_characters() -> None:
    def recite(lines: int) -> str:
        """Recite."""
        return "\n".join(f"Line {number:06}" for number in range(lines))

    (native,) = bind([recite])
    small = bind([tool(recite, max_chars=3_000)])[0]
    assert 5_900 < len(called(native, {"lines": 1_000})) <= 6_000
    assert 2_900 < len(called(small, {"lines": 1_000})) <= 3_000


def test_a_long_concept_is_read_in_pages_of_that_size_and_nothing_of_it_is_lost() -> None:
    body = "\n".join(f"Line {number:06} of the register." for number in range(1_000))
    store = MemoryDocumentStore({"register.md": f"---\ntype: Register\n---\n{body}\n"})
    read = okf_tools(store)[1]
    pages: list[str] = []
    number = count = 1
    while number <= count:
        answer = called(read, {"concept_id": "register", "page": number})
        assert len(answer) <= 6_000
        page = json.loads(answer)
        pages.append(page["body"])
        number, count = number + 1, page["pages"]
    assert "".join(pages).strip() == body


def test_no_answer_may_stand_for_that_of_a_later_call() -> None:
    (native,) = bind([add])
    assert native.cache_function({"first": 1}, "2") is False
    assert native.to_structured_tool().cache_function({"first": 1}, "2") is False


def test_equal_calls_outside_of_any_run_give_equal_answers() -> None:
    (native,) = bind([add])
    assert {native.run(first=1) for _ in range(8)} == {"2"}


@pytest.mark.parametrize(
    ("args", "arguments", "answer"),
    [
        ((1,), {}, "2"),
        (("1", 2), {}, "3"),
        ((1,), {"second": 4}, "5"),
        (({"first": 1, "second": 5},), {}, "6"),
        (('{"first": "1", "second": 6}',), {}, "7"),
        (("3",), {}, "4"),
        (({"third": 1},), {"first": 1}, "2"),
    ],
)
def test_a_tool_is_called_like_a_function_or_with_its_arguments_as_one_object(
    args: tuple[Any, ...], arguments: dict[str, Any], answer: str
) -> None:
    (native,) = bind([add])
    assert native.run(*args, **arguments) == answer
    assert asyncio.run(native.arun(*args, **arguments)) == answer
    assert native.to_structured_tool().func(*args, **arguments) == answer


@pytest.mark.parametrize("text", ["brakes", "", "[1]", "7", '"{}"', '{"text":', '{"text":' * 50_000])
def test_a_text_that_is_no_json_object_is_the_first_argument(text: str) -> None:
    def count(text: str = "none", more: int = 0) -> int:
        """Count the letters."""
        return len(text) + more

    (native,) = bind([count])
    assert native.run(text) == asyncio.run(native.arun(text)) == str(len(text))


def test_a_value_by_position_that_no_parameter_takes_is_ignored_with_a_note() -> None:
    (native,) = bind([add])
    answer = native.run(1, 2, 7)
    assert answer.startswith("3\n")
    assert '"3"' in answer
