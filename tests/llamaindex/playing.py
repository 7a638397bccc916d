"""LlamaIndex's agents, played against a script through its own OpenAI client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent, ToolCallResult
from llama_index.llms.openai_like import OpenAILike  # pyright: ignore[reportMissingTypeStubs]

from fingerpost_testing import Script, Session, Transcript, play


@dataclass(frozen=True)
class Outcome:
    """What an agent returned, the events of its tool calls, and what the scripted model saw."""

    answer: str
    results: list[ToolCallResult]
    transcript: Transcript
    requests: list[dict[str, Any]]


@asynccontextmanager
async def model(
    session: Session, *, calls_functions: bool = True, kind: type[OpenAILike] = OpenAILike
) -> AsyncGenerator[OpenAILike]:
    """The scripted model as LlamaIndex's."""
    async with httpx.AsyncClient(trust_env=False) as client:
        settings: dict[str, Any] = {"api_key": "none", "max_retries": 0, "async_http_client": client}
        yield kind(
            model="scripted",
            api_base=session.base_url,
            is_chat_model=True,
            is_function_calling_model=calls_functions,
            context_window=100_000,
            **settings,
        )


def agent_of(kind: str, llm: Any, tools: Sequence[Any]) -> Any:
    """An agent: "streaming", "whole", "ReAct" or "workflow"."""
    if kind == "ReAct":
        return ReActAgent(tools=list(tools), llm=llm)
    agent = FunctionAgent(
        name="reader", description="Reads.", tools=list(tools), llm=llm, streaming=kind != "whole"
    )
    return AgentWorkflow(agents=[agent], root_agent="reader") if kind == "workflow" else agent


def played(
    script: Script,
    tools: Sequence[Any],
    kind: str = "streaming",
    question: str = "Go.",
    llm_kind: type[OpenAILike] = OpenAILike,
) -> Outcome:
    """Run an agent; the script must be followed to its end."""

    async def run() -> tuple[str, list[ToolCallResult]]:
        async with model(session, calls_functions=kind != "ReAct", kind=llm_kind) as llm:
            handler = agent_of(kind, llm, tools).run(user_msg=question)
            results = [event async for event in handler.stream_events() if isinstance(event, ToolCallResult)]
            return str(await handler), results

    with play(script) as session:
        answer, results = asyncio.run(run())
    requests = [dict(request.body) for request in session.requests]
    return Outcome(answer, results, session.transcript, requests)
