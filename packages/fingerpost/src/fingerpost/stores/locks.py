"""A lock that all processes on a machine respect, and that ends with the process that holds it."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress

_PAUSES = (0.001, 0.02)  # seconds between two attempts: at first, and at most

try:
    import fcntl
except ImportError:  # on Windows, which keeps its catalogs in memory, and whose folders are only read
    fcntl = None

ARE_POSSIBLE = fcntl is not None
"""Whether this system has such locks."""


@contextmanager
def locked(path: str, patience: float) -> Generator[bool]:
    """Hold a lock for the length of a block.

    Args:
        path: The file that stands for the lock; it is made, and stays.
        patience: Seconds to wait for it.

    Yields:
        Whether it was obtained.
    """
    with held(path, patience) as descriptor:
        yield descriptor is not None


@contextmanager
def held(path: str, patience: float) -> Generator[int | None]:
    """Like `locked`, for work that another process does.

    Yields:
        The descriptor of the lock, None when it was not obtained. A process that inherits it holds the lock
        on when this one is killed.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        with taken(descriptor, patience) as is_mine:
            yield descriptor if is_mine else None
    finally:
        os.close(descriptor)


@contextmanager
def taken(descriptor: int, patience: float) -> Generator[bool]:
    """Hold the lock on an open file or folder for the length of a block.

    Args:
        descriptor: The file or folder.
        patience: Seconds to wait for it.

    Yields:
        Whether it was obtained.
    """
    deadline = time.monotonic() + patience
    pause, longest = _PAUSES
    while not (is_mine := _took(descriptor)) and time.monotonic() < deadline:
        time.sleep(pause)
        pause = min(2 * pause, longest)
    try:
        yield is_mine
    finally:
        if is_mine:
            with suppress(OSError):  # it ends at the latest when the descriptor is closed
                _give(descriptor)  # closing would not do where a forked process has the descriptor too


def _took(descriptor: int) -> bool:
    if fcntl is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _give(descriptor: int) -> None:
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
