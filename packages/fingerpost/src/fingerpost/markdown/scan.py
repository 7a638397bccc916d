"""Links, headings, code blocks, footnotes and comments of a Markdown body, with exact offsets.

Links are those of CommonMark 0.31 plus GitHub's tables: inline and reference links, images, autolinks in
angle brackets. Never a link: what stands in code, in a comment or in raw HTML, save for `<a href>` and
`<img src>`; a bare URL; a footnote. Wiki links `[[x]]` are a kind of their own, taken only where no Markdown
link uses the brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter

from fingerpost.markdown.blocks import read_blocks
from fingerpost.markdown.destinations import decode_entities, unescape
from fingerpost.markdown.found import CodeBlock, Comment, Content, Footnote, Heading, Link, LinkKind, Scan
from fingerpost.markdown.headings import Slugs, plain_text
from fingerpost.markdown.inlines import Found, scan_html, scan_inline
from fingerpost.markdown.leaves import Blocks
from fingerpost.markdown.plain_links import plain_targets

__all__ = [
    "CodeBlock",
    "Comment",
    "Footnote",
    "Heading",
    "Link",
    "LinkKind",
    "Scan",
    "plain",
    "scan",
    "unescape",
]

_LINE_BREAK = re.compile(r"[ \t]*+\n[ \t]*+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:")
_UNLINKED = frozenset(("unlinked", "unlinked_image"))
_LEADING = frozenset(("link", "autolink", "html"))
_BY_START = attrgetter("start")


def leading_targets(text: str) -> list[str]:
    """The targets of the links that `scan` finds, images and wiki links left out, in the same order.

    Args:
        text: The body, without frontmatter.
    """
    text = _with_plain_line_ends(text)
    targets = plain_targets(text)
    if targets is not None:
        return targets
    return [
        _target(found, content, text)
        for content, finds in _finds(read_blocks(text))
        for found in finds
        if found.kind in _LEADING
    ]


def scan(text: str, first_line: int = 1) -> Scan:
    r"""Find the links and the structure of a Markdown text, in linear time.

    Args:
        text: The body, without frontmatter; `\n`, `\r\n` and `\r` end lines.
        first_line: The line of the file that the text begins on.

    Returns:
        What was found; no text is an error.
    """
    text = _with_plain_line_ends(text)
    blocks = read_blocks(text)
    links: list[Link] = []
    references: list[Footnote] = []
    comments: list[Comment] = []
    unlinked: list[Link] = []
    places = _Places(text, first_line)
    for content, finds in _finds(blocks):
        for found in finds:
            start, end = found.start, found.end
            if content.starts:
                start, end = content.origins_of(start, end)
            line, column = places.of(start)
            if found.kind in _LINKS:
                kept = unlinked if found.kind in _UNLINKED else links
                kept.append(_link(found, content, text, start, end, line, column))
            elif found.kind == "footnote":
                label = content.text[found.text_start : found.text_end]
                references.append(Footnote(label, start, end, line, column))
            else:
                comments.append(Comment(start, end, line))
    return Scan(
        tuple(links),
        _headings(blocks, places),
        _code_blocks(blocks, places),
        tuple(references),
        _footnote_definitions(blocks, places),
        tuple(comments),
        tuple(unlinked),
    )


def _with_plain_line_ends(text: str) -> str:
    # Of the same length, so that offsets hold.
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text


def plain(markdown: str) -> str:
    """The text of a piece of inline Markdown, such as the text of a link, without its markup.

    Args:
        markdown: The piece, as written.
    """
    return plain_text(Content(markdown, 0, len(markdown)), {})


class _Places:
    """Lines and columns of offsets, at their quickest when asked for in ascending order."""

    __slots__ = ("_first_line", "_line", "_line_start", "_offset", "_text")

    def __init__(self, text: str, first_line: int) -> None:
        self._text = text
        self._line = self._first_line = first_line
        self._line_start = self._offset = 0

    def of(self, offset: int) -> tuple[int, int]:
        if offset < self._offset:
            self._line = self._first_line
            self._line_start = self._offset = 0
        breaks = self._text.count("\n", self._offset, offset)
        if breaks:
            self._line += breaks
            self._line_start = self._text.rfind("\n", self._offset, offset) + 1
        self._offset = offset
        return self._line, offset - self._line_start + 1


def _finds(blocks: Blocks) -> list[tuple[Content, list[Found]]]:
    finds = [(content, scan_inline(content, blocks.definitions)) for content in blocks.contents]
    if blocks.html:
        finds += [(content, scan_html(content)) for content in blocks.html]
        finds.sort(key=lambda pair: pair[0].origin(pair[0].start))
    for _, found in finds:
        if len(found) > 1:
            found.sort(key=_BY_START)
    return finds


def _link(found: Found, content: Content, text: str, start: int, end: int, line: int, column: int) -> Link:
    target_start, target_end = found.target_start, found.target_end
    if content.starts and not found.by_reference:
        target_start, target_end = content.origins_of(target_start, target_end)
    kind, _ = _LINKS[found.kind]
    shown = content.text[found.text_start : found.text_end]
    if "\n" in shown:
        shown = _LINE_BREAK.sub(" ", shown)
    return Link(
        kind, _target(found, content, text), shown, start, end, target_start, target_end, line, column
    )


def _target(found: Found, content: Content, text: str) -> str:
    written = (text if found.by_reference else content.text)[found.target_start : found.target_end]
    return _LINKS[found.kind][1](written)


def _autolink_target(written: str) -> str:
    return written if _SCHEME.match(written) else f"mailto:{written}"


_LINKS: dict[str, tuple[LinkKind, Callable[[str], str]]] = {
    "link": ("link", unescape),
    "image": ("image", unescape),
    "autolink": ("autolink", _autolink_target),
    "wiki": ("wiki", str),
    "html": ("html", decode_entities),
    "html_image": ("image", decode_entities),
    "unlinked": ("link", unescape),
    "unlinked_image": ("image", unescape),
}
"""How a thing found becomes a link: its kind, and what makes a target of what is written."""


def _headings(blocks: Blocks, places: _Places) -> tuple[Heading, ...]:
    slugs = Slugs()
    headings: list[Heading] = []
    for raw in blocks.headings:
        shown = plain_text(raw.content, blocks.definitions)
        line, _ = places.of(raw.start)
        headings.append(Heading(raw.level, shown, slugs.add(shown), raw.start, raw.end, line, raw.depth))
    return tuple(headings)


def _code_blocks(blocks: Blocks, places: _Places) -> tuple[CodeBlock, ...]:
    return tuple(
        CodeBlock(raw.fenced, raw.info, raw.code, raw.start, raw.end, places.of(raw.start)[0])
        for raw in blocks.codes
    )


def _footnote_definitions(blocks: Blocks, places: _Places) -> tuple[Footnote, ...]:
    return tuple(Footnote(raw.label, raw.start, raw.end, *places.of(raw.start)) for raw in blocks.footnotes)
