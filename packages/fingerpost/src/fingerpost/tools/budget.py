"""Budgets: what is too long is cut before it is written, and the answer says what and how to get it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, cast

from fingerpost.text.cutting import cut
from fingerpost.tools.pages import fitting_head, written_length
from fingerpost.tools.plain import to_json

LISTING_CHARS = 6_000
"""What a listing may take: an index page, search hits."""
READING_CHARS = 20_000
"""What a reading may take: one document."""
LEAST_CHARS = 200
"""The smallest budget a tool can have: room for one sentence."""

_HOW = "Ask for less at a time."
_MOST_ENTRIES = 5
_RESERVES = (250, 900)  # room kept for "left_out": what one entry takes, and what five take
_WHOLE = "(the whole answer)"
_LEAST_STRING = 400
_SEPARATOR = 2  # ", " between elements, and ": " behind a key
_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class Cut:
    """A field that may be cut when an answer is too long.

    Attributes:
        field: Its key in the answer; for an answer that is a text, any name.
        how: One sentence that says how to get what was left out.
    """

    field: str
    how: str


@dataclass(frozen=True, slots=True)
class _Loss:
    """What was cut from one field; equal fields of many rows are counted together."""

    shown: int
    total: int
    how: str = _HOW


@dataclass(slots=True)
class _Losses:
    by_field: dict[str, _Loss] = field(default_factory=dict[str, "_Loss"])

    def add(self, path: str, shown: int, total: int, how: str = _HOW) -> None:
        name = _INDEX.sub("[]", path) or _WHOLE
        known = self.by_field.get(name)
        if known is None:
            self.by_field[name] = _Loss(shown, total, how)
        elif "[]" in name:
            self.by_field[name] = _Loss(known.shown + shown, known.total + total, known.how)
        else:
            self.by_field[name] = _Loss(min(shown, known.total), known.total, known.how)

    def entries(self) -> list[dict[str, Any]]:
        return [
            {"field": name, "shown": loss.shown, "total": loss.total, "how": loss.how}
            for name, loss in self.by_field.items()
        ]


def fit(data: Any, max_chars: int, cuts: Sequence[Cut] = ()) -> tuple[Any, list[dict[str, Any]]]:
    """Cut plain data so that its JSON text has at most `max_chars` characters.

    Declared fields go first, in declared order, each down to a quarter of the budget and only then further;
    what is still too long is cut wherever it is largest, at any depth: texts at a line or a blank, lists and
    objects by their tail.

    Args:
        data: Plain JSON data; it is not changed.
        max_chars: The budget, at least `LEAST_CHARS`.
        cuts: The fields to cut first.

    Returns:
        The data that fits, and what was left out: a list of `{"field", "shown", "total", "how"}` (characters
        of a text, elements of a list, keys of an object) that is also in the data, under "left_out". Data
        that is no object becomes `{"result": data}` when it has to be cut.
    """
    size = len(to_json(data))
    if size <= max_chars:
        return data, []
    members = dict(cast("dict[str, Any]", data)) if isinstance(data, dict) else {"result": data}
    losses = _Losses()
    for floor in (max_chars // 4, 0):
        for declared in cuts:
            if declared.field in members and _size_with(members, losses) > max_chars:
                _cut_field(members, declared, floor, max_chars, losses)
    return _fit_anywhere(members, max_chars, losses)


def fit_text(text: str, max_chars: int, how: str = _HOW) -> str:
    """Cut a text to at most `max_chars` characters, with a closing line that says what was left out.

    Args:
        text: The text.
        max_chars: The budget, at least `LEAST_CHARS`.
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


def _cut_field(members: dict[str, Any], declared: Cut, floor: int, max_chars: int, losses: _Losses) -> None:
    """Cut one field by what the whole is too long, but not below `floor` characters."""
    value = members[declared.field]
    total = _total(value)
    known = losses.by_field.get(declared.field)
    loss = _Loss(total, known.total if known else total, declared.how)
    expected = _Losses({**losses.by_field, declared.field: loss})
    excess = _size_with(members, expected) - max_chars
    size = len(to_json(value))
    allowed = max(size - excess, floor)
    if allowed >= size or not isinstance(value, (str, list, dict)):
        return
    shortened = _head(value, allowed)
    if _total(shortened) == total:
        return
    members[declared.field] = shortened
    losses.add(declared.field, _total(shortened), total, declared.how)


def _size_with(members: dict[str, Any], losses: _Losses) -> int:
    """How many characters the members take together with what will be said of the losses."""
    entries = losses.entries()
    return len(to_json({**members, "left_out": entries} if entries else members))


