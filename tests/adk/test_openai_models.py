"""What ADK's OpenAI models make of arguments that are no JSON object, and of scripts other than Latin."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass
from typing import Any

import pytest
from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode  # pyright: ignore[reportPrivateImportUsage]
from google.adk.integrations.openai import OpenAILlm, OpenAIResponsesLlm
from google.adk.models.base_llm import BaseLlm
from google.adk.runners import InMemoryRunner
from google.genai import types
from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from pydantic import ValidationError

from fingerpost_adk import MalformedCallClient, bind
from fingerpost_testing import Script, ScriptedServer, ToolCall, Transcript, UnconsumedTurns, calls, say

CUT_OFF = '{"note": "a", "copies":'
LIST = '["a"]'
TWICE = json.dumps(json.dumps({"note": "a", "copies": "2"}))


@dataclass(frozen=True)
class Way:
    """A model class, the client that it sends its requests with, and whether it streams."""

    model: type[BaseLlm]
    client: type[AsyncOpenAI]
    mode: StreamingMode = StreamingMode.NONE

    def play(self, arguments: str, tools: list[Any]) -> Transcript:
        """Run an agent whose model calls `write` with these arguments."""

        async def run(base_url: str) -> None:
            async with self.client(
                base_url=base_url,
                api_key="none",
                max_retries=0,
                http_client=DefaultAsyncHttpxClient(trust_env=False),
            ) as client:
                model: Any = self.model
                agent = LlmAgent(name="reader", model=model(model="scripted", client=client), tools=tools)
                async with InMemoryRunner(agent, app_name="tests") as runner:
                    known = await runner.session_service.create_session(app_name="tests", user_id="ada")
                    question = types.Content(role="user", parts=[types.Part(text="Go.")])
                    async for _ in runner.run_async(
                        user_id="ada",
                        session_id=known.id,
                        new_message=question,
                        run_config=RunConfig(streaming_mode=self.mode),
                    ):
                        pass

        server = ScriptedServer()
        session = server.play(Script(calls(ToolCall("write", arguments)), say("Done.")))
        try:
            asyncio.run(run(session.base_url))
        finally:
            with contextlib.suppress(UnconsumedTurns):
                server.finish()
        return session.transcript


CHAT = Way(OpenAILlm, MalformedCallClient)
RESPONSES = Way(OpenAIResponsesLlm, MalformedCallClient)
CHAT_AS_IT_IS = Way(OpenAILlm, AsyncOpenAI)
RESPONSES_AS_IT_IS = Way(OpenAIResponsesLlm, AsyncOpenAI)
CHAT_STREAMED = Way(OpenAILlm, MalformedCallClient, StreamingMode.SSE)
RESPONSES_STREAMED = Way(OpenAIResponsesLlm, MalformedCallClient, StreamingMode.SSE)


def write(note: str = "nothing", copies: int = 1) -> str:
    """Write a note.

    Args:
        note: Its text.
        copies: How many.
    """
    return f"{copies} of {note}"


def told(way: Way, arguments: str) -> str:
    """What the model is told about the call."""
    (text,) = way.play(arguments, bind([write])).tool_results
    return str(text)


@pytest.mark.parametrize("way", [CHAT, RESPONSES], ids=["chat", "responses"])
def test_with_the_client_the_tool_says_what_is_wrong_or_reads_it(way: Way) -> None:
    assert "not valid JSON" in told(way, CUT_OFF)
    assert "The arguments are a list" in told(way, LIST)
    assert "2 of a" in told(way, TWICE)
    assert "1 of b" in told(way, '{"note": "b"}')
    assert "1 of nothing" in told(way, "")


@pytest.mark.parametrize("way", [CHAT_AS_IT_IS, RESPONSES_AS_IT_IS], ids=["chat", "responses"])
def test_without_it_a_tool_that_requires_nothing_runs_with_nothing(way: Way) -> None:
    assert "1 of nothing" in told(way, CUT_OFF)


@pytest.mark.parametrize("arguments", [LIST, TWICE], ids=["list", "encoded twice"])
def test_without_it_arguments_that_are_no_object_end_the_run(arguments: str) -> None:
    with pytest.raises(ValidationError, match="FunctionCall"):
        told(CHAT_AS_IT_IS, arguments)


@pytest.mark.parametrize("arguments", [CUT_OFF, LIST, TWICE], ids=["cut off", "list", "encoded twice"])
def test_a_responses_model_that_streams_makes_no_arguments_of_what_is_no_object(arguments: str) -> None:
    assert "1 of nothing" in told(RESPONSES_STREAMED, arguments)
    assert "2 of b" in told(RESPONSES_STREAMED, '{"note": "b", "copies": "2"}')


def test_a_chat_model_that_streams_makes_no_arguments_of_broken_json_and_ends_with_a_list() -> None:
    assert "2 of b" in told(CHAT_STREAMED, '{"note": "b", "copies": "2"}')
    assert "1 of nothing" in told(CHAT_STREAMED, CUT_OFF)
    for arguments in (LIST, TWICE):
        with pytest.raises(ValidationError, match="FunctionCall"):
            told(CHAT_STREAMED, arguments)


def test_a_tool_that_is_not_ours_is_called_with_what_it_does_not_know() -> None:
    (text,) = CHAT.play(LIST, [write]).tool_results
    assert text == '{"result": "1 of nothing"}'


def test_one_model_class_wraps_and_escapes_what_a_tool_says_and_the_other_does_not() -> None:
    assert told(CHAT, '{"note": "قهوة"}') == r'{"result": "1 of \u0642\u0647\u0648\u0629"}'
    assert told(RESPONSES, '{"note": "قهوة"}') == "1 of قهوة"
