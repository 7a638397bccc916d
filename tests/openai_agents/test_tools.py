"""A tool of Fingerpost becomes a tool of the OpenAI Agents SDK without losing or adding anything."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

import pytest
from agents import (
    FunctionTool,
    RunContextWrapper,
    ToolGuardrailFunctionOutput,
    function_tool,
    tool_output_guardrail,
)
from agents.tool_context import ToolContext as NativeContext

from fingerpost import ConfigError, Tool, ToolContext, demo_bundle, tool
from fingerpost_openai_agents import bind, okf_tools
from fingerpost_testing import ToolCall, calls, say
from fingerpost_testing.scenarios import find_passages
from tests.openai_agents.playing import MODELS, called, played


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def read_tool() -> FunctionTool:
    return next(native for native in okf_tools(demo_bundle()) if native.name == "kb_read")


@pytest.mark.parametrize("model", MODELS)
def test_the_model_is_shown_the_description_and_the_schema_of_the_core(model: type[Any]) -> None:
    functions = [find_passages, add]
    outcome = played([*bind(functions), *okf_tools(demo_bundle())], say("Done."), model=model)
    shown = {offered.name: offered for offered in outcome.transcript.tools}
    assert sorted(shown) == ["add", "find_passages", "kb_find", "kb_index", "kb_read"]
    for function in functions:
        expected = Tool.of(function)
        assert shown[expected.name].description == expected.description
        assert shown[expected.name].schema == expected.schema
    assert shown["add"].schema["required"] == ["first"]


@pytest.mark.parametrize("model", MODELS)
def test_no_tool_is_strict_for_that_would_make_every_argument_required(model: type[Any]) -> None:
    outcome = played(bind([add]), say("Done."), model=model)
    (shown,) = outcome.requests[0]["tools"]
    assert shown.get("function", shown).get("strict", False) is False


def test_a_plain_function_without_strict_mode_shows_the_arguments_of_the_core_and_with_it_requires_all() -> (
    None
):
    core = Tool.of(find_passages).schema
    plain = function_tool(tool(find_passages), strict_mode=False)
    (shown,) = played([plain], say("Done.")).transcript.tools
    assert shown.schema["required"] == core["required"] == ["query"]
    assert {name: member["description"] for name, member in shown.schema["properties"].items()} == {
        name: member["description"] for name, member in core["properties"].items()
    }
    sent = {"query": "q", "limit": "3"}
    assert called(plain, sent)[0] == called(bind([find_passages])[0], sent)[0]
    strict = function_tool(tool(find_passages))
    assert strict.params_json_schema["required"] == list(core["properties"])


def test_what_is_done_to_the_schema_stays_with_the_native_tool() -> None:
    guarded = Tool.of(add)
    (native,) = bind([guarded])
    native.params_json_schema["properties"].clear()
    assert list(guarded.schema["properties"]) == ["first", "second"]


def test_a_plain_function_a_lambda_a_guarded_function_and_a_tool_are_bound_in_the_order_given() -> None:
    bracket: Callable[[str], str] = lambda word: f"<{word}>"  # noqa: E731
    tools = bind([add, bracket, tool(add, name="sum_up"), Tool.of(find_passages)])
    assert [native.name for native in tools] == ["add", "function", "sum_up", "find_passages"]
    outcome = played(
        tools,
        calls(
            ToolCall("add", {"first": "2"}),
            ToolCall("function", {"word": "x"}),
            ToolCall("sum_up", {"first": 2.0, "second": "3"}),
        ),
        say("Done."),
    )
    assert outcome.seen == ("3", "<x>", "5")


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
    assert called(count) == ("3", {"data": 3})
    assert called(waiting, {"turns": "4"}) == ("waited 4", {"data": "waited 4"})


def test_a_prefix_tells_two_bundles_apart() -> None:
    assert [native.name for native in okf_tools(demo_bundle(), prefix="support_")] == [
        "support_kb_index",
        "support_kb_read",
        "support_kb_find",
    ]
    with pytest.raises(ConfigError, match=r"my\.kb_index"):
        okf_tools(demo_bundle(), prefix="my.")


@pytest.mark.parametrize("model", MODELS)
def test_the_custom_data_of_an_output_is_the_result_as_data(model: type[Any]) -> None:
    text, data = called(read_tool(), {"concept_id": "/policies/cancellation-2024.md"}, model=model)
    assert data is not None
    assert (data["data"]["id"], data["data"]["status"]) == ("policies/cancellation-2024", "deprecated")
    assert json.loads(text) == data["data"]


def test_a_tool_that_returns_nothing_has_no_custom_data() -> None:
    def forget() -> None:
        """Forget."""

    assert called(bind([forget])[0]) == ("null", None)


def test_the_text_of_an_answer_can_be_copied_with_its_data() -> None:
    outcome = played([read_tool()], calls(ToolCall("kb_read", {"concept_id": "plans/day"})), say("Done."))
    (output,) = outcome.outputs
    assert copy.deepcopy(output.output) == output.output == outcome.seen[0]
    assert copy.deepcopy(output.output).data == output.output.data
    assert json.loads(json.dumps(output.to_input_item()))["output"] == outcome.seen[0]


def test_a_guardrail_that_rejects_an_output_takes_its_data_too() -> None:
    @tool_output_guardrail
    def refuse(_data: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.reject_content("Not for you.")

    native = read_tool()
    native.tool_output_guardrails = [refuse]
    assert called(native, {"concept_id": "plans/day"}) == ("Not for you.", None)


def test_an_error_is_a_text_without_data_and_no_exception() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    for native, arguments, mention in (
        (bind([fail])[0], {"reason": "secret"}, "ValueError"),
        (bind([add])[0], {"second": 1}, 'The argument "first" is missing'),
        (read_tool(), {"concept_id": "policies/cancelation"}, "policies/cancellation"),
    ):
        text, data = called(native, arguments)
        assert data is None
        assert mention in json.loads(text)["error"]
        assert "secret" not in text


@pytest.mark.parametrize(
    "name", ["self", "ctx", "context", "call", "input", "arguments", "args", "kwargs", "tool_context"]
)
def test_an_argument_with_a_name_that_the_sdk_or_the_adapter_uses_is_ignored_with_a_note(name: str) -> None:
    text, _ = called(bind([add])[0], {"first": 1, name: 7})
    assert text.startswith("2\n")
    assert f'"{name}"' in text


def test_a_parameter_with_a_name_that_the_sdk_uses_gets_what_the_model_sent() -> None:
    def describe(ctx: str, context: int = 0, input: Optional[str] = None, args: str = "none") -> str:  # noqa: A002
        """Describe a thing."""
        return f"{ctx} {context} {input} {args}"

    (native,) = bind([describe])
    assert list(native.params_json_schema["properties"]) == ["ctx", "context", "input", "args"]
    sent = {"ctx": "a", "context": "2", "input": "b", "args": "c"}
    assert called(native, sent)[0] == "a 2 b c"


def test_a_mapping_given_to_the_runner_reaches_the_tool_as_its_context_and_no_model_can_set_it() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        return f"{context.get('tenant')} {sorted(context)}"

    @dataclass
    class Settings:
        tenant: str

    (native,) = bind([whose])
    given = {"tenant": "north"}
    assert called(native, context=given)[0] == "north ['tenant']"
    spoofed = called(native, {"context": {"tenant": "south"}}, context=given)[0]
    assert spoofed.startswith("north ['tenant']")
    assert called(native)[0] == "None []"
    assert called(native, context=Settings("east"))[0] == "None []"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (RunContextWrapper, "RunContextWrapper"),
        (RunContextWrapper[Any], "RunContextWrapper"),
        (RunContextWrapper[dict[str, str]], "RunContextWrapper"),
        (NativeContext, "ToolContext"),
        (Optional[NativeContext[Any]], "ToolContext"),
    ],
)
def test_a_parameter_that_only_the_sdk_may_fill_is_refused(kind: Any, name: str) -> None:
    def balance(given: Any, account: str) -> str:
        """Say the balance."""
        return f"{given}: {account}"

    balance.__annotations__["given"] = kind
    with pytest.raises(
        ConfigError, match=rf'"given" of the tool "balance".*\({name}\).*fingerpost\.ToolContext'
    ):
        bind([balance])
