"""CrewAI's `Crew` with its `LLM`."""

from __future__ import annotations

import atexit
import os
import tempfile
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from fingerpost_testing import Session
from tests.loops.driver import Driver, Functions

FOLDER = tempfile.TemporaryDirectory(prefix="fingerpost-crewai-")
atexit.register(FOLDER.cleanup)
# CrewAI reads these once, on import.
os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"
os.environ["CREWAI_STORAGE_DIR"] = FOLDER.name
os.environ["HOME"] = FOLDER.name  # where it keeps a key and its settings, whatever the line above says
os.environ["NO_PROXY"] = "127.0.0.1"


@contextmanager
def without_its_own_warnings() -> Generator[None]:
    """CrewAI warns of its own import, and of fields of its own that it reads."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Cannot set an attribute on 'crewai", ImportWarning)
        warnings.filterwarnings("ignore", category=DeprecationWarning, module="crewai")
        yield


with without_its_own_warnings():
    from crewai import LLM, Agent, Crew, Task
    from crewai.tools import tool

    from fingerpost_crewai import bind

crewai_tool: Any = tool


async def run(session: Session, tools: Any, question: str) -> str:
    """The answer of a crew of one agent with these tools."""
    model: Any = LLM(model="openai/scripted", base_url=session.base_url, api_key="none", max_retries=0)
    try:
        with without_its_own_warnings():
            agent = Agent(role="reader", goal="Answer.", backstory="You read.", llm=model, tools=tools)
            task = Task(description=question, expected_output="The answer.", agent=agent)
            crew: Any = Crew(agents=[agent], tasks=[task])
            return str(await crew.akickoff())
    finally:
        model._client.close()
        await model._async_client.close()


def plain(functions: Functions) -> list[Any]:
    """CrewAI's own tools."""
    return [crewai_tool(function) for function in functions]


DRIVER = Driver(framework="CrewAI", package="crewai", bind=bind, run=run, plain=plain, max_chars=6_000)
