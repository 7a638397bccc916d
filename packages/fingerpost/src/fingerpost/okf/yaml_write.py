"""How a value is written as YAML, so that every reader gets back the very text.

Quotes stand where they are needed and nowhere else: where YAML would take the text for something of its own,
and where a reader of YAML 1.1 or 1.2 would turn it into a number, a date, a boolean or nothing.
"""

from __future__ import annotations

import re
from typing import Literal, cast

from fingerpost.errors import ConceptError
from fingerpost.okf.yaml_lines import PLAIN, PLAIN_IN_BRACKETS
from fingerpost.okf.yaml_text import DEPTH_CAP, Value

Kind = Literal["text", "null", "boolean", "number", "date"]
"""What a plain scalar is to a reader that types its values."""

_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("null", re.compile(r"~|null|", re.IGNORECASE)),
    ("boolean", re.compile(r"y|n|yes|no|on|off|true|false", re.IGNORECASE)),
    (
        "number",
        re.compile(
            r"[-+]?(?:0b[01_]+|0x[0-9a-f_]+|0o[0-7_]+"
            r"|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"
            r"|(?:[0-9][0-9_,]*(?:\.[0-9_]*)?|\.[0-9_]+)(?:e[-+]?[0-9]+)?"
            r"|\.inf)|\.nan",
            re.IGNORECASE,
        ),
    ),
    (
        "date",
        re.compile(
            r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
            r"(?:(?:t|[ \t]+)[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]*)?)?"
            r"(?:[ \t]*(?:z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?",
            re.IGNORECASE,
        ),
    ),
)
_OWN_TO_YAML = frozenset(("=", "<<"))
_PLAIN = re.compile(PLAIN)
_PLAIN_IN_BRACKETS = re.compile(PLAIN_IN_BRACKETS)
_ESCAPED = (
    "\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufdd0-\ufdef\ufffe\uffff"  # what YAML refuses, breaks or drops
)
_NEEDS_ESCAPES = re.compile(f"[{_ESCAPED}]")
_IN_DOUBLE_QUOTES = re.compile(f'[{_ESCAPED}"\\\\]')
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_HEADER = re.compile(r"(?P<style>[|>])[-+0-9]*(?P<comment>[ \t]+#.*)?[ \t]*")
_HALVES = re.compile("[\ud800-\udfff]")
_FENCES = frozenset(("---", "..."))


def kind_of_plain(text: str) -> Kind:
    """What a plain scalar is to a reader that types its values, by the rules of YAML 1.1 or of 1.2.

    Args:
        text: The scalar.
    """
    for kind, pattern in _KINDS:
        if pattern.fullmatch(text):
            return kind
    return "text"


