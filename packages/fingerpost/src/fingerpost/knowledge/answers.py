"""What the tools over knowledge bases answer with: records as text for the model and data for the application."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.records import Record
from fingerpost.tools import ToolResult
from fingerpost.tools.budget import fit_text
from fingerpost.tools.frame import frame

_AROUND = 600  # characters that the frame and what follows it may take


def records_answer(
    base: KnowledgeBase,
    rows: Sequence[Record],
    label: str,
    *,
    room: int,
    rest: Callable[[int], str],
    more: str = "",
) -> ToolResult:
    """Records as an answer; as many as there is room for.

    Args:
        base: Whose they are.
        rows: The records.
        label: What they are, for the line above them.
        room: How many characters the answer may take.
        rest: Says how to get the rest where only so many of them have room.
        more: How to get what comes after them, "" if nothing does.
    """
    shown, text = _fitting(base, rows, room - _AROUND, rest(1))
    if shown < len(rows):
        more = f"Only {shown} of {len(rows)} records have room here. {rest(shown)}"
    framed = frame(text, label)
    data = {"backend": base.backend_name, "records": [_plain_record(row) for row in rows[:shown]]}
    return ToolResult(data=data, text=f"{framed}\n{more}" if more else framed)


def _fitting(base: KnowledgeBase, rows: Sequence[Record], room: int, how: str) -> tuple[int, str]:
    """The most records that fit, at least one, and their text."""
    low, high = 1, len(rows)
    text = base.format_results(rows)
    if len(text) <= room:
        return len(rows), text
    while low < high:
        middle = (low + high + 1) // 2
        if len(base.format_results(rows[:middle])) <= room:
            low = middle
        else:
            high = middle - 1
    return low, fit_text(base.format_results(rows[:low]), room, how)


def _plain_record(row: Record) -> dict[str, Any]:
    metadata: Mapping[str, Any] = row.get("metadata") or {}
    return {"text": row.get("text", ""), "metadata": dict(metadata)}
