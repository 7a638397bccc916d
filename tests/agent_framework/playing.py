"""An agent of Agent Framework, played against a script through its own OpenAI client."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent_framework import Agent, AgentResponse, Content
from agent_framework.openai import OpenAIChatCompletionClient
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from fingerpost_testing import Script, ScriptedServer, ScriptError, ToolCall, Transcript, calls, say

Call = tuple[str, Mapping[str, Any] | str]
"""A tool's name and its arguments, as an object or as the text that the model sends."""


@dataclass(frozen=True)
class Outcome:
    """What an agent returned, what its model saw, and how the script was not followed."""

    response: AgentResponse[Any]
    transcript: Transcript
    requests: list[dict[str, Any]]
    complaint: str

    @property
    def results(self) -> list[Content]:
        """The results of all calls as the application sees them, in order."""
        contents = [content for message in self.response.messages for content in message.contents]
        return [content for content in contents if content.type == "function_result"]


def play(
    *rounds: list[Call],
    tools: Any,
    agent_options: Mapping[str, Any] | None = None,
    configuration: Mapping[str, Any] | None = None,
    **run_options: Any,
) -> Outcome:
    """Run an agent whose model makes these calls, a list for each message, and then says "Done."."""
    turns = [calls(*(ToolCall(name, arguments) for name, arguments in each)) for each in rounds]

    async def run(base_url: str) -> AgentResponse[Any]:
        async with AsyncOpenAI(
            base_url=base_url,
            api_key="none",
            max_retries=0,
            http_client=DefaultAsyncHttpxClient(trust_env=False),
        ) as connection:
            client: Any = OpenAIChatCompletionClient("scripted", async_client=connection)
            client.function_invocation_configuration.update(configuration or {})
            return await Agent(client, tools=tools, **(agent_options or {})).run("Go.", **run_options)

    server = ScriptedServer()
    session = server.play(Script(*turns, say("Done.")))
    response = asyncio.run(run(session.base_url))
    complaint = ""
    try:
        server.finish()
    except ScriptError as reason:
        complaint = str(reason)
    requests = [dict(request.body) for request in session.requests]
    return Outcome(response, session.transcript, requests, complaint)
