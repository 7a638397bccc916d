"""A Haystack agent over a bundle, offline.

The agent is what one would write for production. Only the model is a script here, so that the example runs
anywhere: `OpenAIChatGenerator(model="gpt-5-mini")` asks OpenAI with the key in OPENAI_API_KEY.
"""

from __future__ import annotations

import logging
import os

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # Haystack reads it when it is imported

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret

from fingerpost import Bundle, demo_bundle
from fingerpost_haystack import MalformedCallHook, okf_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

QUESTION = "What does a customer get back three weeks after buying a Season plan?"
SCRIPT = Script(
    calls(ToolCall("kb_find", {"text": "cancel season plan refund"})),
    calls(ToolCall("kb_read", {"concept_id": "policies/cancelation"})),  # a slip of the model
    calls(ToolCall("kb_read", {"concept_id": "policies/cancellation"})),
    say("A full refund: three weeks are within the 30 days. [policies/cancellation]"),
)


def main() -> None:
    logging.getLogger("haystack").setLevel(logging.CRITICAL)  # it logs what a tool refuses
    bundle = Bundle(demo_bundle())
    with play(SCRIPT) as session:
        generator = OpenAIChatGenerator(
            model="scripted", api_base_url=session.base_url, api_key=Secret.from_token("none")
        )
        agent = Agent(
            chat_generator=generator,
            tools=[*okf_tools(bundle)],
            hooks={"before_tool": [MalformedCallHook()]},
        )
        # The text of a bundle belongs into a message: the system prompt of an agent is a Jinja template.
        prompt = "Answer from the knowledge base, and cite ids. Its top:\n\n" + bundle.index("/")
        result = agent.run([ChatMessage.from_system(prompt), ChatMessage.from_user(QUESTION)])
        agent.close()
    for message in result["messages"]:
        for call in message.tool_calls:
            print(f"call   {call.tool_name} {call.arguments}")
        for answered in message.tool_call_results:
            print(f"{'error ' if answered.error else 'result'} {str(answered.result)[:90]}")
    print(f"answer {result['last_message'].text}")


if __name__ == "__main__":
    main()
