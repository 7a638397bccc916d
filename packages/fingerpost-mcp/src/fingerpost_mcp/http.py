"""The server as an ASGI application: streamable HTTP, with a gate that decides who may ask."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import Callable, Iterable
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from fingerpost_mcp.asgi import MOST_REQUEST_BYTES, LastAnswers, WholeBodies
from fingerpost_mcp.gate import PATH, Gate

LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")
LAST_ANSWERS_SECONDS = 5
"""How long a signal waits for the answers to the last requests."""
MOST_CONNECTIONS = 256
"""How many connections are open at a time; further ones are told to come later."""


def http_app(server: Server[Any], *, token: str = "", hosts: Iterable[str] = ()) -> Starlette:
    """A server as an ASGI application, for `uvicorn` and the like; it answers at `/mcp`.

    It keeps no sessions, so that any number of processes can share the requests. It refuses requests for a
    host that is not known, those from a web page of another one, those without the token, if there is one,
    those of more than one mebibyte, and those that take more than 30 seconds to arrive.

    Args:
        server: A server, as from `okf_tools`.
        token: What a client must send as `Authorization: Bearer`; "" lets everybody ask.
        hosts: Host names by which clients call the server, besides those of the loopback interface.

    Returns:
        The application. Run its lifespan, as ASGI servers do.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        # The gate has looked at hosts and origins before.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=MOST_REQUEST_BYTES,
    )
    app.router.redirect_slashes = False
    app.add_middleware(WholeBodies)
    app.add_middleware(Gate, names=(*LOOPBACK_HOSTS, *hosts), token=token)
    return app


def run_http(app: Starlette, listener: socket.socket, when_ready: Callable[[], None]) -> int:
    """Answer requests until an interrupt or a request to terminate; a second one ends the process at once.

    Args:
        app: The application.
        listener: Where its clients come to.
        when_ready: Called when they are waited for and signals are heeded.

    Returns:
        How many requests the end left without their answers.
    """
    import uvicorn

    last = LastAnswers(app)
    config = uvicorn.Config(
        last,
        http="h11",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS + 1,
        timeout_graceful_shutdown=LAST_ANSWERS_SECONDS,
    )
    server = uvicorn.Server(config)
    logging.getLogger("uvicorn.error").addFilter(_is_news)

    def end(sig: int, frame: object) -> None:  # noqa: ARG001 - the names that the server has for them
        server.should_exit = True
        _heed_signals(signal.SIG_DFL)

    server.handle_exit = end  # it takes the place of the handlers while it runs, and has them back afterwards
    _heed_signals(end)
    when_ready()
    server.run(sockets=[listener])
    _heed_signals(signal.SIG_DFL)
    return last.cut_off


def _heed_signals(handler: Any) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a line of the log says something that the command does not say itself."""
    return "graceful shutdown exceeded" not in str(record.msg)
