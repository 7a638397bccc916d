"""What ends a run of the OpenAI Agents SDK, and the line that keeps it going."""

from __future__ import annotations

from typing import Any

import pytest
from agents import RunConfig
from agents.exceptions import MaxTurnsExceeded, ModelBehaviorError

from fingerpost_openai_agents import bind
from fingerpost_testing import Script, ToolCall, calls, explain_difference, run_loop, say
from fingerpost_testing.scenarios import NAVIGATION, find_passages
from tests.openai_agents.playing import GOES_ON, MODELS, called, played

UNKNOWN = calls(ToolCall("find_pasages", {"query": "q"}))
GOOD = calls(ToolCall("find_passages", {"query": "q"}))


@pytest.mark.parametrize("model", MODELS)
def test_the_way_through_a_bundle_is_that_of_the_loop_without_a_framework(model: type[Any]) -> None:
    functions = NAVIGATION.tools()
    expected = run_loop(functions, NAVIGATION.script, NAVIGATION.question)
    outcome = played(bind(functions), *NAVIGATION.script.turns, model=model)
    assert explain_difference(expected, outcome.transcript) == ""
    assert outcome.answer == NAVIGATION.answer


def test_the_name_of_no_tool_ends_the_run() -> None:
    with pytest.raises(ModelBehaviorError, match="find_pasages"):
        played(bind([find_passages]), UNKNOWN)


@pytest.mark.parametrize("model", MODELS)
def test_with_the_line_for_it_the_model_is_told_and_the_run_goes_on(model: type[Any]) -> None:
    outcome = played(bind([find_passages]), UNKNOWN, GOOD, say("Done."), model=model, run_config=GOES_ON)
    assert outcome.seen[0] == "Tool 'find_pasages' not found."
    assert '"query": "q"' in str(outcome.seen[1])
    assert outcome.answer == "Done."


def test_a_formatter_can_name_the_tools_that_there_are() -> None:
    config = RunConfig(
        tool_not_found_behavior="return_error_to_model",
        tool_error_formatter=lambda error: (
            f"{error.default_message} There are: find_passages." if error.kind == "tool_not_found" else None
        ),
    )
    outcome = played(bind([find_passages]), UNKNOWN, say("Done."), run_config=config)
    assert outcome.seen == ("Tool 'find_pasages' not found. There are: find_passages.",)


def test_the_calls_beside_the_name_of_no_tool_are_made() -> None:
    turn = calls(*GOOD.calls, *UNKNOWN.calls, *GOOD.calls)
    outcome = played(bind([find_passages]), turn, say("Done."), run_config=GOES_ON)
    assert [text is not None and '"query": "q"' in text for text in outcome.seen] == [True, False, True]


@pytest.mark.parametrize("sent", ['{"query": "q", "limit":', '["q"]', "7"])
def test_arguments_that_are_no_object_are_answered_by_the_tool_as_the_loop_without_a_framework_does(
    sent: str,
) -> None:
    script = Script(calls(ToolCall("find_passages", sent)), say("Done."))
    expected = run_loop([find_passages], script, "Go.")
    assert called(bind([find_passages])[0], sent) == (expected.tool_results[0], None)


def test_a_run_has_ten_turns_unless_it_is_given_more() -> None:
    turns = [GOOD] * 10
    with pytest.raises(MaxTurnsExceeded):
        played(bind([find_passages]), *turns)
    assert played(bind([find_passages]), *turns, say("Done."), max_turns=20).answer == "Done."
