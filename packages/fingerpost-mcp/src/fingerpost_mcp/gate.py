"""Who may ask over HTTP: a gate before the application that reads nothing but the head of a request."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from typing import Any

from fingerpost_mcp.asgi import App, say

PATH = "/mcp"

_MOST_SHOWN = 100  # characters of what a client sent
_ALLOW_HOST = "if that is a name of this server, start it with --allow-host NAME."


class Gate:
    """Refuses what is not for this server before any of it is read."""

    def __init__(self, app: App, names: Iterable[str], token: str) -> None:
        host = f"(?:{'|'.join(re.escape(name.lower()) for name in names)})(?::[0-9]{{1,5}})?"
        self._app = app
        self._host = re.compile(host)
        self._origin = re.compile(f"https?://{host}")
        self._token = token.encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or hand it on."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await say(send, *refusal)

    def _refusal(self, scope: Any) -> tuple[int, str, dict[str, str]] | None:
        """The status, the sentence and the headers for a request that is not answered."""
        host = _first(scope, b"host")
        if self._host.fullmatch(host.lower()) is None:
            return 421, f"This server does not answer for the host {_shown(host)}; {_ALLOW_HOST}", {}
        for origin in filter(None, _values(scope, b"origin")):
            if self._origin.fullmatch(origin.lower()) is None:
                return 403, f"This server does not answer pages of {_shown(origin)}; {_ALLOW_HOST}", {}
        if self._token and not self._is_known(_first(scope, b"authorization")):
            said = "The token of this server is missing or wrong: send it as `Authorization: Bearer TOKEN`."
            return 401, said, {"WWW-Authenticate": "Bearer"}
        if scope["method"] != "POST":
            return 405, f"This is an MCP server: send its messages by POST to {PATH}.", {"Allow": "POST"}
        return None

    def _is_known(self, authorization: str) -> bool:
        scheme, _, sent = authorization.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(sent.strip().encode("latin-1"), self._token)


def _values(scope: Any, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _first(scope: Any, name: bytes) -> str:
    return next(iter(_values(scope, name)), "")


def _shown(value: str) -> str:
    return repr(value[:_MOST_SHOWN])
