"""Preparing documents batch by batch, in a process of its own where there are many.

While that process works on a batch, this one takes the documents of the next and writes those of the last.
The answer to a batch is read before the next is sent, so that the two never wait for each other. Nothing
depends on it: what it does not answer is prepared here.
"""

from __future__ import annotations

import logging
import math
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Self

from fingerpost.catalog.apart import batch_message, command, documents_of, greeting, message, received
from fingerpost.catalog.base import Entry
from fingerpost.catalog.documents import Sample, prepare
from fingerpost.catalog.filling import Prepared

VARIABLE = "FINGERPOST_PROCESSES"
SECONDS_FOR_ANSWER = 60.0
"""After so long without a word the other process is given up."""

_FAILURES = (OSError, EOFError, RuntimeError, TypeError, ValueError)
"""What is raised for a connection, for nonsense that comes from it, and for a process that is started as the
interpreter ends; all else, as by a signal, goes on.
"""

_DOCUMENTS_AT_ONCE = 200
_TEXT_AT_ONCE = 8_000_000  # characters; the document that reaches this is the last of a batch

_logger = logging.getLogger("fingerpost.catalog")


def prepared(
    entries: Iterable[Entry], sample_of: Callable[[list[Entry]], Sample], apart: int
) -> Generator[list[Prepared]]:
    """Prepare documents.

    Args:
        entries: The documents, which are taken as they are needed.
        sample_of: Gives the sample to compress with, when it is shown the first batch.
        apart: How much text of them this process prepares alone, in characters.

    Yields:
        Batches of them, in which each id is there once.
    """
    batches = _batches(entries)
    first = next(batches, list[Entry]())
    if not first:
        return
    with Preparing(sample_of(first), apart) as preparing:
        preparing.exchange(first)
        for batch in chain(batches, [[]]):
            yield preparing.exchange(batch)


def _batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    batch: dict[str, Entry] = {}
    text = 0
    for entry in entries:
        batch[entry.id] = entry
        text += len(entry.body) + len(entry.details)
        if len(batch) == _DOCUMENTS_AT_ONCE or text >= _TEXT_AT_ONCE:
            yield list(batch.values())
            batch, text = {}, 0
    if batch:
        yield list(batch.values())


class Preparing:
    """Prepares one batch after the other, in this process at first; to be used in a `with` block."""

    def __init__(self, sample: Sample, apart: int) -> None:
        """Begin.

        Args:
            sample: What to compress texts with.
            apart: How much text this process prepares alone, in characters.
        """
        self._sample = sample
        self._left: float = apart
        self._given: list[Entry] = []
        self._helper: _Helper | None = None

    def exchange(self, batch: list[Entry]) -> list[Prepared]:
        """Give a batch, and take what came of the one before; nothing came before the first.

        Args:
            batch: The documents that come next, none at the end.
        """
        ready = self._answer() or [prepare(entry, self._sample) for entry in self._given]
        self._given = batch
        # What has no text is prepared sooner than it is sent.
        self._left -= sum(len(entry.body) for entry in batch)
        with self._alone_after_failure():
            if self._helper is not None:
                self._helper.give(batch)
            elif self._left < 0:
                self._left = math.inf  # it is tried once
                if may_have_help():
                    self._helper = _Helper(self._sample)  # it starts while this batch is prepared here
        return ready

    def _answer(self) -> list[Prepared]:
        """What the other process made of the last batch, nothing where it has failed or was not given it."""
        with self._alone_after_failure():
            return self._helper.answer() if self._helper is not None else []
        return []

    @contextmanager
    def _alone_after_failure(self) -> Generator[None]:
        try:
            yield
        except _FAILURES as error:
            _logger.info("Documents are prepared in one process from here on; the other failed: %r", error)
            self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._end()

    def _end(self) -> None:
        if self._helper is not None:
            self._helper.end()
            self._helper = None


def may_have_help() -> bool:
    """Whether another process can be started, and would run at the same time.

    Not so where the environment variable FINGERPOST_PROCESSES is 1, where this process has one processor,
    where it is no Python but a program that holds one, and on Windows, where a connection cannot be the
    standard input of a process.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    is_python = os.path.basename(sys.executable or "").startswith("python") and not hasattr(sys, "frozen")
    is_allowed = os.environ.get(VARIABLE, "").strip() != "1"
    return sys.platform != "win32" and processors > 1 and is_python and is_allowed


class _Helper:
    """The other process; what fails with it raises."""

    def __init__(self, sample: Sample) -> None:
        # Imported here, because few need them.
        import socket
        import subprocess

        self._sample = sample
        self._is_greeted = False
        self._asked = 0
        self._connection, theirs = socket.socketpair()
        self._connection.settimeout(SECONDS_FOR_ANSWER)
        self._said = self._connection.makefile("rb")
        self._flags = getattr(socket, "MSG_NOSIGNAL", 0)  # it may be gone, which is no reason to end as well
        with theirs:
            theirs.setblocking(True)  # whatever timeout this program gives its sockets by default
            try:
                self._process = subprocess.Popen(  # noqa: S603 - of this very interpreter and package
                    command(),
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # so that Ctrl-C in a terminal is left to this process
                )
            except BaseException:
                self._close()
                raise

    def give(self, batch: list[Entry]) -> None:
        """Give it a batch, which it has to answer before the next."""
        if not batch:
            return
        if not self._is_greeted:
            self._greet()
        self._send(batch_message(batch))
        self._asked = len(batch)

    def answer(self) -> list[Prepared]:
        """Its answer to the batch that it was given, nothing when it was given none."""
        if not self._asked:
            return []
        documents = documents_of(received(self._said))
        if len(documents) != self._asked:
            raise ValueError(f"it was given {self._asked} documents and answered with {len(documents)}")
        self._asked = 0
        return documents

    def _greet(self) -> None:
        expected = greeting()
        said = self._said.readline(len(expected))
        if said != expected:
            raise ValueError(f"it is {said!r}, and this is {expected!r}")
        self._send(message((self._sample.id, self._sample.text)))
        self._is_greeted = True

    def _send(self, data: bytes) -> None:
        self._connection.sendall(data, self._flags)

    def end(self) -> None:
        """End it at once, since it has nothing to lose."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        self._said.close()
        self._connection.close()
