"""A tool of Fingerpost becomes an Agent Framework tool without losing or adding anything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Optional

import pytest
from agent_framework import (
    AgentSession,
    Content,
    FunctionInvocationContext,
    FunctionMiddleware,
    FunctionTool,
    MiddlewareFailure,
    UserInputRequiredException,
)

from fingerpost import ConfigError, Tool, ToolContext, ToolResult, demo_bundle, tool
from fingerpost_agent_framework import bind, okf_tools
from fingerpost_testing.scenarios import find_passages
from tests.agent_framework.playing import play


def answer(native: FunctionTool, arguments: Any, **options: Any) -> str:
    """What an agent's model is told about one call."""
    (text,) = play([(native.name, arguments)], tools=[native], **options).transcript.tool_results
    return str(text)


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def test_the_model_is_shown_the_name_the_description_and_the_schema_of_the_core() -> None:
    core = [Tool.of(find_passages), Tool.of(add)]
    assert [native.to_json_schema_spec() for native in bind(core)] == [
        {
            "type": "function",
            "function": {
                "name": each.name,
                "description": each.description,
                "parameters": each.schema,
            },
        }
        for each in core
    ]
    shown = {native.name: native for native in okf_tools(demo_bundle())}
    assert list(shown) == ["kb_index", "kb_read", "kb_find"]
    assert "Args:" not in shown["kb_read"].description


def test_what_a_client_does_to_the_schema_stays_with_its_request() -> None:
    guarded = Tool.of(add)
    (native,) = bind([guarded])
    native.parameters()["properties"].clear()
    assert (
        list(native.parameters()["properties"]) == list(guarded.schema["properties"]) == ["first", "second"]
    )


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
        [("count", ""), ("wait", {"turns": "4"})],
        tools=tools,
    )
    assert outcome.transcript.tool_results == ("<x>", "5", "3", "waited 4")


def test_two_functions_with_one_name_and_a_prefix_that_no_model_takes_are_refused() -> None:
    with pytest.raises(ConfigError, match="add"):
        bind([add, add])
    with pytest.raises(ConfigError, match=r"my\.kb_index"):
        okf_tools(demo_bundle(), prefix="my.")


def test_a_prefix_tells_two_bundles_apart() -> None:
    names = [native.name for native in okf_tools(demo_bundle(), prefix="support_")]
    assert names == ["support_kb_index", "support_kb_read", "support_kb_find"]


def test_the_application_gets_the_result_as_data_and_whether_it_is_an_error() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    read = next(native for native in okf_tools(demo_bundle()) if native.name == "kb_read")
    outcome = play(
        [("kb_read", {"concept_id": "/policies/cancellation-2024.md"}), ("fail", {"reason": "secret"})],
        tools=[read, *bind([fail])],
    )
    found, failed = ((result.items or [])[0].raw_representation for result in outcome.results)
    assert isinstance(found, ToolResult)
    assert (found.data["id"], found.data["status"]) == ("policies/cancellation-2024", "deprecated")
    assert isinstance(failed, ToolResult)
    assert failed.is_error
    assert [result.exception for result in outcome.results] == [None, None]
    said = str(outcome.transcript.tool_results[1])
    assert "ValueError" in said
    assert "secret" not in said
    assert outcome.response.text == "Done."


@pytest.mark.parametrize(
    "name", ["self", "ctx", "context", "args", "kwargs", "arguments", "session", "model_config", "__class__"]
)
def test_an_argument_with_a_name_that_the_framework_uses_is_ignored_with_a_note(name: str) -> None:
    text = answer(bind([add])[0], {"first": 1, name: 7})
    assert text.startswith("2\n")
    assert f'"{name}"' in text


def test_a_parameter_with_a_name_that_the_framework_uses_gets_what_the_model_sent() -> None:
    def describe(ctx: str, context: int = 0, arguments: Optional[str] = None, model_config: str = "") -> str:
        """Describe a thing."""
        return f"{ctx} {context} {arguments} {model_config}"

    sent = {"ctx": "a", "context": "2", "arguments": "b", "model_config": "c"}
    assert answer(bind([describe])[0], sent) == "a 2 b c"


