"""Blocks at the left edge that a pattern takes in whole, as it can most; others are read line by line.

A line at the left edge, unless it is blank, goes on with no list item, quote or footnote. So it starts anew
whatever is open, save that text goes on with an open paragraph. Whatever needs a closer look than that is
declined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fingerpost.markdown import block_starts
from fingerpost.markdown.destinations import unescape
from fingerpost.markdown.found import Content
from fingerpost.markdown.leaves import Paragraph, RawCode, Table, add_paragraph
from fingerpost.markdown.open_blocks import OpenBlocks

# The beginning of a line that starts nothing but text.
_TEXT_START = r"(?:[^\s#>`~<=\-*_+0-9\[|:]|\*\*[^\s*]|`[^`\n]|\[[^\^\n]|[0-9]++[^0-9.)\n]|:[^\-\n])"
_ITEM_START = rf"(?:[-+*]|[0-9]{{1,9}}+[.)]) {_TEXT_START}"
_BLANK = re.compile(r"(?:[ \t]*+\n)++")
_TEXT = re.compile(rf"{_TEXT_START}.*(?:\n[ \t]*+{_TEXT_START}.*)*+(\n*)")
_INDENT = re.compile(r"[ \t]++")
_ITEMS = re.compile(rf"{_ITEM_START}.*(?:\n{_ITEM_START}.*)*+(\n*)")
_HEADING = re.compile(r"(#{1,6}) +(\S.*)\n*")
_FENCE = re.compile(r"```([^`\n]*+)(?=\n)")
_FENCE_END = re.compile(r"\n {0,3}+`{3,}+[ \t]*+(?=\n|\Z)")
_TABLE = re.compile(r"(\|.*)\n(\|[ \t:|-]*+)(?=\n|\Z)")
_ROWS = re.compile(r"(?:\n\|.*)*+(\n*)")

BlockReader = Callable[[OpenBlocks, int], int]
"""Reads the block at an offset; answers with the offset of the line after it, or 0 if it declines."""


def read_whole(state: OpenBlocks, position: int) -> int:
    """Read the block that begins with a line, if it can be read whole.

    Args:
        state: What is open: no leaf, or a paragraph.
        position: Offset of the line's first character.

    Returns:
        Offset of the first line that is not read; 0 when the line at `position` has to be read by itself.
    """
    return _READERS.get(state.text[position], _read_text)(state, position)


def _read_blank(state: OpenBlocks, position: int) -> int:
    blank = _BLANK.match(state.text, position)
    if blank is None:
        return _read_indented(state, position)
    if state.containers.quotes or state.containers.ends_with_blank():
        return 0
    if state.leaf is not None:
        state.close_leaf()
    return blank.end()


def _read_indented(state: OpenBlocks, position: int) -> int:
    indent = _INDENT.match(state.text, position)
    if indent is None or state.leaf is None or state.containers.quotes:
        return 0
    return _read_text(state, indent.end())


def _read_text(state: OpenBlocks, position: int) -> int:
    text = state.text
    lines = _TEXT.match(text, position)
    if lines is None:
        return 0
    end, after = lines.span(1)
    leaf = state.leaf
    if isinstance(leaf, Paragraph):
        leaf.add(position, end, adjoining=True)
        after = end + 1
    elif after - end > 1:
        state.close(0)
        if block_starts.may_hold_links(text, position, end):
            add_paragraph(text, position, end, state.blocks)
    else:
        state.open_leaf(Paragraph(position, end), 0)
    state.text_end = end
    return after


def _read_items(state: OpenBlocks, position: int) -> int:
    text = state.text
    items = _ITEMS.match(text, position)
    if items is None:
        return 0
    if state.leaf is not None and text[position].isdigit():
        return 0  # not every number may interrupt a paragraph
    state.close(0)
    end, after = items.span(1)
    state.text_end = end
    last = text.rfind("\n", position, end) + 1 or position
    for start, line_end in _lines_with_links(text, position, last):
        add_paragraph(text, text.find(" ", start) + 1, line_end, state.blocks)
    inside = text.find(" ", last) + 1
    state.containers.open("item", inside - last).empty = False
    if after - end == 1:
        state.leaf = Paragraph(inside, end)
    elif block_starts.may_hold_links(text, inside, end):
        add_paragraph(text, inside, end, state.blocks)
    return after


def _read_items_or_text(state: OpenBlocks, position: int) -> int:
    return _read_items(state, position) or _read_text(state, position)


def _read_heading(state: OpenBlocks, position: int) -> int:
    line = _HEADING.match(state.text, position)
    if line is None or "#" in line[2]:
        return 0
    state.close(0)
    marks, title = line.groups()
    start, line_end = line.span(2)
    content = Content(state.text, start, start + len(title.rstrip(" \t")))
    state.add_heading(len(marks), content, position, line_end)
    state.text_end = line_end
    return line.end()


def _read_fence(state: OpenBlocks, position: int) -> int:
    opening = _FENCE.match(state.text, position)
    if opening is None:
        return _read_text(state, position)
    closing = _FENCE_END.search(state.text, opening.end())
    if closing is None:
        return 0
    state.close(0)
    code = state.text[opening.end() + 1 : closing.start() + 1]
    state.text_end = closing.end()
    state.blocks.codes.append(
        RawCode(True, unescape(opening[1].strip(" \t")), code, position, state.text_end)
    )
    return state.text_end + 1


def _read_table(state: OpenBlocks, position: int) -> int:
    text = state.text
    head = _TABLE.match(text, position)
    if head is None or state.leaf is not None or not block_starts.TABLE_DELIMITERS.match(text, *head.span(2)):
        return 0
    cells = block_starts.table_cells(text, *head.span(1))
    if len(cells) != head[2].strip("| \t").count("|") + 1:
        return 0
    table = Table(len(cells))
    state.open_leaf(table, 0)
    table.add(text, cells, state.blocks)
    rows = _ROWS.match(text, head.end())
    end, after = rows.span(1) if rows else (head.end(), head.end())
    for start, line_end in _lines_with_links(text, head.end() + 1, end):
        table.read(text, start, line_end, state.blocks)
    state.text_end = end
    if after - end > 1:
        state.leaf = None
    return after


def _lines_with_links(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of a stretch of text that may hold links."""
    if block_starts.may_hold_links(text, start, end):
        for line in text[start:end].split("\n"):
            line_end = start + len(line)
            if "]" in line or "<" in line:
                yield start, line_end
            start = line_end + 1


_READERS: dict[str, BlockReader] = {
    **dict.fromkeys(" \t\n", _read_blank),
    **dict.fromkeys("-+", _read_items),
    **dict.fromkeys("*0123456789", _read_items_or_text),
    "#": _read_heading,
    "`": _read_fence,
    "|": _read_table,
}
