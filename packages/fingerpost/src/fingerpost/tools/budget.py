"""Budgets: what is too long is cut before it is written, and the answer says what and how to get it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from fingerpost.errors import ConfigError
from fingerpost.text.cutting import cut
from fingerpost.tools.losses import HOW, LEAST_ROOM, Loss, Losses
from fingerpost.tools.plain import to_json
from fingerpost.tools.shrinking import first_elements, least, shrunk

LISTING_CHARS = 6_000
"""What a listing may take: an index page, search hits."""
READING_CHARS = 20_000
"""What a reading may take: one document."""
LEAST_CHARS = 2_000
"""The smallest budget a tool can have: room for the short fields of an answer, for a part of its longest
text, and for what is said of the rest."""

_RESERVES = (250, 900)  # room kept for "left_out": what one entry takes, and what five take


@dataclass(frozen=True, slots=True)
class Cut:
    """A field that may be cut when an answer is too long.

    Attributes:
        field: Its key in the answer; for an answer that is a text, any name.
        how: One sentence that says how to get what was left out.
    """

    field: str
    how: str


def check_budget(max_chars: int, owner: str = "An answer") -> int:
    """Check how long the answers of a tool may be.

    Args:
        max_chars: The budget, in characters.
        owner: Whose it is, for the start of the sentence ('The tool "kb_read"').

    Returns:
        The budget.

    Raises:
        ConfigError: It is less than `LEAST_CHARS`.
    """
    if max_chars < LEAST_CHARS:
        raise ConfigError(
            f"{owner} has max_chars={max_chars}, which is too little to be of use; allow {LEAST_CHARS:,} or "
            "more."
        )
    return max_chars


def fit(data: Any, max_chars: int, cuts: Sequence[Cut] = ()) -> tuple[Any, list[dict[str, Any]]]:
    """Cut plain data so that its JSON text has at most `max_chars` characters.

    Declared fields go first, in declared order, each down to a quarter of the budget and only then further:
    a text down to an eighth, an object to its short members, a list to nothing. What is still too long is cut
    wherever it is largest, at any depth: texts at a line or a blank, lists by their tail. Short values and
    keys are what is kept longest.

    Args:
        data: Plain JSON data; it is not changed.
        max_chars: The budget, at least 500.
        cuts: The fields to cut first.

    Returns:
        The data that fits, and what was left out: a list of `{"field", "shown", "total", "how"}` (characters
        of a text, elements of a list, keys of an object) that is also in the data, under "left_out". It is
        empty only when nothing was left out, and begins with what the data itself says of an earlier cut.
        Data that is no object becomes `{"result": data}` when it has to be cut.
    """
    if len(to_json(data)) <= max_chars:
        return data, []
    whole: dict[str, Any] = dict(cast("dict[str, Any]", data)) if isinstance(data, dict) else {"result": data}
    said = losses = Losses.read(whole.pop("left_out", []))
    members = dict(whole)
    for is_last in (False, True):
        for declared in cuts:
            if declared.field in members and _size_with(members, losses, max_chars) > max_chars:
                floor = _floor(whole[declared.field], max_chars, is_last=is_last)
                members[declared.field] = whole[declared.field]
                losses = losses.without(declared.field).joined(said.within(declared.field))
                losses = _cut_field(members, declared, floor, max_chars, losses)
    return _fit_anywhere(members, max_chars, losses)


def fit_text(text: str, max_chars: int, how: str = HOW) -> str:
    """Cut a text to at most `max_chars` characters, with a closing line that says what was left out.

    Args:
        text: The text.
        max_chars: The budget, at least 500.
        how: One sentence that says how to get the rest.

    Returns:
        The text, or its head and the closing line.
    """
    if len(text) <= max_chars:
        return text
    total = f"{len(text):,}"
    how = cut(how, max_chars // 3, at=" ")
    template = "\n\n(Cut here: {} of {} characters are shown. {})"
    head = cut(text, max_chars - len(template.format(total, total, how)))
    return head + template.format(f"{len(head):,}", total, how)


def _floor(value: Any, max_chars: int, *, is_last: bool) -> int:
    """How many characters a declared field keeps: a quarter of the budget, and in the end what is of use."""
    if not is_last:
        return max_chars // 4
    return max_chars // 8 if isinstance(value, str) else least(value)


def _cut_field(members: dict[str, Any], declared: Cut, floor: int, max_chars: int, losses: Losses) -> Losses:
    """Cut one field by what the whole is too long, but not below `floor` characters; the losses then."""
    value = members[declared.field]
    then = losses.joined(Losses({declared.field: Loss(0, len(to_json(value)), declared.how)}))
    for _ in range(2):  # the second time, what will be said of the cut is known
        excess = _size_with({**members, declared.field: value}, then, max_chars) - max_chars
        allowed = max(len(to_json(value)) - excess, floor)
        found = Losses()
        if isinstance(value, list):
            elements = cast("list[Any]", value)
            members[declared.field] = first_elements(elements, allowed, declared.field, found)
        else:
            members[declared.field] = shrunk(value, allowed, declared.field, found)
        then = losses.joined(found.advised(declared.how))
        if _size_with(members, then, max_chars) <= max_chars:
            break
    return then


def _size_with(members: dict[str, Any], losses: Losses, max_chars: int) -> int:
    """How many characters the members take together with what will be said of the losses."""
    told = losses.told(_most_told(max_chars))
    return len(to_json({**members, "left_out": told} if told else members))


def _most_told(max_chars: int) -> int:
    return max(max_chars // 4, LEAST_ROOM)


def _fit_anywhere(
    members: dict[str, Any], max_chars: int, losses: Losses
) -> tuple[Any, list[dict[str, Any]]]:
    """The members with their "left_out", cut further wherever they are largest until the whole fits."""
    fitted, left_out, is_fitting = _with_left_out(members, max_chars, losses)
    if is_fitting:
        return fitted, left_out
    most = _most_told(max_chars)
    for reserve in sorted({min(reserve, most) for reserve in (*_RESERVES, most)}):
        further = losses.joined(Losses())
        cut_members = shrunk(members, max_chars - reserve, "", further)
        fitted, left_out, is_fitting = _with_left_out(cut_members, max_chars, further)
        if is_fitting and left_out == further.told(sys.maxsize):
            break
    return fitted, left_out


def _with_left_out(
    members: dict[str, Any], max_chars: int, losses: Losses
) -> tuple[dict[str, Any], list[dict[str, Any]], bool]:
    """The members with what was lost of them, that alone, and whether all of it fits."""
    room = max_chars - len(to_json({**members, "left_out": []})) + len("[]")
    left_out = losses.told(room)
    return {**members, "left_out": left_out}, left_out, len(to_json(left_out)) <= room
