"""The parts of a store's cursor, of which an index keeps each in a note of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fingerpost.stores.base import Changes, Cursor
from fingerpost.stores.cursor import split


def changed_parts(before: Mapping[str, str], held: Cursor | None, changes: Changes) -> dict[str, str]:
    """The parts that differ from those that an index holds; "" stands for one that is gone.

    Args:
        before: Those that it holds.
        held: The cursor that they were last known of.
        changes: What changed, with the cursor of now.
    """
    if changes.cursor is held:
        return {}
    now = changes.cursor.parts
    if held is not None and held.parts is before:
        places: Iterable[str] = {split(path)[0] for path in (*changes.changed, *changes.removed)}
    else:
        places = {**before, **now}
    return {place: now.get(place, "") for place in places if before.get(place, "") != now.get(place, "")}
