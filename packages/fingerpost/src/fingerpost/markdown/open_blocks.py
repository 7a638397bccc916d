"""What is open at a point of a Markdown text, and what has been read before it."""

from __future__ import annotations

from fingerpost.markdown import block_starts
from fingerpost.markdown.containers import Containers
from fingerpost.markdown.found import Content
from fingerpost.markdown.leaves import Blocks, Leaf, RawHeading


class OpenBlocks:
    """The open containers and the open leaf of a text that is being read.

    Attributes:
        text: The text.
        blocks: The leaf blocks that are closed.
        containers: The containers that are open.
        leaf: The leaf that is open in the innermost of them, if any.
        text_end: Offset after the last text that was read.
    """

    __slots__ = ("blocks", "containers", "leaf", "text", "text_end")

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks = Blocks([], [], [], [], [], {})
        self.containers = Containers()
        self.leaf: Leaf | None = None
        self.text_end = 0

    def open_leaf(self, leaf: Leaf | None, depth: int) -> None:
        """Begin a leaf in the containers down to a depth; None for a block that ends with its line."""
        self.close(depth)
        if self.containers.stack:
            self.containers.stack[-1].empty = False
        self.leaf = leaf

    def close(self, depth: int) -> None:
        """Close the leaf, and all containers but the outermost.

        Args:
            depth: How many containers stay open.
        """
        if self.leaf is not None:
            self.close_leaf()
        if len(self.containers.stack) > depth:
            self.containers.close(depth, self.text_end)

    def close_leaf(self) -> None:
        """Close the leaf, if one is open."""
        if self.leaf is not None:
            self.leaf.close(self.text, self.blocks)
            self.leaf = None

    def add_heading(self, level: int, content: Content, start: int, end: int) -> None:
        """Take in a heading that stands in the open containers."""
        depth = len(self.containers.stack)
        self.blocks.headings.append(RawHeading(level, content, start, end, depth))
        if block_starts.may_hold_links(content.text, content.start, content.end):
            self.blocks.contents.append(content)
