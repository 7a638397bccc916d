"""LlamaIndex's `FunctionAgent` with `OpenAILike`."""

from __future__ import annotations

import warnings
from typing import Any

import httpx
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike  # pyright: ignore[reportMissingTypeStubs]

from fingerpost_llamaindex import MalformedCallMixin, bind
from fingerpost_testing import Session
from tests.loops.driver import Driver


class Model(MalformedCallMixin, OpenAILike):
    """A model that sends broken arguments now and then."""


async def run(session: Session, tools: Any, question: str) -> str:
    """The answer of an agent with these tools."""
    async with httpx.AsyncClient(trust_env=False) as client:
        settings: dict[str, Any] = {"api_key": "none", "max_retries": 0, "async_http_client": client}
        model = Model(
            model="scripted",
            api_base=session.base_url,
            is_chat_model=True,
            is_function_calling_model=True,
            context_window=100_000,
            **settings,
        )
        with warnings.catch_warnings():  # its workflows look at every field of an agent, also at old ones
            warnings.filterwarnings("ignore", category=DeprecationWarning, module="inspect")
            agent: Any = FunctionAgent(tools=tools, llm=model)
            return str(await agent.run(user_msg=question))


DRIVER = Driver(framework="LlamaIndex", package="llama-index-core", bind=bind, run=run, plain=list)
