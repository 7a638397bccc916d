"""System calls that fail: the n-th one of an operation, with an error of one's choice."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import pytest

from fingerpost.stores import confined

CALLS = (
    "open",
    "stat",
    "fstat",
    "readlink",
    "mkdir",
    "rmdir",
    "write",
    "fsync",
    "rename",
    "unlink",
    "fchmod",
)
"""What writing a file asks the system for, beside opening beneath a folder, and locks."""


class Failing:
    """Counts the system calls of this process that writers make, and has one of them fail.

    Attributes:
        made: The names of those that were made.
    """

    def __init__(self) -> None:
        self.made: list[str] = []
        self._fails_at, self._code = 0, 0

    def nth(self, number: int, code: int) -> None:
        """Have the call of a number fail, from 1 on, counted from now."""
        self.made.clear()
        self._fails_at, self._code = number, code

    def wrapped(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """A call that is counted, and may fail instead of being made."""

        def counted(*arguments: Any, **named: Any) -> Any:
            self.made.append(name)
            if len(self.made) == self._fails_at:
                raise OSError(self._code, os.strerror(self._code))
            return call(*arguments, **named)

        return counted


@contextmanager
def failing_calls() -> Generator[Failing]:
    """Within the block, system calls fail as told."""
    failing = Failing()
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, failing.wrapped(name, getattr(os, name)))
        for module, name in ((confined, "openat2"), (fcntl, "flock")):
            patch.setattr(module, name, failing.wrapped(name, getattr(module, name)))
        yield failing
