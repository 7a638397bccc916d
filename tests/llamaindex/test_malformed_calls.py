"""Arguments that are no JSON object: what LlamaIndex makes of them, and what the mixin does about it."""

from __future__ import annotations

import pytest
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike  # pyright: ignore[reportMissingTypeStubs]

from fingerpost import Tool
from fingerpost_llamaindex import MalformedCallMixin, bind
from fingerpost_testing import Script, ToolCall, calls, say
from fingerpost_testing.scenarios import find_passages
from tests.llamaindex.playing import played

KINDS = ["streaming", "whole", "workflow"]
CUT_OFF = '{"query": "q", "limit":'


class Model(MalformedCallMixin, OpenAILike):
    """A model with the mixin."""


def script(*sent: str) -> Script:
    return Script(calls(*(ToolCall("find_passages", each) for each in sent)), say("Done."))


@pytest.mark.parametrize("kind", KINDS)
def test_json_that_was_cut_off_is_completed_and_run(kind: str) -> None:
    outcome = played(script(CUT_OFF), bind([find_passages]), kind)
    assert outcome.transcript.tool_results == (find_passages("q"),)


@pytest.mark.parametrize("sent", ["[1]", '"{}"', "no JSON at all"])
def test_anything_else_that_is_no_object_becomes_no_arguments(sent: str) -> None:
    outcome = played(script(sent), bind([find_passages]))
    assert '\\"query\\" is missing' in str(outcome.transcript.tool_results[0])


@pytest.mark.parametrize("kind", KINDS)
def test_with_the_mixin_a_tool_answers_what_the_model_sent(kind: str) -> None:
    sent = [CUT_OFF, '["q"]', "no JSON at all", '"{\\"query\\": \\"q\\"}"', '{"query": "q"}', ""]
    outcome = played(script(*sent), bind([find_passages]), kind, llm_kind=Model)
    core = Tool.of(find_passages)
    assert outcome.transcript.tool_results == tuple(core.invoke(each) for each in sent)
    assert outcome.transcript.tool_results[3:5] == (find_passages("q"),) * 2
    assert "not valid JSON" in str(outcome.transcript.tool_results[0])
    assert outcome.answer == "Done."


def test_with_the_mixin_a_tool_of_another_maker_gets_no_half_of_a_call() -> None:
    def repeat(query: str, limit: int = 3) -> str:
        """Repeat it."""
        return query * limit

    native = FunctionTool.from_defaults(repeat, name="find_passages")
    outcome = played(script(CUT_OFF), [native], llm_kind=Model)
    assert "unexpected keyword argument 'raw'" in str(outcome.transcript.tool_results[0])
    assert outcome.answer == "Done."
