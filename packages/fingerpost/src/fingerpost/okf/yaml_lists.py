"""Which items of a list stay, when another list takes its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from fingerpost.okf.yaml_text import Value

_COMPARED = 500


class Step(NamedTuple):
    """What happens at one place of a list.

    Attributes:
        old: Index of the old item that stays, changes or goes; None where a new one is put.
        new: Index of the new item; None where the old one goes.
    """

    old: int | None
    new: int | None


def steps(old: list[Value], new: list[Value]) -> Iterator[Step]:
    """The way from a list to another that keeps as many items as it can.

    Args:
        old: The list as it is.
        new: The list as it is to be.

    Yields:
        The steps, in the order of both lists.
    """
    before, after = ([json.dumps(item, sort_keys=True) for item in each] for each in (old, new))
    if len(before) > _COMPARED or len(after) > _COMPARED:
        yield from _paired(0, len(before), 0, len(after))
        return
    for _, start, end, new_start, new_end in SequenceMatcher(None, before, after, False).get_opcodes():
        yield from _paired(start, end, new_start, new_end)


def _paired(start: int, end: int, new_start: int, new_end: int) -> Iterator[Step]:
    """Each old item with the new one that takes its place, as far as both go."""
    both = min(end - start, new_end - new_start)
    yield from (Step(start + number, new_start + number) for number in range(both))
    yield from (Step(index, None) for index in range(start + both, end))
    yield from (Step(None, index) for index in range(new_start + both, new_end))
