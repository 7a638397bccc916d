"""ASGI applications around one another: a deadline for bodies, and an answer for calls that are cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio

App = Callable[[Any, Any, Any], Awaitable[None]]

MOST_REQUEST_BYTES = 1024 * 1024
BODY_SECONDS = 30
"""How long a request may take to arrive."""

_CLOSE = {"Connection": "close"}


class WholeBodies:
    """Hands on requests that have arrived; who is too slow is told so, who is gone is let go."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Wait for a request, and hand it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        arrived: dict[str, Any] | None = None
        with anyio.move_on_after(BODY_SECONDS) as deadline:
            arrived = await _arrived(receive)
        if deadline.cancelled_caught:
            said = f"The request did not arrive within {BODY_SECONDS} seconds; send it again."
            await say(send, 408, said, _CLOSE)
        elif arrived is not None:
            first = [arrived]

            async def replay() -> Any:
                return first.pop() if first else await receive()

            await self._app(scope, replay, send)


class LastAnswers:
    """Answers the requests that a server cancels at its end, and counts them."""

    def __init__(self, app: App) -> None:
        self._app = app
        self.cut_off = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Hand a request on."""
        begun = False

        async def watched(message: Any) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            self.cut_off += 1
            if not begun:
                said = "The server ended before the answer; send the request again later."
                await say(send, 503, said, _CLOSE)


async def say(send: Any, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> None:
    """Answer a request with one sentence."""
    body = f"{sentence}\n".encode()
    fields = {
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": str(len(body)),
        **(headers or {}),
    }
    encoded = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


async def _arrived(receive: Any) -> dict[str, Any] | None:
    """A request with its body, of which one that is too long is cut; None if the client is gone."""
    body = bytearray()
    while True:
        message: dict[str, Any] = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        more = bool(message.get("more_body", False))
        if not more or len(body) > MOST_REQUEST_BYTES:
            return {"type": "http.request", "body": bytes(body), "more_body": more}
