"""The OpenAI Agents SDK with its chat completions model."""

from __future__ import annotations

from typing import Any

from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    RunConfig,
    Runner,
    ToolErrorFormatterArgs,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from fingerpost_openai_agents import bind
from fingerpost_testing import Session
from tests.loops.driver import Driver, Functions

set_tracing_disabled(True)


async def run(session: Session, tools: Any, question: str) -> str:
    """The answer of an agent with these tools."""
    client = AsyncOpenAI(
        base_url=session.base_url,
        api_key="none",
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(trust_env=False),
    )
    async with client:
        model = OpenAIChatCompletionsModel("scripted", openai_client=client)
        agent = Agent(name="Reader", model=model, tools=tools)
        result = await Runner.run(agent, question, run_config=config(tools))
    return str(result.final_output)


def config(tools: Any) -> RunConfig:
    """Settings with which a model that calls an unknown tool is told so, and which tools there are."""

    def said(error: ToolErrorFormatterArgs[Any]) -> str | None:
        names = ", ".join(tool.name for tool in tools)
        return f"{error.default_message} There are: {names}." if error.kind == "tool_not_found" else None

    return RunConfig(tool_not_found_behavior="return_error_to_model", tool_error_formatter=said)


def plain(functions: Functions) -> list[Any]:
    """The SDK's own tools."""
    return [function_tool(function, strict_mode=False) for function in functions]


DRIVER = Driver(framework="OpenAI Agents SDK", package="openai-agents", bind=bind, run=run, plain=plain)
