"""Changes to one member of a JSON text that leave every other byte of it as it is."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_BLANK = re.compile(r"[ \t\r\n]*")
_FIRST_INDENT = re.compile(r"\n([ \t]+)\S")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: its key, and where the key starts and the value starts and ends."""

    key: str
    start: int
    value: int
    end: int


def put(text: str, keys: tuple[str, ...], value: Any) -> str:
    """Set a member, and make the objects that lead to it where they are missing.

    Args:
        text: A JSON object.
        keys: The keys that lead to the member.
        value: What to set.

    Returns:
        The text; a new member comes first in its object.
    """
    start = end = _skip(text, 0)
    for depth, key in enumerate(keys):
        found = _last(_members(text, start), key)
        if found is None:
            for missing in reversed(keys[depth + 1 :]):
                value = {missing: value}
            return _with_first(text, start, key, value)
        start, end = found.value, found.end
    return text[:start] + _written(value, text, _indent_at(text, start)) + text[end:]


def take_out(text: str, keys: tuple[str, ...]) -> str:
    """Remove a member that is there; the objects that lead to it stay."""
    start = _skip(text, 0)
    for key in keys[:-1]:
        start = next(member.value for member in reversed(_members(text, start)) if member.key == key)
    members = _members(text, start)
    place = max(number for number, member in enumerate(members) if member.key == keys[-1])
    if place + 1 < len(members):
        return text[: members[place].start] + text[members[place + 1].start :]
    if place:
        return text[: members[place - 1].end] + text[members[place].end :]
    return text[: start + 1] + text[_skip(text, members[place].end) :]


def _with_first(text: str, start: int, key: str, value: Any) -> str:
    """The text with a new first member in the object that starts here, laid out like the one after it."""
    members, own = _members(text, start), _indent_at(text, start)
    if members:
        lead = text[start + 1 : members[0].start]
        closing, goes_on = f",{lead or ' '}", members[0].start
    else:
        lead = f"{_newline(text)}{own}{_step(text)}"
        closing, goes_on = f"{_newline(text)}{own}", _skip(text, start + 1)
    indent = lead.rpartition("\n")[2] if "\n" in lead else None
    member = f"{json.dumps(key, ensure_ascii=False)}: {_written(value, text, indent)}"
    return text[: start + 1] + lead + member + closing + text[goes_on:]


def _written(value: Any, text: str, indent: str | None) -> str:
    """A value as JSON; on one line if there is no indentation to follow."""
    if indent is None:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_step(text)).split("\n")
    return f"{_newline(text)}{indent}".join(lines)


def _last(members: list[_Member], key: str) -> _Member | None:
    """The member that counts among those of one key."""
    return next((member for member in reversed(members) if member.key == key), None)


def _members(text: str, start: int) -> list[_Member]:
    """The members of the object that starts here, in a text that is known to be JSON."""
    members: list[_Member] = []
    position = _skip(text, start + 1)
    while text[position] != "}":
        key, after_key = _DECODER.raw_decode(text, position)
        value = _skip(text, _skip(text, after_key) + 1)
        end = _DECODER.raw_decode(text, value)[1]
        members.append(_Member(key, position, value, end))
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return members


def _skip(text: str, position: int) -> int:
    blank = _BLANK.match(text, position)
    return blank.end() if blank else position


def _indent_at(text: str, position: int) -> str:
    """The indentation of the line of a position."""
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    """One step of indentation: that of the first line that has one."""
    return (_FIRST_INDENT.findall(text) or ["  "])[0]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
