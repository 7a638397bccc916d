"""Folding: the one form in which two spellings of a word are compared. It is for matching, never shown.

letter case        Straße = STRASSE, İ = i          casefold
accents            café = cafe, Ł = l               compatibility decomposition, marks dropped
Arabic             أ إ آ ٱ = ا, ة = ه, ى = ي        hamza forms, harakat and tatweel dropped
digits             ٣ = ۳ = ３ = 3                    every decimal digit
invisible          zero-width and soft hyphen        dropped
"""

from __future__ import annotations

import re
import unicodedata

# Only marks that spell a variant of the same letter: the vowel signs of Indic scripts and Thai are letters.
_MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u00ad\u200b-\u200f\u2060\ufeff]"
)
_LETTERS = str.maketrans(
    {
        "ة": "ه",
        "ى": "ي",
        "ی": "ي",
        "ک": "ك",
        "ٱ": "ا",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        "ı": "i",
    }
)
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")


def fold(text: str) -> str:
    """Fold a text for comparison.

    Folding twice changes nothing more, and NFC and NFD spellings fold alike.

    Args:
        text: Any text.

    Returns:
        The folded text; its length may differ from that of `text` unless `text` is ASCII.
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    folded = _MARKS.sub("", decomposed).translate(_LETTERS)
    folded = _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), folded)
    return unicodedata.normalize("NFC", folded)
