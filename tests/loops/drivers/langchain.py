"""LangChain's `create_agent`, and so LangGraph, with `ChatOpenAI`."""

from __future__ import annotations

from typing import Any

import httpx
import langchain.agents
from langchain_openai import ChatOpenAI

from fingerpost_langchain import MalformedCallMiddleware, bind
from fingerpost_testing import Session
from tests.loops.driver import Driver


async def run(session: Session, tools: Any, question: str) -> str:
    """The answer of an agent with these tools."""
    settings: dict[str, Any] = {"api_key": "none", "max_retries": 0, "openai_proxy": None}
    create_agent: Any = getattr(langchain.agents, "create_agent")  # noqa: B009 - it is typed only in part
    async with httpx.AsyncClient(trust_env=False) as client:
        model = ChatOpenAI(model="scripted", base_url=session.base_url, http_async_client=client, **settings)
        agent = create_agent(model, tools, middleware=[MalformedCallMiddleware()])
        state = await agent.ainvoke({"messages": [("user", question)]})
    return str(state["messages"][-1].text)


DRIVER = Driver(framework="LangChain", package="langchain", bind=bind, run=run, plain=list)
