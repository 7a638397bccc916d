"""What ends a run of Pydantic AI, what keeps it going, and how a function may steer it on purpose."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic_ai import Agent, ApprovalRequired, CallDeferred, DeferredToolRequests, ModelRetry
from pydantic_ai.exceptions import ToolFailed, UnexpectedModelBehavior, UserError

from fingerpost_pydantic_ai import bind
from fingerpost_testing import Script, ToolCall, calls, explain_difference, run_loop, say
from fingerpost_testing.scenarios import NAVIGATION, find_passages
from tests.pydantic_ai.playing import MODELS, played

UNKNOWN = calls(ToolCall("find_pasages", {"query": "q"}))
GOOD = calls(ToolCall("find_passages", {"query": "q"}))
BROKEN = calls(ToolCall("find_passages", '{"query": "q", "limit":'))


def parsed(result: str) -> object:
    """A result without regard to the spaces of its JSON."""
    return json.loads(result)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("is_sync", [False, True])
def test_the_way_through_a_bundle_is_that_of_the_loop_without_a_framework(
    model: type[Any], is_sync: bool
) -> None:
    functions = NAVIGATION.tools()
    expected = run_loop(functions, NAVIGATION.script, NAVIGATION.question)
    outcome = played(bind(functions), *NAVIGATION.script.turns, model=model, is_sync=is_sync)
    difference = explain_difference(expected.without_definitions(), outcome.transcript.without_definitions())
    assert difference == ""
    assert outcome.output == NAVIGATION.answer


def test_faults_of_type_and_missing_arguments_use_up_no_retries() -> None:
    turns = [calls(ToolCall("find_passages", {"limit": "many", "tags": 7}))] * 12
    outcome = played(bind([find_passages]), *turns, say("I give up."), retries=0)
    assert outcome.output == "I give up."
    assert all("query" in str(seen) for seen in outcome.seen)


def test_a_tool_that_raises_uses_up_no_retries() -> None:
    def fail() -> str:
        """Fail."""
        raise OSError("no disk")

    outcome = played(bind([fail]), *[calls(ToolCall("fail"))] * 12, say("I give up."), retries=0)
    assert outcome.output == "I give up."


def test_broken_json_is_refused_three_times_running_and_then_ends_the_run() -> None:
    outcome = played(bind([find_passages]), *[BROKEN] * 3, say("I give up."))
    assert ["Invalid JSON" in str(seen) for seen in outcome.seen] == [True] * 3
    assert outcome.output == "I give up."
    with pytest.raises(UnexpectedModelBehavior, match="exceeded max retries count of 3"):
        played(bind([find_passages]), *[BROKEN] * 4)


@pytest.mark.parametrize("sent", ['["q"]', "7", "null", '"q"', json.dumps(json.dumps({"query": "q"}))])
def test_json_that_is_no_object_is_read_by_the_tool_and_uses_up_no_retries(sent: str) -> None:
    turns = [calls(ToolCall("find_passages", sent))] * 5
    expected = run_loop([find_passages], Script(*turns, say("Done.")), "Go.")
    outcome = played(bind([find_passages]), *turns, say("Done."), retries=0)
    assert [parsed(str(seen)) for seen in outcome.seen] == [
        parsed(str(result)) for result in expected.tool_results
    ]


def test_a_call_of_one_argument_is_not_taken_for_a_wrapper_of_arguments() -> None:
    def first(arguments: str) -> str:
        """Repeat."""
        return arguments

    def second(root: dict[str, int]) -> int:
        """Count."""
        return len(root)

    turn = calls(ToolCall("first", {"arguments": "a"}), ToolCall("second", {"root": {"root": 1}}))
    assert played(bind([first, second]), turn, say("Done.")).seen == ("a", "1")


def test_a_good_call_in_between_gives_all_retries_back() -> None:
    turns = [BROKEN, BROKEN, BROKEN, GOOD] * 2
    assert played(bind([find_passages]), *turns, say("Done.")).output == "Done."


def test_the_retries_of_a_tool_can_be_set() -> None:
    (native,) = bind([find_passages])
    native.max_retries = 5
    assert played([native], *[BROKEN] * 5, say("I give up.")).output == "I give up."


def test_the_name_of_no_tool_ends_the_run_when_it_comes_twice_running() -> None:
    with pytest.raises(UnexpectedModelBehavior, match="exceeded max retries count of 1"):
        played(bind([find_passages]), UNKNOWN, UNKNOWN)


def test_with_more_retries_of_the_agent_the_model_is_told_and_the_run_goes_on() -> None:
    outcome = played(bind([find_passages]), UNKNOWN, UNKNOWN, UNKNOWN, GOOD, say("Done."), retries=3)
    assert outcome.output == "Done."
    assert "Unknown tool name: 'find_pasages'. Available tools: 'find_passages'" in str(outcome.seen[0])


def test_a_function_may_ask_the_model_to_try_again_or_say_why_it_failed() -> None:
    def guess(number: int) -> str:
        """Guess a number."""
        if number > 6:
            raise ModelRetry("It is less than 7.")
        raise ToolFailed("The game is over.")

    turns = [calls(ToolCall("guess", {"number": number})) for number in (9, 6)]
    outcome = played(bind([guess]), *turns, say("Done."))
    assert ["less than 7" in str(outcome.seen[0]), "game is over" in str(outcome.seen[1])] == [True, True]
    assert outcome.returned[-1].outcome == "failed"


def test_a_function_may_defer_its_call_or_ask_for_approval() -> None:
    def pay(amount: int) -> str:
        """Pay."""
        raise ApprovalRequired({"limit": 5}) if amount < 10 else CallDeferred({"desk": "cash"})

    turn = calls(ToolCall("pay", {"amount": "9"}), ToolCall("pay", {"amount": 10}))
    outcome = played(bind([pay]), turn, output_type=[str, DeferredToolRequests])
    asked = outcome.output
    assert isinstance(asked, DeferredToolRequests)
    assert [call.tool_call_id for call in asked.approvals] == ["call_1"]
    assert [call.tool_call_id for call in asked.calls] == ["call_2"]
    assert asked.metadata == {"call_1": {"limit": 5}, "call_2": {"desk": "cash"}}


def test_a_tool_can_be_told_to_ask_for_approval() -> None:
    (native,) = bind([find_passages])
    native.requires_approval = True
    outcome = played([native], GOOD, output_type=[str, DeferredToolRequests])
    assert [call.tool_name for call in outcome.output.approvals] == ["find_passages"]


def test_a_validator_of_the_application_gets_the_arguments_as_the_model_sent_them() -> None:
    def check(_ctx: Any, fingerpost_arguments: Any) -> None:
        if fingerpost_arguments.root.get("limit") == "2":
            raise ModelRetry("Send a number.")

    (native,) = bind([find_passages])
    native.args_validator = check
    turns = [calls(ToolCall("find_passages", {"query": "q", "limit": limit})) for limit in ("2", 2)]
    outcome = played([native], *turns, say("Done."))
    assert "Send a number." in str(outcome.seen[0])
    assert '"limit": 2' in str(outcome.seen[1])


def test_two_tools_of_one_name_are_refused_by_the_agent() -> None:
    with pytest.raises(UserError, match="find_passages"):
        Agent(tools=[*bind([find_passages]), *bind([find_passages])])
