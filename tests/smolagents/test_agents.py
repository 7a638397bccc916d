"""Both agents of smolagents work with the tools, played against a script through the real OpenAI client."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from openai import DefaultHttpxClient
from smolagents import (  # pyright: ignore[reportMissingTypeStubs]
    CodeAgent,
    LogLevel,
    OpenAIModel,
    ToolCallingAgent,
)
from smolagents import tool as smolagents_tool  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from fingerpost import Tool, demo_bundle
from fingerpost_smolagents import bind, okf_tools
from fingerpost_testing import Script, ToolCall, Turn, calls, play, say
from fingerpost_testing.messages import messages_of
from fingerpost_testing.scenarios import find_passages


def played(kind: Any, tools: list[Any], *turns: Turn, **settings: Any) -> tuple[Any, list[str]]:
    """What an agent returned, and the last message of each request to its model but the first."""
    with play(Script(*turns)) as session, DefaultHttpxClient(trust_env=False) as client:
        model = OpenAIModel(
            "scripted",
            api_base=session.base_url,
            api_key="none",
            client_kwargs={"max_retries": 0, "http_client": client},
        )
        answer = kind(tools, model, verbosity_level=LogLevel.OFF, **settings).run("Go.")
    return answer, [messages_of(request.body)[-1].text for request in session.requests][1:]


def final(answer: str) -> Turn:
    return calls(ToolCall("final_answer", {"answer": answer}))


def code(text: str) -> Turn:
    return say(f"Thought: I need this.\n<code>\n{text}\n</code>")


def test_an_agent_with_tool_calls_goes_through_a_bundle() -> None:
    answer, seen = played(
        ToolCallingAgent,
        okf_tools(demo_bundle()),
        calls(ToolCall("kb_find", {"text": "cancel", "limit": "5"})),
        calls(ToolCall("kb_read", {"concept_id": "/policies/cancellation.md"})),
        final("Within 30 days."),
    )
    assert answer == "Within 30 days."
    assert seen[0].startswith('Observation:\n{"results": [')
    assert seen[1].startswith('Observation:\n{"id": "policies/cancellation"')
    assert "30 days" in seen[1]


def test_an_agent_that_writes_code_goes_through_a_bundle() -> None:
    answer, seen = played(
        CodeAgent,
        okf_tools(demo_bundle()),
        code('print(kb_find("cancel", limit=5)[:12])\nprint(kb_read("policies/cancelation"))'),
        code('import json\nconcept = json.loads(kb_read(concept_id="policies/cancellation"))\nconcept["id"]'),
        code('final_answer("30 days" in concept["body"])'),
        additional_authorized_imports=["json"],
    )
    assert answer is True
    assert '{"results": ' in seen[0]
    assert "Did you mean policies/cancellation" in seen[0]
    assert "policies/cancellation" in seen[1]


def test_an_agent_that_writes_code_is_shown_the_signatures() -> None:
    with play(Script(code("final_answer(1)"))) as session, DefaultHttpxClient(trust_env=False) as client:
        model = OpenAIModel(
            "scripted", api_base=session.base_url, api_key="none", client_kwargs={"http_client": client}
        )
        agent: Any = CodeAgent(okf_tools(demo_bundle()), model, verbosity_level=LogLevel.OFF)
        agent.run("Go.")
    system = messages_of(session.requests[0].body)[0].text
    assert "def kb_read(concept_id: str, section: str = '', page: int = 1) -> str:" in system


def test_a_raising_function_leaves_the_answers_beside_it() -> None:
    def fail(reason: str) -> str:
        """Fail.

        Args:
            reason: Why.
        """
        raise ValueError(reason)

    sent = calls(ToolCall("fail", {"reason": "x"}), ToolCall("find_passages", {"query": "q"}))
    _, (ours,) = played(ToolCallingAgent, bind([fail, find_passages]), sent, final("Done."))
    assert "ValueError" in ours
    assert '{"query": "q"' in ours
    tools: list[Any] = [smolagents_tool(fail), *bind([find_passages])]
    _, (theirs,) = played(ToolCallingAgent, tools, sent, final("Done."))
    assert "ValueError: x" in theirs
    assert '{"query": "q"' not in theirs


def test_a_call_of_an_unknown_tool_is_answered_by_smolagents_alone() -> None:
    sent = calls(ToolCall("find_pasages", {"query": "q"}), ToolCall("find_passages", {"query": "q"}))
    answer, (seen,) = played(ToolCallingAgent, bind([find_passages]), sent, final("Done."))
    assert answer == "Done."
    assert "Unknown tool find_pasages, should be one of: find_passages, final_answer." in seen
    assert '{"query": "q"' not in seen


@pytest.mark.parametrize(
    "sent", ['{"query": "q", "limit":', '["q"]', json.dumps(json.dumps({"query": "q"})), ""]
)
def test_arguments_that_are_no_object_reach_the_core(sent: str) -> None:
    _, (seen,) = played(
        ToolCallingAgent, bind([find_passages]), calls(ToolCall("find_passages", sent)), final("Done.")
    )
    assert seen == f"Observation:\n{Tool.of(find_passages).invoke(sent)}"


def test_calls_in_one_message_run_at_the_same_time() -> None:
    meeting = threading.Barrier(4, timeout=30)

    def meet(number: int) -> str:
        """Wait for the others."""
        meeting.wait()
        return f"{number} met"

    sent = calls(*(ToolCall("meet", {"number": number}) for number in range(4)))
    _, (seen,) = played(ToolCallingAgent, bind([meet]), sent, final("Done."))
    assert seen == "Observation:\n0 met\n1 met\n2 met\n3 met"


def test_an_agent_without_steps_left_answers_all_the_same() -> None:
    sent = calls(ToolCall("find_passages", {"query": "q"}))
    answer, seen = played(ToolCallingAgent, bind([find_passages]), sent, sent, say("So far."), max_steps=2)
    assert answer == "So far."
    assert len(seen) == 2