def test_the_kwargs_of_the_run_are_the_context_which_no_model_can_set() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        session = context.get("session")
        return f"{context.get('tenant')} {session.session_id if session else 'no session'}"

    (native,) = bind([whose])
    given: dict[str, Any] = {"function_invocation_kwargs": {"tenant": "north"}}
    assert answer(native, {}, **given) == "north no session"
    assert answer(native, {}, **given, session=AgentSession(session_id="s1")) == "north s1"
    forged = {"context": {"tenant": "south"}, "function_invocation_context": {"kwargs": {"tenant": "south"}}}
    assert answer(native, forged, **given).startswith("north no session\n")
    assert answer(native, {}) == "None no session"


def test_a_tool_that_is_called_by_hand_takes_no_other_thing_for_the_context() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        return str(context.get("tenant"))

    (native,) = bind([whose])
    given = FunctionInvocationContext(native, {}, kwargs={"tenant": "north"})
    assert asyncio.run(native(function_invocation_context=given)).text == "north"
    for other in ({"kwargs": {"tenant": "south"}}, {}, None):
        text = str(asyncio.run(native(function_invocation_context=other)).text)
        assert text.startswith("None\n")
        assert '"function_invocation_context"' in text


def test_the_hint_that_a_tool_changes_nothing_is_in_its_properties_and_none_asks_for_approval() -> None:
    tools = okf_tools(demo_bundle())
    assert [native.additional_properties for native in tools] == [{"read_only": True}] * 3
    assert bind([tool(add, read_only=False)])[0].additional_properties == {"read_only": False}
    assert bind([add])[0].additional_properties is None
    assert {native.approval_mode for native in tools} == {"never_require"}


class Watching(FunctionMiddleware):
    """Notes the arguments of each call."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    async def process(
        self, context: FunctionInvocationContext, call_next: Callable[[], Awaitable[None]]
    ) -> None:
        self.seen.append(context.arguments)
        await call_next()


def test_middleware_sees_the_arguments_as_the_model_sent_them() -> None:
    watching = Watching()
    sent: list[dict[str, Any]] = [{"first": "2"}, {"second": 1}, {"first": 1, "self": {"deep": [None]}}]
    outcome = play(
        [("add", each) for each in sent], tools=bind([add]), agent_options={"middleware": [watching]}
    )
    assert watching.seen == sent
    good, missing, strange = map(str, outcome.transcript.tool_results)
    assert good == "3"
    assert '\\"first\\" is missing' in missing
    assert strange.startswith("2\n")


def test_a_tool_can_ask_the_user_and_can_end_the_run_as_the_framework_provides() -> None:
    class NotAllowed(MiddlewareFailure):
        """Ends a run on purpose."""

    def forbid() -> str:
        """Forbid."""
        raise NotAllowed("not for this user")

    def ask() -> str:
        """Ask the user."""
        wanted = Content.from_function_call(call_id="inner", name="refund", arguments={"euros": 240})
        raise UserInputRequiredException(contents=[Content.from_function_approval_request("1", wanted)])

    with pytest.raises(NotAllowed, match="not for this user"):
        play([("forbid", {})], tools=bind([forbid]))
    (request,) = play([("ask", {})], tools=bind([ask])).response.user_input_requests
    assert request.function_call is not None
    assert request.function_call.name == "refund"


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (FunctionInvocationContext, "FunctionInvocationContext"),
        (Optional[FunctionInvocationContext], "FunctionInvocationContext"),
        (type("OwnContext", (FunctionInvocationContext,), {}), "OwnContext"),
    ],
)
def test_a_parameter_that_only_the_framework_may_fill_is_refused(kind: Any, name: str) -> None:
    def balance(given: Any, account: str) -> str:
        """Say the balance."""
        return f"{given}: {account}"

    balance.__annotations__["given"] = kind
    with pytest.raises(
        ConfigError, match=rf'"given" of the tool "balance".*\({name}\).*fingerpost\.ToolContext'
    ):
        bind([balance])
