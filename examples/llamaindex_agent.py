"""A LlamaIndex agent over the sample bundle, offline.

Only the model is a script here, so that the example runs anywhere. With a real one, put
`OpenAI(model="gpt-5-mini")` from the package llama-index-llms-openai in its place, and leave out `play`.
"""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
from llama_index.llms.openai_like import OpenAILike  # pyright: ignore[reportMissingTypeStubs]

from fingerpost import Bundle, demo_bundle
from fingerpost_llamaindex import okf_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

SCRIPT = Script(
    calls(ToolCall("kb_find", {"text": "cancellation"})),
    calls(ToolCall("kb_read", {"concept_id": "policies/cancellation"})),
    say("A full refund within 30 days of purchase. [policies/cancellation]"),
)


async def main() -> None:
    bundle = Bundle(demo_bundle())
    with play(SCRIPT) as session:
        agent: Any = FunctionAgent(
            llm=OpenAILike(
                model="scripted",
                api_base=session.base_url,
                api_key="none",
                is_chat_model=True,
                is_function_calling_model=True,
            ),
            tools=list(okf_tools(bundle)),
            system_prompt="Answer from the knowledge base and cite the ids you used. Its top:\n\n"
            + bundle.index("/"),
        )
        running = agent.run(user_msg="Three weeks after buying: what comes back?")
        async for event in running.stream_events():
            if isinstance(event, ToolCallResult):
                print(f"{event.tool_name}{event.tool_kwargs} -> {event.tool_output.content[:80]}")
        print(await running)


if __name__ == "__main__":
    asyncio.run(main())
