"""Slips of the hand."""

from __future__ import annotations

import string

from benchmarks.generator.dice import Dice


def can_be_misspelt(word: str, letters: int) -> bool:
    """Whether a word is one of Latin letters, and long enough."""
    return len(word) >= letters and word.isalpha() and all(letter < "\u0250" for letter in word)


def misspelt(word: str, dice: Dice, edits: int = 1) -> str:
    """A word with a letter too many, too few, wrong or swapped with the next; the first letter stays.

    Args:
        word: The word.
        dice: Says what goes wrong, and where.
        edits: How often something goes wrong, each time in another part of the word.
    """
    part = len(word) // edits
    pieces = [word[place * part : (place + 1) * part] for place in range(edits - 1)]
    pieces.append(word[(edits - 1) * part :])
    return "".join(_slip(piece, dice, 1 if place == 0 else 0) for place, piece in enumerate(pieces))


def _slip(piece: str, dice: Dice, first: int) -> str:
    while True:
        place = dice.between(first, len(piece) - 1)
        letter = string.ascii_lowercase[dice.below(26)]
        slips = (
            piece[:place] + letter + piece[place:],
            piece[:place] + piece[place + 1 :],
            piece[:place] + letter + piece[place + 1 :],
            piece[:place] + piece[place + 1 : place + 2] + piece[place] + piece[place + 2 :],
        )
        slipped = dice.pick(slips)
        if slipped.casefold() != piece.casefold():
            return slipped
