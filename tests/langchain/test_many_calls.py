"""Several calls in one message are answered in order, at the same time, and block no event loop."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import httpx
import pytest

from fingerpost_langchain import bind
from fingerpost_testing import Script, ToolCall, calls, play, say
from fingerpost_testing.scenarios import find_passages, received_arguments
from tests.langchain.playing import AGENTS, Agent, agent_id

PATIENCE = 30.0


@pytest.mark.parametrize("agent", AGENTS, ids=agent_id)
def test_a_mixed_message_gets_four_results_in_order(agent: Agent) -> None:
    script = Script(
        calls(
            ToolCall("find_passages", {"query": "first"}),
            ToolCall("find_pasages", {"query": "second"}),
            ToolCall("find_passages", {"limit": 3}),
            ToolCall("find_passages", {"query": "fourth"}),
        ),
        say("Done."),
    )
    outcome = agent.play(script, bind([find_passages]))
    results = [str(result) for result in outcome.transcript.tool_results]
    received = [received_arguments(result) for result in results]
    assert [arguments and arguments["query"] for arguments in received] == ["first", None, None, "fourth"]
    assert "find_passages" in results[1]
    assert '\\"query\\" is missing' in results[2]
    sent = [m["tool_call_id"] for m in outcome.requests[1]["messages"] if m["role"] == "tool"]
    assert sent == ["call_1", "call_2", "call_3", "call_4"]
    assert outcome.answer == "Done."


async def loop_while(coroutine: Any, all_running: threading.Event, released: threading.Event) -> Any:
    """Run a coroutine; release what waits in it only from the event loop, once all of it is running."""
    task = asyncio.ensure_future(coroutine)
    while not (all_running.is_set() or task.done()):  # noqa: ASYNC110 - the event is set by threads
        await asyncio.sleep(0.01)
    released.set()
    return await task


@pytest.mark.parametrize("kind", ["create_agent", "ToolNode"])
def test_ten_blocking_tools_run_at_the_same_time_and_leave_the_event_loop_free(kind: str) -> None:
    all_running, released = threading.Event(), threading.Event()
    count = iter(range(1, 11))

    def block(number: int) -> str:
        """Block until the event loop lets go."""
        if next(count) == 10:
            all_running.set()
        was_released = released.wait(PATIENCE)
        released.set()
        return f"{number} was released" if was_released else f"{number} waited in vain"

    script = Script(calls(*(ToolCall("block", {"number": n}) for n in range(10))), say("Done."))
    agent = Agent(kind, is_async=True)

    async def run() -> Any:
        with play(script) as session:
            async with httpx.AsyncClient(trust_env=False) as client:
                graph = agent.graph(agent.model(session, http_async_client=client), bind([block]))
                await loop_while(graph.ainvoke({"messages": [("user", "Go.")]}), all_running, released)
            return session.transcript

    assert asyncio.run(run()).tool_results == tuple(f"{n} was released" for n in range(10))


def test_an_async_tool_runs_on_the_agents_own_event_loop() -> None:
    loops: list[Any] = []

    async def where() -> str:
        """Say where this runs."""
        loops.append(asyncio.get_running_loop())
        return "here"

    async def run() -> Any:
        with play(Script(calls(ToolCall("where", {})), say("Done."))) as session:
            async with httpx.AsyncClient(trust_env=False) as client:
                agent = Agent(is_async=True)
                graph = agent.graph(agent.model(session, http_async_client=client), bind([where]))
                await graph.ainvoke({"messages": [("user", "Go.")]})
        return asyncio.get_running_loop()

    own = asyncio.run(run())
    assert loops == [own]


def test_an_async_tool_is_cancelled_with_its_agent() -> None:
    told: list[str] = []

    async def run() -> None:
        started = asyncio.Event()

        async def wait() -> str:
            """Wait for ever."""
            started.set()
            try:
                await asyncio.sleep(PATIENCE)
            except asyncio.CancelledError:
                told.append("cancelled")
                raise
            return "never"

        with play(Script(calls(ToolCall("wait", {})))) as session:
            async with httpx.AsyncClient(trust_env=False) as client:
                agent = Agent(is_async=True)
                graph = agent.graph(agent.model(session, http_async_client=client), bind([wait]))
                task = asyncio.ensure_future(graph.ainvoke({"messages": [("user", "Go.")]}))
                await asyncio.wait_for(started.wait(), PATIENCE)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

    asyncio.run(run())
    assert told == ["cancelled"]
