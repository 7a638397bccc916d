"""File names from titles: readable in any script, and good on every system."""

from __future__ import annotations

import re
import unicodedata

from fingerpost.okf.paths import portable_key
from fingerpost.text.cutting import character_boundary

MOST_BYTES = 200
"""Most bytes of a slug: a file name may have 255, and a suffix, a number and a temporary name need some."""

_LAST_RESORT = "concept"
_APOSTROPHES = frozenset("'’‘ʼʻ`´＇")
# Letters and marks that nobody sees: fillers, joiners of graphemes, variation selectors.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_BREAKS = re.compile("-{2,}")
# Files that are no concepts (OKF 0.2 §3.1), that tools read as something else, or that Windows cannot store.
_RESERVED = re.compile(
    "index|log|readme|agents|claude|skill|license|licence|contributing|changelog|security"
    "|con|prn|aux|nul|clock|(?:com|lpt)[0-9¹²³]"
)


def slug(title: str, fallback: str = _LAST_RESORT) -> str:
    """The name of a file for a title, without `.md`.

    Letters and digits of any script stay, in small letters and composed (NFC), the words joined by hyphens.
    Titles whose slugs have the same `portable_key` are one file on some systems.

    Args:
        title: The title.
        fallback: What to make the name of when nothing of the title can stay.

    Returns:
        The name; never empty, never one that is reserved, at most 200 bytes of UTF-8.
    """
    for text in (title, fallback):
        name = _within(_words(text), MOST_BYTES)
        if name:
            return f"{name}-{_LAST_RESORT}" if _RESERVED.fullmatch(portable_key(name)) else name
    return _LAST_RESORT


def numbered(name: str, number: int) -> str:
    """A slug with a number behind it, for a name that is taken: `slug-2`.

    Args:
        name: The slug.
        number: The number.
    """
    suffix = f"-{number}"
    return _within(name, MOST_BYTES + 40 - len(suffix)) + suffix


def _words(text: str) -> str:
    kept: list[str] = []
    for character in unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower()):
        category = unicodedata.category(character)
        if character in _APOSTROPHES or category == "Cf" or _UNSEEN.match(character):
            continue
        is_mark = category in ("Mn", "Mc")
        if category[0] in "LN" or (is_mark and kept and kept[-1] != "-"):
            kept.append(character)
        elif not is_mark:
            kept.append("-")
    return _BREAKS.sub("-", unicodedata.normalize("NFC", "".join(kept))).strip("-")


def _within(name: str, most: int) -> str:
    """The head of a name that has at most so many bytes, cut between two words or at least two characters."""
    if len(name.encode()) <= most:
        return name
    head = name.encode()[:most].decode("utf-8", "ignore")
    if name[len(head)] != "-":
        words = head.rpartition("-")[0]
        head = words if len(words) > len(head) // 2 else head[: character_boundary(name, 0, len(head))]
    return head.strip("-")
