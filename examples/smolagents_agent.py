"""A smolagents agent over a bundle, offline.

The agent is what one would write for production. Only the model is a script here, so that the example runs
anywhere: `OpenAIModel("gpt-5-mini")` asks OpenAI with the key in OPENAI_API_KEY.
"""

from __future__ import annotations

from typing import Any

from smolagents import LogLevel, OpenAIModel, ToolCallingAgent  # pyright: ignore[reportMissingTypeStubs]

from fingerpost import Bundle, demo_bundle
from fingerpost_smolagents import okf_tools
from fingerpost_testing import Script, ToolCall, calls, play

QUESTION = "What does a customer get back three weeks after buying a Season plan?"
ANSWER = "A full refund: three weeks are within the 30 days. [policies/cancellation]"
SCRIPT = Script(
    calls(ToolCall("kb_find", {"text": "cancel season plan refund"})),
    calls(ToolCall("kb_read", {"concept_id": "policies/cancelation"})),  # a slip of the model
    calls(ToolCall("kb_read", {"concept_id": "policies/cancellation"})),
    calls(ToolCall("final_answer", {"answer": ANSWER})),  # how every run of smolagents ends
)


def main() -> None:
    bundle = Bundle(demo_bundle())
    with play(SCRIPT) as session:
        model = OpenAIModel("scripted", api_base=session.base_url, api_key="none")
        agent: Any = ToolCallingAgent(
            okf_tools(bundle),
            model,
            instructions="Answer from the knowledge base, and cite ids. Its top:\n\n" + bundle.index("/"),
            verbosity_level=LogLevel.OFF,  # leave it out to watch the agent
        )
        answer = agent.run(QUESTION)
        model.client.close()
    for step in agent.memory.steps[1:]:
        for call in step.tool_calls:
            print(f"call   {call.name} {call.arguments}")
        print(f"result {step.observations[:90]}")
    print(f"answer {answer}")


if __name__ == "__main__":
    main()
