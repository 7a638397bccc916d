"""Threads for tools: a pool for async callers, event loops of our own for async tools of sync callers."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

WORKERS = 32
"""How many tool calls of async callers run at the same time in one process; the others wait their turn."""
MOST_LEVELS = 8
"""How deep tool calls can lie within tool calls before a call blocks the event loop that made it."""

_loop_level: contextvars.ContextVar[int] = contextvars.ContextVar("fingerpost_loop_level", default=0)
_running: set[asyncio.Task[None]] = set()

P = ParamSpec("P")
T = TypeVar("T")

# How many pool threads wait for the call that is made here. A call takes a thread of its own level alone, and
# so never waits for one that is held by a call around it.
_level: contextvars.ContextVar[int] = contextvars.ContextVar("fingerpost_level", default=0)


class _Pools:
    """A pool for each level, made at first use; a forked child starts anew, since threads survive no fork."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.lock = threading.Lock()
        self.by_level: dict[int, ThreadPoolExecutor] = {}

    def get(self, level: int) -> ThreadPoolExecutor:
        with self.lock:
            if level not in self.by_level:
                self.by_level[level] = ThreadPoolExecutor(WORKERS, f"fingerpost-{level}")
            return self.by_level[level]


class _Loops:
    """An event loop for each level, kept: what a tool opens on it, such as a client, serves its next call."""

    def __init__(self) -> None:
        self.before_fork: list[asyncio.AbstractEventLoop] = []
        self.lock = threading.Lock()
        self.by_level: dict[int, asyncio.AbstractEventLoop] = {}

    def reset(self) -> None:
        """Start anew in a forked child; loops that ran in threads of the parent are kept, and left alone."""
        self.before_fork += self.by_level.values()
        self.lock = threading.Lock()
        self.by_level = {}

    def get(self, level: int) -> asyncio.AbstractEventLoop:
        with self.lock:
            if level not in self.by_level:
                self.by_level[level] = loop = asyncio.new_event_loop()
                threading.Thread(target=loop.run_forever, name="fingerpost-loop", daemon=True).start()
            return self.by_level[level]


_pools = _Pools()
_loops = _Loops()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.reset)
    os.register_at_fork(after_in_child=_loops.reset)


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function on a pool, with a copy of the caller's context variables.

    A tool may run an event loop whose tools come here again (an agent within an agent): such calls have a
    pool for each level, so that calls never wait for those around them. The level is a context variable; a
    thread that a tool starts without its context counts as outside.

    Args:
        function: A function that may block.
        *args: Its positional arguments.
        **kwargs: Its keyword arguments.

    Returns:
        What it returned; the running event loop is free meanwhile.
    """
    level = _level.get()
    if level >= MOST_LEVELS:
        return function(*args, **kwargs)
    context = contextvars.copy_context()
    context.run(_level.set, level + 1)
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pools.get(level), lambda: context.run(function, *args, **kwargs))


def wait_for(awaitable: Awaitable[T]) -> T:
    """Run an awaitable to its end on an event loop of our own, in a thread of its own.

    It works whether or not a loop is running here, leaves the caller's loop settings alone, and cannot wait
    for a place in the pool that it holds itself. The loop is the same for every call, with one more for each
    level of calls within calls, so that clients which belong to a loop can be used again.

    Args:
        awaitable: A coroutine or another awaitable that is bound to no loop.

    Returns:
        Its result; what it raised is raised.
    """
    level = _loop_level.get()
    loop = _loops.get(level)
    context = contextvars.copy_context()
    context.run(_loop_level.set, level + 1)
    outcome: Future[T] = Future()

    async def settle() -> None:
        # Whatever comes is handed over: an interrupt that left the task would end the loop for everybody.
        try:
            outcome.set_result(await awaitable)
        except BaseException as error:  # noqa: BLE001
            outcome.set_exception(error)

    def start() -> None:
        task = loop.create_task(settle(), context=context)
        _running.add(task)  # a loop holds its tasks weakly
        task.add_done_callback(_running.discard)

    loop.call_soon_threadsafe(start)
    return outcome.result()
