"""A lock that all processes on a machine respect, and that ends with the process that holds it."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import contextmanager

_PAUSE = 0.01


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
        deadline = time.monotonic() + patience
        while not (is_mine := _took(descriptor)) and time.monotonic() < deadline:
            time.sleep(_PAUSE)
        yield descriptor if is_mine else None
        if is_mine:
            _give(descriptor)  # closing would not do where a forked process has the descriptor too
    finally:
        os.close(descriptor)


# Windows has no fcntl; it keeps its catalogs in memory, and locks none.


def _took(descriptor: int) -> bool:
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _give(descriptor: int) -> None:
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_UN)
