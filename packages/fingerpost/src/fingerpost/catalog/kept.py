"""What was read, kept for the next time within a budget of memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from contextlib import suppress
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """A cache that drops what was asked for least recently. Threads may share it."""

    def __init__(self, budget: int) -> None:
        """Begin an empty one.

        Args:
            budget: The bytes that it may hold, by the sizes given to `keep`.
        """
        self._budget = budget
        self._size = 0
        self._found: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        """What was kept under a key, None when nothing is."""
        found = self._found.get(key)
        if found is None:
            return None
        with suppress(KeyError):  # another thread may have dropped it
            self._found.move_to_end(key)
        return found[0]

    def keep(self, key: K, value: V, size: int) -> None:
        """Keep something.

        Args:
            key: The key.
            value: What to keep.
            size: The bytes that it takes, roughly.
        """
        if size > self._budget // 4:
            return
        before = self._found.pop(key, None)
        self._found[key] = value, size
        self._size += size - (before[1] if before else 0)
        while self._size > self._budget:
            try:
                self._size -= self._found.popitem(last=False)[1][1]
            except KeyError:
                self._size = 0
