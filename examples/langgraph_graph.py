"""A LangGraph graph of one's own over two bundles, offline.

The graph is what one would write for production: a model node, a ToolNode, an edge back. Only the model's
address is that of a script here, so that the example runs anywhere; without `base_url` it asks a real model.
"""

from __future__ import annotations

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph  # pyright: ignore[reportMissingTypeStubs]
from langgraph.prebuilt import ToolNode, tools_condition
from pydantic import SecretStr

from fingerpost import Bundle, MemoryDocumentStore, demo_bundle
from fingerpost_langchain import okf_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

CONTACTS = Bundle(
    MemoryDocumentStore(
        {
            "desk.md": "---\ntype: Contact\ntitle: Front desk\n---\nCall 0400 for a [refund](https://example.org).\n"
        }
    )
)

SCRIPT = Script(
    calls(
        ToolCall("bikes_kb_read", {"concept_id": "policies/cancellation"}),
        ToolCall("desk_kb_find", {"text": "refund"}),
    ),
    say("A full refund within 30 days; the front desk is at 0400. [policies/cancellation] [desk]"),
)


def main() -> None:
    bikes = Bundle(demo_bundle())
    tools = okf_tools(bikes, prefix="bikes_") + okf_tools(CONTACTS, prefix="desk_")
    with play(SCRIPT) as session:
        model = ChatOpenAI(model="scripted", base_url=session.base_url, api_key=SecretStr("none")).bind_tools(
            tools
        )

        def ask(state: MessagesState) -> dict[str, object]:
            return {"messages": [model.invoke(state["messages"])]}

        builder = StateGraph(MessagesState)
        builder.add_node("model", ask)  # pyright: ignore[reportUnknownMemberType]
        builder.add_node("tools", ToolNode(tools))  # pyright: ignore[reportUnknownMemberType]
        builder.add_edge(START, "model")
        builder.add_conditional_edges("model", tools_condition)
        builder.add_edge("tools", "model")
        graph = builder.compile()  # pyright: ignore[reportUnknownMemberType]

        question = [
            SystemMessage(bikes.index("/")),
            HumanMessage("Three weeks after buying: what comes back, who helps?"),
        ]
        state = graph.invoke({"messages": question})  # pyright: ignore[reportUnknownMemberType]
    for message in state["messages"][2:]:
        print(f"{message.type:>5}: {str(message.content)[:100]}")


if __name__ == "__main__":
    main()
