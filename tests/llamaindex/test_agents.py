"""LlamaIndex's agents with the tools: what the model sees, what the application gets, who pauses whom."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from llama_index.core.agent.workflow import CodeActAgent
from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent

from fingerpost import Tool, ToolContext, tool
from fingerpost_llamaindex import bind
from fingerpost_testing import Script, ToolCall, calls, explain_difference, play, run_loop, say
from fingerpost_testing.scenarios import NAVIGATION, find_passages
from tests.llamaindex.playing import agent_of, model, played


@pytest.mark.parametrize("kind", ["streaming", "whole", "workflow"])
def test_the_way_through_a_bundle_is_that_of_the_loop_without_a_framework(kind: str) -> None:
    functions = NAVIGATION.tools()
    expected = run_loop(functions, NAVIGATION.script, NAVIGATION.question)
    outcome = played(NAVIGATION.script, bind(functions), kind, NAVIGATION.question)
    seen = outcome.transcript.without_definitions()
    assert explain_difference(expected.without_definitions(), seen) == ""
    assert outcome.answer == NAVIGATION.answer


def test_the_application_gets_data_and_the_flag_of_each_call() -> None:
    def count(word: str) -> dict[str, int]:
        """Count the letters."""
        return {"letters": len(word)}

    script = Script(calls(ToolCall("count", {"word": "fingerpost"}), ToolCall("count", {})), say("Done."))
    outcome = played(script, bind([count]))
    outputs = [result.tool_output for result in outcome.results]
    assert sorted((output.is_error, sorted(output.raw_output)) for output in outputs) == [
        (False, ["letters"]),
        (True, ["error"]),
    ]


def test_a_react_agent_is_shown_the_schema_and_reads_the_answer_as_an_observation() -> None:
    action = 'Thought: I look.\nAction: find_passages\nAction Input: {"query": "q", "limit": "3"}'
    script = Script(say(action), say("Thought: I can answer.\nAnswer: Done."))
    outcome = played(script, bind([find_passages]), "ReAct")
    prompt = outcome.requests[0]["messages"][0]["content"]
    assert f"Tool Args: {json.dumps(Tool.of(find_passages).schema, ensure_ascii=False)}" in prompt
    observation = outcome.requests[1]["messages"][-1]["content"]
    assert observation == f"Observation: {find_passages('q', 3)}"
    assert outcome.answer == "Done."


@pytest.mark.parametrize("kind", ["streaming", "workflow"])
def test_the_context_of_the_workflow_reaches_the_tool_which_may_wait_for_a_person(kind: str) -> None:
    async def confirm(question: str, context: ToolContext) -> str:
        """Ask a person."""
        ctx = context["ctx"]
        asked = InputRequiredEvent(prefix=question)  # pyright: ignore[reportCallIssue]
        said = await ctx.wait_for_event(HumanResponseEvent, waiter_id=question, waiter_event=asked)
        return f"{said.response} in the {await ctx.store.get('tenant')}"

    async def run() -> list[str]:
        asked: list[str] = []
        async with model(session) as llm:
            agent = agent_of(kind, llm, bind([confirm]))
            context: Context = Context(agent)
            await context.store.set("tenant", "north")
            handler = agent.run(user_msg="Go.", ctx=context)
            async for event in handler.stream_events():
                if isinstance(event, InputRequiredEvent):
                    asked.append(event.prefix)
                    handler.ctx.send_event(HumanResponseEvent(response="yes"))  # pyright: ignore[reportCallIssue]
            await handler
        return asked

    script = Script(calls(ToolCall("confirm", {"question": "Sure?", "context": {"ctx": 1}})), say("Done."))
    with play(script) as session:
        assert asyncio.run(run()) == ["Sure?"]
    assert str(session.transcript.tool_results[0]).startswith("yes in the north\n")


def test_a_tool_that_asks_for_no_context_is_given_none() -> None:
    assert not bind([find_passages])[0].requires_context


def test_without_a_workflow_the_context_of_a_tool_is_empty() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        return f"{sorted(context)}"

    assert bind([whose])[0]().content == "[]"


def test_of_two_tools_with_one_name_the_last_is_called() -> None:
    def first() -> str:
        """Say who this is."""
        return "first"

    def second() -> str:
        """Say who this is."""
        return "second"

    both = bind([tool(first, name="who")]) + bind([tool(second, name="who")])
    assert played(Script(calls(ToolCall("who", {})), say("Done.")), both).transcript.tool_results == (
        "second",
    )


def test_the_name_of_no_tool_is_answered_without_the_names_that_there_are() -> None:
    script = Script(calls(ToolCall("find_pasages", {"query": "q"})), say("Done."))
    (seen,) = played(script, bind([find_passages])).transcript.tool_results
    assert seen == "Tool find_pasages not found. Please select a tool that is available."


def test_a_model_that_writes_code_is_shown_the_functions_with_their_arguments() -> None:
    def count(word: str, times: int = 1) -> int:
        """Count the letters of a word.

        Args:
            word: Any word.
            times: How often.
        """
        return len(word) * times

    (native,) = bind([count])
    printed: list[Any] = []

    async def execute(code: str) -> str:
        names: dict[str, Any] = {"count": native.fn, "print": printed.append}
        await asyncio.to_thread(exec, code, names)
        return str(printed)

    async def run() -> str:
        async with model(session, calls_functions=False) as llm:
            agent: Any = CodeActAgent(code_execute_fn=execute, tools=[native], llm=llm)
            return str(await agent.run(user_msg="Go."))

    code = 'print(count("brakes"))\nprint(count("brakes", "2"))\nprint(count(times=2))'
    with play(Script(say(f"<execute>\n{code}\n</execute>"), say("Done."))) as session:
        assert asyncio.run(run()) == "Done."
    shown = session.requests[0].body["messages"][0]["content"]
    (line,) = [line for line in shown.splitlines() if line.startswith("def count")]
    assert line.startswith("def count(word: ")
    assert all(text in line for text in ("Any word.", "times: ", "How often.", " = 1) -> str:"))
    assert '"""\nCount the letters of a word.\n  """' in shown
    assert printed[:2] == ["6", "12"]
    assert '\\"word\\" is missing' in printed[2]


def test_a_model_that_calls_once_cannot_set_the_context() -> None:
    def whose(context: ToolContext) -> str:
        """Say whose data this is."""
        return f"{sorted(context)}"

    async def run() -> str:
        async with model(session) as llm:
            return str((await llm.apredict_and_call(list(bind([whose])), user_msg="Go.")).response)

    with play(Script(calls(ToolCall("whose", {"llama_index.Context": "EVIL"})))) as session:
        answer = asyncio.run(run())
    assert answer.startswith("[]\n")
    assert '"llama_index.Context"; it was ignored.' in answer
