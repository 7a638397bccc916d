from __future__ import annotations

import asyncio
import contextvars
import copy
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from fingerpost.tools import Tool, Toolbox, ToolContext
from fingerpost.tools.executor import WORKERS, wait_for

TENANT = contextvars.ContextVar("TENANT", default="nobody")


def slow(seconds: float = 0.05) -> str:
    time.sleep(seconds)
    return TENANT.get()


async def fetch(key: str, context: ToolContext) -> str:
    """Fetch on the caller's loop."""
    await asyncio.sleep(0)
    return f"{key} {context.get('user')} {id(asyncio.get_running_loop())} {TENANT.get()}"


def test_a_hundred_parallel_calls_leave_the_loop_free() -> None:
    async def run() -> tuple[list[str], float]:
        longest = 0.0
        calls = asyncio.gather(*(Tool.of(slow).acall({}) for _ in range(100)))
        while not calls.done():
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)
        return [result.text for result in await calls], longest

    TENANT.set("acme")
    texts, longest = asyncio.run(run())
    assert texts == ["acme"] * 100
    assert longest < 1.0, (
        "far more than 50 ms on a busy machine, far less than the 5 s that blocking would take"
    )


def test_no_more_threads_than_stated_are_used() -> None:
    running, most, lock = 0, 0, threading.Lock()

    def count() -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1
        return ""

    async def run() -> None:
        await asyncio.gather(*(Tool.of(count).acall() for _ in range(100)))

    asyncio.run(run())
    assert 1 < most <= WORKERS


def test_a_coroutine_function_is_awaited_on_the_running_loop() -> None:
    async def run() -> tuple[str, int]:
        result = await Tool.of(fetch).acall({"key": 5}, {"user": "ann"})
        return result.text, id(asyncio.get_running_loop())

    TENANT.set("acme")
    text, loop = asyncio.run(run())
    assert text == f"5 ann {loop} acme"


def test_a_coroutine_function_can_be_called_without_a_loop_and_within_one() -> None:
    async def within() -> str:
        return Tool.of(fetch).call({"key": "k"}).text

    TENANT.set("acme")
    assert Tool.of(fetch).call({"key": "k"}).text.startswith("k None ")
    text = asyncio.run(within())
    assert text.startswith("k None ")
    assert text.endswith(" acme")


def test_many_nested_calls_do_not_wait_for_each_other() -> None:
    def outer() -> str:
        return Tool.of(fetch).invoke({"key": "inner"})

    async def run() -> list[str]:
        results = await asyncio.gather(*(Tool.of(outer).acall() for _ in range(WORKERS * 2)))
        return [result.text.split()[0] for result in results]

    assert asyncio.run(asyncio.wait_for(run(), 60)) == ["inner"] * WORKERS * 2


class Agent:
    """Calls tools from an event loop of its own, within the tool that is an agent itself."""

    def __init__(self, tools: int, levels: int) -> None:
        self.tools = tools
        self.levels = levels

    def answer(self, start: Callable[[Coroutine[Any, Any, str]], str] = asyncio.run) -> str:
        return start(self.work(self.levels))

    async def work(self, level: int) -> str:
        def inner() -> str:
            return asyncio.run(self.work(level - 1)) if level else slow(0.001)

        results = await asyncio.gather(*(Tool.of(inner).acall() for _ in range(self.tools)))
        return " ".join(result.text for result in results)


def fill_the_pool() -> None:
    async def run() -> None:
        await asyncio.gather(*(Tool.of(slow).acall({"seconds": 0.01}) for _ in range(WORKERS)))

    asyncio.run(run())


def on_a_shared_loop(work: Coroutine[Any, Any, str]) -> str:
    return asyncio.run_coroutine_threadsafe(work, SHARED).result(HANG)


SHARED = asyncio.new_event_loop()
HANG = 60


@pytest.fixture(scope="module", autouse=True)
def shared_loop() -> Iterator[None]:
    thread = threading.Thread(target=SHARED.run_forever)
    thread.start()
    yield
    SHARED.call_soon_threadsafe(SHARED.stop)
    thread.join(HANG)
    SHARED.close()


