"""The leaf blocks of a Markdown text while they are open, and what becomes of them once they close.

A `Line` is the cursor that all of them read from. Columns are those on screen, with a tab stop every four.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from fingerpost.markdown import block_starts
from fingerpost.markdown.destinations import read_definition, skip_blanks, unescape
from fingerpost.markdown.found import Content, content_of_pieces

_TAB_STOP = 4


class RawHeading(NamedTuple):
    """A heading whose inline content is not read yet; the attributes are those of `Heading`."""

    level: int
    content: Content
    start: int
    end: int
    depth: int


class RawCode(NamedTuple):
    """A code block whose line is not counted yet; the attributes are those of `CodeBlock`."""

    fenced: bool
    info: str
    code: str
    start: int
    end: int


@dataclass(slots=True)
class RawFootnote:
    """A footnote definition; its end is known once its container closes."""

    label: str
    start: int
    end: int


@dataclass(slots=True)
class Blocks:
    """The leaf blocks of a text, in order.

    Attributes:
        contents: Inline content that may hold links, of paragraphs, headings and table cells.
        headings: Headings.
        codes: Code blocks.
        html: HTML blocks.
        footnotes: Footnote definitions.
        definitions: Normalised label of link reference definitions, with start and end of the destination.
    """

    contents: list[Content]
    headings: list[RawHeading]
    codes: list[RawCode]
    html: list[Content]
    footnotes: list[RawFootnote]
    definitions: dict[str, tuple[int, int]]


class Line:
    """A cursor in one line of a text.

    Attributes:
        text: The text.
        end: Offset of the line's end.
        position: Offset of the cursor: on a character that is neither blank nor tab, or on the end.
        column: Column of the cursor.
        base: Column at which the content of the innermost matched container begins.
        margin: Offset at which the blanks before the cursor begin.
        margin_column: Column of the margin.
    """

    __slots__ = ("base", "column", "end", "margin", "margin_column", "position", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = self.position = self.column = self.base = self.margin = self.margin_column = 0

    def enter(self, start: int, end: int) -> None:
        """Go to the first character of a line that is no blank."""
        self.end = end
        self.column = self.base = 0
        self.advance(start, 0)

    def advance(self, position: int, column: int) -> None:
        """Go to a position at a known column, then on to the next character that is no blank."""
        self.margin = position
        self.margin_column = column
        match = block_starts.BLANKS.match(self.text, position, self.end)
        stop = match.end() if match else position
        if stop > position and self.text.find("\t", position, stop) >= 0:
            for character in self.text[position:stop]:
                column += _TAB_STOP - column % _TAB_STOP if character == "\t" else 1
            self.column = column
        else:
            self.column = column + stop - position
        self.position = stop

    def from_column(self, wanted: int) -> str:
        """The line from a column on, with its line break; a tab that the column cuts becomes blanks."""
        position, column = self.margin, self.margin_column
        while column < wanted and position < self.position:
            column += _TAB_STOP - column % _TAB_STOP if self.text[position] == "\t" else 1
            position += 1
        return " " * (column - wanted) + self.text[position : self.end] + "\n"


class Paragraph:
    """An open paragraph. It takes each further line that starts no block."""

    __slots__ = ("pieces",)

    def __init__(self, start: int, end: int) -> None:
        self.pieces = [(start, end)]

    def add(self, start: int, end: int, *, adjoining: bool) -> None:
        """Add a line; `adjoining` when only white space separates it from what is there."""
        if adjoining:
            self.pieces[-1] = (self.pieces[-1][0], end)
        else:
            self.pieces.append((start, end))

    def cut_at(self, line_start: int) -> None:
        """Take the last line away, for it has turned out to be the header of a table."""
        start, _ = self.pieces.pop()
        if line_start > start:
            self.pieces.append((start, line_start - 1))

    def content(self, text: str, blocks: Blocks) -> Content | None:
        """The content without the link reference definitions at its beginning, which go to the blocks.

        Returns:
            The content; None when nothing but definitions was there.
        """
        content = content_of_pieces(text, self.pieces, "\n")
        offset, end = content.start, content.end
        while offset < end and content.text[offset] == "[":
            definition = read_definition(content.text, offset, end)
            if not definition:
                break
            origin = content.origin(definition.start)
            length = definition.end - definition.start
            blocks.definitions.setdefault(definition.label, (origin, origin + length))
            offset = skip_blanks(content.text, definition.after, end)
        if offset == content.start:
            return content
        return Content(content.text, offset, end, content.starts, content.origins) if offset < end else None

    def close(self, text: str, blocks: Blocks) -> None:
        """Hand over the content if it may hold links."""
        if not self.pieces:
            return
        if block_starts.may_hold_links(text, self.pieces[0][0], self.pieces[-1][1]):
            content = self.content(text, blocks)
            if content:
                blocks.contents.append(content)


def add_paragraph(text: str, start: int, end: int, blocks: Blocks) -> None:
    """Hand over a paragraph in one piece that may hold links."""
    if text[start] == "[":
        Paragraph(start, end).close(text, blocks)
    else:
        blocks.contents.append(Content(text, start, end))


class Fence:
    """An open fenced code block."""

    __slots__ = ("_character", "_indent", "_info", "_length", "_lines", "_start", "end")

    def __init__(self, line: Line, fence: str, info: str) -> None:
        self._character = fence[0]
        self._length = len(fence)
        self._indent = line.column - line.base
        self._info = unescape(info.strip(" \t"))
        self._lines: list[str] = []
        self._start = line.position
        self.end = line.end

    def read(self, line: Line) -> bool:
        """Read a line; True when it closes the block."""
        self.end = line.end
        if line.text.startswith(self._character, line.position) and line.column - line.base < _TAB_STOP:
            rest = line.text[line.position : line.end].rstrip(" \t")
            if len(rest) >= self._length and not rest.strip(self._character):
                return True
        self._lines.append(line.from_column(line.base + self._indent))
        return False

    def close(self, _text: str, blocks: Blocks) -> None:
        """Hand over the code."""
        blocks.codes.append(RawCode(True, self._info, "".join(self._lines), self._start, self.end))


class IndentedCode:
    """An open indented code block. Blank lines count once code follows them."""

    __slots__ = ("_end", "_lines", "_pending", "_start")

    def __init__(self, line: Line) -> None:
        self._lines: list[str] = []
        self._pending: list[str] = []
        self._start = line.position
        self.read(line)

    def read(self, line: Line) -> None:
        """Read a line of code, or a blank one."""
        self._pending.append(line.from_column(line.base + _TAB_STOP))
        if line.position < line.end:
            self._lines += self._pending
            self._pending.clear()
            self._end = line.end

    def close(self, _text: str, blocks: Blocks) -> None:
        """Hand over the code."""
        blocks.codes.append(RawCode(False, "", "".join(self._lines), self._start, self._end))


class HtmlBlock:
    """An open HTML block, ended by a pattern or, without one, by a blank line."""

    __slots__ = ("_pieces", "closing")

    def __init__(self, closing: re.Pattern[str] | None) -> None:
        self.closing = closing
        self._pieces: list[tuple[int, int]] = []

    def read(self, line: Line) -> bool:
        """Read a line; True when it closes the block."""
        self._pieces.append((line.position, line.end))
        return (
            self.closing is not None and self.closing.search(line.text, line.position, line.end) is not None
        )

    def close(self, text: str, blocks: Blocks) -> None:
        """Hand over the HTML."""
        blocks.html.append(content_of_pieces(text, self._pieces, "\n"))


class Table:
    """An open table. Cells beyond the columns of its header are no content."""

    __slots__ = ("_columns",)

    def __init__(self, columns: int) -> None:
        self._columns = columns

    def read(self, text: str, start: int, end: int, blocks: Blocks) -> None:
        """Read a row."""
        if block_starts.may_hold_links(text, start, end):
            self.add(text, block_starts.table_cells(text, start, end), blocks)

    def add(self, text: str, cells: list[tuple[int, int]], blocks: Blocks) -> None:
        """Hand over the cells of a row that may hold links."""
        for start, end in cells[: self._columns]:
            if block_starts.may_hold_links(text, start, end):
                pieces = block_starts.cell_pieces(text, *block_starts.trimmed(text, start, end))
                blocks.contents.append(content_of_pieces(text, pieces, ""))

    def close(self, _text: str, _blocks: Blocks) -> None:
        """A table hands over each row as it is read."""


Leaf = Paragraph | Fence | IndentedCode | HtmlBlock | Table
