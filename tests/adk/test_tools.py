"""A tool of Fingerpost becomes an ADK tool without losing or adding anything."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Optional

import pytest
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.context import Context
from google.adk.agents.live_request_queue import LiveRequestQueue
from google.adk.agents.readonly_context import ReadonlyContext
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.tool_context import ToolContext as NativeContext

from fingerpost import ConfigError, Tool, ToolContext, demo_bundle, tool
from fingerpost_adk import bind, okf_tools
from fingerpost_testing.scenarios import find_passages
from tests.adk.playing import play, play_async


def said(native: BaseTool, arguments: dict[str, Any], state: dict[str, Any] | None = None) -> Any:
    """What an agent's model is told about one call."""
    (response,) = play([(native.name, arguments)], tools=[native], state=state).responses
    return response


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def test_the_model_is_shown_the_name_the_description_and_the_schema_of_the_core() -> None:
    tools = [*okf_tools(demo_bundle()), *bind([find_passages])]
    core = [Tool.of(find_passages)]
    shown = {declaration.name: declaration for declaration in play(tools=tools).declarations}
    assert list(shown) == ["kb_index", "kb_read", "kb_find", "find_passages"]
    assert shown["find_passages"].description == core[0].description
    assert shown["find_passages"].parameters_json_schema == core[0].schema
    assert shown["find_passages"].parameters is None
    assert "Args:" not in shown["kb_read"].description


def test_what_a_model_class_does_to_the_schema_stays_with_its_request() -> None:
    (native,) = bind([add])
    (offered,) = play(tools=[native]).declarations
    offered.parameters_json_schema["properties"].clear()
    (again,) = play(tools=[native]).declarations
    assert list(again.parameters_json_schema["properties"]) == ["first", "second"]


def test_a_text_is_the_result_and_an_error_is_an_error_and_the_run_goes_on() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    read = next(native for native in okf_tools(demo_bundle()) if native.name == "kb_read")
    outcome = play(
        [("add", {"first": "2"}), ("fail", {"reason": "secret"})],
        [("add", {"second": 1}), ("kb_read", {"concept_id": "policies/cancelation"})],
        tools=[*bind([add, fail]), read],
    )
    good, *bad = outcome.responses
    assert good == {"result": "3"}
    for response, mention in zip(
        bad, ("ValueError", '"first" is missing', "policies/cancellation"), strict=True
    ):
        assert list(response or {}) == ["error"]
        assert mention in str(response)
        assert "secret" not in str(response)
    assert outcome.answer == "Done."


def test_an_error_keeps_the_notes_about_its_arguments() -> None:
    def fail() -> str:
        """Fail."""
        raise ConfigError("Broken.")

    assert said(bind([fail])[0], {"colour": "red"}) == {
        "error": "Broken.",
        "notes": ['There is no argument "colour"; it was ignored.'],
    }


def test_data_comes_as_json_text_and_never_as_a_python_repr() -> None:
    def describe() -> dict[str, Any]:
        """Describe a thing."""
        return {"name": "Käse", "price": None, "fresh": True}

    assert said(bind([describe])[0], {}) == {"result": '{"name": "Käse", "price": null, "fresh": true}'}


def test_functions_of_every_kind_are_bound_in_the_order_given() -> None:
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
    tools = bind([bracket, tool(add, name="sum_up"), Tool.of(find_passages), Shelf().count, wait])
    assert [native.name for native in tools] == ["function", "sum_up", "find_passages", "count", "wait"]
    outcome = play(
        [("function", {"word": "x"}), ("sum_up", {"first": 2.0, "second": "3"})],
        [("count", {}), ("wait", {"turns": "4"})],
        tools=tools,
    )
    assert outcome.responses == [{"result": "<x>"}, {"result": "5"}, {"result": "3"}, {"result": "waited 4"}]


def test_two_functions_with_one_name_and_a_prefix_that_no_model_takes_are_refused() -> None:
    with pytest.raises(ConfigError, match="add"):
        bind([add, add])
    with pytest.raises(ConfigError, match=r"my\.kb_index"):
        okf_tools(demo_bundle(), prefix="my.")


def test_a_prefix_tells_two_bundles_apart() -> None:
    names = [native.name for native in okf_tools(demo_bundle(), prefix="support_")]
    assert names == ["support_kb_index", "support_kb_read", "support_kb_find"]


@pytest.mark.parametrize("name", ["self", "tool_context", "context", "args", "kwargs", "input_stream"])
def test_an_argument_with_a_name_that_adk_uses_is_ignored_with_a_note(name: str) -> None:
    text = said(bind([add])[0], {"first": 1, name: 7})["result"]
    assert text.startswith("2\n")
    assert f'"{name}"' in text


def test_a_parameter_with_a_name_that_adk_uses_gets_what_the_model_sent() -> None:
    def describe(tool_context: str, args: int = 0, name: Optional[str] = None) -> str:
        """Describe a thing."""
        return f"{tool_context} {args} {name}"

    native = bind([describe])[0]
    (declaration,) = play(tools=[native]).declarations
    assert list(declaration.parameters_json_schema["properties"]) == ["tool_context", "args", "name"]
    assert said(native, {"tool_context": "a", "args": "2", "name": "b"}) == {"result": "a 2 b"}


def test_the_state_of_the_session_is_the_context_which_no_model_can_set_and_no_tool_can_change() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        tenant = context.get("tenant")
        context["tenant"] = "west"
        return f"{tenant} {context.get('user:plan')}"

    (native,) = bind([whose])
    calls = [("whose", {"context": {"tenant": "south"}})]
    outcome = play([("whose", {})], calls, tools=[native], state={"tenant": "north", "user:plan": "season"})
    first, second = outcome.responses
    assert first == {"result": "north season"}
    assert str((second or {})["result"]).startswith("north season\n")
    assert said(native, {}) == {"result": "None None"}


def test_the_hint_that_a_tool_changes_nothing_is_in_its_metadata() -> None:
    assert [native.custom_metadata for native in okf_tools(demo_bundle())] == [{"read_only": True}] * 3
    assert bind([tool(add, read_only=False)])[0].custom_metadata == {"read_only": False}
    assert bind([add])[0].custom_metadata is None


def test_a_bound_function_runs_off_the_event_loop() -> None:
    def here() -> int:
        """Say which thread this is."""
        return threading.get_ident()

    async def both() -> tuple[Any, int]:
        outcome = await play_async([("here", {})], tools=bind([here]))
        return outcome.responses[0], threading.get_ident()

    response, loop_thread = asyncio.run(both())
    assert int(response["result"]) != loop_thread


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (NativeContext, NativeContext.__name__),
        (CallbackContext, CallbackContext.__name__),
        (Context, "Context"),
        (ReadonlyContext, "ReadonlyContext"),
        (Optional[NativeContext], NativeContext.__name__),
        (type("OwnContext", (Context,), {}), "OwnContext"),
        (LiveRequestQueue, "LiveRequestQueue"),
    ],
)
def test_a_parameter_that_only_adk_may_fill_is_refused(kind: Any, name: str) -> None:
    def balance(given: Any, account: str) -> str:
        """Say the balance."""
        return f"{given}: {account}"

    balance.__annotations__["given"] = kind
    with pytest.raises(
        ConfigError, match=rf'"given" of the tool "balance".*\({name}\).*fingerpost\.ToolContext'
    ):
        bind([balance])