def scalar(text: str | None, style: str = "", kind: Kind = "text", *, in_flow: bool = False) -> str:
    """Write a text on one line.

    Args:
        text: The text; None is written as null.
        style: The quotes to use where they will do: "'", '"', or "" for none.
        kind: What may stay plain besides plain text: a date in the place of a date is one to all readers.
        in_flow: Whether it stands within brackets.

    Returns:
        The text, in quotes where it needs them.
    """
    if text is None:
        return "null"
    if style != "'" and style != '"':
        pattern = _PLAIN_IN_BRACKETS if in_flow else _PLAIN
        is_plain = pattern.fullmatch(text) and text == text.strip() and not _NEEDS_ESCAPES.search(text)
        if is_plain and text not in _OWN_TO_YAML and kind_of_plain(text) in ("text", kind):
            return text
        style = "'" if ('"' in text or "\\" in text) and "'" not in text else '"'
    if style == "'" and not _NEEDS_ESCAPES.search(text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + _IN_DOUBLE_QUOTES.sub(_escape, text) + '"'


def block_text(header: str, text: str, indent: int, line_end: str) -> str | None:
    """Write a text as block text, as far as that gives back the very text.

    Args:
        header: The first line of the block text whose place it takes, such as `>-  # why`.
        text: The text.
        indent: How many blanks go before each line.
        line_end: What ends each line.

    Returns:
        The header and the lines, without the last line end; None when the text has to be quoted.
    """
    found = _HEADER.fullmatch(header)
    content = text.removesuffix("\n")
    lines = content.split("\n")
    is_odd = _NEEDS_ESCAPES.search(content.replace("\n", "")) or any(
        line.strip() in _FENCES or (line and not line.strip()) for line in lines
    )
    if found is None or is_odd or not lines[-1] or not lines[0] or lines[0][0].isspace():
        return None
    style = "|" if len(lines) > 1 else found["style"]
    chomping = "" if text.endswith("\n") else "-"
    written = [" " * indent + line if line else "" for line in lines]
    return line_end.join([f"{style}{chomping}{found['comment'] or ''}", *written])


def flow(value: Value) -> str:
    """Write a value on one line: a list and a mapping in brackets.

    Args:
        value: The value.
    """
    return _in_flow(value) if isinstance(value, list | dict) else scalar(value)


def block(key: str, value: Value, indent: int) -> list[str]:
    """Write a key and its value, on as few lines as are easily read.

    Args:
        key: The key.
        value: The value. A mapping, and a list that holds more than texts, go on the lines below the key.
        indent: How many blanks go before the key.

    Returns:
        The lines, without line ends.
    """
    label = f"{' ' * indent}{scalar(key, in_flow=True)}:"
    if isinstance(value, dict) and value:
        return [label, *_entries(value, indent + 2)]
    if isinstance(value, list) and any(isinstance(item, list | dict) and item for item in value):
        return [label, *items(value, indent + 2)]
    return [f"{label} {flow(value)}"]


def items(values: list[Value], indent: int) -> list[str]:
    """Write the items of a list, each below the other.

    Args:
        values: The items.
        indent: How many blanks go before each dash.

    Returns:
        The lines, without line ends.
    """
    lines: list[str] = []
    for value in values:
        dash = f"{' ' * indent}- "
        if isinstance(value, dict) and value:
            first, *others = _entries(value, indent + 2)
            lines += [dash + first[indent + 2 :], *others]
        else:
            lines.append(dash + flow(value))
    return lines


def below(value: Value, indent: int) -> list[str]:
    """Write a list or a mapping on the lines below its key.

    Args:
        value: A list or a mapping that is not empty.
        indent: How many blanks go before each line.

    Returns:
        The lines, without line ends.
    """
    return items(value, indent) if isinstance(value, list) else _entries(value, indent)


def _entries(value: Value, indent: int) -> list[str]:
    entries = value.items() if isinstance(value, dict) else ()
    return [line for key, inner in entries for line in block(key, inner, indent)]


def _in_flow(value: Value) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_in_flow, value))}]"
    if isinstance(value, dict):
        pairs = (f"{scalar(key, in_flow=True)}: {_in_flow(inner)}" for key, inner in value.items())
        return f"{{{', '.join(pairs)}}}"
    return scalar(value, in_flow=True)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    return _SHORT_ESCAPES.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")


def check_writable(value: object, name: str, depth: int = 1) -> None:
    """Make sure that a value can be written.

    Args:
        value: The value.
        name: The field that it is for, as sentences name it.
        depth: How many mappings and lists it stands in.

    Raises:
        ConceptError: It holds something else than texts, nothing, lists and mappings, half a character, or
            too many lists and mappings in each other.
    """
    if depth > DEPTH_CAP:
        raise ConceptError(f"`{name}` is nested more than {DEPTH_CAP} deep: make it flatter.")
    if isinstance(value, list):
        for item in cast("list[object]", value):
            check_writable(item, name, depth + 1)
    elif isinstance(value, dict):
        for key, inner in cast("dict[object, object]", value).items():
            check_writable(key or "", name, depth + 1)
            check_writable(inner, name, depth + 1)
    elif isinstance(value, str):
        if _HALVES.search(value):
            raise ConceptError(f"`{name}` holds half of a character, which no file can hold: remove it.")
    elif value is not None:
        kind = type(value).__name__
        raise ConceptError(f"`{name}` holds a value of the type {kind}: give it as a text.")
