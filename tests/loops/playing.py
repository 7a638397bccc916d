"""One cell of the matrix: a scenario played by a driver, compared with the loop without a framework."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from fingerpost_testing import Transcript, explain_difference, run_loop
from fingerpost_testing.scenarios import SCENARIOS, Scenario
from tests.loops.driver import Driver, Outcome, ProtocolDriver

Verdict = Literal["same", "own words", "differs", "ends", "not sent"]
"""same: every word that the model saw is that of the loop without a framework. own words: all that must come
of the scenario did, but a text is the framework's. differs: something that must come of it did not. ends: an
exception ended the run. not sent: the protocol cannot carry the arguments."""

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


@dataclass(frozen=True)
class Played:
    """What came of a scenario with a driver.

    Attributes:
        verdict: How it compares.
        seen: What was not as it must be, or how the words differ, for messages.
    """

    verdict: Verdict
    seen: str


@cache
def reference(name: str, max_chars: int | None = None) -> Transcript:
    """The transcript of a scenario without a framework; it holds to what the scenario demands."""
    scenario = BY_NAME[name]
    transcript = run_loop(scenario.tools(max_chars), scenario.script, scenario.question)
    assert scenario.problems(transcript) == []
    return transcript.without_definitions()


def play(driver: Driver | ProtocolDriver, scenario: Scenario, *, is_plain: bool = False) -> Played:
    """Play a scenario, with the adapter or with plain functions."""
    if isinstance(driver, ProtocolDriver) and any(
        isinstance(call.arguments, str) for call in scenario.script.calls
    ):
        return Played("not sent", "")
    tools = scenario.tools(driver.max_chars)
    if is_plain:
        assert isinstance(driver, Driver)
        assert driver.plain is not None
        native = driver.plain(tools)
    else:
        native = driver.bind(tools)
    outcome = driver.play(scenario.script, native, scenario.question)
    expected = reference(scenario.name, driver.max_chars)
    return judge(driver, scenario, expected, outcome)


def judge(
    driver: Driver | ProtocolDriver, scenario: Scenario, expected: Transcript, outcome: Outcome
) -> Played:
    """How an outcome compares with the transcript that is expected."""
    if outcome.error:
        return Played("ends", outcome.error)
    actual = outcome.transcript.without_definitions()
    if isinstance(driver, ProtocolDriver):  # the answer is the script's own
        problems = [each for each in scenario.problems(actual) if " ended with " not in each]
        expected = Transcript(expected.tools, expected.steps)
    else:
        problems = scenario.problems(actual)
        if outcome.answer != scenario.answer:
            problems.append(f"The framework returned {outcome.answer!r}, not {scenario.answer!r}.")
    if outcome.complaint:
        problems.append(outcome.complaint)
    if problems:
        return Played("differs", "\n".join(problems))
    difference = explain_difference(expected, actual)
    return Played("own words", difference) if difference else Played("same", "")
