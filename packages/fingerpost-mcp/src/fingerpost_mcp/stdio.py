"""The server over standard input and output, which from then on belong to the protocol."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
from collections.abc import AsyncIterator, Sequence
from typing import Any, TextIO, cast

import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from fingerpost import Bundle
from fingerpost_mcp.bundles import read_ahead

LAST_ANSWERS_SECONDS = 10
"""How long the end of the input waits for the answers to the last requests."""


def take_standard_streams() -> tuple[TextIO, TextIO]:
    """Standard input and output as UTF-8; the null device and standard error take their places."""
    sys.stdout.flush()
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def run_stdio(server: Server[Any], bundles: Sequence[Bundle], requests: TextIO, answers: TextIO) -> None:
    """Answer requests until they end."""
    try:
        anyio.run(_serve, bundles, server, requests, answers)
    except* ConnectionError:
        logging.getLogger(__name__).info("The client is gone.")
    finally:
        with contextlib.suppress(OSError):  # what is left in the buffer of a client that is gone
            answers.close()


async def _serve(bundles: Sequence[Bundle], server: Server[Any], requests: TextIO, answers: TextIO) -> None:
    wire: Any = _Wire(requests, answers)
    async with anyio.create_task_group() as tasks, stdio_server(wire, wire) as streams:
        tasks.start_soon(anyio.to_thread.run_sync, read_ahead, bundles)
        await server.run(*streams, server.create_initialization_options())


class _Wire:
    """Requests and answers, in the place of the two files that `mcp.server.stdio.stdio_server` takes.

    A server drops the calls that are under way when its input ends. Here the end comes when every request has
    its answer, so that requests can also be piped in.
    """

    def __init__(self, requests: TextIO, answers: TextIO) -> None:
        self._requests = anyio.wrap_file(requests)
        self._answers = anyio.wrap_file(answers)
        self._open: set[str] = set()
        self._written = anyio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the lines of the client."""
        async for sent in self._requests:
            line = _without_lone_surrogates(sent)
            message = _message(line)
            is_request = isinstance(message.get("id"), str | int) and isinstance(message.get("method"), str)
            if is_request and not isinstance(message["id"], bool):
                self._open.add(str(message["id"]))
            if message.get("method") == "notifications/cancelled":
                self._open.discard(str(_mapping(message.get("params")).get("requestId")))
            yield line
        with anyio.move_on_after(LAST_ANSWERS_SECONDS):
            while self._open:
                await self._written.wait()

    async def write(self, line: str) -> None:
        """Write one line to the client."""
        await self._answers.write(line)
        await self._answers.flush()
        message = _message(line)
        if "method" not in message:
            self._open.discard(str(message.get("id")))
        self._written.set()
        self._written = anyio.Event()

    async def flush(self) -> None:
        """Do nothing: each line was flushed when it was written."""


def _without_lone_surrogates(line: str) -> str:
    """A request in which half of a cut emoji, which no UTF-8 can hold, has become a replacement character."""
    if "\\ud" not in line.lower():
        return line
    text = json.dumps(_message(line), ensure_ascii=False)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "\n"


def _message(line: str) -> dict[str, Any]:
    try:
        return _mapping(json.loads(line))
    except (ValueError, RecursionError):
        return {}


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
