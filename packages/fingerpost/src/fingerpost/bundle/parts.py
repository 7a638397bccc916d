"""What a store says of its state: the parts of its cursor, of which an index keeps each in a note."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fingerpost.stores.base import Changes, Cursor
from fingerpost.stores.cursor import split


def is_nothing_new(changes: Changes, held: Cursor | None) -> bool:
    """Whether nothing has changed, which takes some microseconds to see.

    Args:
        changes: What a store says.
        held: The cursor that it was asked with.
    """
    return changes.cursor is held and not changes.changed and changes.complete and not changes.trouble


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
