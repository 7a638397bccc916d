"""A tool of Fingerpost becomes a Haystack tool without losing or adding anything."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Optional

import pytest
from haystack.components.agents import State
from haystack.core.errors import SerializationError
from haystack.tools.errors import ToolInvocationError

from fingerpost import ConfigError, OKFTools, Tool, demo_bundle, tool
from fingerpost.tools import ToolContext
from fingerpost_haystack import bind, okf_tools
from fingerpost_testing import ToolCall, calls, say
from fingerpost_testing.scenarios import find_passages
from tests.haystack.playing import played


def called(native: Any, arguments: dict[str, Any]) -> str:
    """Call a tool as an agent does, in both ways."""
    answer = native.invoke(**arguments)
    assert answer == asyncio.run(native.invoke_async(**arguments))
    return answer


def refused(native: Any, arguments: dict[str, Any]) -> str:
    """Call a tool that answers with an error, in both ways."""
    with pytest.raises(ToolInvocationError) as raised:
        native.invoke(**arguments)
    with pytest.raises(ToolInvocationError) as again:
        asyncio.run(native.invoke_async(**arguments))
    assert str(raised.value) == str(again.value)
    assert raised.value.tool_name == native.name
    return str(raised.value)


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def test_the_model_is_shown_what_the_core_says() -> None:
    made = [*bind([find_passages, add]), *okf_tools(demo_bundle())]
    shown = {each.name: each for each in played(made, say("Done.")).transcript.tools}
    for core in [Tool.of(find_passages), Tool.of(add)]:
        assert shown[core.name].description == core.description
        assert shown[core.name].schema == core.schema
    assert list(shown["kb_read"].schema["properties"]) == ["concept_id", "section", "page"]
    assert shown["kb_read"].schema["required"] == ["concept_id"]


def test_what_is_done_to_a_schema_stays_with_the_native_tool() -> None:
    guarded = Tool.of(add)
    (native,) = bind([guarded])
    native.parameters["properties"].clear()
    assert list(guarded.schema["properties"]) == ["first", "second"]


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


def test_an_error_is_raised_as_haystack_expects_it_with_the_sentence_of_the_core() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    read = next(native for native in okf_tools(demo_bundle()) if native.name == "kb_read")
    said = refused(read, {"concept_id": "policies/cancelation"})
    assert said == Tool.of(OKFTools(demo_bundle()).kb_read).invoke({"concept_id": "policies/cancelation"})
    assert "Did you mean policies/cancellation" in said
    assert '\\"first\\" is missing' in refused(bind([add])[0], {"second": 1})
    with pytest.raises(ToolInvocationError, match="ValueError") as raised:
        bind([fail])[0].invoke(reason="secret")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "name", ["self", "tool", "state", "streaming_callback", "args", "kwargs", "tool_call_id", "raw_result"]
)
def test_an_argument_with_a_name_that_haystack_uses_is_ignored_with_a_note(name: str) -> None:
    answer = called(bind([add])[0], {"first": 1, name: 7})
    assert answer.startswith("2\n")
    assert f'"{name}"' in answer


@pytest.mark.parametrize("is_async", [False, True])
def test_a_parameter_with_a_name_that_haystack_uses_gets_what_the_model_sent(is_async: bool) -> None:
    def describe(state: str, streaming_callback: int = 0, messages: Optional[str] = None) -> str:
        """Describe a thing."""
        return f"{state} {streaming_callback} {messages}"

    sent = {"state": "a", "streaming_callback": "2", "messages": "b"}
    outcome = played(bind([describe]), calls(ToolCall("describe", sent)), say("Done."), is_async=is_async)
    assert outcome.answers == [("a 2 b", False)]


def test_a_tool_that_takes_a_context_gets_an_empty_one_and_no_model_can_set_it() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        return f"{sorted(context)}"

    (native,) = bind([whose])
    assert native.parameters["properties"] == {}
    assert called(native, {"context": {"tenant": "south"}}).startswith("[]")


def test_a_tool_belongs_to_its_process_and_cannot_be_serialized() -> None:
    with pytest.raises(SerializationError):
        bind([add])[0].to_dict()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (State, "State"),
        (Optional[State], "State"),
        (type("OwnState", (State,), {}), "OwnState"),
    ],
)
def test_a_parameter_that_only_haystack_may_fill_is_refused(kind: Any, name: str) -> None:
    def balance(given: Any, account: str) -> str:
        """Say the balance."""
        return f"{given}: {account}"

    balance.__annotations__["given"] = kind
    with pytest.raises(
        ConfigError, match=rf'"given" of the tool "balance".*\({name}\).*fingerpost\.ToolContext'
    ):
        bind([balance])
