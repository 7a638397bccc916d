"""The scripted server: OpenAI's chat-completions and Responses APIs on loopback, answered from scripts.

Every session has an address of its own, so one server plays many scripts at once. The turn is chosen by
counting the requests of a session, never by reading the conversation, because some frameworks rewrite it.
"""

from __future__ import annotations

import contextlib
import re
import socket
import socketserver
import sys
import threading
from collections.abc import Generator, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from fingerpost_testing import wire
from fingerpost_testing.chat_completions import CHAT_COMPLETIONS
from fingerpost_testing.responses import RESPONSES
from fingerpost_testing.script import Fault, HangUp, Script, ScriptError, Turn, UnexpectedRequest
from fingerpost_testing.session import CheckedOnExit, Session
from fingerpost_testing.wire import WireFormat

_FORMATS = {"/v1/chat/completions": CHAT_COMPLETIONS, "/v1/responses": RESPONSES}
MAX_REQUEST_BYTES = 16 * 1024 * 1024
_IDLE_SECONDS = 60.0
_UNREADABLE = "the body is not a JSON object, or nested too deeply"
_SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "api-key", "x-api-key", "cookie"})
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
_ADDRESS = re.compile(r"/s/([A-Za-z0-9._-]+)(/[^?]*)(?:\?.*)?")


class ScriptedServer(CheckedOnExit):
    """A model that plays scripts, on a free port of 127.0.0.1.

    It serves from its construction on. Leaving its context, or `finish`, stops it and checks every session
    that was not finished before. It also stops with the process.

    Example:
        with ScriptedServer() as server, server.play(Script(say("Hello."))) as session:
            client = openai.OpenAI(base_url=session.base_url, api_key="x", max_retries=0)
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}
        self._listener = _Listener(self._sessions)
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """The address of the server, "http://127.0.0.1:<port>"."""
        return f"http://127.0.0.1:{self._listener.server_address[1]}"

    def play(self, script: Script, name: str = "") -> Session:
        """Start a session.

        Args:
            script: What the model says.
            name: A name for addresses and messages: letters, digits, ".", "_" and "-". By default a number.

        Raises:
            ValueError: The name is taken or holds other characters.
            ScriptError: The server was stopped.
        """
        with self._lock:
            if self._listener.stopped.is_set():
                raise ScriptError("The server was stopped and plays no more scripts; start another one.")
            name = name or f"session-{len(self._sessions) + 1}"
            if not _NAME.fullmatch(name):
                raise ValueError(f"{name!r} cannot name a session; use letters, digits, '.', '_' and '-'.")
            if name in self._sessions:
                raise ValueError(f"This server already has a session named {name!r}; choose another name.")
            session = Session(name, script, f"{self.address}/s/{name}/v1")
            self._sessions[name] = session
            return session

    def finish(self) -> None:
        """Stop the server, then check the sessions that were not finished before. A second call does nothing.

        Raises:
            UnexpectedRequest: A request came that a script had no turn for, or that could not be answered.
            UnconsumedTurns: A script has turns left.
        """
        with self._lock:
            if self._listener.stopped.is_set():
                return
            self._listener.stopped.set()
        self._listener.shutdown()
        self._thread.join()
        self._listener.server_close()
        _finish_all([session for session in self._sessions.values() if not session.finished])


@contextlib.contextmanager
def play(script: Script) -> Generator[Session]:
    """One script on a server of its own, for a `with` statement.

    Args:
        script: What the model says.

    Yields:
        The session.

    Raises:
        UnexpectedRequest: On leaving: a request came that the script had no turn for, or that has no answer.
        UnconsumedTurns: On leaving: the script has turns left.
    """
    with ScriptedServer() as server, server.play(script) as session:
        yield session


def _finish_all(sessions: Iterable[Session]) -> None:
    with contextlib.ExitStack() as stack:
        for session in sessions:
            stack.enter_context(session)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, sessions: dict[str, Session]) -> None:
        self.sessions = sessions
        self.stopped = threading.Event()
        self._open: set[socket.socket] = set()
        self._open_lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    def server_bind(self) -> None:
        # HTTPServer looks up the name of the host here; a test server must not ask the network anything.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._open_lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._open_lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        with self._open_lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], OSError):  # a client that went away is no error of ours
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "fingerpost-testing"
    disable_nagle_algorithm = True
    timeout = _IDLE_SECONDS

    def do_GET(self) -> None:
        session, path = self._session()
        if path != "/v1/models":
            self._refuse(404, session, f"there is nothing to GET at {self.path}; GET knows /v1/models")
            return
        self._send(200, wire.encoded(wire.model_list()))

    def do_POST(self) -> None:
        session, path = self._session()
        data = self._read(session)
        if data is None:
            return
        if session is None or path not in _FORMATS:
            known = " and ".join(_FORMATS)
            self._refuse(404, session, f"there is nothing to POST to at {self.path}; POST knows {known}")
            return
        spoken, body = _FORMATS[path], wire.decoded(data)
        problem = spoken.fault_in(body) if body is not None else _UNREADABLE
        if body is None or problem:
            self._refuse(400, session, problem)
            return
        self._answer(session, spoken, body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the overridden parameter
        """Stay silent; the log of a session says more."""

    def _answer(self, session: Session, spoken: WireFormat, body: wire.Body) -> None:
        headers = {
            key.lower(): value for key, value in self.headers.items() if key.lower() not in _SECRET_HEADERS
        }
        try:
            number, turn = session.take_turn(body, headers)
        except UnexpectedRequest as refusal:
            self._send(400, wire.encoded(wire.error(str(refusal), "unexpected_request")))
            return
        if turn.delay:
            self._listener.stopped.wait(turn.delay)
        self._play(turn, spoken, body, number)

    def _play(self, turn: Turn, spoken: WireFormat, body: wire.Body, number: int) -> None:
        if isinstance(turn, HangUp):
            self.close_connection = True
        elif isinstance(turn, Fault):
            self._send(turn.status, wire.encoded(wire.error(turn.message, "scripted_fault")))
        elif body.get("stream"):
            self._send(200, *spoken.events(turn, body, number), kind="text/event-stream")
        else:
            self._send(200, wire.encoded(spoken.whole(turn, body, number)))

    @property
    def _listener(self) -> _Listener:
        return cast("_Listener", self.server)

    def _session(self) -> tuple[Session | None, str]:
        match = _ADDRESS.fullmatch(self.path)
        return (self._listener.sessions.get(match[1]), match[2]) if match else (None, self.path)

    def _read(self, session: Session | None) -> bytes | None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            self._refuse(411, session, "it has no Content-Length")
        elif int(length) > MAX_REQUEST_BYTES:
            self._refuse(413, session, f"its body has {length} bytes, more than {MAX_REQUEST_BYTES}")
        else:
            return self.rfile.read(int(length))
        return None

    def _refuse(self, status: int, session: Session | None, reason: str) -> None:
        self.close_connection = True  # the body may be unread
        known = ", ".join(sorted(self._listener.sessions)) or "none"
        message = (
            session.refuse(reason) if session else f"No session is at {self.path}; the sessions are: {known}."
        )
        self._send(status, wire.encoded(wire.error(message, "request_refused")))

    def _send(self, status: int, *parts: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(sum(map(len, parts))))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        for part in parts:
            self.wfile.write(part)
