"""What an agent of Haystack does before and after a tool is called, and what cures it."""

from __future__ import annotations

import contextvars
import json
from typing import Any

import pytest
from haystack.tools.errors import ToolInvocationError
from haystack.tools.tool import Tool as NativeTool

from fingerpost import Bundle, MemoryDocumentStore, demo_bundle
from fingerpost_haystack import MalformedCallHook, bind, okf_tools
from fingerpost_testing import ToolCall, calls, say
from fingerpost_testing.scenarios import find_passages
from tests.haystack.playing import played

BOTH = pytest.mark.parametrize("is_async", [False, True], ids=["run", "run_async"])
HOOKS: Any = {"before_tool": [MalformedCallHook()]}


@BOTH
def test_an_agent_goes_through_a_bundle(is_async: bool) -> None:
    outcome = played(
        okf_tools(demo_bundle()),
        calls(ToolCall("kb_find", {"text": "cancel", "limit": "5"})),
        calls(ToolCall("kb_read", {"concept_id": "policies/cancelation"}), ToolCall("kb_index", {})),
        calls(ToolCall("kb_read", {"concept_id": "/policies/cancellation.md"})),
        say("Within 30 days."),
        is_async=is_async,
    )
    assert outcome.result["last_message"].text == "Within 30 days."
    assert [is_error for _, is_error in outcome.answers] == [False, True, False, False]
    assert outcome.transcript.tool_results == tuple(text for text, _ in outcome.answers)
    assert "30 days" in outcome.answers[3][0]


def test_a_tool_that_ends_a_run_does_not_do_so_with_an_error() -> None:
    outcome = played(
        bind([find_passages]),
        calls(ToolCall("find_passages", {"limit": 2})),
        calls(ToolCall("find_passages", {"query": "q"})),
        exit_conditions=["find_passages"],
    )
    assert [is_error for _, is_error in outcome.answers] == [True, False]
    assert outcome.result["exit_reason"] == "find_passages"


def test_an_agent_that_shall_raise_on_failures_raises_the_sentence_of_the_core() -> None:
    with pytest.raises(ToolInvocationError, match=r'query\\" is missing'):
        played(
            bind([find_passages]),
            calls(ToolCall("find_passages", {})),
            raise_on_tool_invocation_failure=True,
        )


@BOTH
@pytest.mark.parametrize(
    ("sent", "said", "is_error"),
    [
        ('["q"]', "The arguments are a list", True),
        (json.dumps(json.dumps({"query": "q"})), '{"query": "q"', False),
        ("5", "The arguments are a number", True),
        ("null", '\\"query\\" is missing', True),
    ],
)
def test_arguments_that_are_no_object_are_answered_with_the_hook(
    is_async: bool, sent: str, said: str, is_error: bool
) -> None:
    good = ToolCall("find_passages", {"query": "good"})
    turns = (calls(ToolCall("find_passages", sent), good), say("Done."))
    first, second = played(bind([find_passages]), *turns, is_async=is_async, hooks=HOOKS).answers
    assert said in first[0]
    assert first[1] is is_error
    assert second == (find_passages("good"), False)


@BOTH
@pytest.mark.parametrize("sent", ['["q"]', json.dumps(json.dumps({"query": "q"}))])
def test_arguments_that_are_no_object_end_a_run_without_the_hook(is_async: bool, sent: str) -> None:
    with pytest.raises((ValueError, AttributeError)):
        played(bind([find_passages]), calls(ToolCall("find_passages", sent)), is_async=is_async)


def test_a_tool_of_another_maker_answers_with_an_error_with_the_hook() -> None:
    other = NativeTool("echo", "Echo.", {"type": "object", "properties": {}}, function=lambda: "echo")
    ((text, is_error),) = played([other], calls(ToolCall("echo", "[]")), say("Done."), hooks=HOOKS).answers
    assert is_error
    assert "raw" in text


def test_the_hook_changes_nothing_in_a_run_without_faults() -> None:
    turns = (calls(ToolCall("find_passages", {"query": "q"})), say("Done."))
    tools = bind([find_passages])
    assert played(tools, *turns, hooks=HOOKS).transcript == played(tools, *turns).transcript


def test_the_hook_can_be_written_into_the_description_of_an_agent() -> None:
    description = MalformedCallHook().to_dict()
    assert description == {"type": "fingerpost_haystack.hooks.MalformedCallHook", "init_parameters": {}}
    assert isinstance(MalformedCallHook.from_dict(description), MalformedCallHook)


@BOTH
def test_a_call_with_broken_json_is_dropped_by_haystack_which_asks_again(is_async: bool) -> None:
    outcome = played(
        bind([find_passages]),
        calls(ToolCall("find_passages", '{"query": "q", "limit":')),
        say("Done."),
        is_async=is_async,
        hooks=HOOKS,
    )
    assert outcome.answers == []
    assert outcome.result["last_message"].text == "Done."


@BOTH
def test_a_call_of_an_unknown_tool_is_answered_by_haystack(is_async: bool) -> None:
    outcome = played(
        bind([find_passages]),
        calls(ToolCall("find_pasages", {"query": "q"}), ToolCall("find_passages", {"query": "q"})),
        say("Done."),
        is_async=is_async,
    )
    assert outcome.answers == [
        ("Tool 'find_pasages' not found. Available tools: find_passages", True),
        (find_passages("q"), False),
    ]


@BOTH
def test_a_context_variable_of_the_caller_reaches_a_tool(is_async: bool) -> None:
    tenant = contextvars.ContextVar("tenant", default="nobody")

    def whose() -> str:
        """Say whose data this is."""
        return tenant.get()

    token = tenant.set("north")
    outcome = played(bind([whose]), calls(ToolCall("whose", {})), say("Done."), is_async=is_async)
    tenant.reset(token)
    assert outcome.answers == [("north", False)]


def test_the_text_of_a_bundle_is_run_as_a_template_in_a_system_prompt_and_not_in_a_message() -> None:
    files = {"a.md": "---\ntype: Note\ntitle: Templates\ndescription: Write {{ 1 + 1 }}.\n---\nText.\n"}
    top = Bundle(MemoryDocumentStore(files)).index("/")
    outcome = played(okf_tools(demo_bundle()), say("Done."), system=top)
    assert outcome.result["messages"][0].text == top
    assert "{{ 1 + 1 }}" in top
    prompted = played(okf_tools(demo_bundle()), say("Done."), system_prompt=top)
    assert prompted.result["messages"][0].text == top.replace("{{ 1 + 1 }}", "2").rstrip()
