"""A tool of Fingerpost becomes a Pydantic AI tool without losing or adding anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional, TypeVar

import pytest
from pydantic_ai import RunContext
from pydantic_ai import Tool as NativeTool

from fingerpost import ConfigError, Tool, ToolContext, ToolResult, demo_bundle, tool
from fingerpost_pydantic_ai import bind, okf_tools
from fingerpost_testing import ToolCall, calls, say
from fingerpost_testing.scenarios import find_passages
from tests.pydantic_ai.playing import MODELS, called, played

Deps = TypeVar("Deps")


class OwnContext(RunContext[Deps]):
    """A context with a name of its own."""


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def shout(text: str) -> str:
    """Write in capitals."""
    return text.upper()


def read_tool() -> NativeTool[Any]:
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
        # Pydantic AI closes every schema for OpenAI's models.
        assert shown[expected.name].schema == {**expected.schema, "additionalProperties": False}
    assert shown["add"].schema["required"] == ["first"]


@pytest.mark.parametrize("model", MODELS)
def test_only_a_tool_that_requires_every_argument_is_strict(model: type[Any]) -> None:
    outcome = played(bind([add, shout]), say("Done."), model=model)
    shown = [offered.get("function", offered) for offered in outcome.requests[0]["tools"]]
    assert {tool["name"]: tool.get("strict", False) for tool in shown} == {"add": False, "shout": True}


def test_what_is_done_to_the_schema_stays_with_the_native_tool() -> None:
    guarded = Tool.of(add)
    native: Any = bind([guarded])[0]
    native.prepare(None, native.tool_def).parameters_json_schema["properties"].clear()
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


@pytest.mark.parametrize("is_sync", [False, True])
def test_a_method_and_a_coroutine_function_are_bound(is_sync: bool) -> None:
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
    counted = called(count, is_sync=is_sync)
    assert (counted.content, counted.metadata, counted.outcome) == ("3", 3, "success")
    assert called(waiting, {"turns": "4"}, is_sync=is_sync).content == "waited 4"


def test_a_prefix_tells_two_bundles_apart() -> None:
    assert [native.name for native in okf_tools(demo_bundle(), prefix="support_")] == [
        "support_kb_index",
        "support_kb_read",
        "support_kb_find",
    ]
    with pytest.raises(ConfigError, match=r"my\.kb_index"):
        okf_tools(demo_bundle(), prefix="my.")


@pytest.mark.parametrize("model", MODELS)
def test_the_metadata_of_a_return_is_the_result_as_data(model: type[Any]) -> None:
    part = called(read_tool(), {"concept_id": "/policies/cancellation-2024.md"}, model=model)
    assert (part.metadata["id"], part.metadata["status"]) == ("policies/cancellation-2024", "deprecated")
    assert json.loads(part.model_response_str()) == part.metadata


def test_an_error_is_a_failed_return_without_metadata_and_no_exception() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    for native, arguments, mention in (
        (bind([fail])[0], {"reason": "secret"}, "ValueError"),
        (bind([add])[0], {"second": 1}, 'The argument "first" is missing'),
        (read_tool(), {"concept_id": "policies/cancelation"}, "policies/cancellation"),
    ):
        part = called(native, arguments)
        assert (part.outcome, part.metadata) == ("failed", None)
        assert mention in str(part.content)
        assert "secret" not in part.model_response_str()
        assert json.loads(part.model_response_str()) == {"error": part.content}


def test_the_notes_of_an_error_follow_its_sentence() -> None:
    def fail(reason: str = "none") -> str:
        """Fail."""
        raise ConfigError("It is closed.")

    part = called(bind([fail])[0], {"colour": "red"})
    assert part.content == 'It is closed. There is no argument "colour"; it was ignored.'


def test_an_error_with_more_than_a_sentence_keeps_all_of_it() -> None:
    def fail(rows: int = 0) -> ToolResult:
        """Fail."""
        more = {f"row {number}": "of many in a long table" for number in range(rows)}
        return ToolResult({**more, "error": "It is closed.", "opens": "at nine"}, is_error=True)

    (native,) = bind([fail])
    part, cut = called(native), called(native, {"rows": 3_000})
    assert (part.outcome, cut.outcome) == ("failed", "failed")
    assert json.loads(str(part.content)) == {"error": "It is closed.", "opens": "at nine"}
    assert str(cut.content).startswith('{"row 0": ')


@pytest.mark.parametrize(
    "name", ["self", "ctx", "context", "deps", "root", "arguments", "args", "kwargs", "retry"]
)
def test_an_argument_with_a_name_that_pydantic_ai_or_the_adapter_uses_is_ignored_with_a_note(
    name: str,
) -> None:
    part = called(bind([add])[0], {"first": 1, name: 7})
    assert str(part.content).startswith("2\n")
    assert f'"{name}"' in str(part.content)


def test_a_parameter_with_a_name_that_pydantic_ai_uses_gets_what_the_model_sent() -> None:
    def describe(ctx: str, self: int = 0, deps: Optional[str] = None, args: str = "none") -> str:
        """Describe a thing."""
        return f"{ctx} {self} {deps} {args}"

    (native,) = bind([describe])
    assert called(native, {"ctx": "a", "self": "2", "deps": "b", "args": "c"}).content == "a 2 b c"


def test_a_mapping_given_as_deps_reaches_the_tool_as_its_context_and_no_model_can_set_it() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        return f"{context.get('tenant')} {sorted(context)}"

    @dataclass
    class Settings:
        tenant: str

    (native,) = bind([whose])
    deps = {"tenant": "north"}
    assert called(native, deps=deps).content == "north ['tenant']"
    spoofed = called(native, {"context": {"tenant": "south"}}, deps=deps)
    assert str(spoofed.content).startswith("north ['tenant']")
    assert called(native).content == "None []"
    assert called(native, deps=Settings("east")).content == "None []"


def test_the_hint_that_a_tool_changes_nothing_is_in_its_metadata() -> None:
    assert [native.metadata for native in okf_tools(demo_bundle())] == [{"read_only": True}] * 3
    assert bind([tool(add, read_only=False)])[0].metadata == {"read_only": False}
    assert bind([add])[0].metadata is None


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (RunContext, "RunContext"),
        (RunContext[Any], "RunContext"),
        (Optional[RunContext[dict[str, str]]], "RunContext"),
        (OwnContext, "OwnContext"),
        (OwnContext[None], "OwnContext"),
    ],
)
def test_a_parameter_that_only_pydantic_ai_may_fill_is_refused(kind: Any, name: str) -> None:
    def balance(given: Any, account: str) -> str:
        """Say the balance."""
        return f"{given}: {account}"

    balance.__annotations__["given"] = kind
    with pytest.raises(
        ConfigError, match=rf'"given" of the tool "balance".*\({name}\).*fingerpost\.ToolContext'
    ):
        bind([balance])
