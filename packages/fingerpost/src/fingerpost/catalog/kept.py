"""What was read, kept for the next time within a budget of memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
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
        self._newer = _Half[K, V]()
        self._older = _Half[K, V]()
        self._leaving = _Half[K, V]()

    def get(self, key: K) -> V | None:
        """What was kept under a key, None when nothing is."""
        value = self._newer.values.get(key)
        if value is None:
            older = self._older
            value = older.values.get(key)
            size = older.sizes.get(key)
            if value is not None and size is not None:  # else another thread lets go of it at this moment
                self.keep(key, value, size)
        return value

    def known(self, keys: Iterable[K]) -> dict[K, V]:
        """What was kept under some keys, without those under which nothing is."""
        newer = self._newer.values
        return {key: value for key in keys if (value := newer.get(key) or self.get(key)) is not None}

    def keep(self, key: K, value: V, size: int) -> None:
        """Keep something.

        Args:
            key: The key.
            value: What to keep.
            size: The bytes that it takes, roughly.
        """
        if size > self._budget:
            return
        if self._newer.size + size > self._budget:
            self._leaving, self._older, self._newer = self._older, self._newer, _Half[K, V]()
        if self._leaving.values:
            self._leaving.shrink(size)
        self._newer.add(key, value, size)


class _Half(Generic[K, V]):
    """Values and their sizes, apart: a pair for each would be one more object to look after."""

    __slots__ = ("size", "sizes", "values")

    def __init__(self) -> None:
        self.values: dict[K, V] = {}
        self.sizes: dict[K, int] = {}
        self.size = 0

    def add(self, key: K, value: V, size: int) -> None:
        before = self.sizes.get(key, 0)
        self.size += size - before  # nothing is called within this line, so that no thread comes between
        self.sizes[key] = size  # first, for whoever finds the value
        self.values[key] = value

    def shrink(self, size: int) -> None:
        """Let go of as much as something takes that comes."""
        with suppress(KeyError):  # nothing is left of it; other threads may be at it as well
            while size > 0:
                key, _ = self.values.popitem()
                size -= self.sizes.pop(key)
