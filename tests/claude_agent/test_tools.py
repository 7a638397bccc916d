"""A tool of Fingerpost becomes a tool of the Claude Agent SDK without losing or adding anything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Optional

import pytest
from claude_agent_sdk import create_sdk_mcp_server
from claude_agent_sdk import tool as sdk_tool
from mcp import Client
from mcp_types import CallToolResult, TextContent
from mcp_types import Tool as ListedTool

from fingerpost import ConfigError, Tool, demo_bundle, tool
from fingerpost.tools import ToolContext
from fingerpost_claude_agent import bind, okf_tools
from fingerpost_testing.scenarios import find_passages


def listed(tools: list[Any]) -> dict[str, ListedTool]:
    """The tools as the server of the SDK lists them."""

    async def ask() -> list[ListedTool]:
        async with Client(create_sdk_mcp_server("kb", tools=tools)["instance"]) as client:
            return (await client.list_tools()).tools

    return {each.name: each for each in asyncio.run(ask())}


def results(tools: list[Any], *sent: tuple[str, dict[str, Any]]) -> list[CallToolResult]:
    """What the server of the SDK answers to calls."""

    async def ask() -> list[CallToolResult]:
        async with Client(create_sdk_mcp_server("kb", tools=tools)["instance"]) as client:
            return [await client.call_tool(name, arguments) for name, arguments in sent]

    return asyncio.run(ask())


def texts(answers: Iterable[CallToolResult]) -> list[str]:
    """The text of each answer, which has one part."""
    found: list[str] = []
    for answer in answers:
        (part,) = answer.content
        assert isinstance(part, TextContent)
        found.append(part.text)
    return found


def called(native: Any, arguments: dict[str, Any]) -> str:
    """The text that a tool answers, which is no error."""
    (answer,) = results([native], (native.name, arguments))
    assert not answer.is_error
    return texts([answer])[0]


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def test_claude_is_shown_what_the_core_says() -> None:
    shown = listed([*bind([find_passages, add]), *okf_tools(demo_bundle())])
    for core in [Tool.of(find_passages), Tool.of(add)]:
        assert shown[core.name].description == core.description
        assert shown[core.name].input_schema == core.schema
    assert list(shown) == ["find_passages", "add", "kb_index", "kb_read", "kb_find"]
    assert shown["kb_read"].input_schema["required"] == ["concept_id"]


def test_what_is_done_to_a_schema_stays_with_the_native_tool() -> None:
    guarded = Tool.of(add)
    native: Any = bind([guarded])[0]
    native.input_schema["properties"].clear()
    assert list(guarded.schema["properties"]) == ["first", "second"]


def test_the_check_of_the_sdk_refuses_what_the_core_reads_and_is_not_made() -> None:
    sent = {"first": "2", "second": 2.0}
    assert called(bind([add])[0], sent) == "4"

    @sdk_tool("add", "Add.", Tool.of(add).schema)
    async def enforced(_arguments: dict[str, Any]) -> dict[str, Any]:
        return {"content": []}

    (answer,) = results([enforced], ("add", sent))
    assert answer.is_error
    assert texts([answer]) == ["Input validation error: '2' is not of type 'integer'"]


def test_other_schemas_are_checked_as_before() -> None:
    @sdk_tool("greet", "Greet.", {"name": str})
    async def greet(arguments: dict[str, Any]) -> dict[str, Any]:
        return {"content": [{"type": "text", "text": f"Hello {arguments['name']}"}]}

    tools = [greet, *bind([add])]
    answers = results(tools, ("greet", {"name": 5}), ("greet", {"name": "Ada"}), ("add", {"first": "1"}))
    assert [answer.is_error for answer in answers] == [True, False, False]
    assert texts(answers) == ["Input validation error: 5 is not of type 'string'", "Hello Ada", "2"]


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
    names = [native.name for native in okf_tools(demo_bundle(), prefix="support_")]
    assert names == ["support_kb_index", "support_kb_read", "support_kb_find"]


def test_a_prefix_that_no_model_takes_is_refused_when_the_tools_are_made() -> None:
    with pytest.raises(ConfigError, match=r"my\.kb_index"):
        okf_tools(demo_bundle(), prefix="my.")


def test_an_error_is_flagged_and_says_what_the_core_says() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    tools = [*bind([add, fail]), *okf_tools(demo_bundle())]
    answers = results(
        tools,
        ("add", {"second": 1}),
        ("fail", {"reason": "secret"}),
        ("kb_read", {"concept_id": "policies/cancelation"}),
    )
    assert [answer.is_error for answer in answers] == [True, True, True]
    missing, raised, unknown = texts(answers)
    assert missing == Tool.of(add).invoke({"second": 1})
    assert "ValueError" in raised
    assert "secret" not in raised
    assert "Did you mean policies/cancellation" in unknown


def test_a_call_of_an_unknown_tool_is_answered_by_the_sdk() -> None:
    answers = results(bind([add]), ("ad", {"first": 1}))
    assert texts(answers) == ["Tool 'ad' not found"]
    assert answers[0].is_error


@pytest.mark.parametrize("name", ["self", "args", "arguments", "name", "handler"])
def test_an_argument_with_a_name_that_the_sdk_uses_is_ignored_with_a_note(name: str) -> None:
    answer = called(bind([add])[0], {"first": 1, name: 7})
    assert answer.startswith("2\n")
    assert f'"{name}"' in answer


def test_a_parameter_with_a_name_that_the_sdk_uses_gets_what_claude_sent() -> None:
    def describe(arguments: str, args: int = 0, name: Optional[str] = None) -> str:
        """Describe a thing."""
        return f"{arguments} {args} {name}"

    assert called(bind([describe])[0], {"arguments": "a", "args": "2", "name": "b"}) == "a 2 b"


def test_a_tool_that_takes_a_context_gets_an_empty_one_and_no_model_can_set_it() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        return f"{sorted(context)}"

    assert called(bind([whose])[0], {"context": {"tenant": "south"}}).startswith("[]")


def test_tools_that_change_nothing_say_so_and_each_says_how_long_its_answers_can_be() -> None:
    def hints(native: ListedTool) -> tuple[object, ...]:
        assert native.annotations is not None
        given = native.annotations
        return given.read_only_hint, given.destructive_hint, given.idempotent_hint, given.open_world_hint

    shown = listed([*okf_tools(demo_bundle()), *bind([add, tool(add, name="write", read_only=False)])])
    assert {name: hints(native) for name, native in shown.items()} == {
        "kb_index": (True, False, True, False),
        "kb_read": (True, False, True, False),
        "kb_find": (True, False, True, False),
        "add": (None, None, None, None),
        "write": (False, None, None, None),
    }
    sizes = {name: (native.meta or {})["anthropic/maxResultSizeChars"] for name, native in shown.items()}
    assert sizes == {"kb_index": 6000, "kb_read": 20000, "kb_find": 6000, "add": 20000, "write": 20000}
