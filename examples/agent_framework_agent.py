"""An agent of Microsoft Agent Framework over a bundle, offline.

Only the model is played by a script here, so that the example runs anywhere. For a real one, leave out `play`
and the `async_client`: `OpenAIChatClient("gpt-5-mini")` takes its key from the environment.
"""

from __future__ import annotations

import asyncio

from agent_framework import Agent
from agent_framework.openai import OpenAIChatClient
from openai import AsyncOpenAI

from fingerpost import Bundle, demo_bundle
from fingerpost_agent_framework import okf_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

QUESTION = "Three weeks after buying a Season plan: what does a customer get back?"
SCRIPT = Script(
    calls(ToolCall("kb_find", {"text": "cancel season plan refund"})),
    calls(ToolCall("kb_read", {"concept_id": "policies/cancellation"})),
    say("A full refund, since that is within 30 days of purchase. [policies/cancellation]"),
)


async def main() -> None:
    bundle = Bundle(demo_bundle())
    with play(SCRIPT) as session:
        async with AsyncOpenAI(base_url=session.base_url, api_key="none") as connection:
            client = OpenAIChatClient("scripted", async_client=connection)
            # Without this, three messages in a row that call unknown tools would end the run.
            client.function_invocation_configuration["max_consecutive_errors_per_request"] = 40
            agent = Agent(
                client,
                "Answer from the knowledge base and cite the ids you used. Its top:\n\n" + bundle.index("/"),
                tools=okf_tools(bundle),
            )
            response = await agent.run(QUESTION)
    for message in response.messages:
        for content in message.contents:
            if content.type == "function_call":
                print(f"call:   {content.name}({content.arguments})")
            elif content.type == "function_result":
                print(f"result: {str(content.result)[:90]}")
            elif content.text:
                print(f"answer: {content.text}")


if __name__ == "__main__":
    asyncio.run(main())