@pytest.mark.parametrize(("tools", "levels"), [(1, 0), (3, 0), (1, 2)])
@pytest.mark.parametrize("start", [asyncio.run, wait_for, on_a_shared_loop])
def test_agents_within_agents_all_finish_and_leave_the_pool_free(
    tools: int, levels: int, start: Callable[[Coroutine[Any, Any, str]], str]
) -> None:
    def agent() -> str:
        return Agent(tools, levels).answer(start)

    async def run() -> list[str]:
        results = await asyncio.gather(*(Tool.of(agent).acall() for _ in range(WORKERS + 8)))
        after = await Tool.of(slow).acall({"seconds": 0})
        return [*(result.text for result in results), after.text]

    TENANT.set("acme")
    fill_the_pool()
    texts = asyncio.run(asyncio.wait_for(run(), HANG))
    assert texts == [" ".join(["acme"] * tools ** (levels + 1))] * (WORKERS + 8) + ["acme"]


def test_an_agent_that_calls_itself_without_end_is_answered() -> None:
    def again() -> str:
        call = Tool.of(again).acall()
        try:
            return asyncio.run(call).text
        finally:
            call.close()

    text = asyncio.run(asyncio.wait_for(Tool.of(again).acall(), HANG)).text
    assert "failed with RuntimeError" in text


def test_an_async_tool_never_raises_either() -> None:
    async def fail(limit: int) -> str:
        raise ValueError("secret")

    async def run() -> tuple[str, str]:
        failed = await Tool.of(fail).acall({"limit": 1})
        refused = await Tool.of(fail).acall({"limit": "x"})
        return failed.text, refused.data["error"]

    failed, refused = asyncio.run(run())
    assert "failed with ValueError" in failed
    assert "secret" not in failed
    assert 'The argument "limit" takes a whole number' in refused
    assert Tool.of(fail).invoke({"limit": 1}) == failed


def test_cancellation_reaches_the_tool() -> None:
    seen: list[str] = []

    async def wait() -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise
        return ""

    async def run() -> None:
        await asyncio.wait_for(Tool.of(wait).acall(), 0.05)

    with pytest.raises(TimeoutError):
        asyncio.run(run())
    assert seen == ["cancelled"]


def test_the_pool_serves_several_loops_and_a_forked_child() -> None:
    for _ in range(3):
        assert asyncio.run(Tool.of(slow).acall({"seconds": 0})).text
    child = os.fork()
    if child == 0:
        text = asyncio.run(asyncio.wait_for(Tool.of(slow).acall({"seconds": 0}), 20)).text
        os._exit(0 if text else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


async def wait_for_what_was_cancelled() -> str:
    """Wait for something that somebody else cancelled."""
    future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    future.cancel()
    return await future


def test_a_cancellation_that_a_tool_lets_out_by_accident_is_a_failure_like_any_other() -> None:
    leaky = Tool.of(wait_for_what_was_cancelled)
    for answer in (leaky.call(), asyncio.run(leaky.acall())):
        assert answer.is_error
        assert "failed with CancelledError" in answer.text


def test_a_copy_of_a_tool_is_the_tool() -> None:
    leaky = Tool.of(wait_for_what_was_cancelled)
    assert copy.deepcopy([leaky]) == [leaky]
    toolbox = Toolbox([leaky])
    assert copy.deepcopy(toolbox) is toolbox


def test_what_an_async_tool_opened_on_its_loop_serves_its_next_call_too() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def where() -> str:
        """Say where this runs."""
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(0)
        return "here"

    tool = Tool.of(where)
    assert [tool.invoke() for _ in range(3)] == ["here"] * 3
    assert len(set(map(id, loops))) == 1
    assert not loops[0].is_closed()


def test_an_exit_in_an_async_tool_reaches_the_caller_and_leaves_the_loop_to_others() -> None:
    async def leave() -> str:
        """Leave."""
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        Tool.of(leave).call()
    assert Tool.of(fetch).call({"key": "a"}, {}).text


def test_an_async_tool_within_an_async_tool_of_a_sync_caller_is_answered() -> None:
    async def inner(depth: int) -> str:
        """Call itself, without awaiting."""
        return "end" if depth == 0 else Tool.of(inner).invoke({"depth": depth - 1})

    assert Tool.of(inner).invoke({"depth": 5}) == "end"


def test_a_process_that_used_such_a_loop_ends_in_silence() -> None:
    code = "from fingerpost import tool\nasync def f():\n    'F.'\n    return 'done'\nprint(tool(f)())"
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
