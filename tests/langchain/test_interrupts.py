"""A graph with a checkpointer: a tool can pause it, and is not told what LangGraph keeps for itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import langchain.agents
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from fingerpost import ToolContext
from fingerpost_langchain import bind
from fingerpost_testing import Script, Session, ToolCall, calls, play, say


def approve(amount: int) -> str:
    """Ask a person to approve a refund.

    Args:
        amount: Euros.
    """
    return f"The person said: {interrupt({'amount': amount})}"


def whose(context: ToolContext) -> str:
    """Say what the caller told."""
    return str(sorted(context.items()))


def agent_of(session: Session, function: Callable[..., str]) -> Any:
    """An agent with one tool, which keeps checkpoints."""
    settings: dict[str, Any] = {"api_key": "none", "max_retries": 0}
    model = ChatOpenAI(model="scripted", base_url=session.base_url, **settings)
    agents: Any = langchain.agents
    return agents.create_agent(model, bind([function]), checkpointer=InMemorySaver())


def test_a_bound_tool_pauses_the_graph_and_goes_on_with_what_the_person_said() -> None:
    script = Script(calls(ToolCall("approve", {"amount": "240"})), say("Approved."))
    with play(script) as session:
        agent = agent_of(session, approve)
        thread = {"configurable": {"thread_id": "one"}}
        paused = agent.invoke({"messages": [("user", "Refund?")]}, thread)
        assert paused["__interrupt__"][0].value == {"amount": 240}
        done = agent.invoke(Command(resume="yes"), thread)
    assert [str(message.content) for message in done["messages"][-2:]] == [
        "The person said: yes",
        "Approved.",
    ]


def test_a_tool_gets_what_the_caller_configured_and_nothing_that_langgraph_added() -> None:
    script = Script(calls(ToolCall("whose", {})), say("Done."), calls(ToolCall("whose", {})), say("Done."))
    asked = {"messages": [("user", "Go.")]}
    with play(script) as session:
        agent = agent_of(session, whose)
        config = {"configurable": {"thread_id": "one", "tenant": "north"}}
        first = agent.invoke(asked, config)
        earlier = agent.get_state(config).config["configurable"]
        again = agent.invoke(asked, {"configurable": {**earlier, "tenant": "north"}})
    assert {"checkpoint_id", "checkpoint_ns"} <= set(earlier)
    for state in (first, again):
        assert state["messages"][-2].content == "[('tenant', 'north'), ('thread_id', 'one')]"
