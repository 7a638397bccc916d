"""What models really send, through LangChain's message layer and the adapter to the function."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from fingerpost_langchain import MalformedCallMiddleware, bind
from fingerpost_testing import Script
from fingerpost_testing.scenarios import BAD_ARGUMENTS, Scenario, find_passages
from tests.langchain.playing import AGENTS, Agent, agent_id

SCENARIOS = {scenario.name: scenario for scenario in BAD_ARGUMENTS}

# LangChain's own message layer stops these before any tool: the first ends the run, the others raise.
STOPPED = {"malformed JSON"}
LOST = {"array", "encoded twice"}
REACHED = [scenario for scenario in BAD_ARGUMENTS if scenario.name not in STOPPED | LOST]


def only_call(scenario: Scenario) -> Script:
    """The scenario up to the message with the call."""
    return Script(scenario.script.turns[0])


@pytest.mark.parametrize("agent", AGENTS, ids=agent_id)
@pytest.mark.parametrize("scenario", REACHED, ids=lambda scenario: scenario.name)
def test_the_right_values_reach_the_function_or_the_model_is_told_what_is_wrong(
    agent: Agent, scenario: Scenario
) -> None:
    outcome = agent.play(scenario.script, bind([find_passages]), scenario.question)
    assert scenario.problems(outcome.transcript) == []
    assert outcome.answer == scenario.answer


def test_no_case_is_left_out() -> None:
    assert {scenario.name for scenario in REACHED} | STOPPED | LOST == set(SCENARIOS)
    assert len(REACHED) == len(SCENARIOS) - 3


@pytest.mark.parametrize("agent", AGENTS, ids=agent_id)
def test_without_the_middleware_malformed_json_ends_the_run_with_an_empty_answer(agent: Agent) -> None:
    outcome = agent.play(only_call(SCENARIOS["malformed JSON"]), bind([find_passages]))
    assert outcome.answer == ""
    assert outcome.transcript.tool_results == (None,)


@pytest.mark.parametrize("name", sorted(LOST))
@pytest.mark.parametrize("agent", AGENTS, ids=agent_id)
def test_without_the_middleware_arguments_that_are_no_object_end_the_run_with_an_error(
    agent: Agent, name: str
) -> None:
    with pytest.raises(ValidationError, match="AIMessage"):
        agent.play(only_call(SCENARIOS[name]), bind([find_passages]))


@pytest.mark.parametrize("is_async", [False, True])
def test_with_the_middleware_the_tool_says_what_is_wrong_with_malformed_json(is_async: bool) -> None:
    scenario = SCENARIOS["malformed JSON"]
    agent = Agent(is_async=is_async)
    outcome = agent.play(scenario.script, bind([find_passages]), middleware=[MalformedCallMiddleware()])
    assert scenario.problems(outcome.transcript) == []
    told: Any = outcome.messages[-2]
    assert (told.status, told.name) == ("error", "find_passages")


@pytest.mark.parametrize("name", ["malformed JSON", *sorted(LOST)])
@pytest.mark.parametrize("is_async", [False, True])
def test_a_streaming_model_with_the_middleware_handles_arguments_that_are_no_object(
    is_async: bool, name: str
) -> None:
    scenario = SCENARIOS[name]
    agent = Agent(is_async=is_async, streams=True)
    outcome = agent.play(scenario.script, bind([find_passages]), middleware=[MalformedCallMiddleware()])
    problems = scenario.problems(outcome.transcript)
    if name in LOST:
        assert problems == []
    else:  # the known limit: LangChain completes what was cut off, and runs it
        assert len(problems) == 2
        assert '"limit": 10' in str(outcome.transcript.tool_results[0])


def test_the_core_reads_what_it_would_read_from_any_other_framework() -> None:
    scenario = SCENARIOS["encoded twice"]
    native = bind([find_passages])[0]
    raw = scenario.script.calls[0].raw_arguments
    text = asyncio.run(native.ainvoke({"raw": raw}))
    assert '"limit": 2' in text
