"""What an answer says of what was cut from it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, cast

from fingerpost.tools.pages import fitting_head
from fingerpost.tools.plain import to_json

HOW = "Ask for less at a time."
LEAST_ROOM = 240
"""What the shortest report may take, in characters of JSON: one field, and how many others there are."""

_MOST_ENTRIES = 5
_LONGEST_NAME = 80
_MOST_COUNTED = 10**12
_WHOLE = "(the whole answer)"
_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Loss:
    """What was cut from one field; equal fields of many rows are counted together.

    Attributes:
        shown: How many characters, elements or keys the answer has.
        total: How many there are.
        how: One sentence that says how to get the rest.
    """

    shown: int
    total: int
    how: str = HOW


@dataclass(slots=True)
class Losses:
    """Everything that was cut from one answer, by field, in the order of cutting."""

    by_field: dict[str, Loss] = field(default_factory=dict[str, Loss])

    def add(self, path: str, shown: int, total: int, how: str = HOW) -> None:
        """Add one loss.

        Args:
            path: Where it is: "body", "links[3].title"; "" for the whole answer.
            shown: What the answer has.
            total: What there was before this cut; an earlier cut of the same field knows better.
            how: How to get the rest; an earlier cut of the same field knows better.
        """
        name = _INDEX.sub("[]", path) or _WHOLE
        known = self.by_field.get(name)
        if known is None:
            self.by_field[name] = Loss(shown, total, how)
        elif "[]" in name:
            self.by_field[name] = Loss(known.shown + shown, known.total + total, known.how)
        else:
            self.by_field[name] = Loss(min(shown, known.total), known.total, known.how)

    @classmethod
    def read(cls, told: object) -> Losses:
        """The losses that an answer lists already; what is no such list is itself lost to the new one."""
        found = cls()
        for entry in cast("list[Any]", told) if isinstance(told, list) else [told]:
            match entry:
                case {"field": str(name), "shown": int(shown), "total": int(total), "how": str(how)} if (
                    0 <= shown <= total <= _MOST_COUNTED
                ):
                    found.by_field[name] = Loss(shown, total, how)
                case _:
                    return cls({"left_out": Loss(0, 1)})
        return found

    def joined(self, others: Losses) -> Losses:
        """These losses and then others, as new ones."""
        both = Losses(dict(self.by_field))
        for path, loss in others.by_field.items():
            both.add(path, loss.shown, loss.total, loss.how)
        return both

    def advised(self, how: str) -> Losses:
        """These losses with one advice for all."""
        return Losses({path: Loss(loss.shown, loss.total, how) for path, loss in self.by_field.items()})

    def within(self, name: str) -> Losses:
        """The losses of one top-level field."""
        parts = (f"{name}.", f"{name}[")
        by_field = self.by_field.items()
        return Losses({path: loss for path, loss in by_field if path == name or path.startswith(parts)})

    def without(self, name: str) -> Losses:
        """The losses of all other fields."""
        inner = self.within(name).by_field
        return Losses({path: loss for path, loss in self.by_field.items() if path not in inner})

    def told(self, room: int) -> list[dict[str, Any]]:
        """The losses as an answer lists them.

        Where the room is short, the last entries go without advice; where it is shorter still, they become
        one entry that says how many there are. There is always one, if anything was lost.

        Args:
            room: How many characters of JSON the list may take; no less than `LEAST_ROOM` are used.

        Returns:
            Entries `{"field", "shown", "total", "how"}`.
        """
        found = list(self.by_field.items())
        told: list[dict[str, Any]] = []
        for count in range(min(len(found), _MOST_ENTRIES), 0, -1):
            for advised in range(count, -1, -1):
                told = [
                    _entry(name, loss.shown, loss.total, loss.how if position < advised else "")
                    for position, (name, loss) in enumerate(found[:count])
                ]
                others = len(found) - count
                if others:
                    told.append(_entry(f"({others} more)", 0, others, ""))
                if len(to_json(told)) <= room:
                    return told
        return told


def _entry(name: str, shown: int, total: int, how: str) -> dict[str, Any]:
    head = fitting_head(name, _LONGEST_NAME)
    return {"field": head if head == name else f"{head}…", "shown": shown, "total": total, "how": how}
