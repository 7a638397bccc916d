"""Mends in memory the one YAML fault that people really make: `title: Refunds: how and when`, without quotes.

The value is put in single quotes, which changes neither its text nor its line breaks, and the YAML is read
again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fingerpost.okf.yaml_lines import read_lines
from fingerpost.okf.yaml_problems import YamlRefusedError, field_name, shown
from fingerpost.okf.yaml_text import Tree, read_tree
from fingerpost.records import Finding

REREAD_CAP = 1024 * 1024
"""Most characters that are read again for one block, over all repairs."""

_LINE = re.compile("[^\r\n]*(?:\r\n|\n|\r|$)")
_ENTRY = re.compile(r"(?P<key>[ ]*+(?:-[ ]++)*+(?:[^:]|:(?=[^ \t]))++:[ \t]++)(?P<value>[^ \t].*)")
_LEAD = re.compile(r"[ ]*+(?:-[ ]++)*+")
_COMMENT = re.compile(r"(?<=[ \t])#")
_COLON = re.compile(r":(?=[ \t]|$)")
_QUOTED_WHOLLY = re.compile(r""""(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+'""")
_NEW_ENTRY = re.compile(r"[ \t]*+(?:-(?:[ \t]|$)|[^\s:]++:(?:[ \t]|$))")
_SPECIAL = frozenset("[]{}|>&*!%@`#,")


@dataclass(frozen=True, slots=True)
class _Repair:
    """A value that was put in quotes: its place in the text, lines and columns from 0."""

    text: str
    line: int
    last_line: int
    key: str
    key_column: int
    value_column: int


def read_mended(text: str, first_line: int) -> tuple[Tree | None, tuple[Finding, ...]]:
    """Read a YAML text, quoting the values that lack quotes.

    Args:
        text: The YAML.
        first_line: Line of the file on which it starts, from 1.

    Returns:
        The tree, or None when the text cannot be read; and what is wrong with it: OKF104 for each value that
        had to be quoted, OKF103 or OKF106 when it could not be read.
    """
    tree, findings, _ = _read(text, first_line)
    return tree, findings


def mended(text: str) -> str | None:
    """A YAML text with quotes around the values that lack them, on as many lines; None if it is unreadable.

    Args:
        text: The YAML.
    """
    tree, _, read = _read(text, 1)
    return None if tree is None else read


def _read(text: str, first_line: int) -> tuple[Tree | None, tuple[Finding, ...], str]:
    """What `read_mended` answers, and the text that was read in the end."""
    tree = read_lines(text, first_line)
    if tree is not None:
        return tree, (), text
    repairs: list[_Repair] = []
    try:
        tree = read_tree(text, first_line)
    except YamlRefusedError as error:
        refused = error
    else:
        return tree, tree.findings, text
    while tree is None and refused.repairable and (len(repairs) + 1) * len(text) <= REREAD_CAP:
        repair = _quote(repairs[-1].text if repairs else text, refused.line)
        if repair is None:
            break
        try:
            tree = read_lines(repair.text, first_line) or read_tree(repair.text, first_line)
        except YamlRefusedError as later:
            if later.line <= repair.last_line:
                break
            refused = later
        repairs.append(repair)
    findings = [_finding(repair, tree, first_line) for repair in repairs]
    if tree is not None:
        return tree, (*findings, *tree.findings), repairs[-1].text
    place = Finding(refused.code, first_line + refused.line, refused.column + 1, refused.reason, refused.cure)
    return None, (*findings, place), text


def _quote(text: str, error_line: int) -> _Repair | None:
    """Quote the value that the error is about, if quotes may be what it lacks."""
    lines = _LINE.findall(text)
    number = error_line
    if number >= len(lines) or not _holds_colon(lines[number]):
        number = _value_start(lines, error_line)
    entry = _ENTRY.match(lines[number].rstrip("\r\n")) if number >= 0 else None
    if entry is None or entry["value"][0] in _SPECIAL:
        return None
    lead = _LEAD.match(lines[number])
    key_column = lead.end() if lead else 0
    last = _value_end(lines, number, key_column)
    if last < error_line or any(_NEW_ENTRY.match(line) for line in lines[number + 1 : last + 1]):
        return None
    value_column = entry.end("key")
    value = "".join(lines[number : last + 1])[value_column:]
    comment = _COMMENT.search(value)
    written = (value[: comment.start()] if comment else value).rstrip()
    if (comment and last > number) or _QUOTED_WHOLLY.fullmatch(written):
        return None
    quoted = "'" + written.replace("'", "''") + "'"
    before = "".join(lines[:number]) + entry["key"]
    mended = before + quoted + value[len(written) :] + "".join(lines[last + 1 :])
    key = entry["key"][key_column:].strip().rstrip(":").strip("\"' ")
    return _Repair(mended, number, last, key, key_column, value_column)


def _holds_colon(line: str) -> bool:
    """Whether the value on this line has a colon that YAML takes for a key's."""
    entry = _ENTRY.match(line.rstrip("\r\n"))
    if entry is None:
        return False
    value = entry["value"]
    comment = _COMMENT.search(value)
    return bool(_COLON.search((value[: comment.start()] if comment else value).rstrip()))


def _value_start(lines: list[str], number: int) -> int:
    """The line above that is indented less, where a value of several lines starts; -1 if there is none."""
    if number >= len(lines):
        return -1
    indent = _indent(lines[number])
    for above in range(number - 1, -1, -1):
        if lines[above].strip() and _indent(lines[above]) < indent:
            return above
    return -1


def _value_end(lines: list[str], number: int, key_column: int) -> int:
    """The last line that belongs to the value that starts on this line."""
    last = number
    for below in range(number + 1, len(lines)):
        if not lines[below].strip():
            continue
        if _indent(lines[below]) <= key_column:
            break
        last = below
    return last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _finding(repair: _Repair, tree: Tree | None, first_line: int) -> Finding:
    line = first_line + repair.line
    name = shown(repair.key)
    if tree is not None:
        place = (line, repair.key_column + 1)
        here = (path for path, at in tree.positions.items() if at == place and isinstance(path[-1], str))
        name = next((field_name(path) for path in here), name)
    reason = f"The value of `{name}` holds a colon followed by a blank, which YAML takes for a key."
    return Finding("OKF104", line, repair.value_column + 1, reason)
