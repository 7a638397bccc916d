"""Reads line by line the YAML that nearly every frontmatter is, and declines any other.

It takes `key: value` lines, lists of values or mappings below a key, and lists and mappings in brackets that
end on their line. Values are in quotes without escapes, or plain, perhaps over several lines. What it takes,
it reads exactly as the YAML parser does; what is spelt in any other way, or may be wrong, is for the parser.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Any, NamedTuple

from fingerpost.okf.yaml_problems import Path
from fingerpost.okf.yaml_text import NULLS, Position, Tree, Value

CHARACTERS_CAP = 16 * 1024
"""Most characters that are read here: too few for the caps of the parser to matter."""

_CONTROL = r"\x00-\x1f\x7f"
# A plain value starts with none of YAML's indicators, and holds neither `: ` nor ` #`.
_START = rf"[^{_CONTROL} \-?:,\[\]{{}}#&*!|>'\"%@`]"
PLAIN = rf"{_START}[^{_CONTROL}:#]*+(?:(?::(?![ \n]|\Z)|(?<! )#)[^{_CONTROL}:#]*+)*+"
PLAIN_IN_BRACKETS = rf"{_START}[^{_CONTROL}:#,?\[\]{{}}]*+(?::(?=[\w/.])[^{_CONTROL}:#,?\[\]{{}}]*+)*+"
QUOTED = rf"'(?:[^{_CONTROL}']|'')*+'|\"[^{_CONTROL}\"\\]*+\""
KEY = rf"[^{_CONTROL} !-/:-@\[-^`{{-~][^{_CONTROL} !-,/:-@\[-^`{{-~]{{0,99}}+"
_END = r"(?:\n|\Z)"
_LINE = re.compile(
    rf"( {{0,8}}+)(- {{1,3}}+|)(?:({KEY})(: ++|:(?={_END}))|)"
    rf"(?:({PLAIN})|({QUOTED}) *+|(\[[^{_CONTROL}\[\]]*+\]|\{{[^{_CONTROL}{{}}]*+\}}) *+|){_END}"
    rf"| *+#[^{_CONTROL}]*+{_END}"
    rf"|([^\n]++{_END})"
)
_VALUE = rf"(?:({PLAIN_IN_BRACKETS})|({QUOTED}))( *+)(?:,|\Z)|(.++)"
_PARTS = {"[": re.compile(rf"( *+)()(){_VALUE}"), "{": re.compile(rf"( *+)({KEY})(: ++){_VALUE}")}


class _Open(NamedTuple):
    """A mapping or a list that the next line may go on with; `column` is that of its keys or dashes."""

    column: int
    values: Any
    path: Path


def read_lines(text: str, first_line: int) -> Tree | None:
    """Read a YAML mapping of the usual spelling.

    Args:
        text: The YAML, with any line endings.
        first_line: Line of the file on which the text starts, from 1.

    Returns:
        What `read_tree` answers for it, or None when that has to be asked.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return _Reader().read(text, first_line) if is_readable(text) else None


class _Reader:
    __slots__ = ("_open", "_positions", "_quoted")

    def __init__(self) -> None:
        self._open = [_Open(0, {}, ())]
        self._positions: dict[Path, Position] = {}
        self._quoted: set[Path] = set()

    def read(self, text: str, first_line: int) -> Tree | None:
        opened, positions = self._open, self._positions
        path: Path = tuple[str]()
        begun = ""  # the plain value that the next line may go on with
        waits = False  # whether the value of the last key may begin on the next line
        for line, parts in enumerate(_LINE.findall(text), first_line):
            indent, dash, key, gap, plain, quote, brackets, other = parts
            column = len(indent)
            if dash or key:
                if column or dash:
                    path = self._enter(line, column, dash, key, path if waits else ())
                else:  # a key of the root, as most are
                    del opened[1:]
                    path = (key,) if (key,) not in positions else ()
                    positions[path] = (line, 1)
                begun = plain.rstrip(" ")
                value = None if begun in NULLS else begun
                waits = False
                if not path:
                    return None
                if quote:
                    value = unquoted(quote)
                    self._quoted.add(path)
                elif brackets:
                    value = self._read_brackets(brackets, path, line, column + len(dash + key + gap))
                    if value is None:
                        return None
                elif not begun:
                    waits = True
                    if not key:
                        return None
            elif plain and begun and column > opened[-1].column:
                value = begun = f"{begun} {plain.rstrip(' ')}"
            elif plain or quote or brackets or other:
                return None
            else:
                begun = ""
                continue
            opened[-1].values[path[-1]] = value
        root = opened[0].values
        return Tree(root, MappingProxyType(self._positions), frozenset(self._quoted), ()) if root else None

    def _enter(self, line: int, column: int, dash: str, key: str, waiting: Path) -> Path:
        # Goes to where a line puts its value. Answers with the path, () if YAML would have a say in it.
        opened, positions = self._open, self._positions
        at, values, path = opened[-1]
        if waiting and (column > at or (dash and column == at)):
            below: Any = [] if dash else {}
            values[waiting[-1]] = below
            opened.append(_Open(column, below, waiting))
            values, path = below, waiting
        else:
            while column < at or (column == at and not dash and isinstance(values, list)):
                opened.pop()
                at, values, path = opened[-1]
            if column != at or isinstance(values, list) != bool(dash):
                return ()
        if dash:
            path = (*path, len(values))
            column += len(dash)
            positions[path] = (line, column + 1)
            if not key:
                values.append(None)
                return path
            values.append({})
            opened.append(_Open(column, values[-1], path))
        path = (*path, key)
        if path in positions:
            return ()
        positions[path] = (line, column + 1)
        return path

    def _read_brackets(self, written: str, path: Path, line: int, column: int) -> Value:
        # Reads a list or a mapping in brackets; None if YAML would have a say in it.
        positions = self._positions
        values: Any = [] if written[0] == "[" else {}
        column += 1
        for number, parts in enumerate(_PARTS[written[0]].findall(written[1:-1])):
            lead, key, gap, plain, quote, rest, other = parts
            here = (*path, key or number)
            if other or here in positions:
                return None
            column += len(lead)
            positions[here] = (line, column + 1)
            column += len(key) + len(gap) + len(plain) + len(quote) + len(rest) + 1
            value = plain.rstrip(" ")
            if quote:
                value = unquoted(quote)
                self._quoted.add(here)
            elif value in NULLS:
                value = None
            if key:
                values[key] = value
            else:
                values.append(value)
        return values


def is_readable(text: str) -> bool:
    """Whether a text is not too long, and has no character that YAML may refuse, or may end a line at."""
    return len(text) <= CHARACTERS_CAP and (text.isascii() or text.replace("\n", "").isprintable())


def unquoted(quote: str) -> str:
    """What stands within quotes that have no escapes but the doubled single quote."""
    return quote[1:-1].replace("''", "'") if quote[0] == "'" else quote[1:-1]
