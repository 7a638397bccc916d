"""An agent of Google ADK over a bundle, offline.

Only the model is played by a script here, so that the example runs anywhere. For a real one, leave out `play`
and give `LlmAgent` a Gemini model by its name, or an `OpenAILlm` whose client is `MalformedCallClient()`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from google.adk.agents import LlmAgent
from google.adk.integrations.openai import OpenAILlm
from google.adk.runners import InMemoryRunner
from google.genai import types

from fingerpost import Bundle, demo_bundle
from fingerpost_adk import MalformedCallClient, okf_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

QUESTION = "Three weeks after buying a Season plan: what does a customer get back?"
SCRIPT = Script(
    calls(ToolCall("kb_find", {"text": "cancel season plan refund"})),
    calls(ToolCall("kb_read", {"concept_id": "policies/cancellation"})),
    say("A full refund, since that is within 30 days of purchase. [policies/cancellation]"),
)


async def ask(agent: LlmAgent, question: str) -> AsyncIterator[str]:
    """Each step of the agent in a line, then its answer."""
    message = types.Content(role="user", parts=[types.Part(text=question)])
    async with InMemoryRunner(agent, app_name="example") as runner:
        session = await runner.session_service.create_session(app_name="example", user_id="user")
        async for event in runner.run_async(user_id="user", session_id=session.id, new_message=message):
            for part in (event.content and event.content.parts) or []:
                if part.function_call:
                    yield f"call:   {part.function_call.name}({part.function_call.args})"
                elif part.function_response:
                    yield f"result: {str(part.function_response.response)[:90]}"
                elif part.text:
                    yield f"answer: {part.text}"


async def main() -> None:
    bundle = Bundle(demo_bundle())
    prompt = "Answer from the knowledge base and cite the ids you used. Its top:\n\n" + bundle.index("/")
    with play(SCRIPT) as session:
        async with MalformedCallClient(base_url=session.base_url, api_key="none") as client:
            agent = LlmAgent(
                name="librarian",
                model=OpenAILlm(model="scripted", client=client),
                instruction=lambda _context: prompt,  # ADK fills the braces of a text, and of a function none
                tools=[*okf_tools(bundle)],
            )
            async for line in ask(agent, QUESTION):
                print(line)


if __name__ == "__main__":
    asyncio.run(main())
