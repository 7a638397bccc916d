"""Lines of requests and answers, and which of the requests have no answer yet."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from io import FileIO
from typing import Any, TextIO, cast

import anyio
import anyio.to_thread
from mcp_types import JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, jsonrpc_message_adapter

LAST_ANSWERS_SECONDS = 10
"""How long the end of the input waits for the answers to the last requests."""

_LAST_WRITE_SECONDS = 1  # for a client that does not read its answers


class Wire:
    """Requests and answers, in the place of the two files that `mcp.server.stdio.stdio_server` takes.

    A server drops the calls that are under way when its input ends. Here the end comes when every request has
    its answer, so that requests can also be piped in. Threads that wait for the client are left to themselves
    when the serving ends, since nothing can wake them.
    """

    def __init__(self, requests: TextIO, answers: FileIO, serving: anyio.CancelScope) -> None:
        self._requests = requests
        self._answers = answers
        self._serving = serving
        self._open: list[int | str] = []
        self._written = anyio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the lines of the client."""
        while sent := await anyio.to_thread.run_sync(self._requests.readline, abandon_on_cancel=True):
            line = _without_lone_surrogates(sent)
            self._note(_message(line))
            yield line
        last = anyio.current_time() + LAST_ANSWERS_SECONDS
        self._serving.deadline = last + _LAST_WRITE_SECONDS
        with anyio.CancelScope(deadline=last):
            while self._open:
                await self._written.wait()

    async def write(self, line: str) -> None:
        """Write one line to the client."""
        await anyio.to_thread.run_sync(_write, self._answers, line.encode(), abandon_on_cancel=True)
        answer = _loaded(line)
        if "method" not in answer and answer.get("id") in self._open:
            self._open.remove(answer["id"])
        self._written.set()
        self._written = anyio.Event()

    async def flush(self) -> None:
        """Do nothing: each line was written at once."""

    def _note(self, message: JSONRPCMessage | None) -> None:
        """Note what will be answered: requests that the server takes for such, until they are cancelled."""
        if isinstance(message, JSONRPCRequest):
            self._open.append(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            cancelled = str((message.params or {}).get("requestId"))
            for place in reversed(range(len(self._open))):
                if str(self._open[place]) == cancelled:  # the server takes 1 for "1" as well
                    del self._open[place]
                    break


def _write(answers: FileIO, line: bytes) -> None:
    left = memoryview(line)
    while left:
        left = left[os.write(answers.fileno(), left) :]


def _without_lone_surrogates(line: str) -> str:
    """A request in which half of a cut emoji, which no UTF-8 can hold, has become a replacement character."""
    if "\\ud" not in line.lower():
        return line
    text = json.dumps(_loaded(line), ensure_ascii=False)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "\n"


def _message(line: str) -> JSONRPCMessage | None:
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return None


def _loaded(line: str) -> dict[str, Any]:
    try:
        loaded: object = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", loaded) if isinstance(loaded, dict) else {}
