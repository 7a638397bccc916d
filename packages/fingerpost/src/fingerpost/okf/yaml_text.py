"""Reads one YAML mapping as text: no scalar is turned into a number, a date or a boolean.

The reader follows YAML 1.2 where the engine below (PyYAML, over libyaml where it is there) follows 1.1:
`NO`, `0755` and `2026-13-45` stay what was typed, NEL and the Unicode line separators do not end a line, and
a merge key `<<` is a key like any other. Tags are read over. Aliases are followed within caps that count
what they repeat.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, TypeAlias, cast

from fingerpost.okf.yaml_problems import QUOTE, Path, YamlRefusedError, field_name, refusal_of
from fingerpost.records import Finding

Value: TypeAlias = "str | list[Value] | dict[str, Value] | None"
Position: TypeAlias = "tuple[int, int]"

BYTES_CAP = 64 * 1024
"""Most bytes (as UTF-8) that a block may have."""
DEPTH_CAP = 64
"""Most mappings and lists inside each other, those that aliases repeat included."""
NODES_CAP = 20_000
"""Most keys and values, those that aliases repeat included."""
CHARACTERS_CAP = 4 * BYTES_CAP
"""Most characters in all keys and values, those that aliases repeat included."""

_SECOND = "A second YAML document starts here; the frontmatter is one."
NULLS = frozenset(("", "~", "null", "Null", "NULL"))
"""The plain scalars that are None."""
_ODD_BREAKS = re.compile("[\x85\u2028\u2029]")
_HIDE_BREAKS = str.maketrans("\x85\u2028\u2029", "\ufdd0\ufdd1\ufdd2")
_SHOW_BREAKS = str.maketrans("\ufdd0\ufdd1\ufdd2", "\x85\u2028\u2029")
_STAND_INS = re.compile("[\ufdd0-\ufdd2]")


class Tree(NamedTuple):
    """What a YAML text holds.

    Attributes:
        value: The root; scalars are source text, only a plain null, `~` or nothing at all is None.
        positions: Path of every key and list entry -> its line and column in the file, both from 1.
        quoted: Paths of the values that are written in quotes, as block text or with a tag.
        findings: Keys that stand twice (OKF108).
    """

    value: Value
    positions: Mapping[Path, Position]
    quoted: frozenset[Path]
    findings: tuple[Finding, ...]


def read_tree(text: str, first_line: int) -> Tree:
    """Read one YAML document.

    Args:
        text: The YAML, with any line endings.
        first_line: Line of the file on which the text starts, from 1.

    Returns:
        The tree. Values that aliases repeat are shared, so the tree is no larger than the text.

    Raises:
        YamlRefusedError: The text is no YAML, or passes a cap.
    """
    if len(text) > BYTES_CAP or (not text.isascii() and len(text.encode("utf-8", "replace")) > BYTES_CAP):
        raise YamlRefusedError("OKF106", 0, 0, f"The frontmatter has more than {BYTES_CAP:,} bytes.")
    hidden = _hides_breaks(text)
    builder = _Builder(first_line, show_breaks=hidden)
    try:
        next_event = start_parser(text)
        handlers = _engine().handlers(builder)
        while not builder.ended:
            event = next_event()
            handlers[event.__class__](event)
    except YamlRefusedError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the engine throws at hostile bytes is a finding
        raise refusal_of(text, error, builder.last_path) from None
    return Tree(
        builder.root, MappingProxyType(builder.positions), frozenset(builder.quoted), tuple(builder.findings)
    )


def start_parser(text: str) -> Callable[[], Any]:
    """Start the parser on a text, as `read_tree` does.

    Args:
        text: The YAML.

    Returns:
        What gives the next event of PyYAML at each call. Marks count the characters of the text; in the texts
        of its events, stand-ins may take the place of odd line breaks, which `show_breaks` undoes.
    """
    return _engine().start(text.translate(_HIDE_BREAKS) if _hides_breaks(text) else text)


def show_breaks(part: str, text: str) -> str:
    """The text of an event as it is in the YAML.

    Args:
        part: The text of the event.
        text: The YAML that the parser was started on.
    """
    return part.translate(_SHOW_BREAKS) if _hides_breaks(text) else part


def _hides_breaks(text: str) -> bool:
    return not text.isascii() and bool(_ODD_BREAKS.search(text)) and not _STAND_INS.search(text)


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end is still to come."""

    values: dict[str, Value] | list[Value]
    path: Path
    anchor: str | None
    nodes_before: int
    characters_before: int
    key: str | None = None
    height: int = 1


