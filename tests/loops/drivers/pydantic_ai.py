"""Pydantic AI's `Agent` with `OpenAIChatModel`."""

from __future__ import annotations

import json
from typing import Any, cast

from openai import AsyncOpenAI, DefaultAsyncHttpxClient
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from fingerpost_pydantic_ai import bind
from fingerpost_testing import Session, Transcript
from tests.loops.driver import Driver


async def run(session: Session, tools: Any, question: str) -> str:
    """The answer of an agent with these tools."""
    client = AsyncOpenAI(
        base_url=session.base_url,
        api_key="none",
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(trust_env=False),
    )
    async with client:
        model = OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client))
        result = await Agent(model, tools=tools, retries=3).run(question)
    return result.output


def read(session: Session) -> Transcript:
    """The transcript, with the errors that Pydantic AI writes for OpenAI's models spaced as the core's."""
    return session.transcript.with_results(_spaced)


def _spaced(result: str) -> str:
    try:
        data: object = json.loads(result)
    except ValueError:
        return result
    is_error = isinstance(data, dict) and cast("dict[str, Any]", data).keys() == {"error"}
    return json.dumps(data, ensure_ascii=False) if is_error else result


DRIVER = Driver(
    framework="Pydantic AI", package="pydantic-ai-slim", bind=bind, run=run, plain=list, read=read
)
