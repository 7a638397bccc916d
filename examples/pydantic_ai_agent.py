"""A Pydantic AI agent over a bundle, offline.

The agent is what one would write for production. Only the model is a script here, so that the example runs
anywhere: `Agent("openai:gpt-5-mini", ...)` asks OpenAI with the key in OPENAI_API_KEY.
"""

from __future__ import annotations

import asyncio

from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.messages import TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from fingerpost import Bundle, demo_bundle
from fingerpost_pydantic_ai import okf_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

QUESTION = "What does a customer get back three weeks after buying a Season plan?"
SCRIPT = Script(
    calls(ToolCall("kb_find", {"text": "cancel season plan refund"})),
    calls(ToolCall("kb_read", {"concept_id": "policies/cancelation"})),  # a slip of the model
    calls(ToolCall("kb_read", {"concept_id": "policies/cancellation"})),
    say("A full refund: three weeks are within the 30 days. [policies/cancellation]"),
)


async def main() -> None:
    bundle = Bundle(demo_bundle())
    with play(SCRIPT) as session:
        async with AsyncOpenAI(base_url=session.base_url, api_key="none") as client:
            agent = Agent(
                OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client)),
                instructions="Answer from the knowledge base, and cite ids. Its top:\n\n" + bundle.index("/"),
                tools=okf_tools(bundle),
                retries=3,  # how often a model may call an unknown tool before the run ends
            )
            result = await agent.run(QUESTION)
    for message in result.all_messages():
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                print(f"call    {part.tool_name} {part.args}")
            elif isinstance(part, ToolReturnPart):
                print(f"{part.outcome:7} {str(part.content)[:90]}")
            elif isinstance(part, TextPart):
                print(f"answer  {part.content}")


if __name__ == "__main__":
    asyncio.run(main())