def _total(value: Any) -> int:
    return len(cast("list[Any]", value)) if isinstance(value, (str, list, dict)) else 1


def _head(value: Any, allowed: int) -> Any:
    """The part of a text, a list or an object that fits, elements kept whole."""
    if isinstance(value, str):
        return fitting_head(value, allowed - 2)
    pairs = _pairs(value, allowed)
    kept: list[tuple[str, Any]] = []
    room = allowed - 2
    for key, member in pairs:
        room -= len(to_json(member)) + _key_length(key, value) + (_SEPARATOR if kept else 0)
        if room < 0:
            break
        kept.append((key, member))
    return _rebuilt(value, kept)


def _pairs(value: Any, allowed: int) -> list[tuple[str, Any]]:
    """The members that could fit at all, with their keys."""
    most = allowed // _SEPARATOR + 1
    if isinstance(value, dict):
        return list(islice(cast("dict[str, Any]", value).items(), most))
    return [(f"[{index}]", member) for index, member in enumerate(islice(cast("list[Any]", value), most))]


def _rebuilt(value: Any, pairs: list[tuple[str, Any]]) -> Any:
    return dict(pairs) if isinstance(value, dict) else [member for _, member in pairs]


def _key_length(key: str, container: Any) -> int:
    return written_length(key) + 2 + _SEPARATOR if isinstance(container, dict) else 0


def _fit_anywhere(
    members: dict[str, Any], max_chars: int, losses: _Losses
) -> tuple[Any, list[dict[str, Any]]]:
    """The members with their "left_out", cut further wherever they are largest until the whole fits."""
    declared = losses.entries()
    whole = {**members, "left_out": declared} if declared else members
    if len(to_json(whole)) <= max_chars:
        return whole, declared
    shrunk = members
    left_out: list[dict[str, Any]] = []
    for reserve in _RESERVES:
        further = _Losses(dict(losses.by_field))
        shrunk = cast(
            "dict[str, Any]", _shrunk(members, max_chars - min(reserve, max_chars // 2), "", further)
        )
        room = max_chars - len(to_json({**shrunk, "left_out": []}))
        entries = further.entries()
        left_out = _fitting(entries, room)
        if len(left_out) == len(entries):
            break
    return {**shrunk, "left_out": left_out}, left_out


def _fitting(entries: list[dict[str, Any]], room: int) -> list[dict[str, Any]]:
    """The first few entries that fit into the room."""
    kept: list[dict[str, Any]] = []
    for entry in entries[:_MOST_ENTRIES]:
        if len(to_json([*kept, entry])) - 2 <= room:
            kept.append(entry)
    return kept


def _shrunk(value: Any, allowed: int, path: str, losses: _Losses) -> Any:
    """A value cut to `allowed` characters of JSON: its largest parts to one common level, then its tail."""
    size = len(to_json(value))
    if size <= allowed:
        return value
    if isinstance(value, str):
        head = fitting_head(value, allowed - 2)
        losses.add(path, len(head), len(value))
        return head
    if not isinstance(value, (list, dict)):
        return None
    pairs = _pairs(value, allowed)
    keys = [_key_length(key, value) for key, _ in pairs]
    is_single = _total(value) == 1
    sizes = [size - 2 - keys[0]] if is_single else [len(to_json(member)) for _, member in pairs]
    room = allowed - 2
    level = _level(sizes, room - sum(keys) - _SEPARATOR * (len(pairs) - 1))
    level = max(level, min(_LEAST_STRING, room // 2))
    kept: list[tuple[str, Any]] = []
    for (key, member), key_size, member_size in zip(pairs, keys, sizes, strict=True):
        left = room - key_size - (_SEPARATOR if kept else 0)
        if left < 1:
            break
        part, part_size = member, member_size
        if member_size > min(level, left):
            is_tail = member_size <= level or left < min(level, _LEAST_STRING)
            if kept and is_tail:
                break
            reached = f"{path}{key}" if key.startswith("[") or not path else f"{path}.{key}"
            reached = reached or '""'
            part = _shrunk(member, min(level, left), reached, losses)
            part_size = len(to_json(part))
        if part_size > left:
            break
        kept.append((key, part))
        room = left - part_size
    if len(kept) < _total(value):
        losses.add(path, len(kept), _total(value))
    return _rebuilt(value, kept)


def _level(sizes: list[int], room: int) -> int:
    """The largest level such that the sizes, each cut to it, fit into the room; 0 when none does."""
    rising = sorted(sizes)
    for position, size in enumerate(rising):
        share = room // (len(rising) - position) if room > 0 else 0
        if size > share:
            return max(share, 0)
        room -= size
    return rising[-1] if rising else 0
