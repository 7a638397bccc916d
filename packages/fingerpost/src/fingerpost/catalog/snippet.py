"""The part of a text that shows why it was found."""

from __future__ import annotations

import re
from collections.abc import Collection

from fingerpost.text.folding import fold

_WORD = re.compile(r"[^\W_]+")
_BLANKS = re.compile(r"\s+")
_BEFORE, _LENGTH = 60, 200


def snippet(body: str, words: Collection[str]) -> str:
    """Cut out the surroundings of the first matched word.

    Args:
        body: The text.
        words: Folded words that matched.

    Returns:
        One line of about 200 characters with "…" where text was left off, "" when none of the words stands in
        `body`.
    """
    position = _first(body, frozenset(words))
    if position < 0:
        return ""
    start = max(0, position - _BEFORE)
    end = min(len(body), start + _LENGTH)
    if start:
        start = body.find(" ", start, position) + 1 or start
    if end < len(body):
        end = max(body.rfind(" ", position, end), position + 1) if " " in body[position:end] else end
    text = _BLANKS.sub(" ", body[start:end]).strip()
    return f"{'…' if start else ''}{text}{'…' if end < len(body) else ''}"


def _first(body: str, words: frozenset[str]) -> int:
    if body.isascii():
        ascii_words = [re.escape(word) for word in words if word.isascii()]
        if not ascii_words:
            return -1
        found = re.search(rf"(?<![^\W_])(?:{'|'.join(ascii_words)})(?![^\W_])", body.lower())
        return found.start() if found else -1
    for match in _WORD.finditer(body):
        folded = fold(match[0])
        if folded in words:
            return match.start()
        if not folded.isascii() and any(not word.isascii() and word in folded for word in words):
            return match.start()
    return -1
