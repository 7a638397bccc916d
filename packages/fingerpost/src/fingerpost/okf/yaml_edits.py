"""The smallest edits that give a YAML text other values: what does not change is not touched.

Each value is changed where it stands: a text in its quotes, a list in brackets within them, a list below
its key line by line. What YAML makes of the edited text is for the caller to check.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from fingerpost.errors import ConceptError
from fingerpost.okf.lines import Lines
from fingerpost.okf.yaml_lists import steps
from fingerpost.okf.yaml_problems import LINE_END, shown
from fingerpost.okf.yaml_spans import Entry, Node
from fingerpost.okf.yaml_text import Value
from fingerpost.okf.yaml_write import Kind, below, block, block_text, flow, items, kind_of_plain, scalar

_COLON = re.compile(r"[ \t]*:(?=[\s,\]}]|\Z)|[ \t]*:")
_BLANKS = re.compile("[ \t]*")
_HEADER_COMMENT = re.compile("[ \t]+#[^\r\n]*")
_COMMENT_LINE = re.compile("( *)#")


class Edit(NamedTuple):
    """A stretch of a text and what takes its place."""

    start: int
    end: int
    text: str


def applied(read: str, found: list[Edit], text: str) -> str:
    """Apply edits, also to the text that was mended before they were found.

    Args:
        read: The text that the edits are for.
        found: The edits.
        text: The text to apply them to: it differs in quotes within its lines at most. Lines that no edit
            touches stay as they are here.

    Returns:
        The edited text.
    """
    lines, own = Lines(read), Lines(text)
    pieces: list[str] = []
    done = 0
    for start, end, written in sorted(found, key=lambda edit: edit[:2]):
        first, last = lines.number(start), lines.number(end)
        if lines.starts[last] < end or lines.starts[first] < start == end:
            last += 1
        pieces += [
            text[own.place(done) : own.place(first)],
            read[lines.place(first) : start],
            written,
            read[end : lines.place(last)],
        ]
        done = last
    return "".join([*pieces, text[own.place(done) :]])


class _Label(NamedTuple):
    """What stands before a value: a key with its colon, or a dash."""

    end: int
    column: int
    is_dash: bool = False


def edits(text: str, root: Node | None, old: dict[str, Value], new: dict[str, Value]) -> list[Edit]:
    """Find the edits that turn the mapping of a YAML text into another one.

    Args:
        text: The YAML.
        root: Where its values stand; None when it has none.
        old: Its values.
        new: The values that it is to have. Keys that it lacks go below all that it has.

    Returns:
        The edits, none of which touch each other.

    Raises:
        ConceptError: A value is written in a way that cannot be changed in its place.
    """
    editor = _Editor(text)
    if root is None or not (root.entries or root.style == "flow"):
        editor.add_at_end(new, 0)
    elif root.style == "flow":
        editor.put(root.start, root.end, editor.in_flow(root, old, new))
    else:
        editor.change_entries(root, old, new, at_end=True)
    return editor.found


class _Editor:
    def __init__(self, text: str) -> None:
        self.found: list[Edit] = []
        self._text = text
        self._lines = Lines(text)
        ended = LINE_END.search(text)
        self._line_end = ended[0] if ended else "\n"

    def put(self, start: int, end: int, text: str) -> None:
        if text or start < end:
            self.found.append(Edit(start, end, text))

    def _below(self, offset: int, column: int) -> int:
        """Offset of the line below, and below the comments there that are indented more than `column`."""
        following = self._lines.after(offset)
        while (comment := _COMMENT_LINE.match(self._text, following)) and len(comment[1]) > column:
            following = self._lines.after(following)
        return following

    def add_at_end(self, values: dict[str, Value], column: int) -> None:
        added = (self._new_entry(key, value, column) for key, value in values.items())
        self.put(len(self._text), len(self._text), "".join(added))

    def change_entries(
        self, node: Node, old: dict[str, Value], new: dict[str, Value], *, at_end: bool = False
    ) -> None:
        """Change a mapping whose keys stand on lines of their own."""
        column = self._lines.column(node.entries[0].start)
        for entry in node.entries:
            if entry.key not in new:
                last = self._below(max(entry.end, entry.node.end), column)
                self.put(self._lines.start(entry.start), last, "")
            elif old[entry.key] != new[entry.key]:
                self._change(self._label(entry), entry.node, old[entry.key], new[entry.key])
        added = {key: value for key, value in new.items() if key not in old}
        if added and at_end:
            self.add_at_end(added, column)
        elif added:
            last = self._below(max(node.end, node.entries[-1].end), column)
            self.put(last, last, "".join(self._new_entry(*pair, column) for pair in added.items()))

    def _new_entry(self, key: str, value: Value, column: int) -> str:
        if isinstance(value, dict) and not any(isinstance(inner, list | dict) for inner in value.values()):
            return self._joined([f"{' ' * column}{scalar(key, in_flow=True)}: {flow(value)}"])
        return self._joined(block(key, value, column))

    def _joined(self, lines: Iterable[str]) -> str:
        return "".join(line + self._line_end for line in lines)

    def _label(self, entry: Entry) -> _Label:
        colon = _COLON.match(self._text, entry.end)
        start = self._lines.start(entry.start)
        before = self._text[start : entry.start]
        if colon is None or "?" in before:
            raise ConceptError(
                f"The key `{shown(entry.key)}` is written with a question mark before it, so its value "
                "cannot be changed in its place: write it as `key: value` first."
            )
        return _Label(colon.end(), len(before))

    def _change(self, label: _Label, node: Node, old: Value, new: Value) -> None:
        alike = (isinstance(old, dict) and isinstance(new, dict)) or (
            isinstance(old, list) and isinstance(new, list)
        )
        if not (alike and old and new):
            self._replace(label, node, old, new)
        elif node.style == "flow":
            self.put(node.start, node.end, self.in_flow(node, old, new))
        elif isinstance(old, dict) and isinstance(new, dict):
            first = node.entries[0]
            if first.key not in new and self._text[self._lines.start(first.start) : first.start].strip():
                self._replace(label, node, old, new)
            else:
                self.change_entries(node, old, new)
        elif isinstance(old, list) and isinstance(new, list):
            self._change_items(label, node, old, new)

    def _change_items(self, label: _Label, node: Node, old: list[Value], new: list[Value]) -> None:
        """Change a list whose items stand on lines of their own."""
        column = self._lines.column(node.start)
        if self._text[node.start - column : node.start].strip():
            self._replace(label, node, old, new)
            return
        dashes = [self._dash(item, column) for item in node.items]
        here = dashes[0] - column
        for step in steps(old, new):
            if step.old is None:
                added = [] if step.new is None else items([new[step.new]], column)
                self.put(here, here, self._joined(added))
                continue
            item, dash = node.items[step.old], dashes[step.old]
            here = self._below(max(item.end, dash), column)
            if step.new is None:
                self.put(dash - column, here, "")
            elif old[step.old] != new[step.new]:
                place = _Label(dash + 1, column, is_dash=True)
                self._change(place, item, old[step.old], new[step.new])

    def _dash(self, item: Node, column: int) -> int:
        number = self._lines.number(item.start)
        while number and self._text[self._lines.starts[number] + column :][:1] != "-":
            number -= 1
        return self._lines.starts[number] + column

    def _replace(self, label: _Label, node: Node, old: Value, new: Value) -> None:
        """Put another value in the place of one, whatever the two are."""
        is_collection = isinstance(new, list | dict) and bool(new)
        inner = (new.values() if isinstance(new, dict) else new) if isinstance(new, list | dict) else ()
        nested = any(isinstance(value, list | dict) for value in inner)
        if is_collection and not label.is_dash and (nested or node.style == "block"):
            self._write_below(label, node, new)
            return
        if label.is_dash and isinstance(new, dict) and new and node.entries and node.style == "block":
            lines = below(new, self._lines.column(node.start))
            self.put(node.start, node.end, self._line_end.join(lines).lstrip(" "))
            return
        written = self._inline(label, node, old, new)
        is_empty = not self._text[node.start : node.end].strip()
        if node.style == "block" and not self._starts_at(label, node):
            self._write_after(label, written)
            following = self._lines.after(label.end)
            self.put(following, self._below(node.end, label.column), "")
        elif is_empty:
            self._write_after(label, written)
        else:
            self.put(node.start, node.end, written)

    def _starts_at(self, label: _Label, node: Node) -> bool:
        return self._lines.number(node.start) == self._lines.number(label.end)

    def _write_after(self, label: _Label, written: str) -> None:
        """Write a value right after the colon or the dash, where nothing but a comment is."""
        blanks = _BLANKS.match(self._text, label.end)
        end = blanks.end() if blanks else label.end
        is_last = end == len(self._text) or self._text[end] in "\r\n"
        self.put(label.end, end if is_last else label.end, f" {written}")

    def _write_below(self, label: _Label, node: Node, new: Value) -> None:
        """Write a list or a mapping on the lines below its key."""
        is_block = node.style == "block"
        if self._starts_at(label, node):
            self.put(label.end, max(node.end, label.end), "")
            start = end = self._lines.after(max(node.end, label.end))
        else:
            start = self._lines.after(label.end)
            end = self._below(node.end, label.column) if is_block else self._lines.after(node.end)
        was_list = is_block and bool(node.items)
        indent = self._lines.column(node.start) if was_list and isinstance(new, list) else label.column + 2
        self.put(start, end, self._joined(below(new, indent)))

    def _inline(self, label: _Label, node: Node, old: Value, new: Value) -> str:
        """A value as it goes on the line of its key, or in the place of a block text."""
        if isinstance(new, list | dict):
            return flow(new)
        if node.style not in ("|", ">"):
            return scalar(new, node.style, _kind(node, old))
        header = re.split("[\r\n]", self._text[node.start : node.end], maxsplit=1)[0]
        comment = _HEADER_COMMENT.search(header)
        if new is not None:
            content = self._lines.after(node.start)
            first = _BLANKS.match(self._text, content)
            indent = first.end() - content if first and first.end() > content else label.column + 2
            written = block_text(header, new, indent, self._line_end)
            if written is not None:
                return written
        return scalar(new) + (comment[0] if comment else "")

    def in_flow(self, node: Node, old: Value, new: Value) -> str:
        """What stands within brackets, changed."""
        if old == new:
            return self._text[node.start : node.end]
        if isinstance(old, dict) and isinstance(new, dict) and old and new:
            return self._mapping_in_flow(node, old, new)
        if isinstance(old, list) and isinstance(new, list) and old and new:
            return self._list_in_flow(node, old, new)
        if isinstance(new, list | dict):
            return flow(new)
        return scalar(new, node.style, _kind(node, old), in_flow=True)

    def _mapping_in_flow(self, node: Node, old: dict[str, Value], new: dict[str, Value]) -> str:
        places = [(entry.start, max(entry.end, entry.node.end)) for entry in node.entries]
        kept: list[tuple[int | None, str]] = []
        for number, entry in enumerate(node.entries):
            if entry.key in new:
                start, end = places[number]
                written = self._text[start:end]
                if old[entry.key] != new[entry.key]:
                    inner = self.in_flow(entry.node, old[entry.key], new[entry.key])
                    has_value = entry.node.end > entry.end and self._text[entry.node.start : end].strip()
                    label = self._text[start : entry.node.start] if has_value else ""
                    written = f"{label or scalar(entry.key, in_flow=True) + ': '}{inner}"
                kept.append((number, written))
        kept += [(None, flow({key: new[key]})[1:-1]) for key in new if key not in old]
        return self._in_brackets(node, places, kept)

    def _list_in_flow(self, node: Node, old: list[Value], new: list[Value]) -> str:
        kept: list[tuple[int | None, str]] = []
        for step in steps(old, new):
            if step.new is None:
                continue
            if step.old is None:
                kept.append((None, flow([new[step.new]])[1:-1]))
            else:
                kept.append((step.old, self.in_flow(node.items[step.old], old[step.old], new[step.new])))
        return self._in_brackets(node, [(item.start, item.end) for item in node.items], kept)

    def _in_brackets(
        self, node: Node, places: list[tuple[int, int]], kept: list[tuple[int | None, str]]
    ) -> str:
        """Parts in brackets, each with what stood before it."""
        gaps = [self._text[before[1] : after[0]] for before, after in pairwise(places)]
        usual = gaps[0] if gaps and not gaps[0].strip(", ") else ", "
        written = self._text[node.start : places[0][0]]
        for position, (number, part) in enumerate(kept):
            if position:
                written += gaps[number - 1] if number else usual
            written += part
        return written + self._text[places[-1][1] : node.end]


def _kind(node: Node, old: Value) -> Kind:
    """What may stay plain in the place of a value."""
    if node.style or not isinstance(old, str):
        return "text"
    kind = kind_of_plain(old)
    return "text" if kind == "null" else kind
