"""Folding: the one form in which two spellings of a word are compared. It is for matching, never shown.

letter case        Straße = STRASSE, İ = i          casefold
accents            café = cafe, Ł = l               compatibility decomposition, marks dropped; й stays й
Arabic             أ إ آ ٱ = ا, ة = ه, ى = ي        hamza forms, harakat and tatweel dropped; ی as ي, ک as ك
digits             ٣ = ۳ = ３ = 3                    every decimal digit
invisible          zero-width and soft hyphen        dropped
apostrophes        don’t = don't                     all as one

`docs/languages.md` is the table of every fold, with what it must not conflate; a test holds the two together.
"""

from __future__ import annotations

import unicodedata

# Marks that spell a variant of the same letter. The vowel signs of Indic scripts and of Thai are letters.
_ACCENTS = (
    (0x0300, 0x036F),  # Latin, Greek, Cyrillic
    (0x0483, 0x0489),  # Church Slavonic
    (0x0591, 0x05C7),  # Hebrew points
    (0x0610, 0x061A),  # Arabic: harakat, hamza, Quranic signs
    (0x064B, 0x065F),
    (0x0670, 0x0670),
    (0x06D6, 0x06ED),
    (0x0898, 0x089F),
    (0x08CA, 0x08FF),
    (0x093C, 0x093C),  # Devanagari nukta, which is often left out
    (0x180B, 0x180F),  # variation selectors
    (0xFE00, 0xFE0F),
    (0xE0100, 0xE01EF),
    (0x1AB0, 0x1AFF),  # for any script
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)
_LETTERS = {
    **dict.fromkeys("‘’‛ʻʼ", "'"),
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "ħ": "h",
    "ŧ": "t",
    "ŋ": "n",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
    "ı": "i",
    "ة": "ه",
    "ہ": "ه",
    "ھ": "ه",
    "ە": "ه",
    "ى": "ي",
    "ی": "ي",
    "ے": "ي",
    "ک": "ك",
    "ٱ": "ا",
    "ـ": "",
    "ۥ": "",
    "ۦ": "",
    "ँ": "ं",
}
# Cyrillic letters that decompose but that nobody types without their mark, unlike ё.
_WHOLE = {letter: small for small in "йўїѓќ" for letter in (small, small.upper())}


class _Folds(dict[int, str | int]):
    """What each character folds to, worked out when it is first met."""

    def __missing__(self, code: int) -> str | int:
        folded = _fold_character(chr(code))
        self[code] = code if folded == chr(code) else folded
        return self[code]


_FOLDS = _Folds()


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
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).translate(_FOLDS))


def _fold_character(character: str) -> str:
    if character in _WHOLE:
        return _WHOLE[character]
    small = (
        each
        for part in unicodedata.normalize("NFKD", character)
        if not _is_dropped(part)
        for each in unicodedata.normalize("NFKD", part.casefold())
        if not _is_dropped(each)
    )
    return unicodedata.normalize("NFC", "".join(_as_digit(_LETTERS.get(each, each)) for each in small))


def _is_dropped(character: str) -> bool:
    """Whether a character is invisible or a mark that only tells variants of a letter apart."""
    category = unicodedata.category(character)
    if category == "Cf":
        return True
    code = ord(character)
    return category in {"Mn", "Me"} and any(first <= code <= last for first, last in _ACCENTS)


def _as_digit(folded: str) -> str:
    return str(unicodedata.decimal(folded)) if folded.isdecimal() else folded
