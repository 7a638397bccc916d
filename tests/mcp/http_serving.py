"""Servers over HTTP for the tests, and requests to them, headers and all."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server

from fingerpost_mcp import http_app
from tests.core.cli.shell import command_line

HANG_SECONDS = 60


@dataclass(frozen=True)
class Reply:
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        """The JSON document in the answer."""
        return json.loads(self.text)


@dataclass(frozen=True)
class Served:
    """A server in a process of its own, and what it said when it was ready."""

    url: str
    said: str
    process: subprocess.Popen[str]

    def stop(self, number: int) -> tuple[int, str]:
        """Send a signal; the exit code, and what was said since."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=HANG_SECONDS)
        assert self.process.stderr is not None
        return code, self.process.stderr.read()


@contextmanager
def served(*words: str, variables: Mapping[str, str]) -> Generator[Served]:
    """Run `fingerpost mcp` with words that make it listen."""
    command = command_line("mcp", *words)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=dict(variables), **pipes) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.search(r"http://\S+/mcp", said)
        try:
            assert found is not None, said + process.stderr.read()
            yield Served(found[0], said, process)
        finally:
            process.kill()


@contextmanager
def in_this_process(server: Server[Any], **options: Any) -> Generator[str]:
    """Serve on a thread of this process; yield the URL."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(http_app(server, **options), ws="none", lifespan="on", log_config=None)
        runner = uvicorn.Server(config)
        thread = threading.Thread(target=runner.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            runner.should_exit = True
            thread.join(timeout=HANG_SECONDS)


def post(url: str, message: object, *, path: str = "/mcp", method: str = "POST", **headers: str) -> Reply:
    """Send one request; `Host_` in place of `Host` and so on are headers by their names with a "_"."""
    place = re.match(r"http://([^/]+)/", url)
    assert place is not None
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection = HTTPConnection(place[1], timeout=HANG_SECONDS)
    try:
        connection.request(method, path, body=body, headers=sent)
        answer = connection.getresponse()
        fields = {name.lower(): value for name, value in answer.getheaders()}
        return Reply(answer.status, fields, answer.read().decode())
    finally:
        connection.close()


def begun(url: str) -> socket.socket:
    """A connection on which half of a request was sent."""
    line = connected(url)
    head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    line.sendall(f"{head}Accept: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
    return line


def connected(url: str) -> socket.socket:
    """A connection on which nothing was sent."""
    host, port = url.removeprefix("http://").removesuffix("/mcp").split(":")
    return socket.create_connection((host, int(port)), timeout=HANG_SECONDS)


def call(name: str, **arguments: Any) -> dict[str, Any]:
    """The message that calls a tool."""
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
