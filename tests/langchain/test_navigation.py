"""LangChain and LangGraph walk a bundle exactly as an agent without a framework does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fingerpost import Bundle, MemoryDocumentStore, OKFTools
from fingerpost_langchain import MalformedCallMiddleware, okf_tools
from fingerpost_testing import Reply, Script, explain_difference, run_loop
from fingerpost_testing.scenarios import NAVIGATION
from tests.langchain.playing import AGENTS, Agent, agent_id


def renamed(prefix: str) -> Script:
    """The script of the scenario, for tools with a prefix."""
    turns = (turn for turn in NAVIGATION.script.turns if isinstance(turn, Reply))
    return Script(
        *(
            replace(turn, calls=tuple(replace(call, name=prefix + call.name) for call in turn.calls))
            for turn in turns
        )
    )


@pytest.mark.parametrize("prefix", ["", "harbour_"])
@pytest.mark.parametrize("agent", AGENTS, ids=agent_id)
def test_the_transcript_is_that_of_the_loop_without_a_framework(agent: Agent, prefix: str) -> None:
    bundle = Bundle(MemoryDocumentStore(NAVIGATION.bundles[""]))
    script = renamed(prefix)
    expected = run_loop(OKFTools(bundle, prefix).functions(), script, NAVIGATION.question)
    outcome = agent.play(script, okf_tools(bundle, prefix), NAVIGATION.question)
    assert NAVIGATION.problems(outcome.transcript) == []
    assert explain_difference(expected, outcome.transcript) == ""
    assert outcome.answer == NAVIGATION.answer


def test_the_middleware_changes_nothing_in_a_run_without_faults() -> None:
    bundle = Bundle(MemoryDocumentStore(NAVIGATION.bundles[""]))
    expected = run_loop(OKFTools(bundle).functions(), NAVIGATION.script, NAVIGATION.question)
    outcome = Agent().play(
        NAVIGATION.script, okf_tools(bundle), NAVIGATION.question, middleware=[MalformedCallMiddleware()]
    )
    assert explain_difference(expected, outcome.transcript) == ""


def test_a_streaming_model_gives_the_same_transcript() -> None:
    bundle = Bundle(MemoryDocumentStore(NAVIGATION.bundles[""]))
    expected = run_loop(OKFTools(bundle).functions(), NAVIGATION.script, NAVIGATION.question)
    outcome = Agent(streams=True).play(NAVIGATION.script, okf_tools(bundle), NAVIGATION.question)
    assert explain_difference(expected, outcome.transcript) == ""
