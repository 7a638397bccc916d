"""A server between a client and a real one that fails on purpose."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

Fault = Callable[["Request"], str]
"""Says what happens to a request: "", "503", "403", "reset", "stall", "cut" or "unacknowledged"."""

_STALL_SECONDS = 30.0
_ERROR = "<?xml version='1.0'?><Error><Code>{code}</Code><Message>On purpose.</Message></Error>"
_CODES = {"503": "SlowDown", "403": "AccessDenied", "400": "InvalidArgument", "500": "InternalError"}


@dataclass(frozen=True, slots=True)
class Request:
    """A request as a fault sees it.

    Attributes:
        method: Its method.
        path: Its path with the query.
        number: How many came before it.
        port: The port of the client, which tells its connections apart.
    """

    method: str
    path: str
    number: int
    port: int

    @property
    def is_listing(self) -> bool:
        """Whether it asks for a page of a listing."""
        return "list-type=2" in self.path


@dataclass
class Between:
    """The server between.

    Attributes:
        url: Where it is reached.
        fault: What happens to each request from now on.
        dropped: A header that is not passed on.
        dropped_from: The method of the requests that lose it; "" for all.
        seen: What has come so far.
    """

    url: str
    fault: Fault = field(default=lambda _request: "")
    dropped: str = ""
    dropped_from: str = ""
    seen: list[Request] = field(default_factory=list[Request])
    is_over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def noted(self, method: str, path: str, port: int) -> Request:
        """A request, once it is counted."""
        with self.lock:
            request = Request(method, path, len(self.seen), port)
            self.seen.append(request)
        return request


@contextmanager
def between(url: str) -> Generator[Between]:
    """A server between clients and the server at an address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    state = Between(f"http://127.0.0.1:{server.server_port}")
    server.state, server.beyond = state, urlsplit(url).netloc  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.is_over.set()
        server.shutdown()
        thread.join()
        server.socket.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base
        return

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:  # the client, or a fault, has closed the connection
            self.close_connection = True

    def _relay(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        state: Between = self.server.state
        fault = state.fault(state.noted(self.command, self.path, self.client_address[1]))
        if fault == "stall":
            state.is_over.wait(_STALL_SECONDS)
        if fault in {"stall", "reset"}:
            self._reset()
        elif fault in _CODES:
            self._answer(int(fault), {}, _ERROR.format(code=_CODES[fault]).encode())
        else:
            status, headers, content = self._beyond(body)
            if fault == "unacknowledged":
                self._reset()
            else:
                self._answer(status, headers, content, is_cut=fault == "cut")

    do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = _relay  # noqa: N815 - names of the base

    def _beyond(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(self.server.beyond, timeout=20)
        try:
            state = self.server.state
            dropped = state.dropped.lower() if state.dropped_from in ("", self.command) else ""
            sent = {name: value for name, value in self.headers.items() if name.lower() != dropped}
            connection.request(self.command, self.path, body, sent)
            answer = connection.getresponse()
            headers = {name: value for name, value in answer.getheaders() if name.lower() not in _OF_A_HOP}
            if self.command == "HEAD":
                headers["Content-Length"] = answer.getheader("Content-Length") or "0"
            return answer.status, headers, answer.read()
        finally:
            connection.close()

    def _answer(self, status: int, headers: dict[str, str], content: bytes, is_cut: bool = False) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.command != "HEAD":
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content[: len(content) // 2] if is_cut else content)
        if is_cut:
            self.wfile.flush()
            self._reset()

    def _reset(self) -> None:
        """End the connection without a word."""
        self.close_connection = True
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()


_OF_A_HOP = {"connection", "transfer-encoding", "keep-alive", "date", "server", "content-length"}
