"""Chance that falls the same way on every machine and in every version of Python."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

DRAWS = 1 << 16
"""A draw is a number below this."""

_BLOCK = 512


class Dice:
    """Draws that depend on a name alone: the bytes of its SHAKE-128, two to a draw.

    Args:
        name: What the draws are for, such as a seed and a number.
    """

    def __init__(self, *name: object) -> None:
        self._name = ":".join(map(str, name)).encode()
        self._draws: tuple[int, ...] = ()
        self._place = self._blocks = 0

    def take(self, count: int) -> tuple[int, ...]:
        """The next draws."""
        while self._place + count > len(self._draws):
            key = b"%s:%d" % (self._name, self._blocks)
            fresh = struct.unpack(f"<{_BLOCK}H", hashlib.shake_128(key).digest(2 * _BLOCK))
            self._draws = self._draws[self._place :] + fresh
            self._place = 0
            self._blocks += 1
        self._place += count
        return self._draws[self._place - count : self._place]

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        if limit <= DRAWS:
            return self.take(1)[0] * limit >> 16
        high, low = self.take(2)
        return (high << 16 | low) * limit >> 32

    def between(self, least: int, most: int) -> int:
        """A number from `least` to `most`, both included."""
        return least + self.below(most - least + 1)

    def chance(self, percent: float) -> bool:
        """Whether something happens that happens in so many of a hundred cases."""
        return self.take(1)[0] < int(percent * DRAWS / 100)

    def pick(self, choices: Sequence[T]) -> T:
        """One of several."""
        return choices[self.below(len(choices))]

    def some(self, choices: Sequence[T], count: int) -> list[T]:
        """Different ones of several, as many as asked or as there are."""
        left = list(choices)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """All of them in another order."""
        listed = list(items)
        return self.some(listed, len(listed))


def zipf(words: Sequence[str], offset: int = 8) -> list[str]:
    """A table to look draws up in: the word of rank r comes in proportion to 1 / (r + `offset`).

    Only whole numbers are reckoned with, so that no rounding of a machine shows.
    """
    weights = [1_000_000_000 // (rank + offset) for rank in range(1, len(words) + 1)]
    total = sum(weights)
    table: list[str] = []
    reached = 0
    for word, weight in zip(words, weights, strict=True):
        reached += weight
        table.extend([word] * (reached * DRAWS // total - len(table)))
    return table


def even(words: Sequence[str]) -> list[str]:
    """A table to look draws up in where each word comes as often as any other."""
    return [words[draw * len(words) >> 16] for draw in range(DRAWS)]
