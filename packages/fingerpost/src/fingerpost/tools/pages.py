"""Texts measured as they travel, and split into pages of that measure."""

from __future__ import annotations

import json

from fingerpost.text.cutting import boundary, character_boundary


def written_length(text: str) -> int:
    """How many characters a text takes within JSON, without its quotes: a line break counts as two."""
    return len(json.dumps(text, ensure_ascii=False)) - 2


def fitting_end(text: str, start: int, size: int) -> int:
    """How far a piece may reach before it takes more than `size` characters within a JSON text.

    Args:
        text: The whole text.
        start: Offset of the piece's first character.
        size: How many characters it may take, escapes counted.

    Returns:
        The largest such offset, at least `start`.
    """
    low, high = start, min(len(text), start + max(size, 0))
    if written_length(text[start:high]) <= size:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if written_length(text[start:middle]) <= size:
            low = middle
        else:
            high = middle - 1
    return low


def other_page_note(asked: int, given: int) -> str:
    """What to say when there is no such page and another one is given, "" when it is the one asked for.

    Args:
        asked: The number that was asked for.
        given: That of the page that is given.
    """
    return "" if asked == given else f"There is no page {asked}; this is page {given}."


def pages(text: str, size: int) -> list[tuple[int, int]]:
    """Split a text into pages, at lines where possible, else at blanks, else between two characters.

    Equal texts are split equally, and the pages together are the text: none of it is left out or repeated.

    Args:
        text: The text.
        size: How many characters a page may take within a JSON text, escapes counted; at least 12, so that
            any single character fits.

    Returns:
        Start and end offsets of each page; one empty page for an empty text.
    """
    size = max(size, 12)
    found: list[tuple[int, int]] = []
    start = 0
    while start < len(text) or not found:
        limit = fitting_end(text, start, size)
        end = limit if limit >= len(text) else boundary(text, start, limit)
        found.append((start, end))
        start = end
    return found


def fitting_head(text: str, size: int) -> str:
    """The longest sensible head of a text that takes at most `size` characters within a JSON text.

    Args:
        text: The text.
        size: How many characters it may take, escapes counted.

    Returns:
        The head, cut at a line, a blank or a character; "" when not one character fits.
    """
    end = fitting_end(text, 0, size)
    if end >= len(text):
        return text
    head = text[: boundary(text, 0, end)]
    return head.rstrip() or text[: character_boundary(text, 0, end)]
