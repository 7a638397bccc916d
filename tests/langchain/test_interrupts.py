"""A tool of the user's can pause its graph: what LangGraph steers with is not answered as an error."""

from __future__ import annotations

from typing import Any, cast

import langchain.agents
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from fingerpost_langchain import bind
from fingerpost_testing import Script, ToolCall, calls, play, say


def approve(amount: int) -> str:
    """Ask a person to approve a refund.

    Args:
        amount: Euros.
    """
    return f"The person said: {interrupt({'amount': amount})}"


def test_a_bound_tool_pauses_the_graph_and_goes_on_with_what_the_person_said() -> None:
    script = Script(calls(ToolCall("approve", {"amount": "240"})), say("Approved."))
    with play(script) as session:
        settings: dict[str, Any] = {"api_key": "none", "max_retries": 0}
        model = ChatOpenAI(model="scripted", base_url=session.base_url, **settings)
        agent: Any = cast("Any", langchain.agents).create_agent(
            model, bind([approve]), checkpointer=InMemorySaver()
        )
        thread = {"configurable": {"thread_id": "one"}}
        paused = agent.invoke({"messages": [("user", "Refund?")]}, thread)
        assert paused["__interrupt__"][0].value == {"amount": 240}
        done = agent.invoke(Command(resume="yes"), thread)
    assert [str(message.content) for message in done["messages"][-2:]] == [
        "The person said: yes",
        "Approved.",
    ]
