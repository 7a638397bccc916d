"""Pydantic AI's agent, played against a script through the real OpenAI client."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from fingerpost_testing import Script, Session, ToolCall, Transcript, Turn, calls, play, say

MODELS: tuple[type[Any], ...] = (OpenAIChatModel, OpenAIResponsesModel)


@dataclass(frozen=True)
class Outcome:
    """What a run returned, and what the scripted model saw of it."""

    output: Any
    messages: list[ModelMessage]
    transcript: Transcript
    requests: list[dict[str, Any]]

    @property
    def seen(self) -> tuple[str | None, ...]:
        """What the model saw of each call."""
        return self.transcript.tool_results

    @property
    def returned(self) -> list[ToolReturnPart]:
        """What the tools returned."""
        parts = [part for message in self.messages for part in message.parts]
        return [part for part in parts if isinstance(part, ToolReturnPart)]


def played(
    tools: Sequence[Any],
    *turns: Turn,
    model: type[Any] = OpenAIChatModel,
    deps: object = None,
    is_sync: bool = False,
    **settings: Any,
) -> Outcome:
    """Run an agent; the script must be followed to its end.

    `settings` are those of the `Agent`.
    """
    with play(Script(*turns)) as session:
        if is_sync:
            result = _run_sync(session, model, tools, settings, deps)
        else:
            result = asyncio.run(_run(session, model, tools, settings, deps))
    requests = [dict(request.body) for request in session.requests]
    return Outcome(result.output, result.all_messages(), session.transcript, requests)


def called(native: Any, arguments: Any = None, **options: Any) -> ToolReturnPart:
    """What comes of one call; the model must see its content."""
    call = ToolCall(native.name, {} if arguments is None else arguments)
    outcome = played([native], calls(call), say("Done."), **options)
    (part,), (seen,) = outcome.returned, outcome.seen
    assert seen == part.model_response_str()
    return part


async def _run(
    session: Session, model: type[Any], tools: Sequence[Any], settings: dict[str, Any], deps: object
) -> Any:
    async with _client(session) as client:
        return await _agent(client, model, tools, settings).run("Go.", deps=deps)


def _run_sync(
    session: Session, model: type[Any], tools: Sequence[Any], settings: dict[str, Any], deps: object
) -> Any:
    """As `_run`, on an event loop that is closed in the end, which `run_sync` leaves to its caller."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    client = _client(session)
    try:
        return _agent(client, model, tools, settings).run_sync("Go.", deps=deps)
    finally:
        loop.run_until_complete(client.close())
        loop.run_until_complete(loop.shutdown_asyncgens())
        asyncio.set_event_loop(None)
        loop.close()


def _client(session: Session) -> AsyncOpenAI:
    return AsyncOpenAI(
        base_url=session.base_url,
        api_key="none",
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(trust_env=False),
    )


def _agent(
    client: AsyncOpenAI, model: type[Any], tools: Sequence[Any], settings: dict[str, Any]
) -> Agent[Any, Any]:
    provider = OpenAIProvider(openai_client=client)
    return Agent[Any, Any](model("scripted", provider=provider), tools=tools, **settings)
