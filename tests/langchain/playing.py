"""LangChain's agent and a hand-built graph, played against a script through the real OpenAI client."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import httpx
import langchain.agents
from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableLambda
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph  # pyright: ignore[reportMissingTypeStubs]
from langgraph.prebuilt import ToolNode, tools_condition

from fingerpost_testing import Script, Session, Transcript, play


@dataclass(frozen=True)
class Outcome:
    """What an agent returned, and what the scripted model saw of it."""

    messages: list[AnyMessage]
    transcript: Transcript
    requests: list[dict[str, Any]]

    @property
    def answer(self) -> str:
        return str(self.messages[-1].content)


@dataclass(frozen=True)
class Agent:
    """A way to run an agent.

    `kind` is "create_agent" or "ToolNode", for a graph of one's own.
    """

    kind: str = "create_agent"
    is_async: bool = False
    streams: bool = False

    def play(
        self,
        script: Script,
        tools: Sequence[Any],
        question: str = "Go.",
        *,
        middleware: Sequence[Any] = (),
        system: str = "",
        config: Any = None,
    ) -> Outcome:
        """Run it; the script must be followed to its end."""
        with play(script) as session:
            given = {"messages": [("user", question)]}
            if self.is_async:
                state = asyncio.run(self._arun(session, tools, middleware, system, given, config))
            else:
                with httpx.Client(trust_env=False) as client:
                    graph = self.graph(self.model(session, http_client=client), tools, middleware, system)
                    state = graph.invoke(given, config)
        requests = [dict(request.body) for request in session.requests]
        return Outcome(state["messages"], session.transcript, requests)

    async def _arun(
        self,
        session: Session,
        tools: Sequence[Any],
        middleware: Sequence[Any],
        system: str,
        given: Any,
        config: Any,
    ) -> Any:
        async with httpx.AsyncClient(trust_env=False) as client:
            graph = self.graph(self.model(session, http_async_client=client), tools, middleware, system)
            return await graph.ainvoke(given, config)

    def model(self, session: Session, **client: Any) -> ChatOpenAI:
        settings: dict[str, Any] = {"api_key": "none", "max_retries": 0, "openai_proxy": None, **client}
        return ChatOpenAI(model="scripted", base_url=session.base_url, streaming=self.streams, **settings)

    def graph(
        self, model: ChatOpenAI, tools: Sequence[Any], middleware: Sequence[Any] = (), system: str = ""
    ) -> Any:
        if self.kind == "create_agent":
            agents: Any = langchain.agents
            return agents.create_agent(model, tools, middleware=middleware, system_prompt=system or None)
        return own_graph(model, tools, system)


def own_graph(model: ChatOpenAI, tools: Sequence[Any], system: str) -> Any:
    """A graph as LangGraph's own pages build it: a model node, a tool node, and the way back."""
    bound: Any = cast("Any", model).bind_tools(tools)
    prompt = [("system", system)] if system else []

    def ask(state: MessagesState) -> dict[str, Any]:
        return {"messages": [bound.invoke([*prompt, *state["messages"]])]}

    async def ask_async(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await bound.ainvoke([*prompt, *state["messages"]])]}

    graph: Any = StateGraph(MessagesState)
    graph.add_node("model", RunnableLambda(ask, ask_async))
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


AGENTS = [
    Agent("create_agent"),
    Agent("create_agent", is_async=True),
    Agent("ToolNode"),
    Agent("ToolNode", is_async=True),
]


def agent_id(agent: Agent) -> str:
    """The name of an agent in a test id."""
    return f"{agent.kind} async" if agent.is_async else agent.kind
