"""CrewAI's crews with the tools: its limits, what the model sees, and on which thread a tool runs."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from crewai import Crew, Task
from crewai.llms.providers.openai.completion import OpenAICompletion
from crewai.tools.tool_failure import ToolExecutionFailedError
from crewai.utilities import agent_utils

from fingerpost.tools.repeats import FIRST_NOTED
from fingerpost_crewai import bind
from fingerpost_testing import Reply, Script, ToolCall, calls, explain_difference, play, run_loop, say
from fingerpost_testing.scenarios import NAVIGATION, find_passages
from tests.crewai.playing import KINDS, agent_of, crew_of, finished, flow_of, model, played

SAME = calls(ToolCall("find_passages", {"query": "q"}))
FINAL = say("Thought: I can answer.\nFinal Answer: Done.")
PATIENCE = 30.0
OTHER = calls(ToolCall("find_passages", {"query": "other"}))


@pytest.mark.parametrize("kind", KINDS)
def test_the_way_through_a_bundle_is_that_of_the_loop_without_a_framework(kind: str) -> None:
    functions = NAVIGATION.tools(6_000)
    expected = run_loop(functions, NAVIGATION.script, NAVIGATION.question)
    outcome = played(NAVIGATION.script, bind(functions), kind)
    seen = outcome.transcript.without_definitions()
    assert explain_difference(expected.without_definitions(), seen) == ""
    assert outcome.result.raw == NAVIGATION.answer


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_goes_on_when_a_call_is_made_eight_times(kind: str) -> None:
    outcome = played(Script(*[SAME] * 8, say("Done.")), bind([find_passages]), kind)
    assert outcome.result.raw == "Done."
    assert outcome.seen[:3] == [find_passages("q")] * 3
    assert ["call 4" in outcome.seen[3], "call 8" in outcome.seen[7]] == [True, True]
    assert len(set(outcome.seen)) == 6


def test_each_of_these_calls_reaches_the_function() -> None:
    made: list[str] = []

    def look(word: str) -> str:
        """Look a word up."""
        made.append(word)
        return "found"

    played(Script(*[calls(ToolCall("look", {"word": "q"}))] * 8, say("Done.")), bind([look]))
    assert made == ["q"] * 8


def test_the_note_comes_before_crewai_would_end_the_run() -> None:
    assert (
        getattr(agent_utils, "MAX_REPEATED_TOOL_CALLS", 5) > FIRST_NOTED
    )  # older releases had no such limit


def test_calls_in_between_and_calls_at_the_same_time_count_too() -> None:
    at_once = calls(*[ToolCall("find_passages", {"query": "q"})] * 4)
    script = Script(SAME, OTHER, SAME, OTHER, SAME, OTHER, at_once, OTHER, OTHER, say("Done."))
    outcome = played(script, bind([find_passages]))
    assert outcome.result.raw == "Done."
    counted = [seen for seen in outcome.seen if '"query": "q"' in seen]
    assert len(set(counted)) == 5


def test_an_error_that_is_made_eight_times_does_not_end_the_run() -> None:
    wrong = calls(ToolCall("find_passages", {"limit": 2}))
    outcome = played(Script(*[wrong] * 8, say("Done.")), bind([find_passages]))
    assert outcome.result.raw == "Done."
    assert all('\\"query\\" is missing' in seen for seen in outcome.seen)


def test_each_kickoff_is_counted_by_itself() -> None:
    tools = bind([find_passages])
    for _ in range(3):
        outcome = played(Script(SAME, SAME, say("Done.")), tools)
        assert outcome.seen == [find_passages("q")] * 2


@pytest.mark.parametrize("kind", ["crew", "agent", "async agent"])
def test_each_kickoff_of_a_flow_is_counted_by_itself(kind: str) -> None:
    async def run(llm: Any, tools: list[Any]) -> None:
        crew, agent = crew_of(llm, tools), agent_of(llm, tools)
        for _ in range(5):
            if kind == "crew":
                await crew.kickoff_async()
            elif kind == "agent":
                await asyncio.to_thread(agent.kickoff, "Go.")
            else:
                await agent.kickoff_async("Go.")
        await llm._async_client.close()

    seen = flow_of(run)(Script(*[SAME, SAME, say("Done.")] * 5), bind([find_passages]))
    assert seen == [find_passages("q")] * 10


def test_a_run_within_a_flow_is_counted() -> None:
    async def run(llm: Any, tools: list[Any]) -> None:
        await agent_of(llm, tools).kickoff_async("Go.")
        await llm._async_client.close()

    seen = flow_of(run)(Script(*[SAME] * 8, say("Done.")), bind([find_passages]))
    assert ["call 4" in seen[3], "call 8" in seen[7], len(set(seen))] == [True, True, 6]


def test_what_a_guardrail_sends_back_is_counted_anew() -> None:
    verdicts = iter([False, False, False, True])

    def guardrail(output: Any):  # CrewAI refuses an annotation of the result that is a text
        return next(verdicts), output.raw

    with play(Script(*[SAME, SAME, say("Done.")] * 4)) as session:
        llm = model(session)
        agent = agent_of(llm, bind([find_passages]))
        task = Task(
            description="Go.", expected_output="x", agent=agent, guardrail=guardrail, guardrail_max_retries=3
        )
        crew: Any = Crew(agents=[agent], tasks=[task])
        assert crew.kickoff().raw == "Done."
        llm._client.close()
    assert list(session.transcript.tool_results) == [find_passages("q")] * 8


def test_a_failed_call_is_recorded_and_the_run_goes_on() -> None:
    script = Script(calls(ToolCall("find_passages", {"limit": 2})), SAME, say("Done."))
    outcome = played(script, bind([find_passages]))
    assert outcome.result.raw == "Done."
    (failure,) = outcome.result.tasks_output[0].tool_failures
    assert failure.tool_name == "find_passages"
    assert failure.message == outcome.seen[0]


def test_a_failed_call_ends_the_run_of_who_asked_for_that() -> None:
    with play(Script(calls(ToolCall("find_passages", {"limit": 2})))) as session:
        llm = model(session)
        crew: Any = crew_of(llm, bind([find_passages]), tool_failure_policy="raise")
        with pytest.raises(ToolExecutionFailedError, match="is missing"):
            crew.kickoff()
        llm._client.close()


@pytest.mark.parametrize("letter", ["x", "日", "ق"])
def test_the_longest_answer_reaches_a_model_of_which_crewai_knows_nothing(letter: str) -> None:
    def recite(size: int) -> str:
        """Recite."""
        return "\n".join([letter * 59] * (size // 60))

    script = Script(
        calls(ToolCall("recite", {"size": 6_000})), calls(ToolCall("recite", {"size": 60_000})), say("Done.")
    )
    outcome = played(script, bind([recite]))
    assert outcome.seen[0] == recite(6_000)
    assert 5_900 < len(outcome.seen[1]) <= 6_000
    assert "of 59,999 characters are shown" in outcome.seen[1]


@pytest.mark.parametrize("sent", ["", '{"query": "q",'])
def test_a_text_that_is_no_json_is_answered_by_crewai_itself(sent: str) -> None:
    outcome = played(
        Script(calls(ToolCall("find_passages", sent)), SAME, say("Done.")), bind([find_passages])
    )
    assert outcome.seen[0].startswith("Error: Failed to parse tool arguments as JSON")
    assert outcome.seen[1] == find_passages("q")
    assert outcome.result.raw == "Done."


def test_a_list_of_arguments_has_no_answer_and_the_run_goes_on() -> None:
    outcome = played(
        Script(calls(ToolCall("find_passages", '["q"]')), SAME, say("Done.")), bind([find_passages])
    )
    assert outcome.transcript.tool_results == (None, find_passages("q"))
    assert outcome.result.raw == "Done."


def test_a_json_text_within_a_json_text_is_answered_with_an_error() -> None:
    script = Script(calls(ToolCall("find_passages", '"{}"')), SAME, say("Done."))
    outcome = played(script, bind([find_passages]))
    assert outcome.seen[0].startswith("Error executing tool: ")
    assert outcome.seen[1] == find_passages("q")


def test_the_name_of_no_tool_is_answered_without_the_names_that_there_are() -> None:
    unknown = calls(ToolCall("find_pasages", {"query": "q"}))
    outcome = played(Script(*[unknown] * 4, say("Done.")), bind([find_passages]))
    assert outcome.seen == ["Tool not found"] * 4


@pytest.mark.skipif(not hasattr(agent_utils, "MAX_REPEATED_TOOL_CALLS"), reason="older releases had no limit")
def test_the_fifth_equal_call_of_no_tool_ends_the_run() -> None:
    with play(Script(*[calls(ToolCall("find_pasages", {"query": "q"}))] * 5)) as session:
        llm = model(session)
        crew: Any = crew_of(llm, bind([find_passages]))
        with pytest.raises(ToolExecutionFailedError, match="5 times"):
            crew.kickoff()
        llm._client.close()


def test_an_async_tool_runs_to_its_end_although_its_crew_was_cancelled() -> None:
    started, released, ended = threading.Event(), threading.Event(), threading.Event()

    async def wait() -> str:
        """Wait until the test lets go."""
        started.set()
        while not released.is_set():  # noqa: ASYNC110 - a thread sets the event
            await asyncio.sleep(0.005)
        ended.set()
        return "at last"

    async def run() -> None:
        llm = model(session)
        running = asyncio.ensure_future(finished(llm, crew_of(llm, bind([wait])).akickoff()))
        while not started.is_set():  # noqa: ASYNC110 - a thread sets the event
            await asyncio.sleep(0.005)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        llm._client.close()
        released.set()

    with play(Script(calls(ToolCall("wait", {})))) as session:
        asyncio.run(run())
    assert ended.wait(PATIENCE)


@pytest.mark.parametrize("kind", KINDS)
def test_an_async_tool_runs_on_a_loop_of_its_own(kind: str) -> None:
    threads: list[str] = []

    async def where() -> str:
        """Say where this runs."""
        await asyncio.sleep(0)
        threads.append(threading.current_thread().name)
        return "here"

    outcome = played(Script(calls(ToolCall("where", {})), say("Done.")), bind([where]), kind)
    assert outcome.seen == ["here"]
    assert threads == ["fingerpost-loop"]


def test_a_crew_started_synchronously_on_an_event_loop_is_refused_by_crewai_with_the_cure() -> None:
    async def run() -> None:
        llm = model(session)
        crew: Any = crew_of(llm, bind([find_passages]))
        with pytest.raises(RuntimeError, match="kickoff_async"):
            crew.kickoff()
        assert (await finished(llm, crew.kickoff_async())).raw == "Done."
        llm._client.close()

    with play(Script(SAME, say("Done."))) as session:
        asyncio.run(run())


@pytest.fixture
def calls_no_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """CrewAI takes the model for one that cannot call functions, and drives it with ReAct prompts."""

    def answer(_llm: object) -> bool:
        return False

    monkeypatch.setattr(OpenAICompletion, "supports_function_calling", answer)


def action(arguments: str) -> Reply:
    """The next step of a model that is driven with ReAct prompts."""
    return say(f"Thought: I look.\nAction: find_passages\nAction Input: {arguments}")


@pytest.mark.usefixtures("calls_no_functions")
def test_a_react_agent_is_shown_the_arguments_and_reads_the_answer() -> None:
    script = Script(action('{"query": "q", "limit": "3", "colour": "red"}'), FINAL)
    outcome = played(script, bind([find_passages]))
    prompt = str(outcome.requests[0]["messages"])
    assert "Words to look for." in prompt
    assert "null" not in prompt
    observed = str(outcome.requests[1]["messages"][-2:])
    assert find_passages("q", 3) in observed
    assert "ignored" not in observed  # CrewAI leaves unknown arguments out before the tool is reached
    assert outcome.result.raw == "Done."


@pytest.mark.usefixtures("calls_no_functions")
def test_crewai_answers_a_react_agent_that_repeats_itself_at_once() -> None:
    script = Script(action('{"query": "q"}'), action('{"query": "q"}'), action('{"query": "r"}'), FINAL)
    outcome = played(script, bind([find_passages]))
    assert "I tried reusing the same input" in str(outcome.requests[2]["messages"][-2:])
    assert find_passages("r") in str(outcome.requests[3]["messages"][-2:])
    assert outcome.result.raw == "Done."


def test_an_index_with_words_in_braces_is_safe_as_an_input() -> None:
    """CrewAI fills such words in what a task or an agent is given, and ends the run for one that it lacks."""
    index = "* [Codes](/codes) - of the form {region}-{number}, or { spaced } and {}"
    with play(Script(say("Done."))) as session:
        llm = model(session)
        crew: Any = crew_of(llm, [], backstory="You know this:\n\n{top}")
        assert crew.kickoff(inputs={"top": index}).raw == "Done."
        llm._client.close()
        unsafe: Any = crew_of(llm, [], backstory=index)
        with pytest.raises(KeyError, match="region"):
            unsafe.kickoff(inputs={"other": "input"})
    assert index in session.requests[0].body["messages"][0]["content"]
