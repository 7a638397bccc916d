"""No adapter blocks the event loop of its agent, and a cancelled agent is not kept waiting by a tool."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Generator

import pytest

from fingerpost_testing import Script, ScriptedServer, ScriptError, Session, ToolCall, calls, say
from tests.loops.driver import Driver
from tests.loops.present import LOOPS

PATIENCE = 30.0


@pytest.mark.parametrize("name", LOOPS)
def test_ten_blocking_tools_leave_the_event_loop_free(name: str) -> None:
    """Each tool blocks until the event loop lets it go: one that blocked the loop would wait in vain."""
    driver = LOOPS[name]
    waiting: deque[threading.Event] = deque()

    def block(number: int) -> str:
        """Block until the event loop lets go."""
        mine = threading.Event()
        waiting.append(mine)
        return f"{number} was released" if mine.wait(PATIENCE) else f"{number} waited in vain"

    async def release() -> None:
        while True:
            while waiting:
                waiting.popleft().set()
            await asyncio.sleep(0.005)

    async def run() -> None:
        releasing = asyncio.ensure_future(release())
        await driver.run(session, driver.bind([block]), "Go.")
        releasing.cancel()

    script = Script(calls(*(ToolCall("block", {"number": number}) for number in range(10))), say("Done."))
    with ScriptedServer() as server:
        session = server.play(driver.adapt_script(script))
        asyncio.run(run())
    assert driver.read(session).tool_results == tuple(f"{number} was released" for number in range(10))


@contextlib.contextmanager
def one_call(driver: Driver) -> Generator[Session]:
    """A session whose model makes one call and answers; it need not come so far."""
    server = ScriptedServer()
    try:
        yield server.play(driver.adapt_script(Script(calls(ToolCall("wait", {})), say("Done."))))
    finally:
        with contextlib.suppress(ScriptError):
            server.finish()


# crewai runs an async tool on a loop of its own in a thread, and smolagents has no async API at all: there a
# tool runs to its end.
FINISHES = {"crewai", "smolagents"}


@pytest.mark.parametrize("name", [name for name in LOOPS if name not in FINISHES])
def test_an_async_tool_is_cancelled_with_its_agent(name: str) -> None:
    driver = LOOPS[name]
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

        running = asyncio.ensure_future(driver.run(session, driver.bind([wait]), "Go."))
        await asyncio.wait_for(started.wait(), PATIENCE)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    with one_call(driver) as session:
        asyncio.run(run())
    assert told == ["cancelled"]


@pytest.mark.parametrize("name", LOOPS)
def test_who_cancels_an_agent_does_not_wait_for_a_blocking_tool(name: str) -> None:
    driver = LOOPS[name]
    started, released, ended = threading.Event(), threading.Event(), threading.Event()

    def wait() -> str:
        """Block until the test lets go."""
        started.set()
        released.wait(PATIENCE)
        ended.set()
        return "at last"

    async def run() -> None:
        running = asyncio.ensure_future(driver.run(session, driver.bind([wait]), "Go."))
        while not started.is_set():  # noqa: ASYNC110 - a thread sets the event
            await asyncio.sleep(0.005)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert not ended.is_set()
        released.set()

    with one_call(driver) as session:
        asyncio.run(run())
    assert ended.wait(PATIENCE)
