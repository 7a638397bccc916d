"""Haystack's agent, played against a script through the real OpenAI client."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret

from fingerpost_testing import Script, Session, Transcript, Turn, play


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a run returned, and what the scripted model saw of it."""

    result: dict[str, Any]
    transcript: Transcript

    @property
    def answers(self) -> list[tuple[str, bool]]:
        """The text of each tool call's message, and whether it is marked as an error."""
        messages: list[ChatMessage] = self.result["messages"]
        results = [result for message in messages for result in message.tool_call_results]
        return [(str(result.result), result.error) for result in results]


def played(
    tools: list[Any], *turns: Turn, is_async: bool = False, system: str = "", **settings: Any
) -> Outcome:
    """Run an agent; the script must be followed to its end. `settings` are those of the `Agent`."""
    messages = [ChatMessage.from_system(system)] if system else []
    messages.append(ChatMessage.from_user("Go."))
    with play(Script(*turns)) as session:
        if is_async:
            result = asyncio.run(_run_async(session, tools, messages, settings))
        else:
            result = _run(session, tools, messages, settings)
    return Outcome(result, session.transcript)


def _run(
    session: Session, tools: list[Any], messages: list[ChatMessage], settings: dict[str, Any]
) -> dict[str, Any]:
    agent = _agent(session, tools, settings)
    try:
        return agent.run(messages)
    finally:
        agent.close()


async def _run_async(
    session: Session, tools: list[Any], messages: list[ChatMessage], settings: dict[str, Any]
) -> dict[str, Any]:
    agent = _agent(session, tools, settings)
    try:
        return await agent.run_async(messages)
    finally:
        await agent.close_async()


def _agent(session: Session, tools: list[Any], settings: dict[str, Any]) -> Agent:
    generator = OpenAIChatGenerator(
        api_key=Secret.from_token("none"),
        model="scripted",
        api_base_url=session.base_url,
        max_retries=0,
        http_client_kwargs={"trust_env": False},
    )
    return Agent(chat_generator=generator, tools=tools, **settings)
