"""The block structure of a Markdown text: which stretches of it are inline content (CommonMark 0.31, chapters 4 and 5).

Lines are read one at a time. Each first has to continue the open containers (quotes, list items, footnotes); what is
left of it may open further ones, start a leaf block, or continue the one that is open.

Beyond CommonMark, GitHub's tables and footnote definitions are known, for their cells and texts hold links.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fingerpost.okf import block_starts
from fingerpost.okf.leaves import (
    Blocks,
    Fence,
    HtmlBlock,
    IndentedCode,
    Leaf,
    Line,
    Paragraph,
    RawFootnote,
    RawHeading,
    Table,
)
from fingerpost.okf.markdown import Content

_Started = Literal["nothing", "leaf", "container"]

_CODE_INDENT = 4
_BREAK_LENGTH = 3
_PLAIN_LINES = re.compile(r"(?:[^\s#>`~<=\-*_+0-9\[|:][^\n]*+\n?+)++")


@dataclass(slots=True)
class _Container:
    kind: Literal["quote", "item", "footnote"]
    width: int
    total_width: int
    footnote: RawFootnote | None = None
    empty: bool = True


def read_blocks(text: str) -> Blocks:
    """The leaf blocks of a text.

    Args:
        text: The text, with `\\n` as its only line break.
    """
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._line = Line(text)
        self._blocks = Blocks()
        self._containers: list[_Container] = []
        self._quotes: list[int] = []
        self._leaf: Leaf | None = None
        self._text_end = 0
        self._no_break_before = 0  # a run of marks that is no thematic break holds none either

    def read(self) -> Blocks:
        text = self._text
        size = len(text)
        position = 0
        while position < size:
            leaf = self._leaf
            if leaf is None and text[position] == "\n" and not self._quotes:
                if not self._containers or not self._containers[-1].empty:
                    position += 1
                    continue
            if leaf is None or self._containers or isinstance(leaf, (Paragraph, IndentedCode)):
                plain = _PLAIN_LINES.match(text, position)
                if plain:
                    stop = plain.end()
                    self._read_plain_lines(position, stop - (text[stop - 1] == "\n"))
                    position = stop
                    continue
            line_end = text.find("\n", position)
            if line_end < 0:
                line_end = size
            self._line.enter(position, line_end)
            self._read_line()
            position = line_end + 1
        self._close(0)
        return self._blocks

    def _read_plain_lines(self, start: int, end: int) -> None:
        # At the left edge, and nothing but text: such lines continue a paragraph, if need be lazily, or end all else.
        if isinstance(self._leaf, Paragraph):
            self._leaf.add(start, end, adjoining=True)
        else:
            self._close(0)
            self._leaf = Paragraph(start, end)
        self._text_end = end

    def _read_line(self) -> None:
        line = self._line
        matched = self._match_containers()
        if line.position == line.end:
            self._read_blank(matched)
            return
        leaf = self._leaf
        if matched < len(self._containers):
            if not isinstance(leaf, Paragraph):
                self._close(matched)
        elif leaf is not None and self._leaf_takes(leaf):
            self._text_end = line.end
            return
        started = self._start_blocks(matched)
        if started != "leaf" and line.position < line.end:
            self._read_text(matched if started == "nothing" else len(self._containers))
        self._text_end = line.end

    def _leaf_takes(self, leaf: Leaf) -> bool:
        # Whether the open leaf, all of whose containers go on, takes this line before it can start anything.
        line = self._line
        if isinstance(leaf, (Fence, HtmlBlock)):
            if leaf.read(line):
                self._close_leaf()
            return True
        if isinstance(leaf, IndentedCode):
            if line.column - line.base >= _CODE_INDENT:
                leaf.read(line)
                return True
            self._close_leaf()
        return False

    def _read_text(self, matched: int) -> None:
        line = self._line
        leaf = self._leaf
        if isinstance(leaf, Paragraph):
            leaf.add(line.position, line.end, adjoining=not self._quotes)
        elif isinstance(leaf, Table):
            leaf.read(line, self._blocks)
        else:
            self._open_leaf(Paragraph(line.position, line.end), matched)

    def _read_blank(self, matched: int) -> None:
        self._close_containers_from(matched)
        leaf = self._leaf
        if isinstance(leaf, Fence):
            leaf.read(self._line)
        elif isinstance(leaf, IndentedCode):
            leaf.read(self._line)
        elif isinstance(leaf, HtmlBlock) and leaf.closing:
            leaf.read(self._line)
        elif leaf is not None:
            self._close_leaf()

    # Containers

    def _match_containers(self) -> int:
        line = self._line
        containers = self._containers
        for depth, container in enumerate(containers):
            if line.position == line.end:
                return self._match_blank(depth)
            indent = line.column - line.base
            if container.kind == "quote":
                if indent >= _CODE_INDENT or self._text[line.position] != ">":
                    return depth
                self._enter_quote()
            elif indent >= container.width:
                line.base += container.width
            else:
                return depth
        return len(containers)

    def _match_blank(self, depth: int) -> int:
        # The rest of the line is blank: that ends quotes, and an item that has nothing in it yet.
        containers = self._containers
        quote = bisect_left(self._quotes, depth)
        matched = self._quotes[quote] if quote < len(self._quotes) else len(containers)
        if matched == len(containers) and containers[-1].kind == "item" and containers[-1].empty:
            matched -= 1
        if matched > depth:
            outside = containers[depth - 1].total_width if depth else 0
            self._line.base += containers[matched - 1].total_width - outside
        return matched

    def _enter_quote(self) -> None:
        line = self._line
        inside = line.position + 1
        line.base = line.column + 1
        line.advance(inside, line.base)
        if line.position > inside:
            line.base += 1

    def _open_container(self, kind: Literal["quote", "item", "footnote"], width: int, matched: int) -> _Container:
        self._close(matched)
        total_width = width
        if self._containers:
            self._containers[-1].empty = False
            total_width += self._containers[-1].total_width
        if kind == "quote":
            self._quotes.append(len(self._containers))
        container = _Container(kind, width, total_width)
        self._containers.append(container)
        return container

    def _close_containers_from(self, depth: int) -> None:
        if depth < len(self._containers):
            self._close(depth)

    def _close(self, depth: int) -> None:
        self._close_leaf()
        containers = self._containers
        while len(containers) > depth:
            container = containers.pop()
            if container.kind == "quote":
                self._quotes.pop()
            elif container.footnote:
                container.footnote.end = self._text_end

    def _close_leaf(self) -> None:
        if self._leaf is not None:
            self._leaf.close(self._text, self._blocks)
            self._leaf = None

    def _open_leaf(self, leaf: Leaf | None, matched: int) -> None:
        self._close(matched)
        if self._containers:
            self._containers[-1].empty = False
        self._leaf = leaf

    # Block starts

    def _start_blocks(self, matched: int) -> _Started:
        line = self._line
        started: _Started = "nothing"
        while line.position < line.end:
            if line.column - line.base >= _CODE_INDENT:
                if isinstance(self._leaf, Paragraph):
                    return started
                self._open_leaf(IndentedCode(line), matched)
                return "leaf"
            start = _STARTS.get(self._text[line.position])
            outcome = start(self, matched) if start else "nothing"
            if outcome == "leaf":
                return outcome
            if outcome == "nothing":
                return started
            started = outcome
            matched = len(self._containers)
        return started

    def _continues_paragraph(self, matched: int) -> Paragraph | None:
        # The paragraph that this line would continue without laziness: what starts here would have to interrupt it.
        leaf = self._leaf
        return leaf if isinstance(leaf, Paragraph) and matched == len(self._containers) else None

    def _start_quote(self, matched: int) -> _Started:
        self._open_container("quote", 0, matched)
        self._enter_quote()
        return "container"

    def _start_heading(self, matched: int) -> _Started:
        line = self._line
        match = block_starts.ATX_HEADING.match(self._text, line.position, line.end)
        if not match:
            return "nothing"
        self._open_leaf(None, matched)
        start, end = block_starts.atx_content(self._text, match.end(), line.end)
        level = len(match.group(1))
        self._add_heading(level, Content(self._text, start, end), line.position)
        return "leaf"

    def _start_fence(self, matched: int) -> _Started:
        line = self._line
        match = block_starts.FENCE.match(self._text, line.position, line.end)
        if not match:
            return "nothing"
        self._open_leaf(Fence(line, match.group(1) or match.group(3), match.group(2) or match.group(4) or ""), matched)
        return "leaf"

    def _start_html(self, matched: int) -> _Started:
        line = self._line
        lone_tag = not isinstance(self._leaf, (Paragraph, Table))
        opens, closing = block_starts.html_block(self._text, line.position, line.end, lone_tag=lone_tag)
        if not opens:
            return "nothing"
        block = HtmlBlock(closing)
        self._open_leaf(block, matched)
        if block.read(line):
            self._close_leaf()
        return "leaf"

    def _start_footnote(self, matched: int) -> _Started:
        line = self._line
        match = block_starts.FOOTNOTE.match(self._text, line.position, line.end)
        if not match:
            return "nothing"
        container = self._open_container("footnote", _CODE_INDENT, matched)
        container.footnote = RawFootnote(match.group(1), line.position, match.end())
        self._blocks.footnotes.append(container.footnote)
        line.advance(match.end(), line.column + match.end() - match.start())
        line.base = line.column
        return "container"

    def _start_setext(self, matched: int) -> _Started:
        line = self._line
        paragraph = self._continues_paragraph(matched)
        if not paragraph or not block_starts.SETEXT_UNDERLINE.match(self._text, line.position, line.end):
            return "nothing"
        content = paragraph.content(self._text, self._blocks)
        self._leaf = None
        if not content:
            return "nothing"
        level = 1 if self._text[line.position] == "=" else 2
        self._add_heading(level, content, content.origin(content.start))
        return "leaf"

    def _add_heading(self, level: int, content: Content, start: int) -> None:
        self._blocks.headings.append(RawHeading(level, content, start, self._line.end, len(self._containers)))
        if block_starts.may_hold_links(content.text, content.start, content.end):
            self._blocks.contents.append(content)

    def _start_break(self, matched: int) -> _Started:
        line = self._line
        if line.position < self._no_break_before:
            return "nothing"
        stop = block_starts.break_end(self._text, line.position, line.end)
        if stop < line.end or self._text.count(self._text[line.position], line.position, stop) < _BREAK_LENGTH:
            self._no_break_before = stop
            return "nothing"
        self._open_leaf(None, matched)
        return "leaf"

    def _start_bullet(self, matched: int) -> _Started:
        match = block_starts.BULLET.match(self._text, self._line.position, self._line.end)
        return self._start_item(match.end(), matched, may_interrupt=True) if match else "nothing"

    def _start_ordered(self, matched: int) -> _Started:
        match = block_starts.ORDERED.match(self._text, self._line.position, self._line.end)
        if not match:
            return "nothing"
        return self._start_item(match.end(), matched, may_interrupt=int(match.group(1)) == 1)

    def _start_item(self, marker_end: int, matched: int, *, may_interrupt: bool) -> _Started:
        line = self._line
        rest = block_starts.BLANK_LINE_END.match(self._text, marker_end, line.end)
        if self._continues_paragraph(matched) and (rest or not may_interrupt):
            return "nothing"
        base = line.base
        after_marker = line.column + marker_end - line.position
        line.advance(marker_end, after_marker)
        nested_code = line.column - after_marker > _CODE_INDENT
        line.base = after_marker + 1 if rest or nested_code else line.column
        self._open_container("item", line.base - base, matched)
        return "container"

    def _start_table(self, matched: int) -> _Started:
        line = self._line
        paragraph = self._continues_paragraph(matched)
        if not paragraph or not block_starts.TABLE_DELIMITERS.match(self._text, line.position, line.end):
            return "nothing"
        start, end = paragraph.pieces[-1]
        start = max(start, self._text.rfind("\n", start, end) + 1)
        cells = block_starts.table_cells(self._text, start, end)
        delimiters = block_starts.table_cells(self._text, line.position, line.end)
        if len(cells) != len(delimiters) or self._text.find("|", start, end) < 0:
            return "nothing"
        paragraph.cut_last_line(self._text)
        table = Table(len(cells))
        self._open_leaf(table, matched)
        table.add(self._text, cells, self._blocks)
        return "leaf"

    def _start_with_dash(self, matched: int) -> _Started:
        for start in (_Reader._start_setext, _Reader._start_break, _Reader._start_bullet):
            outcome = start(self, matched)
            if outcome != "nothing":
                return outcome
        return self._start_table(matched)

    def _start_with_asterisk(self, matched: int) -> _Started:
        outcome = self._start_break(matched)
        return outcome if outcome != "nothing" else self._start_bullet(matched)


_STARTS: dict[str, Callable[[_Reader, int], _Started]] = {
    ">": _Reader._start_quote,
    "#": _Reader._start_heading,
    "`": _Reader._start_fence,
    "~": _Reader._start_fence,
    "<": _Reader._start_html,
    "[": _Reader._start_footnote,
    "=": _Reader._start_setext,
    "-": _Reader._start_with_dash,
    "*": _Reader._start_with_asterisk,
    "_": _Reader._start_break,
    "+": _Reader._start_bullet,
    "|": _Reader._start_table,
    ":": _Reader._start_table,
    **dict.fromkeys("0123456789", _Reader._start_ordered),
}
