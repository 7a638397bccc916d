"""A LangChain agent over a bundle, offline.

The agent is what one would write for production. Only the model is a script here, so that the example runs
anywhere: `create_agent("openai:gpt-5-mini", ...)` asks OpenAI with the key in OPENAI_API_KEY.
"""

from __future__ import annotations

from typing import Any

import langchain.agents
from langchain_core.messages import AIMessage, ToolMessage
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from fingerpost import Bundle, demo_bundle
from fingerpost_langchain import MalformedCallMiddleware, okf_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

QUESTION = "What does a customer get back three weeks after buying a Season plan?"
SCRIPT = Script(
    calls(ToolCall("kb_find", {"text": "cancel season plan refund"})),
    calls(ToolCall("kb_read", {"concept_id": "policies/cancelation"})),  # a slip of the model
    calls(ToolCall("kb_read", {"concept_id": "policies/cancellation"})),
    say("A full refund: three weeks are within the 30 days. [policies/cancellation]"),
)


def main() -> None:
    bundle = Bundle(demo_bundle())
    create_agent: Any = getattr(langchain.agents, "create_agent")  # noqa: B009 - it is typed only in part
    with play(SCRIPT) as session:
        agent = create_agent(
            ChatOpenAI(model="scripted", base_url=session.base_url, api_key=SecretStr("none")),
            okf_tools(bundle),
            system_prompt="Answer from the knowledge base, and cite ids. Its top:\n\n" + bundle.index("/"),
            middleware=[MalformedCallMiddleware()],
        )
        state = agent.invoke({"messages": [("user", QUESTION)]})
    for message in state["messages"]:
        if isinstance(message, AIMessage):
            for call in message.tool_calls:
                print(f"call    {call['name']} {call['args']}")
        elif isinstance(message, ToolMessage):
            print(f"{message.status:7} {str(message.content)[:90]}")
    print(f"answer  {state['messages'][-1].text}")


if __name__ == "__main__":
    main()
