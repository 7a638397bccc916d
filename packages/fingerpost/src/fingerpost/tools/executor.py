"""Threads for tools: a pool for async callers, a private event loop for async tools of sync callers."""

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

P = ParamSpec("P")
T = TypeVar("T")


class _Pool:
    """One pool a process, made at first use; a forked child starts anew, since threads survive no fork."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.lock = threading.Lock()
        self.threads: ThreadPoolExecutor | None = None

    def get(self) -> ThreadPoolExecutor:
        with self.lock:
            if self.threads is None:
                self.threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="fingerpost")
            return self.threads


_pool = _Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.reset)


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function on the pool, with a copy of the caller's context variables.

    Args:
        function: A function that may block.
        *args: Its positional arguments.
        **kwargs: Its keyword arguments.

    Returns:
        What it returned; the running event loop is free meanwhile.
    """
    context = contextvars.copy_context()
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool.get(), lambda: context.run(function, *args, **kwargs))


def wait_for(awaitable: Awaitable[T]) -> T:
    """Run an awaitable to its end on an event loop of its own, in a thread of its own.

    It works whether or not a loop is running here, leaves the caller's loop settings alone, and cannot wait
    for a place in the pool that it holds itself.

    Args:
        awaitable: A coroutine or another awaitable that is bound to no loop.

    Returns:
        Its result; what it raised is raised.
    """
    context = contextvars.copy_context()
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(context.run(asyncio.run, _awaited(awaitable)))
        except BaseException as error:  # noqa: BLE001 - handed over to the waiting thread
            outcome.set_exception(error)

    threading.Thread(target=run, name="fingerpost-loop", daemon=True).start()
    return outcome.result()


async def _awaited(awaitable: Awaitable[T]) -> T:
    return await awaitable
