"""Servers that tests start themselves: on this machine alone, in a folder of their own, gone afterwards."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from environments.building import environment
from environments.programs import Failure, clean_environ

HOST = "127.0.0.1"
ENVIRONMENT = "services"  # the environment whose programs they are
SECONDS_TO_START = 60.0
SECONDS_TO_STOP = 20.0
_LOWEST, _HIGHEST = 20_000, 30_000  # below those that a system hands out by itself
_GRPC = 10_000  # how far the second port of each part of SeaweedFS lies above its first
_LINES_SHOWN = 12


def program(name: str) -> str:
    """Path of a server's program; its environment is built first if need be."""
    return os.path.join(environment(ENVIRONMENT), name)


def free_ports(count: int, *, above: int = 0) -> list[int]:
    """Ports of this machine on which nothing listens.

    Args:
        count: How many.
        above: How far above each another port has to be free too, 0 for none.
    """
    found: list[int] = []
    start = _LOWEST + os.getpid() * 7 % (_HIGHEST - _LOWEST)
    for step in range(_HIGHEST - _LOWEST):
        port = _LOWEST + (start - _LOWEST + step) % (_HIGHEST - _LOWEST)
        if _is_free(port) and (not above or _is_free(port + above)):
            found.append(port)
        if len(found) == count:
            return found
    raise Failure(f"No {count} ports of this machine are free between {_LOWEST} and {_HIGHEST}.")


def _is_free(port: int) -> bool:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((HOST, port))
        except OSError:
            return False
    return True


@dataclass
class Service:
    """A server as a process; it runs within a `with` block.

    Attributes:
        command: The program and its arguments; `{folder}` stands for the folder that it may write to.
        port: The port that says whether it is ready.
        ready_path: What to ask for there; an answer below 500 says that it is.
        environ: Environment variables that it gets besides.
    """

    command: Sequence[str]
    port: int
    ready_path: str = "/"
    environ: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def url(self) -> str:
        """Where it is reached."""
        return f"http://{HOST}:{self.port}"

    def __enter__(self) -> Self:
        self._folder = tempfile.mkdtemp(prefix="fingerpost-service-")
        command = [word.replace("{folder}", self._folder) for word in self.command]
        self._log = os.path.join(self._folder, "service.log")
        with open(self._log, "wb") as output:
            self._process = subprocess.Popen(
                command,
                cwd=self._folder,
                env=clean_environ(**self.environ),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wait(self) -> None:
        """Wait until it answers.

        Raises:
            Failure: It ends, or does not answer in time.
        """
        until = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise Failure(self._end_of_log(f"{self.command[0]} ended with {self._process.returncode}"))
            if self._answers():
                return
            time.sleep(0.05)
        raise Failure(self._end_of_log(f"{self.command[0]} did not answer within {SECONDS_TO_START:.0f} s"))

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=2)
        try:
            connection.request("GET", self.ready_path)
            return connection.getresponse().status < http.client.INTERNAL_SERVER_ERROR
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _end_of_log(self, what: str) -> str:
        with open(self._log, errors="replace") as file:
            lines = file.read().rstrip().splitlines()[-_LINES_SHOWN:]
        return "\n  ".join([f"{what}; the end of what it said:", *lines])


S3_KEY, S3_SECRET = "reader", "secret-of-the-reader"  # of a server that nobody else can reach


def seaweedfs() -> Service:
    """SeaweedFS as a server for S3: it writes under conditions, and lists folders in an order of its own."""
    s3, master, volume, filer, admin = free_ports(5, above=_GRPC)
    switches = {
        "dir": "{folder}",
        "ip": HOST,
        "ip.bind": HOST,
        "s3.port": str(s3),
        "master.port": str(master),
        "volume.port": str(volume),
        "filer.port": str(filer),
        "admin.port": str(admin),
        "admin.ui": "false",
        "webdav": "false",
        "s3.port.iceberg": "0",
        "s3.port.lance": "0",
        "master.telemetry": "false",
        "s3.autoCreateBucket": "false",
        "s3.allowDeleteBucketNotEmpty": "false",
    }
    command = [program("weed"), "mini", *(f"-{name}={value}" for name, value in switches.items())]
    environ = {"AWS_ACCESS_KEY_ID": S3_KEY, "AWS_SECRET_ACCESS_KEY": S3_SECRET}
    return Service(command, s3, "/healthz", environ)


def rclone() -> Service:
    """The S3 server of rclone, which takes conditions and ignores them."""
    (port,) = free_ports(1)
    command = [
        *(program("rclone"), "serve", "s3", "{folder}", "--addr", f"{HOST}:{port}"),
        *("--auth-key", f"{S3_KEY},{S3_SECRET}", "--config", "", "--vfs-cache-mode", "off"),
    ]
    return Service(command, port)
