"""Repositories for tests: made by git itself, on disk or behind a server over TLS."""

from __future__ import annotations

import base64
import gzip
import os
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

CALM = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}
NOTE = "---\ntype: Note\ntitle: {0}\n---\nThe text about {0}.\n"


class Repo:
    """A repository with a working tree.

    Attributes:
        folder: The working tree.
    """

    def __init__(self, folder: Path, files: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")
        self.git("commit", "-q", "--allow-empty", "-m", "first")
        if files:
            self.commit(files)

    @property
    def address(self) -> str:
        return f"git+{self.folder.as_uri()}"

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def git(self, *words: str, stdin: bytes = b"") -> str:
        done = subprocess.run(
            ["git", "-C", str(self.folder), *words],
            check=True,
            capture_output=True,
            input=stdin,
            env={"PATH": os.environ["PATH"], **CALM},
        )
        return done.stdout.decode().strip()

    def commit(self, files: Mapping[str, str | bytes | None]) -> str:
        """Write files, remove those that are None, and commit; the id of the commit."""
        for path, content in files.items():
            file = self.folder / path
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", "more")
        return self.head

    def commit_tree(self, tree: bytes) -> str:
        """Commit a tree of any entries, as `git mktree -z` reads them."""
        made = self.git("mktree", "-z", "--missing", stdin=tree)
        commit = self.git("commit-tree", made, "-m", "odd")
        self.git("update-ref", "refs/heads/main", commit)
        return commit

    def blob(self, content: bytes) -> str:
        return self.git("hash-object", "-w", "--stdin", stdin=content)


class Server(ThreadingHTTPServer):
    """A host of repositories.

    Attributes:
        ca_file: The certificate that it shows.
        password: What "user:..." is asked for, "" for nothing.
        requests: The path and the "Authorization" of each request.
        status: What every request is answered with instead.
        location: Where it is sent then.
        says: The text that is answered then.
        stalls: Whether nothing is answered at all.
    """

    daemon_threads = True

    def __init__(self, top: Path, ca_file: Path, key_file: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(ca_file, key_file)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.top = top
        self.ca_file = ca_file
        self.password = ""
        self.requests: list[tuple[str, str]] = []
        self.status = 0
        self.location = ""
        self.says = ""
        self.stalls = False

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no concern of a test."""


class Handler(BaseHTTPRequestHandler):
    """What git asks, answered by `git http-backend`."""

    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:
        host, given = self.server, self.headers.get("Authorization", "")
        host.requests.append((self.path, given))
        if host.stalls:
            time.sleep(20)
            return
        wanted = "Basic " + base64.b64encode(f"user:{host.password}".encode()).decode()
        if host.status:
            self._answer(
                host.status, {"Location": host.location} if host.location else {}, host.says.encode()
            )
        elif host.password and given != wanted:
            self._answer(401, {"WWW-Authenticate": 'Basic realm="x"'}, host.says.encode())
        else:
            self._backend()

    do_POST = do_GET  # noqa: N815 - a name that is prescribed

    def log_message(self, format: str, *_said: object) -> None:  # noqa: A002 - a name that is prescribed
        """Nothing on standard error."""

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "text/plain", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _backend(self) -> None:
        path, _, query = self.path.partition("?")
        body = self._body()
        environment = {
            "PATH": os.environ["PATH"],
            **CALM,
            "GIT_PROJECT_ROOT": str(self.server.top),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        done = subprocess.run(
            ["git", "http-backend"], check=False, input=body, capture_output=True, env=environment
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.partition(": ") for line in head.decode().split("\r\n")]
        headers = {name: value for name, _, value in fields if name}
        self._answer(int(headers.pop("Status", "200").split()[0]), headers, content)

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "") == "chunked":
            chunks: list[bytes] = []
            while size := int(self.rfile.readline(), 16):
                chunks.append(self.rfile.read(size))
                self.rfile.readline()
            body = b"".join(chunks)
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        return gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body


@contextmanager
def serving(top: Path, folder: Path) -> Generator[Server]:
    """A server of the repositories below a folder, with a certificate that is made in another one."""
    if shutil.which("openssl") is None:
        pytest.skip("the program openssl makes the certificate, and is not installed")
    ca_file, key_file = folder / "ca.pem", folder / "key.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext".split()
    names = "subjectAltName=IP:127.0.0.1"
    files = ["-keyout", str(key_file), "-out", str(ca_file)]
    subprocess.run([*command, names, *files], check=True, capture_output=True)
    server = Server(top, ca_file, key_file)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
