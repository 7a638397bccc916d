"""What the tools over knowledge bases answer with: records as text for the model, and as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, cast

from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.records import Record, Records
from fingerpost.text.cutting import cut
from fingerpost.tools import ToolResult
from fingerpost.tools.budget import fit_text
from fingerpost.tools.frame import frame
from fingerpost.tools.pages import other_page_note, pages

_AROUND = 600  # characters that the frame and what follows it may take
_FURTHER = 80  # of them, for how many notes are left out
_MOST_STORED = 100
_NOTE = len("\nNote: ")


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
    notes = _in_short(rows.notes, room)
    page = rows[part.offset :]
    if not page:
        return ToolResult(data=_nothing(base, part, notes))
    room -= _AROUND + _length(notes)
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
    notes = _in_short(rows.notes, room)
    text = base.format_results(rows)
    spans = pages(text, room - _AROUND - _length(notes))
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


def stored_answer(
    base: KnowledgeBase, returned: Iterable[Record] | None, notes: Iterable[str] = ()
) -> ToolResult:
    """What was written, with the id and the revision of each record where they are known.

    Args:
        base: Where it was written.
        returned: What it returned. It is stored whatever this is, and must not be told as a failure.
        notes: What else is to be said.
    """
    name = base.backend_name
    rows = cast("object", returned)
    given = islice(cast("Iterable[object]", rows), _MOST_STORED) if isinstance(rows, Iterable) else ()
    every = [row.get("metadata") for row in map(_mapping, given)]
    stored: list[dict[str, Any]] = [
        {key: metadata[key] for key in ("id", "revision", "proposal") if metadata.get(key)}
        for metadata in map(_mapping, every)
    ]
    said = "; ".join(
        f"id {each['id']!r}" + (f", revision {each['revision']!r}" if "revision" in each else "")
        for each in stored
        if "id" in each
    )
    what = "Proposed to" if any("proposal" in each for each in stored) else "Stored in"
    text = f"{what} {name!r}" + (f" under {said}." if said else ".")
    told = (*(rows.notes if isinstance(rows, Records) else ()), *notes)
    return ToolResult(data={"backend": name, "stored": stored}, text=text, notes=told)


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _length(notes: Sequence[str]) -> int:
    """How many characters notes take below an answer."""
    return sum(len(note) + _NOTE for note in notes)


def _in_short(notes: Sequence[str], room: int) -> tuple[str, ...]:
    """As many notes as a quarter of an answer holds, and how many others there are."""
    left = room // 4 - _FURTHER
    kept: list[str] = []
    for note in notes:
        left -= len(note) + _NOTE
        if left < 0 and kept:
            break
        kept.append(note if left >= 0 else cut(note, left + len(note), at=" "))
    further = len(notes) - len(kept)
    if not further:
        return tuple(kept)
    told = "1 further note is" if further == 1 else f"{further} further notes are"
    return (*kept, f"{told} left out here; ask for less at a time.")


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
