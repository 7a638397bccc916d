"""What a scan of Markdown finds, as plain data, and the stretches of inline content that lead to it.

All offsets count characters in the scanned text; `text[start:end]` is the whole construct as written.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal, NamedTuple

LinkKind = Literal["link", "image", "autolink", "wiki", "html"]


class Link(NamedTuple):
    """One link, of whatever spelling.

    Attributes:
        kind: "link" (inline or by reference), "image" (also `<img src="x">`), "autolink" (`<https://x>`,
            `<a@b.c>`), "wiki" (`[[x]]` and the embed `![[x]]`) or "html" (`<a href="x">`).
        target: The destination without backslash escapes and entities; percent-encoding is kept. An e-mail
            autolink has its "mailto:" added.
        text: What stands between the brackets, as written, line breaks folded to blanks; the alias of a wiki
            link.
        start: Offset of the first character of the construct.
        end: Offset after its last character.
        target_start: Offset of the destination as written, without `<` `>` or quotes. For a link by reference
            it lies in the line of the definition.
        target_end: Offset after the destination as written.
        line: Line of `start`, from the scan's `first_line`.
        column: Column of `start`, from 1.
    """

    kind: LinkKind
    target: str
    text: str
    start: int
    end: int
    target_start: int
    target_end: int
    line: int
    column: int


class Heading(NamedTuple):
    """A heading, `# ATX` or underlined.

    Attributes:
        level: 1 to 6.
        text: The text without markup.
        slug: The anchor that GitHub gives it, unique within the document.
        start: Offset of the heading's first character.
        end: Offset after the heading's last line, without its line break.
        line: Line of `start`, from the scan's `first_line`.
        depth: How many quotes, list items and footnotes it is nested in; 0 for one that opens a section.
    """

    level: int
    text: str
    slug: str
    start: int
    end: int
    line: int
    depth: int


class CodeBlock(NamedTuple):
    """A fenced or an indented code block.

    Attributes:
        fenced: Whether it is fenced; otherwise indented.
        info: The info string of the fence, unescaped; "" when there is none.
        code: The code, each line with its line break, indentation of the block removed.
        start: Offset of the opening fence, or of the first character of indented code.
        end: Offset after the closing fence, or after the last line of code when nothing closes it.
        line: Line of `start`, from the scan's `first_line`.
    """

    fenced: bool
    info: str
    code: str
    start: int
    end: int
    line: int


class Footnote(NamedTuple):
    """A reference `[^label]`, or a definition `[^label]: text`.

    Attributes:
        label: The label as written, without the caret.
        start: Offset of the opening bracket.
        end: For a reference, the offset after the closing bracket; for a definition, after its last line of
            text.
        line: Line of `start`, from the scan's `first_line`.
        column: Column of `start`, from 1.
    """

    label: str
    start: int
    end: int
    line: int
    column: int


class Comment(NamedTuple):
    """An HTML comment, from `<!--` to after `-->`, or to the end of its block when nothing closes it.

    Attributes:
        start: Offset of the `<`.
        end: Offset after the `>`.
        line: Line of `start`, from the scan's `first_line`.
    """

    start: int
    end: int
    line: int


class Scan(NamedTuple):
    """Everything that one scan found, each in the order of the text.

    Attributes:
        links: Links of all kinds, images among them.
        headings: Headings.
        code_blocks: Fenced and indented code blocks.
        footnote_references: References such as `[^1]`, whether defined or not.
        footnote_definitions: Definitions such as `[^1]: text`.
        comments: HTML comments.
        unlinked: What is written like an inline link or image and is none, because its destination has
            blanks, such as `[text](two words.md)`. Its target is the destination as it was meant.
    """

    links: tuple[Link, ...]
    headings: tuple[Heading, ...]
    code_blocks: tuple[CodeBlock, ...]
    footnote_references: tuple[Footnote, ...]
    footnote_definitions: tuple[Footnote, ...]
    comments: tuple[Comment, ...]
    unlinked: tuple[Link, ...]


class Content(NamedTuple):
    """A stretch of inline content, and where each part of it lies in the scanned text.

    Attributes:
        text: A text that holds the content; the scanned text itself wherever the content is in one piece.
        start: Offset of the content in `text`.
        end: Offset after the content in `text`.
        starts: Offsets in `text` at which a piece begins; empty when `text` is the scanned text.
        origins: Offset of each piece in the scanned text.
    """

    text: str
    start: int
    end: int
    starts: tuple[int, ...] = ()
    origins: tuple[int, ...] = ()

    def origin(self, offset: int) -> int:
        """Where the character at an offset of `text` lies in the scanned text."""
        if not self.starts:
            return offset
        piece = bisect_right(self.starts, offset) - 1
        return self.origins[piece] + offset - self.starts[piece]

    def origins_of(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of `text` begins and ends in the scanned text."""
        if not self.starts:
            return start, end
        origin = self.origin(start)
        return origin, self.origin(end - 1) + 1 if end > start else origin


def content_of_pieces(text: str, pieces: list[tuple[int, int]], separator: str) -> Content:
    """The content made of several stretches of a text.

    Args:
        text: The scanned text.
        pieces: Start and end offset of each stretch.
        separator: What stands between two stretches.

    Returns:
        The content, which is `text` itself when there is only one stretch.
    """
    if len(pieces) == 1:
        return Content(text, *pieces[0])
    starts: list[int] = []
    parts: list[str] = []
    offset = 0
    for start, end in pieces:
        starts.append(offset)
        parts.append(text[start:end])
        offset += end - start + len(separator)
    joined = separator.join(parts)
    return Content(joined, 0, len(joined), tuple(starts), tuple(start for start, _ in pieces))
