"""What the speed of search is measured with: questions made of the words of generated concepts."""

from __future__ import annotations

import re
from typing import Any

from benchmarks.asking.misspelling import can_be_misspelt, misspelt
from benchmarks.bundles import Made
from benchmarks.generator.concept import Concept
from benchmarks.generator.dice import Dice
from benchmarks.generator.languages import language
from benchmarks.generator.page import description, page
from fingerpost.text.words import query_words

_WORD = re.compile(r"[^\W_]+")
_SAYING_NOTHING = ("what is this", "how do I find it", "where is the", "was ist das", "who and why")

Question = dict[str, Any]
"""Arguments of `Bundle.find`."""


def question_sets(made: Made, count: int, seed: int = 1) -> dict[str, list[Question]]:
    """Questions for each figure of `find`.

    Args:
        made: The bundle.
        count: How many for each figure.
        seed: Other seeds give other questions.
    """
    dice = Dice(seed, "questions", made.concepts)
    return {
        "warm up": [{"text": _words(dice, made)[0]} for _ in range(20)],
        "spelt right": [{"text": _words(dice, made)[0]} for _ in range(count)],
        "filtered": [_filtered(dice, made) for _ in range(count)],
        "common": [{"text": _common(dice)} for _ in range(count)],
        "misspelt": [{"text": _misspelt(dice, made)} for _ in range(count)],
    }


def known_question(made: Made, seed: int = 1) -> tuple[str, str]:
    """The title of a concept of a bundle, and its id."""
    written = _picked(Dice(seed, "known", made.concepts), made)
    return written.title, written.path.removesuffix(".md")


def _picked(dice: Dice, made: Made) -> Concept:
    while True:
        written = made.concept(dice.below(made.concepts))
        if not written.flaw and written.status != "deprecated":
            return written


def _words(dice: Dice, made: Made) -> tuple[str, Concept]:
    """One to four words of a concept: of its header, of its body, or of both."""
    written = _picked(dice, made)
    header = f"{written.title} {description(made.seed, written.number)} {' '.join(written.tags)}"
    body = page(made.seed, written.number).decode().partition("\n---\n")[2]
    text = (header, body, header + body)[dice.below(3)]
    words = [
        word for word in dict.fromkeys(_WORD.findall(text)) if query_words(f"{word} the") == query_words(word)
    ]
    return " ".join(dice.some(words, dice.between(1, 4))), written


def _filtered(dice: Dice, made: Made) -> Question:
    text, written = _words(dice, made)
    filters: list[Question] = [{"type": written.type}, {"tags": [written.tags[0]]}]
    if written.folder:
        filters.append({"path": f"{written.folder}/"})
    return {"text": text, **dice.pick(filters)}


def _common(dice: Dice) -> str:
    """Words that a great many concepts hold; one question in ten says nothing at all."""
    if dice.chance(10):
        return dice.pick(_SAYING_NOTHING)
    return " ".join(dice.some(language("en").common, dice.between(1, 3)))


def _misspelt(dice: Dice, made: Made) -> str:
    """Up to three words of a title, one of them misspelt."""
    while True:
        written = _picked(dice, made)
        places = [place for place, word in enumerate(written.words) if can_be_misspelt(word.text, 5)]
        if places:
            words = [word.text for word in written.words]
            wrong = dice.pick(places)
            words[wrong] = misspelt(words[wrong].lower(), dice)
            others = [place for place in range(len(words)) if place != wrong]
            kept = sorted([wrong, *dice.some(others, dice.below(3))])
            return " ".join(words[place] for place in kept)
