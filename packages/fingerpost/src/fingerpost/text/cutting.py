"""Where a text may be cut: at a line, at a word, and never inside what a reader sees as one character."""

from __future__ import annotations

import unicodedata

_ZERO_WIDTH_JOINER = "\u200d"
_VIRAMA = 9  # canonical combining class of the signs that join two consonants into one


def cut(text: str, limit: int, *, at: str = "\n") -> str:
    """The longest sensible head of a text.

    Args:
        text: The text.
        limit: How many characters the head may have at most.
        at: The boundary to prefer. The head ends before it, unless that would give up more than half of what
            is allowed; then it ends at a blank, and where there is none, between two characters.

    Returns:
        `text` itself when it is short enough, else its head without trailing blanks.
    """
    if len(text) <= limit:
        return text
    end = boundary(text, 0, limit, at=at)
    return text[:end].rstrip() or text[:end]


def boundary(text: str, start: int, end: int, *, at: str = "\n") -> int:
    """The best place to end a piece that begins at `start` and may reach `end`.

    Args:
        text: The whole text; it is not copied.
        start: Offset of the piece's first character.
        end: Offset behind the last character that the piece may have.
        at: The boundary to prefer; it stays with the piece.

    Returns:
        An offset in `start < offset <= end`, or `start` when `end` is not behind it.
    """
    if end >= len(text) or end <= start:
        return max(start, min(end, len(text)))
    half = start + (end - start) // 2
    for mark in (at, " "):
        found = text.rfind(mark, half, end)
        if found >= 0:
            return found + len(mark)
    return character_boundary(text, start, end)


def character_boundary(text: str, start: int, end: int) -> int:
    """The last offset up to `end` that does not split a character as a reader sees it.

    Accents, emoji sequences, flags, Hangul syllables, Indic conjuncts, surrogate pairs and CR LF stay whole.
    A piece that consists of one endless sequence is split at `end`, so that a caller always makes progress.

    Args:
        text: The whole text.
        start: Offset of the piece's first character.
        end: Offset behind the last character that the piece may have.

    Returns:
        An offset in `start < offset <= end`.
    """
    offset = end
    while start < offset < len(text) and _joined(text, offset):
        offset -= 1
    return offset if offset > start else end


def _joined(text: str, offset: int) -> bool:
    """Whether the characters around `offset` belong together."""
    before, after = text[offset - 1], text[offset]
    if before < "\u0300" and after < "\u0300":
        return before == "\r" and after == "\n"
    if unicodedata.category(after)[0] == "M" or after == _ZERO_WIDTH_JOINER or before == _ZERO_WIDTH_JOINER:
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return True
    if unicodedata.combining(before) == _VIRAMA and after.isalpha():
        return True
    return _is_hangul_joined(before, after) or _splits_flag(text, offset)


def _is_hangul_joined(before: str, after: str) -> bool:
    """Whether two conjoining jamo, or a syllable and a jamo, form one syllable block."""
    is_vowel_or_final = "\u1160" <= after <= "\u11ff"
    return is_vowel_or_final and ("\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3")


def _splits_flag(text: str, offset: int) -> bool:
    """Whether `offset` lies within a pair of regional indicators; pairs are counted from the run's start."""
    if not (_is_regional(text[offset]) and _is_regional(text[offset - 1])):
        return False
    first = offset
    while first > 0 and _is_regional(text[first - 1]):
        first -= 1
    return (offset - first) % 2 == 1


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
