"""What the tools over knowledge bases answer with: records as text for the model, and as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.records import Record, Records
from fingerpost.tools import ToolResult
from fingerpost.tools.budget import fit_text
from fingerpost.tools.frame import frame
from fingerpost.tools.pages import other_page_note, pages

_AROUND = 600  # characters that the frame and what follows it may take


def taken(returned: Iterable[Record] | None, most: int | None = None) -> Records:
    """What a knowledge base returned, and no more of it than was asked for, also where it would never end.

    Args:
        returned: The records.
        most: The most of them; None for all.
    """
    rows = () if returned is None else returned
    if isinstance(rows, Records):
        return Records(rows[:most], rows.total, rows.notes)
    return Records(islice(rows, most))


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a list of records that was asked for.

    Attributes:
        limit: The most records.
        offset: How many were to be passed over.
        where: What they were looked for by, for the sentence that says that there are none.
    """

    limit: int
    offset: int
    where: str

    @property
    def end(self) -> int:
        """How many records there have to be for all of it."""
        return self.offset + self.limit

    def further(self, shown: int) -> str:
        """How to get what follows so many of its records."""
        return f"Call again with offset={self.offset + shown}."

    def more(self, shown: int, total: int | None) -> str:
        """What follows so many of its records, "" for nothing."""
        if total is None:
            return f"There may be more. {self.further(shown)}" if shown == self.limit else ""
        return f"{total} in all. {self.further(shown)}" if self.offset + shown < total else ""


def list_answer(base: KnowledgeBase, returned: Iterable[Record] | None, part: Part, room: int) -> ToolResult:
    """A part of some records, as much of it as there is room for, and how to get the rest.

    Args:
        base: Whose they are.
        returned: The records from the first on, those to be passed over too.
        part: The part.
        room: How many characters the answer may take.
    """
    rows = taken(returned, part.end)
    notes = rows.notes
    page = rows[part.offset :]
    if not page:
        return ToolResult(data=_nothing(base, part, notes))
    room -= _AROUND + sum(map(len, notes))
    shown, text = _fitting(base, page, room)
    more = part.more(shown, rows.total)
    if shown < len(page):
        more = f"Only {shown} of {len(page)} records have room here. {part.further(shown)}"
    framed = frame(text, f"From {base.backend_name}")
    data = {"backend": base.backend_name, "records": [_plain_record(row) for row in page[:shown]]}
    return ToolResult(data=data, text=f"{framed}\n{more}" if more else framed, notes=notes)


def text_answer(base: KnowledgeBase, rows: Records, page: int, room: int) -> ToolResult:
    """Whole records, in pages where they are long.

    Args:
        base: Whose they are.
        rows: The records.
        page: Which page is wanted, from 1.
        room: How many characters the answer may take.
    """
    notes = rows.notes
    text = base.format_results(rows)
    spans = pages(text, room - _AROUND - sum(map(len, notes)))
    number = min(max(1, page), len(spans))
    start, end = spans[number - 1]
    notes = tuple(filter(None, (*notes, other_page_note(page, number))))
    data: dict[str, Any] = {"backend": base.backend_name, "records": [_plain_record(row) for row in rows]}
    label = f"Records of {base.backend_name}"
    if len(spans) == 1:
        return ToolResult(data=data, text=frame(text, label), notes=notes)
    data = {"backend": base.backend_name, "page": number, "pages": len(spans), "text": text[start:end]}
    more = f"\nThe text goes on: call again with page={number + 1}." if number < len(spans) else ""
    framed = frame(text[start:end], f"{label}, page {number} of {len(spans)}")
    return ToolResult(data=data, text=f"{framed}{more}", notes=notes)


def _nothing(base: KnowledgeBase, part: Part, notes: Sequence[str]) -> dict[str, Any]:
    """What to say where there is nothing, which is no error."""
    where = f"after the first {part.offset}" if part.offset else part.where
    said = " ".join(notes) or "Try other words or another knowledge base, and do not invent an answer."
    return {
        "backend": base.backend_name,
        "records": [],
        "message": f"The knowledge base {base.backend_name!r} has nothing {where}. {said}",
    }


def _fitting(base: KnowledgeBase, rows: Sequence[Record], room: int) -> tuple[int, str]:
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
    whole = (
        "fetch_kb reads it whole." if base.capabilities.fetch else "The knowledge base shows no more of it."
    )
    return low, fit_text(base.format_results(rows[:low]), room, whole)


def _plain_record(row: Record) -> dict[str, Any]:
    metadata: Mapping[str, Any] = row.get("metadata") or {}
    return {"text": row.get("text", ""), "metadata": dict(metadata)}
