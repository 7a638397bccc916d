"""Haystack's `Agent` with `OpenAIChatGenerator`."""

from __future__ import annotations

import os
from typing import Any

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # Haystack reads it when it is imported

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import from_function
from haystack.utils import Secret

from fingerpost_haystack import MalformedCallHook, bind
from fingerpost_testing import Session
from tests.loops.driver import Driver, Functions


async def run(session: Session, tools: Any, question: str) -> str:
    """The answer of an agent with these tools."""
    generator = OpenAIChatGenerator(
        api_key=Secret.from_token("none"),
        model="scripted",
        api_base_url=session.base_url,
        max_retries=0,
        http_client_kwargs={"trust_env": False},
    )
    hooks: Any = {"before_tool": [MalformedCallHook()]}
    agent = Agent(chat_generator=generator, tools=tools, hooks=hooks)
    try:
        result = await agent.run_async([ChatMessage.from_user(question)])
    finally:
        await agent.close_async()
    return result["last_message"].text or ""


def plain(functions: Functions) -> list[Any]:
    """Haystack's own tools."""
    make: Any = getattr(from_function, "create_tool_from_function")  # noqa: B009 - it is typed only in part
    return [make(function) for function in functions]


DRIVER = Driver(framework="Haystack", package="haystack-ai", bind=bind, run=run, plain=plain)
