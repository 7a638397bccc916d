"""The block structure of a Markdown text: which stretches of it are inline content.

CommonMark 0.31, chapters 4 and 5. Most blocks at the left edge are read whole, by `whole_blocks`; all other
lines one at a time. Each first has to continue the open containers (quotes, list items, footnotes); what is
left of it may open further ones, start a leaf block, or continue the open one.

Beyond CommonMark, GitHub's tables and footnote definitions are known, for their cells and texts hold links.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from fingerpost.markdown import block_starts
from fingerpost.markdown.containers import CODE_INDENT, Container, ContainerKind, enter_quote
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
    Table,
)
from fingerpost.markdown.open_blocks import OpenBlocks
from fingerpost.markdown.whole_blocks import read_whole

_Started = Literal["nothing", "leaf", "container"]

_BREAK_LENGTH = 3


def read_blocks(text: str) -> Blocks:
    r"""The leaf blocks of a text.

    Args:
        text: The text, with `\n` as its only line break.
    """
    return _Reader(text).read()


class _Reader(OpenBlocks):
    __slots__ = ("_line", "_no_break_before")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._line = Line(text)
        self._no_break_before = 0  # a run of marks that is no thematic break holds none either

    def read(self) -> Blocks:
        text = self.text
        size = len(text)
        position = 0
        while position < size:
            leaf = self.leaf
            after = read_whole(self, position) if leaf is None or leaf.__class__ is Paragraph else 0
            if not after:
                line_end = text.find("\n", position)
                if line_end < 0:
                    line_end = size
                self._line.enter(position, line_end)
                self._read_line()
                after = line_end + 1
            position = after
        self.close(0)
        return self.blocks

    def _read_line(self) -> None:
        line = self._line
        matched = self.containers.match(line)
        if line.position == line.end:
            self._read_blank(matched)
            return
        leaf = self.leaf
        if matched < len(self.containers.stack):
            if not isinstance(leaf, Paragraph):
                self.close(matched)
        elif leaf is not None and self._leaf_takes(leaf):
            self.text_end = line.end
            return
        started = self._start_blocks(matched)
        if started != "leaf" and line.position < line.end:
            self._read_text(matched if started == "nothing" else len(self.containers.stack))
        self.text_end = line.end

    def _leaf_takes(self, leaf: Leaf) -> bool:
        # Whether the open leaf, all of whose containers go on, takes this line before it can start anything.
        line = self._line
        if isinstance(leaf, (Fence, HtmlBlock)):
            if leaf.read(line):
                self.close_leaf()
            return True
        if isinstance(leaf, IndentedCode):
            if line.column - line.base >= CODE_INDENT:
                leaf.read(line)
                return True
            self.close_leaf()
        return False

    def _read_text(self, matched: int) -> None:
        line = self._line
        leaf = self.leaf
        if isinstance(leaf, Paragraph):
            leaf.add(line.position, line.end, adjoining=not self.containers.quotes)
        elif isinstance(leaf, Table):
            leaf.read(self.text, line.position, line.end, self.blocks)
        else:
            self.open_leaf(Paragraph(line.position, line.end), matched)

    def _read_blank(self, matched: int) -> None:
        if matched < len(self.containers.stack):
            self.close(matched)
        leaf = self.leaf
        if isinstance(leaf, (Fence, IndentedCode)) or (isinstance(leaf, HtmlBlock) and leaf.closing):
            leaf.read(self._line)
        else:
            self.close_leaf()

    def _open_container(self, kind: ContainerKind, width: int, matched: int) -> Container:
        self.close(matched)
        return self.containers.open(kind, width)

    def _start_blocks(self, matched: int) -> _Started:
        line = self._line
        started: _Started = "nothing"
        while line.position < line.end:
            if line.column - line.base >= CODE_INDENT:
                if isinstance(self.leaf, Paragraph):
                    return started
                self.open_leaf(IndentedCode(line), matched)
                return "leaf"
            start = self._starts.get(self.text[line.position])
            outcome = start(self, matched) if start else "nothing"
            if outcome == "leaf":
                return outcome
            if outcome == "nothing":
                return started
            started = outcome
            matched = len(self.containers.stack)
        return started

    def _continues_paragraph(self, matched: int) -> Paragraph | None:
        # The paragraph that this line continues without laziness: what starts here has to interrupt it.
        leaf = self.leaf
        return leaf if isinstance(leaf, Paragraph) and matched == len(self.containers.stack) else None

    def _start_quote(self, matched: int) -> _Started:
        self._open_container("quote", 0, matched)
        enter_quote(self._line)
        return "container"

    def _start_heading(self, matched: int) -> _Started:
        line = self._line
        match = block_starts.ATX_HEADING.match(self.text, line.position, line.end)
        if not match:
            return "nothing"
        self.open_leaf(None, matched)
        start, end = block_starts.atx_content(self.text, match.end(), line.end)
        level = len(match.group(1))
        self.add_heading(level, Content(self.text, start, end), line.position, line.end)
        return "leaf"

    def _start_fence(self, matched: int) -> _Started:
        line = self._line
        match = block_starts.FENCE.match(self.text, line.position, line.end)
        if not match:
            return "nothing"
        self.open_leaf(
            Fence(line, match.group(1) or match.group(3), match.group(2) or match.group(4) or ""), matched
        )
        return "leaf"

    def _start_html(self, matched: int) -> _Started:
        line = self._line
        lone_tag = not isinstance(self.leaf, (Paragraph, Table))
        opens, closing = block_starts.html_block(self.text, line.position, line.end, lone_tag=lone_tag)
        if not opens:
            return "nothing"
        block = HtmlBlock(closing)
        self.open_leaf(block, matched)
        if block.read(line):
            self.close_leaf()
        return "leaf"

    def _start_footnote(self, matched: int) -> _Started:
        line = self._line
        match = block_starts.FOOTNOTE.match(self.text, line.position, line.end)
        if not match:
            return "nothing"
        container = self._open_container("footnote", CODE_INDENT, matched)
        container.footnote = RawFootnote(match.group(1), line.position, match.end())
        self.blocks.footnotes.append(container.footnote)
        line.advance(match.end(), line.column + match.end() - match.start())
        line.base = line.column
        return "container"

    def _start_setext(self, matched: int) -> _Started:
        line = self._line
        paragraph = self._continues_paragraph(matched)
        if not paragraph or not block_starts.SETEXT_UNDERLINE.match(self.text, line.position, line.end):
            return "nothing"
        content = paragraph.content(self.text, self.blocks)
        self.leaf = None
        if not content:
            return "nothing"
        level = 1 if self.text[line.position] == "=" else 2
        self.add_heading(level, content, content.origin(content.start), line.end)
        return "leaf"

    def _start_break(self, matched: int) -> _Started:
        line = self._line
        if line.position < self._no_break_before:
            return "nothing"
        stop = block_starts.break_end(self.text, line.position, line.end)
        if stop < line.end or self.text.count(self.text[line.position], line.position, stop) < _BREAK_LENGTH:
            self._no_break_before = stop
            return "nothing"
        self.open_leaf(None, matched)
        return "leaf"

    def _start_bullet(self, matched: int) -> _Started:
        match = block_starts.BULLET.match(self.text, self._line.position, self._line.end)
        return self._start_item(match.end(), matched, may_interrupt=True) if match else "nothing"

    def _start_ordered(self, matched: int) -> _Started:
        match = block_starts.ORDERED.match(self.text, self._line.position, self._line.end)
        if not match:
            return "nothing"
        return self._start_item(match.end(), matched, may_interrupt=int(match.group(1)) == 1)

    def _start_item(self, marker_end: int, matched: int, *, may_interrupt: bool) -> _Started:
        line = self._line
        rest = block_starts.BLANK_LINE_END.match(self.text, marker_end, line.end)
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
        if not paragraph or not block_starts.TABLE_DELIMITERS.match(self.text, line.position, line.end):
            return "nothing"
        start, end = paragraph.pieces[-1]
        start = max(start, self.text.rfind("\n", start, end) + 1)
        cells = block_starts.table_cells(self.text, start, end)
        delimiters = block_starts.table_cells(self.text, line.position, line.end)
        if len(cells) != len(delimiters) or self.text.find("|", start, end) < 0:
            return "nothing"
        paragraph.cut_at(start)
        table = Table(len(cells))
        self.open_leaf(table, matched)
        table.add(self.text, cells, self.blocks)
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
