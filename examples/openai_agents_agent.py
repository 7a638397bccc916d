"""An agent of the OpenAI Agents SDK over a bundle, offline.

The agent is what one would write for production. Only the model is a script here, so that the example runs
anywhere: leave `model` out of the agent, and the SDK asks OpenAI with the key in OPENAI_API_KEY.
"""

from __future__ import annotations

import asyncio

from agents import (
    Agent,
    ItemHelpers,
    MessageOutputItem,
    OpenAIChatCompletionsModel,
    RunConfig,
    Runner,
    ToolCallItem,
    ToolCallOutputItem,
    set_tracing_disabled,
)
from openai import AsyncOpenAI

from fingerpost import Bundle, demo_bundle
from fingerpost_openai_agents import okf_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

QUESTION = "What does a customer get back three weeks after buying a Season plan?"
SCRIPT = Script(
    calls(ToolCall("kb_find", {"text": "cancel season plan refund"})),
    calls(ToolCall("kb_reed", {"concept_id": "policies/cancellation"})),  # a slip of the model
    calls(ToolCall("kb_read", {"concept_id": "policies/cancellation"})),
    say("A full refund: three weeks are within the 30 days. [policies/cancellation]"),
)

# A call of an unknown tool ends a run, unless the model may be told.
TELL_THE_MODEL = RunConfig(tool_not_found_behavior="return_error_to_model")


async def main() -> None:
    set_tracing_disabled(True)  # else each run is reported to OpenAI, with all texts
    bundle = Bundle(demo_bundle())
    with play(SCRIPT) as session:
        async with AsyncOpenAI(base_url=session.base_url, api_key="none") as client:
            agent = Agent(
                name="Librarian",
                instructions="Answer from the knowledge base, and cite ids. Its top:\n\n" + bundle.index("/"),
                tools=[*okf_tools(bundle)],
                model=OpenAIChatCompletionsModel("scripted", openai_client=client),
            )
            result = await Runner.run(agent, QUESTION, run_config=TELL_THE_MODEL)
    for item in result.new_items:
        if isinstance(item, ToolCallItem):
            print(f"call   {item.tool_name} {getattr(item.raw_item, 'arguments', '')}")
        elif isinstance(item, ToolCallOutputItem):
            print(f"output {str(item.output)[:90]}")
        elif isinstance(item, MessageOutputItem):
            print(f"answer {ItemHelpers.text_message_output(item)}")


if __name__ == "__main__":
    asyncio.run(main())
