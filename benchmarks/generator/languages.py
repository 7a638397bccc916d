"""What texts of each language are made of: patterns with slots, and tables of what fills them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Protocol

from benchmarks.generator import words_arabic, words_cjk, words_english, words_german
from benchmarks.generator.dice import Dice, even, zipf
from benchmarks.generator.rare import dates, numbers

_SLOT = re.compile(r"\{(.)\}")


class Table(Protocol):
    """What turns a draw into a word."""

    def __getitem__(self, draw: int, /) -> str: ...


class Few:
    """A table of few words."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def __getitem__(self, draw: int, /) -> str:
        return self._words[draw % len(self._words)]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text with slots, as `str.format` takes it, and what each slot is for."""

    text: str
    slots: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Pattern:
        """The pattern that a text such as "the {n}" describes."""
        return cls(_SLOT.sub("{}", text), tuple(_SLOT.findall(text)))

    def filled(self, dice: Dice, tables: Mapping[str, Table]) -> str:
        """The text with each slot filled by a draw."""
        draws = dice.take(len(self.slots))
        return self.text.format(*[tables[slot][draw] for slot, draw in zip(self.slots, draws, strict=True)])


@dataclass(frozen=True, slots=True)
class Language:
    """A language.

    Attributes:
        code: Its code.
        blank: What stands between sentences and words.
        width: Bytes of a character in UTF-8, on average.
        tables: Words by slot, common ones more often.
        title_words: Words by slot, each as often as any other.
        sentences: Patterns of running text.
        descriptions: Patterns of descriptions.
        titles: Patterns of titles.
        questions: Questions about a title.
        common: The words of running text that come most often and carry a subject.
    """

    code: str
    blank: str
    width: float
    tables: Mapping[str, Table]
    title_words: Mapping[str, Table]
    sentences: tuple[Pattern, ...]
    descriptions: tuple[Pattern, ...]
    titles: tuple[Pattern, ...]
    questions: tuple[str, ...]
    common: tuple[str, ...]


@cache
def language(code: str) -> Language:
    """The language with a code: en, de, ar, zh or ja."""
    return {"en": _english, "de": _german, "ar": _arabic, "zh": _chinese, "ja": _japanese}[code]()


def _patterns(*texts: str) -> tuple[Pattern, ...]:
    return tuple(Pattern.of(text) for text in texts)


def _english() -> Language:
    source = words_english
    derived = [prefix + noun for noun in source.NOUNS[::3] for prefix in source.PREFIXES]
    mixed = Dice("derived").shuffled(derived)
    nouns = [*source.NOUNS, *mixed[:5000]]
    title_nouns = [*source.NOUNS, *mixed[: len(source.NOUNS) // 6]]
    infinitives = [verb.capitalize() for verb in source.VERBS]
    return Language(
        code="en",
        blank=" ",
        width=1.0,
        tables={
            "n": zipf(nouns),
            "s": zipf([source.plural(noun) for noun in nouns], 20),
            "a": zipf(source.ADJECTIVES),
            "v": zipf([source.third_person(verb) for verb in source.VERBS]),
            "p": zipf([source.past(verb) for verb in source.VERBS]),
            "i": zipf(source.VERBS),
            "r": zipf(source.ADVERBS),
            "D": dates(),
            "Q": numbers(),
        },
        title_words={
            "n": even(title_nouns),
            "s": even([source.plural(noun) for noun in source.NOUNS]),
            "a": even(source.ADJECTIVES),
            "V": even(infinitives),
            "X": even(source.ACCENTED),
            "#": numbers(),
        },
        sentences=_patterns(*source.SENTENCES),
        descriptions=_patterns(*source.DESCRIPTIONS),
        titles=_patterns(*source.TITLES),
        questions=source.QUESTIONS,
        common=(*source.NOUNS[:16], *source.ADJECTIVES[:8], *source.VERBS[:8]),
    )


def _german() -> Language:
    source = words_german
    pairs = Dice("compounds").shuffled(product(source.NOUNS, source.NOUNS))
    compounds = [source.compound(first, second) for first, second in pairs if first != second]
    endings = [source.inflected(word, place) for place in range(5) for word in source.ADJECTIVES]
    kinds = list(zip(*source.VERBS, strict=True))
    return Language(
        code="de",
        blank=" ",
        width=1.04,
        tables={
            "n": zipf(source.NOUNS),
            "s": zipf(list(source.PLURALS.values())),
            "K": zipf(compounds, 40),
            "a": zipf(source.ADJECTIVES),
            "A": zipf(endings),
            "v": zipf(kinds[0]),
            "p": zipf(kinds[1]),
            "i": zipf(kinds[2]),
            "r": zipf(source.ADVERBS),
            "D": dates(),
            "Q": numbers(),
        },
        title_words={
            "n": even(source.NOUNS),
            "s": even(list(source.PLURALS.values())),
            "K": even(compounds),
            "A": even([source.inflected(word, 0).capitalize() for word in source.ADJECTIVES]),
            "#": numbers(),
        },
        sentences=_patterns(*source.SENTENCES),
        descriptions=_patterns(*source.DESCRIPTIONS),
        titles=_patterns(*source.TITLES),
        questions=source.QUESTIONS,
        common=(*source.NOUNS[:16], *source.ADJECTIVES[:8]),
    )


def _arabic() -> Language:
    source = words_arabic
    definite = [source.with_article(word) for word in source.NOUNS]
    definite_adjectives = [source.with_article(word) for word in source.ADJECTIVES]
    return Language(
        code="ar",
        blank=" ",
        width=1.8,
        tables={
            "n": _sometimes_vowelled(zipf(source.NOUNS)),
            "t": _sometimes_vowelled(zipf(definite)),
            "a": zipf(source.ADJECTIVES),
            "b": zipf(definite_adjectives),
            "v": zipf(source.VERBS),
            "D": dates(),
            "Q": numbers(),
        },
        title_words={
            "n": even(source.NOUNS),
            "t": even(definite),
            "a": even(source.ADJECTIVES),
            "b": even(definite_adjectives),
            "#": numbers(),
        },
        sentences=_patterns(*source.SENTENCES),
        descriptions=_patterns(*source.DESCRIPTIONS),
        titles=_patterns(*source.TITLES),
        questions=source.QUESTIONS,
        common=tuple(source.NOUNS[:16]),
    )


def _sometimes_vowelled(table: list[str]) -> list[str]:
    return [word if draw % 37 else words_arabic.vowelled(word, draw) for draw, word in enumerate(table)]


def _chinese() -> Language:
    source = words_cjk
    kinds = {"n": source.CHINESE_NOUNS, "v": source.CHINESE_VERBS, "a": source.CHINESE_ADJECTIVES}
    return _unspaced(
        ("zh", kinds, source.CHINESE_QUESTIONS),
        (source.CHINESE_SENTENCES, source.CHINESE_DESCRIPTIONS, source.CHINESE_TITLES),
    )


def _japanese() -> Language:
    source = words_cjk
    kinds = {"n": source.JAPANESE_NOUNS, "v": source.JAPANESE_VERBS, "a": source.JAPANESE_ADJECTIVES}
    return _unspaced(
        ("ja", kinds, source.JAPANESE_QUESTIONS),
        (source.JAPANESE_SENTENCES, source.JAPANESE_DESCRIPTIONS, source.JAPANESE_TITLES),
    )


def _unspaced(
    words: tuple[str, Mapping[str, Sequence[str]], tuple[str, ...]], patterns: tuple[tuple[str, ...], ...]
) -> Language:
    code, kinds, questions = words
    sentences, descriptions, titles = (_patterns(*texts) for texts in patterns)
    return Language(
        code=code,
        blank="",
        width=2.7,
        tables={
            **{slot: zipf(choices, 20) for slot, choices in kinds.items()},
            "D": dates(),
            "Q": numbers(),
        },
        title_words={**{slot: even(choices) for slot, choices in kinds.items()}, "#": numbers()},
        sentences=sentences,
        descriptions=descriptions,
        titles=titles,
        questions=questions,
        common=tuple(kinds["n"][:16]),
    )