@dataclass(frozen=True, slots=True)
class _Anchored:
    """What an alias stands for, and how much of it there is."""

    value: Value
    nodes: int
    characters: int
    height: int


@dataclass(slots=True)
class _Builder:
    """Turns parser events into values, without recursion."""

    first_line: int
    show_breaks: bool
    root: Value = None
    ended: bool = False
    documents: int = 0
    nodes: int = 0
    characters: int = 0
    last_path: Path = ()
    stack: list[_Open] = field(default_factory=list["_Open"])
    anchors: dict[str, _Anchored | None] = field(default_factory=dict[str, "_Anchored | None"])
    positions: dict[Path, Position] = field(default_factory=dict[Path, Position])
    quoted: set[Path] = field(default_factory=set[Path])
    findings: list[Finding] = field(default_factory=list[Finding])

    def scalar(self, event: Any) -> None:
        text: str = event.value
        if self.show_breaks:
            text = text.translate(_SHOW_BREAKS)
        self.nodes += 1
        self.characters += len(text)
        if self.nodes > NODES_CAP or self.characters > CHARACTERS_CAP:
            self.refuse_size(event)
        plain = event.implicit[0]
        value = None if plain and text in NULLS else text
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(value, 1, len(text), 0)
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.key is None and frame.values.__class__ is dict:
            self.take_key(frame, text, event.start_mark)
            return
        path = self.add(value, event.start_mark)
        if not plain:
            self.quoted.add(path)

    def take_key(self, frame: _Open, key: str, mark: Any) -> None:
        path = (*frame.path, key)
        line, column = self.first_line + mark.line, mark.column + 1
        if key in frame.values:
            earlier = self.positions[path][0]
            both = f"stands on line {earlier} and again on line {line}; the last one counts."
            self.findings.append(Finding("OKF108", line, column, f"`{field_name(path)}` {both}"))
        self.positions[path] = (line, column)
        self.last_path = path
        frame.key = key

    def add(self, value: Value, mark: Any) -> Path:
        """Put a value where it belongs, and say where that is."""
        if not self.stack:
            self.root = value
            return ()
        frame = self.stack[-1]
        if isinstance(frame.values, list):
            path = (*frame.path, len(frame.values))
            self.positions[path] = (self.first_line + mark.line, mark.column + 1)
            self.last_path = path
            frame.values.append(value)
            return path
        path = self.last_path = (*frame.path, cast("str", frame.key))
        frame.values[cast("str", frame.key)] = value
        frame.key = None
        return path

    def open_mapping(self, event: Any) -> None:
        self.open({}, event)

    def open_list(self, event: Any) -> None:
        self.open([], event)

    def open(self, values: dict[str, Value] | list[Value], event: Any) -> None:
        self.nodes += 1
        if self.nodes > NODES_CAP:
            self.refuse_size(event)
        if len(self.stack) >= DEPTH_CAP:
            self.refuse_depth(event)
        self.refuse_as_key(event, "a mapping" if isinstance(values, dict) else "a list")
        path = self.add(values, event.start_mark)
        if event.anchor:
            self.anchors[event.anchor] = None
        self.stack.append(_Open(values, path, event.anchor, self.nodes - 1, self.characters))

    def close(self, _event: Any) -> None:
        frame = self.stack.pop()
        if self.stack:
            self.stack[-1].height = max(self.stack[-1].height, frame.height + 1)
        if frame.anchor:
            self.anchors[frame.anchor] = _Anchored(
                frame.values,
                self.nodes - frame.nodes_before,
                self.characters - frame.characters_before,
                frame.height,
            )

    def alias(self, event: Any) -> None:
        name: str = event.anchor
        if name not in self.anchors:
            self.refuse("OKF103", event, f"*{name} repeats an anchor &{name} that does not exist.", QUOTE)
        anchored = self.anchors[name]
        if anchored is None:
            self.refuse("OKF106", event, f"*{name} stands inside of what it repeats, which never ends.")
        self.nodes += anchored.nodes
        self.characters += anchored.characters
        if self.nodes > NODES_CAP or self.characters > CHARACTERS_CAP:
            self.refuse_size(event)
        if len(self.stack) + anchored.height > DEPTH_CAP:
            self.refuse_depth(event)
        frame = self.stack[-1]
        if frame.key is None and isinstance(frame.values, dict):
            if not isinstance(anchored.value, str):
                self.refuse_as_key(event, "an alias of something that is no text")
            self.take_key(frame, cast("str", anchored.value), event.start_mark)
            return
        frame.height = max(frame.height, anchored.height + 1)
        self.add(anchored.value, event.start_mark)

    def start_document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            self.refuse("OKF103", event, _SECOND, "Remove the line, or the --- in it.")

    def end(self, _event: Any) -> None:
        self.ended = True

    def ignore(self, _event: Any) -> None:
        """Nothing to build from the marks around a document."""

    def refuse_as_key(self, event: Any, what: str) -> None:
        """A key has to be text."""
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.key is None and isinstance(frame.values, dict):
            within = (
                f"In `{field_name(frame.path)}`, {what}" if frame.path else f"{what[0].upper()}{what[1:]}"
            )
            cure = "Put a placeholder such as {{date}} in quotes." if "mapping" in what else ""
            self.refuse("OKF103", event, f"{within} stands where a key has to be text.", cure)

    def refuse_size(self, event: Any) -> NoReturn:
        reason = f"The frontmatter holds more than {NODES_CAP:,} values or {CHARACTERS_CAP:,} characters"
        self.refuse("OKF106", event, f"{reason} once its aliases are followed.")

    def refuse_depth(self, event: Any) -> NoReturn:
        self.refuse("OKF106", event, f"The frontmatter is nested more than {DEPTH_CAP} deep.")

    def refuse(self, code: str, event: Any, reason: str, cure: str = "") -> NoReturn:
        mark = event.start_mark
        raise YamlRefusedError(code, mark.line, mark.column, reason, cure)


@dataclass(frozen=True, slots=True)
class _Engine:
    """The YAML parser in use: how to start it on a text, and which method of the builder takes an event."""

    start: Callable[[str], Callable[[], Any]]
    takers: tuple[tuple[type, str], ...]

    def handlers(self, builder: _Builder) -> dict[type, Callable[[Any], None]]:
        return {kind: getattr(builder, name) for kind, name in self.takers}


@cache
def _engine() -> _Engine:
    import yaml

    parser: Any = cast("Any", yaml).cyaml.CParser if yaml.__with_libyaml__ else yaml.SafeLoader

    def start(text: str) -> Callable[[], Any]:
        return parser(text).get_event

    return _Engine(
        start,
        (
            (yaml.ScalarEvent, "scalar"),
            (yaml.MappingStartEvent, "open_mapping"),
            (yaml.SequenceStartEvent, "open_list"),
            (yaml.MappingEndEvent, "close"),
            (yaml.SequenceEndEvent, "close"),
            (yaml.AliasEvent, "alias"),
            (yaml.DocumentStartEvent, "start_document"),
            (yaml.DocumentEndEvent, "ignore"),
            (yaml.StreamStartEvent, "ignore"),
            (yaml.StreamEndEvent, "end"),
        ),
    )
