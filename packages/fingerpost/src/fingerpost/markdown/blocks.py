"""The block structure of a Markdown text: which stretches of it are inline content.

CommonMark 0.31, chapters 4 and 5. Lines are read one at a time. Each first has to continue the open
containers (quotes, list items, footnotes); what is left of it may open further ones, start a leaf block, or
continue the open one.

Beyond CommonMark, GitHub's tables and footnote definitions are known, for their cells and texts hold links.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar, Literal

from fingerpost.markdown import block_starts
from fingerpost.markdown.containers import CODE_INDENT, Container, ContainerKind, Containers, enter_quote
from fingerpost.markdown.found import Content
from fingerpost.markdown.leaves import (
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

_Started = Literal["nothing", "leaf", "container"]

_BREAK_LENGTH = 3
_BULLET_WIDTH = 2
# Lines at the left edge that can start nothing but text, as most do, are spared the long way round.
_TEXT_START = r"(?:[^\s#>`~<=\-*_+0-9\[|:]|\*\*[^\s*]|`[^`\n]|\[[^\^\n]|[0-9]++[^0-9.)\n])"
_PLAIN_LINES = re.compile(rf"(?:{_TEXT_START}[^\n]*+\n?+)++")
_PLAIN_ITEM = re.compile(rf"[-+*] {_TEXT_START}[^\n]*+")


def read_blocks(text: str) -> Blocks:
    r"""The leaf blocks of a text.

    Args:
        text: The text, with `\n` as its only line break.
    """
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._line = Line(text)
        self._blocks = Blocks()
        self._containers = Containers()
        self._leaf: Leaf | None = None
        self._text_end = 0
        self._no_break_before = 0  # a run of marks that is no thematic break holds none either

    def read(self) -> Blocks:
        text = self._text
        size = len(text)
        position = 0
        while position < size:
            after = self._read_plainly(position)
            if not after:
                line_end = text.find("\n", position)
                if line_end < 0:
                    line_end = size
                self._line.enter(position, line_end)
                self._read_line()
                after = line_end + 1
            position = after
        self._close(0)
        return self._blocks

    def _read_plainly(self, position: int) -> int:
        # Reads lines of plain text, or an empty one. Answers where the next line begins, 0 if neither.
        leaf = self._leaf
        containers = self._containers
        if self._text[position] == "\n":
            simple = leaf is None or isinstance(leaf, (Paragraph, Table))
            if containers.quotes or not simple or containers.ends_with_blank():
                return 0
            self._close_leaf()
            return position + 1
        if isinstance(leaf, (Fence, HtmlBlock, Table)) and not containers.stack:
            return 0
        if plain := _PLAIN_LINES.match(self._text, position):
            after = plain.end()
            end = after - (self._text[after - 1] == "\n")
            if isinstance(leaf, Paragraph):
                leaf.add(position, end, adjoining=True)
            else:
                self._open_leaf(Paragraph(position, end), 0)
        elif plain := _PLAIN_ITEM.match(self._text, position):
            end = plain.end()
            after = end + 1
            self._open_container("item", _BULLET_WIDTH, 0)
            self._open_leaf(Paragraph(position + _BULLET_WIDTH, end), 1)
        else:
            return 0
        self._text_end = end
        return after

    def _read_line(self) -> None:
        line = self._line
        matched = self._containers.match(line)
        if line.position == line.end:
            self._read_blank(matched)
            return
        leaf = self._leaf
        if matched < len(self._containers.stack):
            if not isinstance(leaf, Paragraph):
                self._close(matched)
        elif leaf is not None and self._leaf_takes(leaf):
            self._text_end = line.end
            return
        started = self._start_blocks(matched)
        if started != "leaf" and line.position < line.end:
            self._read_text(matched if started == "nothing" else len(self._containers.stack))
        self._text_end = line.end

    def _leaf_takes(self, leaf: Leaf) -> bool:
        # Whether the open leaf, all of whose containers go on, takes this line before it can start anything.
        line = self._line
        if isinstance(leaf, (Fence, HtmlBlock)):
            if leaf.read(line):
                self._close_leaf()
            return True
        if isinstance(leaf, IndentedCode):
            if line.column - line.base >= CODE_INDENT:
                leaf.read(line)
                return True
            self._close_leaf()
        return False

    def _read_text(self, matched: int) -> None:
        line = self._line
        leaf = self._leaf
        if isinstance(leaf, Paragraph):
            leaf.add(line.position, line.end, adjoining=not self._containers.quotes)
        elif isinstance(leaf, Table):
            leaf.read(line, self._blocks)
        else:
            self._open_leaf(Paragraph(line.position, line.end), matched)

    def _read_blank(self, matched: int) -> None:
        if matched < len(self._containers.stack):
            self._close(matched)
        leaf = self._leaf
        if isinstance(leaf, (Fence, IndentedCode)) or (isinstance(leaf, HtmlBlock) and leaf.closing):
            leaf.read(self._line)
        else:
            self._close_leaf()

    def _open_container(self, kind: ContainerKind, width: int, matched: int) -> Container:
        self._close(matched)
        return self._containers.open(kind, width)

    def _open_leaf(self, leaf: Leaf | None, matched: int) -> None:
        self._close(matched)
        if self._containers.stack:
            self._containers.stack[-1].empty = False
        self._leaf = leaf

    def _close(self, depth: int) -> None:
        self._close_leaf()
        self._containers.close(depth, self._text_end)

    def _close_leaf(self) -> None:
        if self._leaf is not None:
            self._leaf.close(self._text, self._blocks)
            self._leaf = None

    def _start_blocks(self, matched: int) -> _Started:
        line = self._line
        started: _Started = "nothing"
        while line.position < line.end:
            if line.column - line.base >= CODE_INDENT:
                if isinstance(self._leaf, Paragraph):
                    return started
                self._open_leaf(IndentedCode(line), matched)
                return "leaf"
            start = self._starts.get(self._text[line.position])
            outcome = start(self, matched) if start else "nothing"
            if outcome == "leaf":
                return outcome
            if outcome == "nothing":
                return started
            started = outcome
            matched = len(self._containers.stack)
        return started

    def _continues_paragraph(self, matched: int) -> Paragraph | None:
        # The paragraph that this line continues without laziness: what starts here has to interrupt it.
        leaf = self._leaf
        return leaf if isinstance(leaf, Paragraph) and matched == len(self._containers.stack) else None

    def _start_quote(self, matched: int) -> _Started:
        self._open_container("quote", 0, matched)
        enter_quote(self._line)
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
        self._open_leaf(
            Fence(line, match.group(1) or match.group(3), match.group(2) or match.group(4) or ""), matched
        )
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
        container = self._open_container("footnote", CODE_INDENT, matched)
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
        self._blocks.headings.append(
            RawHeading(level, content, start, self._line.end, len(self._containers.stack))
        )
        if block_starts.may_hold_links(content.text, content.start, content.end):
            self._blocks.contents.append(content)

    def _start_break(self, matched: int) -> _Started:
        line = self._line
        if line.position < self._no_break_before:
            return "nothing"
        stop = block_starts.break_end(self._text, line.position, line.end)
        if (
            stop < line.end
            or self._text.count(self._text[line.position], line.position, stop) < _BREAK_LENGTH
        ):
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
        nested_code = line.column - after_marker > CODE_INDENT
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
        paragraph.cut_at(start)
        table = Table(len(cells))
        self._open_leaf(table, matched)
        table.add(self._text, cells, self._blocks)
        return "leaf"

    def _start_with_dash(self, matched: int) -> _Started:
        for start in (self._start_setext, self._start_break, self._start_bullet):
            outcome = start(matched)
            if outcome != "nothing":
                return outcome
        return self._start_table(matched)

    def _start_with_asterisk(self, matched: int) -> _Started:
        outcome = self._start_break(matched)
        return outcome if outcome != "nothing" else self._start_bullet(matched)

    _starts: ClassVar[dict[str, Callable[[_Reader, int], _Started]]] = {
        ">": _start_quote,
        "#": _start_heading,
        "`": _start_fence,
        "~": _start_fence,
        "<": _start_html,
        "[": _start_footnote,
        "=": _start_setext,
        "-": _start_with_dash,
        "*": _start_with_asterisk,
        "_": _start_break,
        "+": _start_bullet,
        "|": _start_table,
        ":": _start_table,
        **dict.fromkeys("0123456789", _start_ordered),
    }
