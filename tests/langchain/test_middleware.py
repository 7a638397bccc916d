"""Calls that LangChain cannot parse are answered, made, or asked for again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool as langchain_tool
from pydantic import BaseModel, ValidationError

from fingerpost_langchain import MalformedCallMiddleware, bind
from fingerpost_testing import Script, ToolCall, calls, say
from fingerpost_testing.scenarios import find_passages, received_arguments
from tests.langchain.playing import Agent

BROKEN = '{"query": "q", "limit":'
BOTH = pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])


@langchain_tool
def count_letters(text: str = "none") -> str:
    """Count the letters of a text."""
    return f"counted {len(text)}"


def play(script: Script, *, is_async: bool = False, attempts: int = 3, streams: bool = False) -> Any:
    """Run an agent with one tool of ours, one of LangChain's own, and the middleware."""
    agent = Agent(is_async=is_async, streams=streams)
    tools = [*bind([find_passages]), count_letters]
    return agent.play(script, tools, middleware=[MalformedCallMiddleware(attempts)])


@BOTH
def test_a_model_that_is_told_can_correct_itself(is_async: bool) -> None:
    script = Script(
        calls(ToolCall("find_passages", BROKEN)),
        calls(ToolCall("find_passages", {"query": "q"})),
        say("Done."),
    )
    outcome = play(script, is_async=is_async)
    first, second = outcome.transcript.tool_results
    assert "not valid JSON" in first
    assert received_arguments(second) is not None
    assert outcome.answer == "Done."


@BOTH
def test_the_call_of_a_tool_that_is_not_ours_is_answered_and_not_run(is_async: bool) -> None:
    outcome = play(Script(calls(ToolCall("count_letters", '{"text":')), say("Done.")), is_async=is_async)
    (result,) = outcome.transcript.tool_results
    assert "one JSON object" in result
    assert "counted" not in result
    assert outcome.answer == "Done."


def test_the_call_of_a_tool_that_does_not_exist_is_answered() -> None:
    outcome = play(Script(calls(ToolCall("no_such_tool", "{")), say("Done.")))
    assert "one JSON object" in outcome.transcript.tool_results[0]


@BOTH
def test_in_a_mixed_message_each_call_gets_its_own_answer(is_async: bool) -> None:
    script = Script(
        calls(
            ToolCall("find_passages", {"query": "first"}),
            ToolCall("find_passages", BROKEN),
            ToolCall("count_letters", "{"),
            ToolCall("count_letters", {"text": "four"}),
        ),
        say("Done."),
    )
    good, broken, foreign, counted = play(script, is_async=is_async).transcript.tool_results
    assert (received_arguments(good) or {})["query"] == "first"
    assert "not valid JSON" in broken
    assert "one JSON object" in foreign
    assert counted == "counted 4"


def test_the_history_keeps_the_broken_arguments_as_valid_json() -> None:
    outcome = play(Script(calls(ToolCall("find_passages", BROKEN)), say("Done.")))
    (sent,) = [m for m in outcome.requests[1]["messages"] if m["role"] == "assistant"]
    assert sent["tool_calls"][0]["function"]["arguments"] == '{"raw": "{\\"query\\": \\"q\\", \\"limit\\":"}'
    message = next(m for m in outcome.messages if isinstance(m, AIMessage))
    assert message.invalid_tool_calls == []


@BOTH
@pytest.mark.parametrize("arguments", ['["q"]', '"{\\"query\\": \\"q\\"}"'])
def test_a_lost_call_is_asked_for_again_with_a_note(is_async: bool, arguments: str) -> None:
    script = Script(
        calls(ToolCall("find_passages", arguments)),
        calls(ToolCall("find_passages", {"query": "q"})),
        say("Done."),
    )
    outcome = play(script, is_async=is_async)
    assert outcome.answer == "Done."
    note = outcome.requests[1]["messages"][-1]
    assert note["role"] == "user"
    assert "lost" in note["content"]
    assert "one JSON object" in note["content"]
    lost, second = outcome.transcript.tool_results
    assert lost is None
    assert received_arguments(second) is not None
    assert [m for m in outcome.messages if "lost" in str(m.content)] == []


@BOTH
def test_a_model_that_goes_on_losing_calls_ends_with_the_error(is_async: bool) -> None:
    lost = calls(ToolCall("find_passages", "[1]"))
    with pytest.raises(ValidationError, match="AIMessage"):
        play(Script(lost, lost, lost), is_async=is_async, attempts=2)


class Order(BaseModel):
    """Something else that can fail to validate."""

    number: int


def fail(*_: object) -> Any:
    Order.model_validate({"number": "none"})


async def fail_async(*_: object) -> Any:
    fail()


def test_an_error_of_another_kind_is_not_swallowed() -> None:
    middleware: Any = MalformedCallMiddleware()
    with pytest.raises(ValidationError, match="Order"):
        middleware.wrap_model_call(None, fail)
    with pytest.raises(ValidationError, match="Order"):
        asyncio.run(middleware.awrap_model_call(None, fail_async))


def test_a_message_without_broken_calls_is_left_alone() -> None:
    outcome = play(Script(calls(ToolCall("count_letters", {"text": "ab"})), say("Done.")))
    assert [type(m) for m in outcome.messages[1:]] == [AIMessage, ToolMessage, AIMessage]
    assert outcome.transcript.tool_results == ("counted 2",)
