"""Edit distance, counted only as far as anyone asks."""

from __future__ import annotations


def distance(a: str, b: str, limit: int) -> int:
    """How many edits turn `a` into `b`: insert, delete, replace one character, or swap two neighbours.

    A swap counts as one edit, and no place is edited twice (optimal string alignment).

    Args:
        a: One word.
        b: The other word.
        limit: The largest distance of interest; work is bounded by `limit * len(word)`.

    Returns:
        The distance, or `limit + 1` when it is larger than `limit`.
    """
    if a == b:
        return 0
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    a, b = _without_common_ends(a, b)
    if len(a) > len(b):
        a, b = b, a
    if not a:
        return len(b)
    return _banded(a, b, limit)


def _without_common_ends(a: str, b: str) -> tuple[str, str]:
    shortest = min(len(a), len(b))
    start = 0
    while start < shortest and a[start] == b[start]:
        start += 1
    tail = 0
    while tail < shortest - start and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    return a[start : len(a) - tail], b[start : len(b) - tail]


def _banded(a: str, b: str, limit: int) -> int:
    """The distance over a band of the table: cells further than `limit` from the diagonal cannot matter."""
    beyond = limit + 1
    before_last: list[int] = []
    last = [column if column <= limit else beyond for column in range(len(a) + 1)]
    for row, character in enumerate(b, start=1):
        current = [beyond] * (len(a) + 1)
        if row <= limit:
            current[0] = row
        first = max(1, row - limit)
        for column in range(first, min(len(a), row + limit) + 1):
            cost = 0 if a[column - 1] == character else 1
            best = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + cost)
            if row > 1 and column > 1 and character == a[column - 2] and b[row - 2] == a[column - 1]:
                best = min(best, before_last[column - 2] + 1)
            current[column] = min(best, beyond)
        if min(current) > limit:
            return beyond
        before_last, last = last, current
    return last[-1]
