"""What was read, kept for the next time within a budget of memory."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """A cache of two halves. Threads may share it.

    When the newer half is full it becomes the older one, and what was not asked for since leaves with the
    half before, as much as comes in its place, so that nobody waits until all of it is gone. To get something
    costs hardly more than a dictionary, since nothing is moved for it but what was found in the older half.
    """

    def __init__(self, budget: int) -> None:
        """Begin an empty one.

        Args:
            budget: The bytes that it may hold, by the sizes given to `keep`.
        """
        self._budget = budget // 2
        self._size = 0
        self._newer: dict[K, tuple[V, int]] = {}
        self._older: dict[K, tuple[V, int]] = {}
        self._leaving: dict[K, tuple[V, int]] = {}

    def get(self, key: K) -> V | None:
        """What was kept under a key, None when nothing is."""
        found = self._newer.get(key)
        if found is None:
            found = self._older.get(key)
            if found is None:
                return None
            self.keep(key, *found)
        return found[0]

    def keep(self, key: K, value: V, size: int) -> None:
        """Keep something.

        Args:
            key: The key.
            value: What to keep.
            size: The bytes that it takes, roughly.
        """
        if size > self._budget:
            return
        if self._size + size > self._budget:
            self._leaving, self._older, self._newer, self._size = self._older, self._newer, {}, 0
        if self._leaving:
            self._make_room(size)
        before = self._newer.get(key)
        self._newer[key] = value, size
        self._size += size - (before[1] if before else 0)

    def _make_room(self, size: int) -> None:
        """Let go of what leaves, as much as something takes that comes."""
        leaving = self._leaving
        with suppress(KeyError):  # nothing is left of it; other threads may be at it as well
            while size > 0:
                size -= leaving.popitem()[1][1]
