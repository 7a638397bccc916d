"""The scenarios hold for the reference loop, and say what is missing where they do not."""

from __future__ import annotations

import dataclasses
import json

import pytest

from fingerpost import Tool
from fingerpost_testing import Expected, Scenario, Script, ScriptedServer, Step, Transcript, run_loop
from fingerpost_testing.scenarios import (
    BAD_ARGUMENTS,
    NAVIGATION,
    SCENARIOS,
    find_passages,
    received_arguments,
)


def test_navigation_is_index_find_read_answer() -> None:
    transcript = run_loop(NAVIGATION.tools(), NAVIGATION.script, NAVIGATION.question)
    assert [step.name for step in transcript.steps] == ["kb_index", "kb_find", "kb_read"]
    assert transcript.answer == NAVIGATION.answer


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
@pytest.mark.parametrize("max_chars", [None, 6_000])
def test_every_scenario_holds_without_a_framework(scenario: Scenario, max_chars: int | None) -> None:
    tools = scenario.tools(max_chars)
    transcript = run_loop(tools, scenario.script, scenario.question)
    assert scenario.problems(transcript) == []
    assert all(len(str(result)) <= (max_chars or 20_000) for result in transcript.tool_results)


def test_a_text_that_must_stay_hidden_is_a_problem() -> None:
    leaky = Expected(hides=("secret",))
    assert list(leaky.problems(Step("tool", "{}", "all is well"))) == []
    assert list(leaky.problems(Step("tool", "{}", "The Secret is 7"))) == [
        "The result of tool({}) mentions 'secret', which it must not."
    ]


def test_every_scenario_expects_one_thing_of_each_call_and_has_a_name_of_its_own() -> None:
    for scenario in SCENARIOS:
        assert len(scenario.script.calls) == len(scenario.expected)
    assert len({scenario.name for scenario in SCENARIOS}) == len(SCENARIOS)


def test_every_case_sends_something_that_is_not_simply_right() -> None:
    sent = {
        call.raw_arguments
        for scenario in BAD_ARGUMENTS
        for call in scenario.script.calls
        if call.name == "find_passages"
    }
    assert len(sent) == len(BAD_ARGUMENTS) - 1  # all differ; the last case has the wrong tool instead


def case(name: str) -> Scenario:
    return next(scenario for scenario in BAD_ARGUMENTS if scenario.name == name)


def played(scenario: Scenario, *results: str | None, answer: str | None = None) -> Transcript:
    steps = (
        Step(call.name, call.raw_arguments, result)
        for call, result in zip(scenario.script.calls, results, strict=False)
    )
    return Transcript(steps=tuple(steps), answer=scenario.answer if answer is None else answer)


def test_arguments_of_the_wrong_type_are_a_problem() -> None:
    scenario = case("digits for int")
    (problem,) = scenario.problems(played(scenario, find_passages("q", limit="2")))  # type: ignore[arg-type]
    assert "reached the function as {'query': 'q', 'limit': '2'" in problem
    assert "not as {'query': 'q', 'limit': 2," in problem


def test_a_silent_fallback_is_a_problem() -> None:
    scenario = case("unknown argument")
    (problem,) = scenario.problems(played(scenario, find_passages("q")))
    assert "does not mention 'colour'" in problem


def test_running_what_should_be_refused_is_a_problem() -> None:
    scenario = case("malformed JSON")
    problems = scenario.problems(played(scenario, find_passages("q") + " (from repaired JSON)"))
    assert len(problems) == 1
    assert "should have been refused" in problems[0]


def test_a_dropped_call_and_a_missing_answer_are_problems() -> None:
    scenario = case("array")
    assert scenario.problems(played(scenario, None)) == ['No result came back for find_passages(["q"]).']
    assert scenario.problems(Transcript()) == [
        "'array' has 1 tool calls, but 0 were made.",
        "'array' ended with '' instead of 'Done.'.",
    ]


@pytest.mark.parametrize(
    ("result", "received"),
    [
        (find_passages("q", 3), 3),
        ("{note} " + find_passages("q", 3) + "\nNote: {}", 3),
        ('{"result": ' + find_passages("{", 3) + "}", 3),
        ('{"error": "query is missing"}', None),
        ("plain", None),
    ],
)
def test_received_arguments_are_found_among_notes(result: str, received: int | None) -> None:
    found = received_arguments(result)
    assert (found and found["limit"]) == received


def test_scenarios_can_be_played_again_and_at_once() -> None:
    with ScriptedServer() as server:
        sessions = [server.play(dataclasses.replace(NAVIGATION).script) for _ in range(2)]
        assert isinstance(sessions[0].script, Script)
        assert sessions[0].base_url != sessions[1].base_url
        for session in sessions:
            run_again(session.base_url)
            session.finish()
    assert sessions[0].transcript == sessions[1].transcript


def run_again(base_url: str) -> None:
    from fingerpost_testing import Endpoint

    run_loop(NAVIGATION.tools(), Endpoint(base_url), NAVIGATION.question)


def test_the_schema_of_the_probe_in_a_message_is_not_taken_for_its_report() -> None:
    schema = json.dumps(Tool.of(find_passages).schema["properties"])
    assert received_arguments(f"Expected arguments: {schema}") is None
    assert received_arguments(f"{schema} {find_passages('q')}") == {
        "query": "q",
        "limit": 10,
        "tags": None,
        "exact": False,
        "mode": "fast",
    }
