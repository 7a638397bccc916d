"""Agent Framework ends a run after three rounds with errors in a row; ours do not count, unknown tools do."""

from __future__ import annotations

from typing import Any

from fingerpost import tool
from fingerpost_agent_framework import bind
from tests.agent_framework.playing import play

MANY = {"max_consecutive_errors_per_request": 40}
LIMIT_REACHED = "Function invocation limit reached before a final answer could be produced."


def add(first: int) -> int:
    """Add one."""
    return first + 1


def fail() -> str:
    """Fail."""
    raise ValueError


def test_errors_of_our_tools_do_not_count() -> None:
    rounds: list[Any] = [[("add", {}), ("fail", {})]] * 6
    outcome = play(*rounds, tools=bind([add, fail]))
    assert (outcome.response.text, outcome.complaint) == ("Done.", "")
    assert all('"error"' in str(text) for text in outcome.transcript.tool_results)


def test_three_rounds_with_an_unknown_tool_end_the_run() -> None:
    rounds: list[Any] = [[("ad", {"first": 1})]] * 4
    outcome = play(*rounds, tools=bind([add]))
    assert outcome.response.text == LIMIT_REACHED


def test_the_run_goes_on_where_more_errors_are_allowed() -> None:
    rounds: list[Any] = [[("ad", {"first": 1})]] * 6
    outcome = play(*rounds, [("add", {"first": "1"})], tools=bind([add]), configuration=MANY)
    assert (outcome.response.text, outcome.complaint) == ("Done.", "")
    told = [*['Error: Requested function "ad" not found.'] * 6, "2"]
    assert list(outcome.transcript.tool_results) == told


def test_bad_arguments_of_a_plain_function_count() -> None:
    rounds: list[Any] = [[("add", {})]] * 4
    outcome = play(*rounds, tools=[tool(add)])
    assert outcome.response.text == LIMIT_REACHED
    assert outcome.transcript.tool_results[0] == "Error: Argument parsing failed."
