"""The server over standard input and output, which from then on belong to the protocol."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from typing import Any, TextIO

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from fingerpost import ConfigError
from fingerpost_mcp.wire import Wire


def take_standard_streams() -> tuple[TextIO, FileIO]:
    """Standard input as UTF-8 and standard output; the null device and standard error take their places.

    Raises:
        ConfigError: If one of them is closed.
    """
    if sys.__stdin__ is None or sys.__stdout__ is None:
        raise ConfigError(
            "The server speaks over standard input and output, and one of them is closed: "
            "leave them open, or serve with --http."
        )
    sys.stdout.flush()
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def run_stdio(
    server: Server[Any], read_ahead: Callable[[], object], requests: TextIO, answers: FileIO
) -> None:
    """Answer requests until they end.

    Args:
        server: What answers.
        read_ahead: Called in a thread while the client says hello.
        requests: Where requests come from.
        answers: Where answers go to.

    Raises:
        OSError: If the requests cannot be read or the answers cannot be written.
    """
    threading.Thread(target=read_ahead, daemon=True).start()
    failure: OSError | None = None
    try:
        anyio.run(_serve, server, requests, answers)
    except* ConnectionError:
        logging.getLogger(__name__).info("The client is gone.")
    except* OSError as group:
        failure = _first(group)
    finally:
        with suppress(OSError):
            answers.close()
    if failure is not None:
        raise failure


async def _serve(server: Server[Any], requests: TextIO, answers: FileIO) -> None:
    with anyio.CancelScope() as scope:
        wire: Any = Wire(requests, answers, scope)
        async with stdio_server(wire, wire) as streams:
            await server.run(*streams, server.create_initialization_options())


def _first(group: BaseExceptionGroup[OSError]) -> OSError:
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
