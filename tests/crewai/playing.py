"""CrewAI's crews and agents, played against a script through its own OpenAI client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from crewai import LLM, Agent, Crew, Task
from crewai.flow.flow import Flow, start

from fingerpost_testing import Script, Session, Transcript, play

KINDS = ["kickoff", "kickoff_async", "akickoff", "agent", "async agent"]
"""The ways in which a crew or an agent alone can be started."""


@dataclass(frozen=True)
class Outcome:
    """What a crew returned, and what the scripted model saw of it."""

    result: Any
    transcript: Transcript
    requests: list[dict[str, Any]]

    @property
    def seen(self) -> list[str]:
        """The results of the tools as the model saw them."""
        return [str(result) for result in self.transcript.tool_results]


def crew_of(llm: Any, tools: Sequence[Any], **settings: Any) -> Any:
    """A crew of one agent."""
    agent = agent_of(llm, tools, **settings)
    task = Task(description="Go.", expected_output="An answer.", agent=agent)
    return Crew(agents=[agent], tasks=[task])


def agent_of(llm: Any, tools: Sequence[Any], **settings: Any) -> Any:
    """An agent."""
    told = {"role": "reader", "goal": "Answer.", "backstory": "You read."}
    return Agent(llm=llm, tools=list(tools), **(told | settings))


async def finished(llm: Any, awaitable: Any) -> Any:
    """What comes of a run; the client is closed on its event loop."""
    try:
        return await awaitable
    finally:
        await llm._async_client.close()


def started(kind: str, llm: Any, tools: Sequence[Any], **settings: Any) -> Any:
    """Start a crew or an agent in one of the ways of `KINDS`, and wait for its result."""
    if kind == "kickoff":
        return crew_of(llm, tools, **settings).kickoff()
    if kind == "agent":
        return agent_of(llm, tools, **settings).kickoff("Go.")

    async def run() -> Any:
        if kind == "async agent":
            return await finished(llm, agent_of(llm, tools, **settings).kickoff_async("Go."))
        crew = crew_of(llm, tools, **settings)
        return await finished(llm, crew.akickoff() if kind == "akickoff" else crew.kickoff_async())

    return asyncio.run(run())


def model(session: Session, **settings: Any) -> Any:
    """The scripted model as CrewAI's."""
    return LLM(model="openai/scripted", base_url=session.base_url, api_key="none", max_retries=0, **settings)


def played(script: Script, tools: Sequence[Any], kind: str = "kickoff", **settings: Any) -> Outcome:
    """Run a crew; the script must be followed to its end."""
    with play(script) as session:
        llm = model(session)
        try:
            result = started(kind, llm, tools, **settings)
        finally:
            llm._client.close()
    requests = [dict(request.body) for request in session.requests]
    return Outcome(result, session.transcript, requests)


def flow_of(run: Callable[[Any, list[Any]], Awaitable[None]]) -> Callable[[Script, list[Any]], list[str]]:
    """A flow of one method, which gets the model and the tools; it returns what the model saw of them."""

    def flow(script: Script, tools: list[Any]) -> list[str]:
        with play(script) as session:
            llm = model(session)

            class OneMethod(Flow[Any]):
                @start()
                async def go(self) -> None:
                    await run(llm, tools)

            flow: Any = OneMethod()
            flow.kickoff()
            llm._client.close()
        return [str(result) for result in session.transcript.tool_results]

    return flow
