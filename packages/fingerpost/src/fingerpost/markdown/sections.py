"""The sections of a Markdown text: a heading and all below it, up to the next of its level or above."""

from __future__ import annotations

from typing import NamedTuple

from fingerpost.errors import KnowledgeNotFoundError
from fingerpost.markdown.found import Heading
from fingerpost.markdown.scan import plain
from fingerpost.text.folding import fold
from fingerpost.text.suggest import nearest

_SHOWN_SECTION = 100


class Section(NamedTuple):
    """A part of a text.

    Attributes:
        start: Offset of its heading.
        end: Offset after it.
        title: Its heading without markup; "" for the whole text.
    """

    start: int
    end: int
    title: str


def find_section(headings: tuple[Heading, ...], length: int, wanted: str) -> Section:
    """The section that a text means.

    Args:
        headings: The headings of the text.
        length: How many characters the text has.
        wanted: The heading, by slug or words in any letter case; "" for the whole text.

    Raises:
        KnowledgeNotFoundError: If there is no such section; the message names those that there are.
    """
    if not wanted.strip():
        return Section(0, length, "")
    heading = find_heading(headings, wanted)
    if heading is None:
        titles = [heading.text for heading in headings if heading.depth == 0]
        near = nearest(wanted, titles) or titles[:20]
        known = f"Sections: {', '.join(near)}." if near else "It has no headings; read it without a section."
        raise KnowledgeNotFoundError(
            f"This concept has no section {wanted.strip()[:_SHOWN_SECTION]!r}. {known}"
        )
    following = (
        other.start
        for other in headings
        if other.start > heading.start and other.level <= heading.level and other.depth == 0
    )
    return Section(heading.start, next(following, length), heading.text)


def find_heading(headings: tuple[Heading, ...], wanted: str) -> Heading | None:
    """The heading that a text means, by slug or words in any letter case; one in a quote does not count."""
    key = plain(wanted.strip().lstrip("#").strip())
    headings = tuple(heading for heading in headings if heading.depth == 0 and key)
    for heading in headings:
        if heading.slug == key or fold(heading.text).strip() == fold(key):
            return heading
    return next((heading for heading in headings if heading.slug == fold(key).replace(" ", "-")), None)
