"""smolagents' `ToolCallingAgent` with `OpenAIModel`."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from openai import DefaultHttpxClient
from smolagents import (  # pyright: ignore[reportMissingTypeStubs]
    LogLevel,
    OpenAIModel,
    ToolCallingAgent,
)

from fingerpost_smolagents import bind
from fingerpost_testing import Reply, Script, Session, Step, ToolCall, Transcript, calls
from tests.loops.driver import Driver

FINAL = "final_answer"
"""The tool that a model calls to end a run."""


async def run(session: Session, tools: Any, question: str) -> str:
    """The answer of an agent with these tools; it knows no event loop, and so runs in a thread."""
    with DefaultHttpxClient(trust_env=False) as client:
        settings = {"max_retries": 0, "http_client": client}
        model = OpenAIModel("scripted", api_base=session.base_url, api_key="none", client_kwargs=settings)
        agent: Any = ToolCallingAgent(tools, model, verbosity_level=LogLevel.OFF)
        return str(await asyncio.to_thread(agent.run, question))


def adapt_script(script: Script) -> Script:
    """The script with a call of `final_answer` for each text."""
    return Script(*(_as_call(turn) if isinstance(turn, Reply) else turn for turn in script.turns))


def _as_call(turn: Reply) -> Reply:
    return turn if turn.calls else calls(ToolCall(FINAL, {"answer": turn.text}, id=FINAL))


def read(session: Session) -> Transcript:
    """The transcript, from what a user seems to say: one text with the results of all calls of a step."""
    requests = session.requests
    steps: list[Step] = []
    answer = ""
    for request, following in zip_longest(requests, requests[1:]):
        made: Sequence[ToolCall] = request.turn.calls if isinstance(request.turn, Reply) else ()
        results = _observed(following.body, made) if following else {}
        for call in made:
            if call.id == FINAL:
                answer = json.loads(call.raw_arguments)["answer"]
            else:
                steps.append(Step(call.name, call.raw_arguments, results.get(call.id)))
    offered = [tool for tool in session.transcript.tools if tool.name != FINAL]
    return Transcript(tuple(offered), tuple(steps), answer)


def _observed(body: Any, made: Sequence[ToolCall]) -> dict[str, str]:
    """What came back, by call; smolagents sorts results by the calls' ids, as texts."""
    text = body["messages"][-1]["content"][-1]["text"]
    *_, said = re.split(r"(?:^|\n)(?:Observation|Error):\n", text)
    ids = sorted(call.id for call in made)
    for pieces in ([said], re.split(r'\n(?=\{"|={5,} (?!end of content))', said), said.splitlines()):
        if len(pieces) == len(ids):
            return dict(zip(ids, pieces, strict=True))
    return {ids[0]: said}


DRIVER = Driver(
    framework="smolagents",
    package="smolagents",
    bind=bind,
    run=run,
    adapt_script=adapt_script,
    read=read,
)
