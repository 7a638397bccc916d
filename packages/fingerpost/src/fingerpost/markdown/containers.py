"""The containers of Markdown blocks: quotes, list items and footnotes (CommonMark 0.31, chapter 5)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

from fingerpost.markdown.leaves import Line, RawFootnote

ContainerKind = Literal["quote", "item", "footnote"]
CODE_INDENT = 4


@dataclass(slots=True)
class Container:
    """An open container.

    Attributes:
        kind: What it is.
        width: By how many columns its further lines are indented; 0 for a quote.
        total_width: The widths of it and of all containers around it.
        footnote: The definition, for a footnote.
        empty: Whether no block has begun in it.
    """

    kind: ContainerKind
    width: int
    total_width: int
    footnote: RawFootnote | None = None
    empty: bool = True


class Containers:
    """The open containers, the outermost first.

    Attributes:
        stack: The containers.
        quotes: Depths of those that are quotes.
    """

    __slots__ = ("quotes", "stack")

    def __init__(self) -> None:
        self.stack: list[Container] = []
        self.quotes: list[int] = []

    def match(self, line: Line) -> int:
        """Go into all containers that a line continues.

        Args:
            line: The line, at its first character that is no blank; it is left at the innermost content.

        Returns:
            How many there are.
        """
        for depth, container in enumerate(self.stack):
            if line.position == line.end:
                return self._match_blank(line, depth)
            indent = line.column - line.base
            if container.kind == "quote":
                if indent >= CODE_INDENT or line.text[line.position] != ">":
                    return depth
                enter_quote(line)
            elif indent >= container.width:
                line.base += container.width
            else:
                return depth
        return len(self.stack)

    def _match_blank(self, line: Line, depth: int) -> int:
        # The rest of the line is blank: that ends quotes, and an item that has nothing in it yet.
        # No loop here, lest blank lines below many containers take long.
        stack = self.stack
        quote = bisect_left(self.quotes, depth)
        matched = self.quotes[quote] if quote < len(self.quotes) else len(stack)
        if matched == len(stack) and self.ends_with_blank():
            matched -= 1
        if matched > depth:
            outside = stack[depth - 1].total_width if depth else 0
            line.base += stack[matched - 1].total_width - outside
        return matched

    def ends_with_blank(self) -> bool:
        """Whether a blank line ends the innermost container: a list item with nothing in it yet."""
        return bool(self.stack) and self.stack[-1].empty and self.stack[-1].kind == "item"

    def open(self, kind: ContainerKind, width: int) -> Container:
        """Open a container in the innermost one."""
        total_width = width
        if self.stack:
            self.stack[-1].empty = False
            total_width += self.stack[-1].total_width
        if kind == "quote":
            self.quotes.append(len(self.stack))
        container = Container(kind, width, total_width)
        self.stack.append(container)
        return container

    def close(self, depth: int, text_end: int) -> None:
        """Close all but the outermost.

        Args:
            depth: How many stay open.
            text_end: Offset after the last text in them.
        """
        while len(self.stack) > depth:
            container = self.stack.pop()
            if container.kind == "quote":
                self.quotes.pop()
            elif container.footnote:
                container.footnote.end = text_end


def enter_quote(line: Line) -> None:
    """Go from the mark of a quote to its content: a blank after the mark belongs to the mark."""
    inside = line.position + 1
    line.base = line.column + 1
    line.advance(inside, line.base)
    if line.position > inside:
        line.base += 1
