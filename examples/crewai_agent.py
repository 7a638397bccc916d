"""A CrewAI crew of one agent over the sample bundle, offline.

Only the model is a script here, so that the example runs anywhere. With a real one, leave out `play` and give
the agent `llm="openai/gpt-5-mini"`.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any

# CrewAI reports runs to its maker, and stores things in the user's folder, unless it is told before it loads.
os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"
os.environ.setdefault("CREWAI_STORAGE_DIR", tempfile.gettempdir())

from crewai import LLM, Agent, Crew, Task

from fingerpost import Bundle, demo_bundle
from fingerpost_crewai import okf_tools
from fingerpost_testing import Script, ToolCall, calls, play, say

SCRIPT = Script(
    calls(ToolCall("kb_find", {"text": "cancellation"})),
    calls(ToolCall("kb_read", {"concept_id": "policies/cancellation"})),
    say("A full refund within 30 days of purchase. [policies/cancellation]"),
)


def main() -> None:
    bundle = Bundle(demo_bundle())
    with play(SCRIPT) as session:
        model: Any = LLM(model="openai/scripted", base_url=session.base_url, api_key="none")
        reader = Agent(
            role="reader of the knowledge base",
            goal="Answer from the knowledge base and cite the ids you used.",
            backstory=f"The top of the knowledge base:\n\n{bundle.index('/')}",
            llm=model,
            tools=okf_tools(bundle),
        )
        question = Task(
            description="Three weeks after buying: what comes back?",
            expected_output="An answer of one or two sentences with its sources.",
            agent=reader,
        )
        crew: Any = Crew(agents=[reader], tasks=[question])
        result = crew.kickoff()
    for step in session.transcript.steps:
        print(f"{step.name}{step.arguments} -> {str(step.result)[:80]}")
    print(result)


if __name__ == "__main__":
    main()
