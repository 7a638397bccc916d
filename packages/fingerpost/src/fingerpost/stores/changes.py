"""What changed in a store between two looks at it, and what lies in it unserved."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from fingerpost.stores.cursor import Cursor, difference


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that lies in the store and is not served.

    Attributes:
        path: Where it lies, "" when the entry sums up several places.
        code: The rule it falls under, "OKF401" to "OKF406".
        reason: One sentence that says what was found.
        count: How many files or folders the entry stands for.
    """

    path: str
    code: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed in a store since a cursor.

    Attributes:
        cursor: The state now, to be passed to the next call.
        changed: Sorted paths that are new, or whose content may differ.
        removed: Sorted paths that are known to be gone.
        complete: False when some folder could not be listed. What was known below it stays in the cursor and
            is not in `removed`, so that a permission error or a failing disk never looks like a deletion; but
            a path that was never seen may exist there, so its absence proves nothing.
        skipped: What lies in the store and is not served.
        trouble: Why this may not be how things are now, "" when it is.
    """

    cursor: Cursor
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    complete: bool = True
    skipped: tuple[Skipped, ...] = ()
    trouble: str = ""


def changes_since(
    before: Cursor | None,
    now: Cursor,
    unread: Collection[str] = (),
    skipped: tuple[Skipped, ...] = (),
    *,
    complete: bool = True,
) -> Changes:
    """What changed between two states of a store.

    Args:
        before: The earlier state; None when there is none, so that every file is reported.
        now: The later state.
        unread: Files and folders that could not be examined: what was known of them still holds.
        skipped: What lies in the store and is not served.
        complete: Whether every folder could be listed.
    """
    found = difference(Cursor() if before is None else before, now.parts, unread)
    changed, removed = sorted(found.changed), sorted(found.removed)
    return Changes(found.cursor, tuple(changed), tuple(removed), complete, skipped)
