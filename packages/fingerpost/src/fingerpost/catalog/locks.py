"""A lock that all processes on a machine respect, and that ends with the process that holds it."""

from __future__ import annotations

import fcntl
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
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + patience
        while not (is_mine := _try_lock(descriptor)) and time.monotonic() < deadline:
            time.sleep(_PAUSE)
        yield is_mine
        if is_mine:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
