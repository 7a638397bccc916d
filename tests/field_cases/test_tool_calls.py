"""Calls that go wrong or run at once: the field cases 74 to 77, each with its smallest input."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

import fingerpost_langchain
from fingerpost import Bundle, MemoryDocumentStore, OKFTools, Tool, demo_bundle
from fingerpost.stores.base import Changes, Cursor
from fingerpost_langchain import MalformedCallMiddleware
from fingerpost_testing import Script, ToolCall, calls, run_loop, say
from tests.field_cases.adapters import WAYS
from tests.field_cases.folders import concept
from tests.langchain.playing import AGENTS, Agent, agent_id
from tests.mcp.test_stdio import piped, read_call, request

DEMO = Bundle(demo_bundle())


REPEATED: list[tuple[str, dict[str, Any], str]] = [
    ("kb_find", {"text": "refund", "limit": "many"}, '\\"limit\\" takes a whole number, not \\"many\\"'),
    ("kb_index", {"page": "many"}, '"page" takes a whole number, not "many"'),
    (
        "kb_read",
        {"concept_id": {"limit": "many"}},
        'send one JSON object such as {\\"concept_id\\": \\"text\\"}',
    ),
]


@pytest.mark.parametrize("agent", [None, *AGENTS], ids=lambda agent: agent_id(agent) if agent else "loop")
@pytest.mark.parametrize(("name", "sent", "said"), REPEATED)
def test_a_model_that_repeats_a_bad_call_is_told_what_to_send_each_time_and_ends_softly(
    name: str, sent: dict[str, Any], said: str, agent: Agent | None
) -> None:
    """Row 74."""
    functions = OKFTools(DEMO).functions()
    script = Script(*(calls(ToolCall(name, sent)) for _ in range(6)), say("I give up."))
    transcript = (
        run_loop(functions, script, "Go.")
        if agent is None
        else agent.play(script, fingerpost_langchain.bind(functions)).transcript
    )
    (answer,) = set(transcript.tool_results)
    assert said in str(answer)
    assert transcript.answer == "I give up."


NO_OBJECTS = {
    '["oops"]': "The arguments are a list; send one JSON object such as",
    '"{"': "The arguments are not valid JSON (",
    "{": "The arguments are not valid JSON (",
    "42": "The arguments are a number; send one JSON object such as",
    "": 'The argument \\"concept_id\\" is missing; send one JSON object such as',
}


@pytest.mark.parametrize("raw", NO_OBJECTS)
def test_raw_arguments_that_are_no_object_are_named_to_the_model(raw: str) -> None:
    """Row 75."""
    script = Script(calls(ToolCall("kb_read", raw)), say("Done."))
    (result,) = run_loop(OKFTools(DEMO).functions(), script, "Go.").tool_results
    assert NO_OBJECTS[raw] in str(result)
    assert json.loads(str(result)).keys() == {"error"}


@pytest.mark.parametrize("raw", NO_OBJECTS)
@pytest.mark.parametrize("is_async", [False, True])
def test_an_agent_of_langchain_survives_raw_arguments_that_are_no_object(raw: str, is_async: bool) -> None:
    """Row 75."""
    script = Script(calls(ToolCall("kb_read", raw)), say("Done."))
    tools = fingerpost_langchain.okf_tools(DEMO)
    outcome = Agent(is_async=is_async).play(script, tools, middleware=[MalformedCallMiddleware()])
    assert outcome.answer == "Done."
    (result,) = outcome.transcript.tool_results
    last = outcome.requests[-1]["messages"][-1]["content"]
    assert NO_OBJECTS[raw] in str(result) or (result is None and "one JSON object" in last)


def query(params_json: dict[str, Any], note: str = "") -> str:
    """Query.

    Args:
        params_json: What to bind.
        note: Anything.
    """
    return json.dumps(params_json)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("text", ['["oops"]', "{", "42", ""])
def test_an_object_argument_that_is_a_text_of_something_else_is_refused_by_name(text: str, way: str) -> None:
    """Row 75."""
    said = json.loads(WAYS[way](query, {"params_json": text}))["error"]
    assert said.startswith(
        f'The argument "params_json" takes an object, not {json.dumps(text)}; send one JSON'
    )
    assert WAYS[way](query, {"params_json": '{"a": 1}'}) == '{"a": 1}'


def test_an_mcp_server_refuses_arguments_that_are_no_object_and_serves_the_next_call(
    server_environment: dict[str, str],
) -> None:
    """Row 75."""
    bad = [
        request(number, "tools/call", name="kb_read", arguments=sent)
        for number, sent in enumerate([["oops"], "{", 42, ""], start=1)
    ]
    served = piped(demo_bundle(), *bad, read_call(5, "plans/day"), variables=server_environment)
    assert (served.returncode, served.stderr) == (0, b"")
    answers = {message["id"]: message for message in map(json.loads, served.stdout.splitlines())}
    assert [answers[number]["error"]["code"] for number in range(1, 5)] == [-32602] * 4
    assert "14 euros" in answers[5]["result"]["content"][0]["text"]


class SlowStore(MemoryDocumentStore):
    """A store that takes its time, and knows who waits for it."""

    def changes(self, cursor: Cursor | None = None) -> Changes:
        time.sleep(0.02)
        return super().changes(cursor)


SLOW_CALLS: list[tuple[str, dict[str, str]]] = [
    ("kb_index", {}),
    ("kb_read", {"concept_id": "a"}),
    ("kb_find", {"text": "word"}),
]


async def longest_pause_while(work: asyncio.Future[Any]) -> float:
    """The longest time for which the event loop did nothing else."""
    longest = 0.0
    while not work.done():
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        longest = max(longest, time.perf_counter() - before)
    return longest


def slow_tools() -> dict[str, Tool]:
    kb = OKFTools(SlowStore({"a.md": concept("word")}))
    return {function.__name__: Tool.of(function) for function in kb.functions()}


def test_a_hundred_parallel_calls_over_a_slow_store_leave_the_loop_free() -> None:
    """Row 77."""
    tools = slow_tools()
    wanted = [tools[name].call(sent).text for name, sent in SLOW_CALLS]

    async def run() -> tuple[list[str], float]:
        work = asyncio.gather(*(tools[SLOW_CALLS[n % 3][0]].acall(SLOW_CALLS[n % 3][1]) for n in range(100)))
        longest = await longest_pause_while(work)
        return [result.text for result in await work], longest

    texts, longest = asyncio.run(run())
    assert texts == [wanted[number % 3] for number in range(100)]
    assert longest < 1.0, "far below the 2 s that the calls would block the loop for"


def test_the_plain_functions_work_within_a_running_loop_as_in_a_notebook() -> None:
    """Row 77."""
    tools = slow_tools()

    async def cell() -> list[str]:
        natives = fingerpost_langchain.bind(tools.values())
        direct = [tools[name].invoke(sent) for name, sent in SLOW_CALLS]
        bound = [str(native.invoke(sent)) for native, (_, sent) in zip(natives, SLOW_CALLS, strict=True)]
        assert bound == direct
        return direct

    assert asyncio.run(cell()) == [tools[name].invoke(sent) for name, sent in SLOW_CALLS]


def test_a_web_server_answers_a_hundred_requests_over_a_slow_store() -> None:
    """Row 77."""
    tools = slow_tools()
    threads: set[str] = set()

    async def endpoint(asked: Request) -> PlainTextResponse:
        threads.add(threading.current_thread().name)
        name, sent = SLOW_CALLS[int(asked.path_params["number"]) % 3]
        return PlainTextResponse((await tools[name].acall(sent)).text)

    async def run() -> tuple[list[str], float]:
        app = Starlette(routes=[Route("/{number}", endpoint)])
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test", trust_env=False) as client:
            work = asyncio.gather(*(client.get(f"/{number}") for number in range(100)))
            longest = await longest_pause_while(work)
            return [response.text for response in await work], longest

    texts, longest = asyncio.run(run())
    wanted = [tools[name].call(sent).text for name, sent in SLOW_CALLS]
    assert texts == [wanted[number % 3] for number in range(100)]
    assert len(threads) == 1
    assert longest < 1.0
