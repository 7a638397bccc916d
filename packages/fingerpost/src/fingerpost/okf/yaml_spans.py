"""Where each value of a YAML text begins and ends, and how it is written, for whoever changes one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fingerpost.okf.yaml_text import show_breaks, start_parser

_BLOCK_HEADER = re.compile(r"(?:[&!]\S*[ \t]+)*[|>][0-9]?(?P<chomping>[+-]?)")
_LINE = re.compile("[^\r\n]*(?:\r\n|\n|\r|$)")


class Entry(NamedTuple):
    """A key of a mapping, and its value.

    Attributes:
        key: The key as it is read.
        start: Offset of the key's first character.
        end: Offset after the key.
        node: The value.
    """

    key: str
    start: int
    end: int
    node: Node


@dataclass(slots=True)
class Node:
    """A value as it is written.

    Attributes:
        style: How a text is written: "" (plain), "'", '"', "|" or ">"; a list or a mapping: "flow" (in
            brackets) or "block"; "*" for an alias.
        start: Offset of its first character, that of an anchor or a tag included.
        end: Offset after its last character; a block text ends before its last line break.
        entries: The entries of a mapping, in the order of the text.
        items: The items of a list.
        is_tied: Whether an anchor or an alias stands on it or in it.
        repeats: Whether a key stands twice in it, or in a mapping within.
    """

    style: str
    start: int
    end: int
    entries: list[Entry] = field(default_factory=list["Entry"])
    items: list[Node] = field(default_factory=list["Node"])
    is_tied: bool = False
    repeats: bool = False


@dataclass(slots=True)
class _Open:
    """A mapping or a list whose end is still to come; `key` waits for its value."""

    node: Node
    is_mapping: bool
    key: tuple[str, int, int] | None = None
    seen: set[str] = field(default_factory=set[str])

    def add(self, node: Node) -> None:
        if self.is_mapping and self.key is not None:
            key, start, end = self.key
            self.node.repeats |= key in self.seen
            self.seen.add(key)
            self.node.entries.append(Entry(key, start, end, node))
            self.key = None
        else:
            self.node.items.append(node)
        self.node.end = max(self.node.end, node.end, *(entry.end for entry in self.node.entries[-1:]))
        self.node.is_tied |= node.is_tied
        self.node.repeats |= node.repeats


class _Reader:
    """Turns parser events into nodes, without recursion."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._anchored: dict[str, str] = {}
        self._stack: list[_Open] = []
        self.root: Node | None = None

    def read(self) -> Node | None:
        next_event = start_parser(self._text)
        while True:
            event = next_event()
            name = type(event).__name__
            if name == "StreamEndEvent":
                return self.root
            self._take(name, event)

    def _take(self, name: str, event: Any) -> None:
        if name == "ScalarEvent":
            self._scalar(event)
        elif name == "AliasEvent":
            key = self._anchored.get(event.anchor, "")
            self._leaf(key, Node("*", event.start_mark.index, event.end_mark.index, is_tied=True))
        elif name in ("MappingStartEvent", "SequenceStartEvent"):
            style = "flow" if event.flow_style else "block"
            start = event.start_mark.index
            node = Node(style, start, start, is_tied=event.anchor is not None)
            self._stack.append(_Open(node, name == "MappingStartEvent"))
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            node = self._stack.pop().node
            if node.style == "flow":
                node.end = event.end_mark.index
            self._put(node)

    def _scalar(self, event: Any) -> None:
        value = show_breaks(event.value, self._text)
        if event.anchor is not None:
            self._anchored[event.anchor] = value
        style = event.style or ""
        start, end = event.start_mark.index, event.end_mark.index
        if style in ("|", ">"):
            end = _end_of_block_text(self._text, start, end)
        self._leaf(value, Node(style, start, end, is_tied=event.anchor is not None))

    def _leaf(self, value: str, node: Node) -> None:
        frame = self._stack[-1] if self._stack else None
        if frame is not None and frame.is_mapping and frame.key is None:
            frame.key = (value, node.start, node.end)
            frame.node.is_tied |= node.is_tied
        else:
            self._put(node)

    def _put(self, node: Node) -> None:
        if self._stack:
            self._stack[-1].add(node)
        else:
            self.root = node


def read_spans(text: str) -> Node | None:
    """Find out where the values of a YAML text stand.

    Args:
        text: A text that `read_tree` takes.

    Returns:
        The root, None for a text that holds nothing.
    """
    return _Reader(text).read()


def _end_of_block_text(text: str, start: int, end: int) -> int:
    """Where a block text ends: the blank lines below belong to it only when they are part of its value."""
    lines = [line for line in _LINE.findall(text[start:end]) if line]
    header = _BLOCK_HEADER.match(lines[0])
    if header is None or header["chomping"] != "+":
        content = next((line for line in lines[1:] if line.strip()), "")
        indent = len(content) - len(content.lstrip(" "))
        while len(lines) > 1 and not lines[-1].strip() and len(lines[-1].rstrip("\r\n")) <= indent:
            lines.pop()
    return start + len("".join(lines).rstrip("\r\n") if len(lines) == 1 else _without_last_break(lines))


def _without_last_break(lines: list[str]) -> str:
    return "".join(lines[:-1]) + lines[-1].rstrip("\r\n")
