"""Reading the files of a repository through one process of `git cat-file` that stays."""

from __future__ import annotations

import os
import selectors
import subprocess
import threading
import time
import weakref
from collections.abc import Callable

from fingerpost.errors import StoreError
from fingerpost.stores.git_command import end

_SECONDS = 60.0
_CHUNK_BYTES = 1 << 18
_HEADER_BYTES = 500

_inherited: list[object] = []  # processes of a parent, which are not to be ended by its child


class MissingBlobError(StoreError):
    """The kept repository does not hold an object."""


class LargeBlobError(StoreError):
    """A file holds more bytes than are read.

    Attributes:
        size: How many it holds.
    """

    def __init__(self, size: int) -> None:
        super().__init__(f"{size:,} bytes are more than are read.")
        self.size = size


class Blobs:
    """The contents of files by the ids of their blobs. Thread-safe; a forked process starts its own.

    Args:
        start: Starts a `git cat-file --batch`, with pipes for both ways.
    """

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self._start = start
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._running: list[subprocess.Popen[bytes]] = []
        weakref.finalize(self, _end_all, self._running, self._process)

    def read(self, blob: str, max_bytes: int | None) -> bytes:
        """The content of a file.

        Args:
            blob: Its id.
            max_bytes: The most that may be read; None for no cap.

        Raises:
            MissingBlobError: The repository does not hold it.
            LargeBlobError: It is larger than that.
            StoreError: Git does not answer.
        """
        if self._process != os.getpid():
            _inherited.append(self._running)
            self._begin()
        with self._lock:
            for is_last in (not self._running, True):  # one that stayed may have been killed meanwhile
                try:
                    return self._asked(blob, max_bytes)
                except BaseException as error:
                    self._end()  # what it still has to say belongs to no later question
                    if not isinstance(error, _SilentError):
                        raise
                    if is_last:
                        break
        raise MissingBlobError(f"Git does not answer about {blob!r}.")

    def close(self) -> None:
        """End the process; the next question starts another."""
        if self._process == os.getpid():
            with self._lock:
                self._end()

    def _end(self) -> None:
        _end_all(self._running, self._process)

    def _asked(self, blob: str, max_bytes: int | None) -> bytes:
        if not self._running:
            self._running.append(self._start())
        answer = _Answer(self._running[0], _SECONDS)
        answer.ask(f"{blob}\n".encode())
        header = answer.line().split()
        if len(header) != 3 or header[1] != b"blob":
            raise MissingBlobError(f"The kept repository does not hold {blob!r}.")
        size = int(header[2])
        if max_bytes is not None and size > max_bytes:
            raise LargeBlobError(size)
        return answer.bytes(size)


class _SilentError(Exception):
    """The process has gone."""


class _Answer:
    """What a process answers to one question."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        self._process = process
        self._deadline = time.monotonic() + seconds
        self._seconds = seconds
        self._held = bytearray()

    def ask(self, question: bytes) -> None:
        assert self._process.stdin is not None  # noqa: S101 - it has pipes
        try:
            self._process.stdin.write(question)
        except OSError:
            raise _SilentError from None

    def line(self) -> bytes:
        while (end := self._held.find(b"\n")) < 0:
            if len(self._held) > _HEADER_BYTES:
                raise StoreError("Git answers with what is no header; update git.")
            self._more()
        line = bytes(self._held[:end])
        del self._held[: end + 1]
        return line

    def bytes(self, size: int) -> bytes:
        """So many bytes, and the line break after them."""
        while len(self._held) <= size:
            self._more()
        return bytes(memoryview(self._held)[:size])

    def _more(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None  # noqa: S101 - it has pipes
        with selectors.DefaultSelector() as ready:
            ready.register(pipe, selectors.EVENT_READ)
            if not ready.select(max(self._deadline - time.monotonic(), 0)):
                raise StoreError(f"Git has not read a file within {self._seconds:g} seconds; check the disk.")
        chunk = os.read(pipe.fileno(), _CHUNK_BYTES)
        if not chunk:
            raise _SilentError
        self._held += chunk


def _end_all(running: list[subprocess.Popen[bytes]], process: int) -> None:
    """End what was started by a process, in that process."""
    if process == os.getpid():
        while running:
            end(running.pop())
