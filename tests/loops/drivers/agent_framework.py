"""Microsoft Agent Framework's `Agent` with `OpenAIChatCompletionClient`."""

from __future__ import annotations

from typing import Any

from agent_framework import Agent
from agent_framework.openai import OpenAIChatCompletionClient
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from fingerpost_agent_framework import bind
from fingerpost_testing import Session
from tests.loops.driver import Driver


async def run(
    session: Session, tools: Any, question: str, make_client: Any = OpenAIChatCompletionClient
) -> str:
    """The answer of an agent with these tools."""
    async with AsyncOpenAI(
        base_url=session.base_url,
        api_key="none",
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(trust_env=False),
    ) as connection:
        client = make_client("scripted", async_client=connection)
        client.function_invocation_configuration["max_consecutive_errors_per_request"] = 40
        answer = await Agent(client, tools=tools).run(question)
    return answer.text


DRIVER = Driver(
    framework="Agent Framework",
    package="agent-framework-core",
    bind=bind,
    run=run,
    plain=list,
)
