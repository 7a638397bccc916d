"""A tool of Fingerpost becomes a LangChain tool without losing or adding anything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Optional

import pytest
from langchain_core.callbacks import AsyncCallbackManagerForToolRun, CallbackManagerForToolRun
from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import InjectedToolArg, InjectedToolCallId, StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.prebuilt import InjectedState, InjectedStore, ToolRuntime

from fingerpost import ConfigError, Tool, demo_bundle, tool
from fingerpost.tools import ToolContext
from fingerpost_langchain import bind, okf_tools
from fingerpost_testing.scenarios import find_passages


def called(native: StructuredTool, arguments: dict[str, Any], config: Any = None) -> ToolMessage:
    """Call a tool as an agent does."""
    call = {"type": "tool_call", "id": "call_1", "name": native.name, "args": arguments}
    message = native.invoke(call, config)
    assert isinstance(message, ToolMessage)
    assert message == asyncio.run(native.ainvoke(call, config))
    return message


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def test_the_model_is_shown_the_description_and_the_schema_of_the_core() -> None:
    assert convert_to_openai_tool(bind([find_passages])[0]) == {
        "type": "function",
        "function": {
            "name": "find_passages",
            "description": Tool.of(find_passages).description,
            "parameters": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "Words to look for."},
                    "limit": {
                        "type": "integer",
                        "description": "How many passages to return.",
                        "default": 10,
                    },
                    "tags": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "Tags that a passage must carry.",
                    },
                    "exact": {
                        "type": "boolean",
                        "description": "Whether to look for the exact words.",
                        "default": False,
                    },
                    "mode": {
                        "type": "string",
                        "enum": ["fast", "full"],
                        "description": "How thoroughly to look.",
                        "default": "fast",
                    },
                },
                "required": ["query"],
            },
        },
    }


def test_the_tools_over_a_bundle_show_each_argument_with_its_description() -> None:
    shown = {native.name: convert_to_openai_tool(native)["function"] for native in okf_tools(demo_bundle())}
    assert {name: list(function["parameters"]["properties"]) for name, function in shown.items()} == {
        "kb_index": ["path", "page"],
        "kb_read": ["concept_id", "section", "page"],
        "kb_find": ["text", "type", "tags", "include_deprecated", "limit", "offset"],
    }
    assert {name: function["parameters"]["required"] for name, function in shown.items()} == {
        "kb_index": [],
        "kb_read": ["concept_id"],
        "kb_find": [],
    }
    properties = [member for f in shown.values() for member in f["parameters"]["properties"].values()]
    assert all(member["description"] and "title" not in member for member in properties)
    assert shown["kb_read"]["description"].startswith("Read one concept")
    assert "Args:" not in shown["kb_read"]["description"]


def test_what_a_model_class_does_to_the_schema_stays_with_the_native_tool() -> None:
    guarded = Tool.of(add)
    native = bind([guarded])[0]
    convert_to_openai_tool(native, strict=True)
    assert isinstance(native.args_schema, dict)
    native.args_schema["properties"].clear()
    assert list(guarded.schema["properties"]) == ["first", "second"]


def test_a_plain_typed_function_is_bound() -> None:
    message = called(bind([add])[0], {"first": "2"})
    assert (message.content, message.artifact, message.status) == ("3", "3", "success")
    assert (message.name, message.tool_call_id) == ("add", "call_1")


def test_a_lambda_a_guarded_function_and_a_tool_are_bound_in_the_order_given() -> None:
    guarded = tool(add, name="sum_up")
    bracket: Callable[[str], str] = lambda word: f"<{word}>"  # noqa: E731
    tools = bind([bracket, guarded, Tool.of(find_passages)])
    assert [native.name for native in tools] == ["function", "sum_up", "find_passages"]
    assert called(tools[0], {"word": "x"}).content == "<x>"
    assert called(tools[1], {"first": 2.0, "second": "3"}).content == "5"


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
    assert called(count, {}).content == "3"
    assert called(waiting, {"turns": "4"}).content == "waited 4"


def test_a_prefix_tells_two_bundles_apart() -> None:
    assert [native.name for native in okf_tools(demo_bundle(), prefix="support_")] == [
        "support_kb_index",
        "support_kb_read",
        "support_kb_find",
    ]


def test_a_prefix_that_no_model_takes_is_refused_when_the_tools_are_made() -> None:
    with pytest.raises(ConfigError, match=r"my\.kb_index"):
        okf_tools(demo_bundle(), prefix="my.")


def test_the_artifact_is_the_result_as_data() -> None:
    read = next(native for native in okf_tools(demo_bundle()) if native.name == "kb_read")
    message = called(read, {"concept_id": "/policies/cancellation-2024.md"})
    assert isinstance(message.content, str)
    assert message.artifact["id"] == "policies/cancellation-2024"
    assert (message.artifact["status"], message.artifact["trust"]) == ("deprecated", "human-reviewed")
    assert '"status": "deprecated"' in message.content


def test_an_error_is_a_message_with_that_status_and_no_exception() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    read = next(native for native in okf_tools(demo_bundle()) if native.name == "kb_read")
    for native, arguments, mention in (
        (bind([fail])[0], {"reason": "secret"}, "ValueError"),
        (bind([add])[0], {"second": 1}, '\\"first\\" is missing'),
        (read, {"concept_id": "policies/cancelation"}, "policies/cancellation"),
    ):
        message = called(native, arguments)
        assert message.status == "error"
        assert mention in str(message.content)
        assert message.artifact is None
        assert "secret" not in str(message.content)


def test_a_tool_that_is_called_without_a_call_returns_its_text() -> None:
    assert bind([add])[0].invoke({"first": 1}) == "2"


@pytest.mark.parametrize(
    "name", ["self", "config", "run_manager", "callbacks", "runtime", "args", "tool_input"]
)
def test_an_argument_with_a_name_that_langchain_uses_is_ignored_with_a_note(name: str) -> None:
    message = called(bind([add])[0], {"first": 1, name: 7})
    assert str(message.content).startswith("2\n")
    assert f'"{name}"' in str(message.content)


def test_a_parameter_with_a_name_that_langchain_uses_gets_what_the_model_sent() -> None:
    def describe(
        config: str, run_manager: int = 0, runtime: Optional[str] = None, title: str = "none"
    ) -> str:
        """Describe a thing."""
        return f"{config} {run_manager} {runtime} {title}"

    native = bind([describe])[0]
    assert list(convert_to_openai_tool(native)["function"]["parameters"]["properties"]) == [
        "config",
        "run_manager",
        "runtime",
        "title",
    ]
    sent = {"config": "a", "run_manager": "2", "runtime": "b", "title": "c"}
    assert called(native, sent).content == "a 2 b c"


def test_what_the_caller_configured_reaches_the_tool_as_its_context_and_no_model_can_set_it() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        return f"{context.get('tenant')} {sorted(context)}"

    native = bind([whose])[0]
    config = {"configurable": {"tenant": "north", "__internal": 1}}
    assert called(native, {}, config).content == "north ['tenant']"
    assert str(called(native, {"context": {"tenant": "south"}}, config).content).startswith(
        "north ['tenant']"
    )
    assert called(native, {}).content == "None []"


def test_the_hint_that_a_tool_changes_nothing_is_in_its_metadata() -> None:
    assert [native.metadata for native in okf_tools(demo_bundle())] == [{"read_only": True}] * 3
    assert bind([tool(add, read_only=False)])[0].metadata == {"read_only": False}
    assert bind([add])[0].metadata is None


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Annotated[str, InjectedToolArg], "InjectedToolArg"),
        (Annotated[str, InjectedToolArg()], "InjectedToolArg"),
        (Annotated[str, InjectedToolCallId], "InjectedToolCallId"),
        (Annotated[dict[str, Any], InjectedState], "InjectedState"),
        (Annotated[list[str], InjectedState("messages")], "InjectedState"),
        (Annotated[Any, InjectedStore()], "InjectedStore"),
        (ToolRuntime, "ToolRuntime"),
        (ToolRuntime[dict[str, str], dict[str, Any]], "ToolRuntime"),
        (RunnableConfig, "RunnableConfig"),
        (Optional[RunnableConfig], "RunnableConfig"),
        (CallbackManagerForToolRun, "CallbackManagerForToolRun"),
        (Optional[AsyncCallbackManagerForToolRun], "AsyncCallbackManagerForToolRun"),
    ],
)
def test_a_parameter_that_only_langchain_may_fill_is_refused(kind: Any, name: str) -> None:
    def balance(account: str, given: Any = None) -> str:
        """Say the balance."""
        return f"{given}: {account}"

    balance.__annotations__["given"] = kind
    with pytest.raises(
        ConfigError, match=rf'"given" of the tool "balance".*\({name}\).*fingerpost\.ToolContext'
    ):
        bind([balance])
