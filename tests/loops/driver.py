"""What a driver is: how one framework is made to play a script with tools.

Each module of `tests/loops/drivers` holds one as `DRIVER`, in the way that the framework's page of the
documentation shows, with every cure that the page recommends. The tests of this folder play every scenario
with every driver.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fingerpost_testing import Script, ScriptedServer, ScriptError, Session, ToolCall, Transcript

Functions = Sequence[Callable[..., Any]]


@dataclass(frozen=True)
class Outcome:
    """What came of a script.

    Attributes:
        transcript: What happened between model and agent.
        answer: What the framework returned to its caller.
        error: Type and message of the exception that ended the run, "" if none did.
        complaint: How the script was not followed, "" if it was.
    """

    transcript: Transcript
    answer: str = ""
    error: str = ""
    complaint: str = ""


def unchanged(script: Script) -> Script:
    """The script as it is."""
    return script


def as_logged(session: Session) -> Transcript:
    """The transcript as the session read it."""
    return session.transcript


@dataclass(frozen=True)
class Driver:
    """A framework with an agent loop of its own, driven over HTTP through its own OpenAI-compatible client.

    Attributes:
        framework: Its name as the documentation spells it.
        package: The distribution whose version is meant by it.
        bind: The adapter: native tools from functions.
        run: Lets an agent with native tools answer a question with the model at `session.base_url`; returns
            the final answer as text. It makes and closes its client, and runs on the current event loop.
        plain: Plain functions as the framework takes them without an adapter; None where it takes none.
        adapt_script: The script as the framework wants to hear it (smolagents ends with a call).
        read: The transcript, where the framework wraps what tools answered (ADK).
        max_chars: The most that any tool may answer in this framework; None for the tools' own budgets.
    """

    framework: str
    package: str
    bind: Callable[[Functions], Any]
    run: Callable[[Session, Any, str], Awaitable[str]]
    plain: Callable[[Functions], Any] | None = None
    adapt_script: Callable[[Script], Script] = unchanged
    read: Callable[[Session], Transcript] = as_logged
    max_chars: int | None = None

    def play(self, script: Script, tools: Any, question: str) -> Outcome:
        """Play a script; nothing is raised, whatever becomes of it."""
        answer = error = complaint = ""
        server = ScriptedServer()
        session = server.play(self.adapt_script(script))
        try:
            answer = asyncio.run(self._run(session, tools, question))
        except Exception as raised:  # noqa: BLE001 - what a framework raises is the outcome
            error = f"{type(raised).__name__}: {raised}"
        try:
            server.finish()
        except ScriptError as reason:
            complaint = str(reason)
        return Outcome(self.read(session), answer, error, complaint)

    async def _run(self, session: Session, tools: Any, question: str) -> str:
        return await self.run(session, tools, question)


@dataclass(frozen=True)
class ProtocolDriver:
    """A client of a protocol: its model cannot be scripted, and the calls of a script are made one by one.

    Attributes:
        framework: Its name as the documentation spells it.
        package: The distribution whose version is meant by it.
        bind: The adapter: whatever serves the functions.
        ask: Makes the calls in order; returns a transcript with the tools that are offered (by name) and a
            step for each call.
        max_chars: None: every tool has its own budget.
    """

    framework: str
    package: str
    bind: Callable[[Functions], Any]
    ask: Callable[[Any, Sequence[ToolCall]], Awaitable[Transcript]]
    max_chars: None = None

    def play(self, script: Script, tools: Any, question: str) -> Outcome:
        """Make the calls of a script; nothing is raised, whatever becomes of it."""

        async def made() -> Transcript:
            return await self.ask(tools, script.calls)

        try:
            return Outcome(asyncio.run(made()))
        except Exception as raised:  # noqa: BLE001 - what a client raises is the outcome
            return Outcome(Transcript(), error=f"{type(raised).__name__}: {raised}")
