"""The server as an ASGI application: streamable HTTP, with a gate that decides who may ask."""

from __future__ import annotations

import hmac
import signal
import socket
from collections.abc import Callable, Iterable
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/mcp"
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")
MOST_REQUEST_BYTES = 1024 * 1024

_GRACE_SECONDS = 5  # for the answers to the last requests


def http_app(server: Server[Any], *, token: str = "", hosts: Iterable[str] = ()) -> Starlette:
    """A server as an ASGI application, for `uvicorn` and the like; it answers at `/mcp`.

    It keeps no sessions, so that any number of processes can share the requests. It refuses requests for a
    host that is not known, those from a web page of another one, those without the token, if there is one,
    and those of more than one mebibyte.

    Args:
        server: A server, as from `okf_tools`.
        token: What a client must send as `Authorization: Bearer`; "" lets everybody ask.
        hosts: Host names by which clients call the server, besides those of the loopback interface.

    Returns:
        The application. Run its lifespan, as ASGI servers do.
    """
    names = (*LOOPBACK_HOSTS, *hosts)
    settings = TransportSecuritySettings(
        allowed_hosts=[f"{name}{port}" for name in names for port in ("", ":*")],
        allowed_origins=[
            f"{scheme}://{name}{port}"
            for scheme in ("http", "https")
            for name in names
            for port in ("", ":*")
        ],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        transport_security=settings,
        max_request_body_size=MOST_REQUEST_BYTES,
    )
    app.add_middleware(_Gate, settings=settings, token=token)
    return app


class _Gate:
    """Refuses what is not for this server before any of it is read."""

    def __init__(self, app: ASGIApp, settings: TransportSecuritySettings, token: str) -> None:
        self._app = app
        self._checks = TransportSecurityMiddleware(settings)
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = await self._refusal(Request(scope)) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    async def _refusal(self, request: Request) -> Response | None:
        refusal = await self._checks.validate_request(request)
        if refusal is None and self._token and not self._is_known(request):
            sentence = (
                "The token of this server is missing or wrong: send it as `Authorization: Bearer TOKEN`.\n"
            )
            return Response(sentence, 401, {"WWW-Authenticate": "Bearer"}, "text/plain")
        if refusal is None and request.method != "POST":
            sentence = f"This is an MCP server: send its messages by POST to {PATH}.\n"
            return Response(sentence, 405, {"Allow": "POST"}, "text/plain")
        return refusal

    def _is_known(self, request: Request) -> bool:
        scheme, _, sent = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(sent.strip().encode("latin-1"), self._token)


def run_http(app: Starlette, listener: socket.socket, when_ready: Callable[[], None]) -> None:
    """Answer requests until an interrupt or a request to terminate; a second one ends the process at once.

    Args:
        app: The application.
        listener: Where its clients come to.
        when_ready: Called when they are waited for and signals are heeded.
    """
    import uvicorn

    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = uvicorn.Server(config)
    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        signal.signal(number, server.handle_exit)
    when_ready()
    server.run(sockets=[listener])
    for number in signals:
        signal.signal(number, signal.SIG_DFL)
