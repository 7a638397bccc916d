"""Reads at once the frontmatter that is spelt as most of it is, and declines any other.

It takes what `yaml_lines` takes where each value stands on one line, or is a list or a mapping below its key
whose entries all have one form. A few patterns see to that; then blanks, commas and colons can be cut at.
It answers with the values alone. Where they stand is hardly ever asked, and takes longer to find out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from fingerpost.okf.yaml_lines import (
    KEY,
    PLAIN,
    PLAIN_IN_BRACKETS,
    QUOTED,
    is_readable,
    unquoted,
)
from fingerpost.okf.yaml_text import NULLS, Value

_QUOTES = "'\""
_SCALAR = rf"(?:{PLAIN}|{QUOTED})"
_FIELD = rf"{KEY}: {_SCALAR}"
_ITEMS = rf"{PLAIN_IN_BRACKETS}(?:, {PLAIN_IN_BRACKETS})*+"
_PAIRS = rf"{KEY}: {PLAIN_IN_BRACKETS}(?:, {KEY}: {PLAIN_IN_BRACKETS})*+"
_ENTRY = re.compile(
    rf"({KEY}):(?: (?:({PLAIN})|({QUOTED})|\[ *+({_ITEMS})\]|\{{ *+({_PAIRS})\}})|((?:\n[ -][^\n]++)*+))\n"
    r"|([^\n]*+\n)"
)
_UNCLOSED = re.compile(rf"(?:{KEY}: {_SCALAR}\n)*+{KEY}: (?:\[[^\]]*+|\{{[^}}]*+)")


class _DeclinedError(Exception):
    """What is written may mean something else than it seems to."""


def read_plain(text: str) -> dict[str, Value] | None:
    """Read a YAML mapping of the commonest spelling.

    Args:
        text: The YAML, with any line endings.

    Returns:
        The `value` of what `read_lines` answers for it, or None when that has to be asked.
    """
    if not text.endswith("\n") or " \n" in text or not is_readable(text):
        return None
    values: dict[str, Value] = {}
    found = _ENTRY.findall(text)
    try:
        for key, plain, quote, items, pairs, below, other in found:
            if plain:
                values[key] = None if plain in NULLS else plain
            elif items:
                values[key] = _items(_in_brackets(items))
            elif pairs:
                values[key] = _pairs(pairs)
            elif below:
                values[key] = _below(below)
            elif other:
                return None
            else:
                values[key] = unquoted(quote) if quote else None
    except _DeclinedError:
        return None
    return values if found and len(values) == len(found) else None


def is_unclosed(text: str) -> bool:
    """Whether the parser is sure to refuse a text, since a bracket is opened at a key and nothing closes it.

    That is how lists are most often broken. To know it saves whoever need not say why the import of YAML.
    """
    return _UNCLOSED.fullmatch(text) is not None


def _below(lines: str) -> Value:
    """What stands on the lines below a key."""
    for pattern, read in _SHAPES:
        alike = pattern.fullmatch(lines)
        if alike is not None:
            return read(lines, alike[1])
    raise _DeclinedError


def _list(lines: str, start: str) -> Value:
    return _items(lines[len(start) :].split(start))


def _list_of_brackets(lines: str, start: str) -> Value:
    return [_pairs(each[1:-1].lstrip(" ")) for each in lines[len(start) :].split(start)]


def _list_of_mappings(lines: str, start: str) -> Value:
    dash, blanks = f"{start}- ", f"{start}  "
    return [_fields(each.split(blanks)) for each in lines[len(dash) :].split(dash)]


def _mapping(lines: str, start: str) -> Value:
    return _fields(lines[len(start) :].split(start))


def _pairs(written: str) -> Value:
    return _fields(_in_brackets(written))


def _in_brackets(written: str) -> list[str]:
    if " ," in written:
        raise _DeclinedError
    return written.rstrip(" ").split(", ")


def _fields(written: list[str]) -> Value:
    pairs = [each.split(": ", 1) for each in written]
    values = {key: unquoted(value) if value[0] in _QUOTES else value for key, value in pairs}
    if len(values) < len(pairs) or not NULLS.isdisjoint(values.values()):
        raise _DeclinedError
    return cast("dict[str, Value]", values)


def _items(written: list[str]) -> Value:
    values = [unquoted(value) if value[0] in _QUOTES else value for value in written]
    if not NULLS.isdisjoint(values):
        raise _DeclinedError
    return cast("list[Value]", values)


_SHAPES: tuple[tuple[re.Pattern[str], Callable[[str, str], Value]], ...] = (
    (re.compile(rf"(\n {{0,8}}+- ){_SCALAR}(?:\1{_SCALAR})*+"), _list),
    (re.compile(rf"(\n {{0,8}}+- )\{{ *+{_PAIRS}\}}(?:\1\{{ *+{_PAIRS}\}})*+"), _list_of_brackets),
    (re.compile(rf"(\n {{0,8}}+)- {_FIELD}(?:\1(?:- |  ){_FIELD})*+"), _list_of_mappings),
    (re.compile(rf"(\n {{1,8}}+){_FIELD}(?:\1{_FIELD})*+"), _mapping),
)
"""The forms that the lines of a list or of a mapping have, after what the first of them begins with."""
