"""Files that could not be read: how they are remembered, and what is told of them."""

from __future__ import annotations

import json

from fingerpost.stores.base import Changes, Skipped


def pending_note(pending: dict[str, Skipped]) -> str:
    """The files that must be read again though nothing says that they changed, as a note."""
    return json.dumps([(item.path, item.code, item.reason) for item in pending.values()], ensure_ascii=False)


def pending_in(note: str) -> dict[str, Skipped]:
    """The files that a note of `pending_note` is about."""
    items: list[tuple[str, str, str]] = json.loads(note or "[]")
    return {path: Skipped(path, code, reason) for path, code, reason in items}


def _with_path(item: Skipped) -> str:
    """Why something is not served, with its path, which many reasons name already."""
    return item.reason if repr(item.path) in item.reason else f"{item.path!r}: {item.reason}"


def trouble_of(changes: Changes, unreadable: list[str]) -> str:
    """What keeps the catalog from being the whole truth: an old state, folders or concepts not read."""
    if changes.trouble:
        return changes.trouble
    if not changes.complete:
        reasons = "; ".join(map(_with_path, changes.skipped[:3]))
        return f"Part of the store could not be listed. {reasons}".rstrip()
    if unreadable:
        return f"{len(unreadable)} known concepts could not be read again, first {min(unreadable)!r}."
    return ""
