"""Two agents over the knowledge bases of knowledge.yaml: one may read them, one looks after the notes.

No code is written for the knowledge bases: tools and prompt of each agent come from the file. The agents are
those of Pydantic AI; every other adapter has `kb_tools` too. Only the model is a script here.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from openai import AsyncOpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from fingerpost import KnowledgeConfig, kb_prompt
from fingerpost_pydantic_ai import kb_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

CONFIG = KnowledgeConfig.of(Path(__file__).with_name("knowledge.yaml"))
DESK = Script(
    calls(ToolCall("get_schemas", {})),
    calls(
        ToolCall("search_kb", {"backend": "handbook", "query": "cancel season plan refund"}),
        ToolCall("search_kb", {"backend": "notes", "query": "cash refund"}),
    ),
    calls(ToolCall("fetch_kb", {"backend": "handbook", "ids": "policies/cancellation"})),
    say("A full refund within 30 days, to the card that was used. [policies/cancellation] [refunds/card]"),
)
STEWARD = Script(
    calls(ToolCall("fetch_kb", {"backend": "notes", "ids": "refunds/card"})),
    calls(
        ToolCall(
            "write_kb",
            {
                "backend": "notes",
                "id": "refunds/card",
                "revision": "1",
                "text": "Refunds go to the card that was used; cash needs a second signature.",
                "source": "policies/cancellation",
            },
        )
    ),
    say("The note says it more clearly now."),
)


async def play_agent(name: str, question: str, script: Script) -> None:
    """Let an agent of the file answer, with the tools and the prompt of its roles."""
    with play(script) as session:
        async with AsyncOpenAI(base_url=session.base_url, api_key="none") as client:
            agent = Agent(
                OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=client)),
                instructions=kb_prompt(CONFIG, name),
                tools=kb_tools(CONFIG, name),
                retries=3,
            )
            result = await agent.run(question)
    print(f"{name} has {', '.join(session.transcript.tool_names)}")
    for step in session.transcript.steps:
        print(f"  {step.name}{step.arguments} -> {str(step.result)[:120]!r}")
    print(f"  {result.output}")


async def main() -> None:
    await play_agent("desk", "A Season plan is cancelled after three weeks. What comes back, and how?", DESK)
    await play_agent("steward", "Put the note on refunds into plain words.", STEWARD)


if __name__ == "__main__":
    asyncio.run(main())
