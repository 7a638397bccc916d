"""What a concept is, before its text is written: a function of the seed and its number alone.

So a concept is the same in bundles of every size, and who asks for it later knows what was put into it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from benchmarks.generator.dice import Dice
from benchmarks.generator.languages import Language, Pattern, language
from benchmarks.generator.rare import name
from benchmarks.generator.words_english import ACCENTED_TITLES, FOLDERS, NOUNS
from benchmarks.generator.words_german import written_out

CONCEPTS_A_FOLDER = 38
_FOLDERS_A_FOLDER = 8
_NAMES_OF_TITLES = {"en": 60_000, "de": 8_000, "ar": 5_000, "zh": 1_000, "ja": 1_000}

TYPES = (
    *("Policy", "Procedure", "Playbook", "Table", "Metric", "Service"),
    *("Dataset", "Report", "Decision", "Contract", "Incident", "Guideline"),
)
TAGS = (*FOLDERS, *NOUNS[5::4])
_WITHOUT_STROKES = str.maketrans({"ø": "o", "ł": "l", "æ": "ae"})
FLAWS = ("no frontmatter", "never closed", "no type", "broken YAML", "UTF-16", "empty")
"""How a file can fail to be a concept; one in two hundred does."""

_ACCENTED = tuple(Pattern.of(text) for text in ACCENTED_TITLES)


@dataclass(frozen=True, slots=True)
class TitleWord:
    """A word of a title, and the slot that it fills: see the patterns of its language."""

    slot: str
    text: str


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept.

    Attributes:
        seed: The seed of its bundle.
        number: Its number, from 0.
        language: What it is written in.
        title: Its title.
        words: The words of the title that carry its subject.
        names: Made names that its title holds.
        path: Its file, from the root of the bundle.
        type: Its type.
        tags: Its tags.
        status: Its status, "" for none.
        flaw: Why its file is no valid concept, "" when it is one.
    """

    seed: int
    number: int
    language: Language
    title: str
    words: tuple[TitleWord, ...]
    names: tuple[str, ...]
    path: str
    type: str
    tags: tuple[str, ...]
    status: str
    flaw: str

    @property
    def folder(self) -> str:
        """The folder of its file, "" for the root."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class _Naming:
    code: str
    title: str
    words: tuple[TitleWord, ...]


@lru_cache(maxsize=1 << 15)
def concept(seed: int, number: int) -> Concept:
    """The concept with a number."""
    dice = Dice(seed, number, "header")
    named = _naming(seed, number)
    place = number % CONCEPTS_A_FOLDER
    return Concept(
        seed=seed,
        number=number,
        language=language(named.code),
        title=named.title,
        words=named.words,
        names=tuple(word.text for word in named.words if word.slot == "N"),
        path=_paths(seed, number // CONCEPTS_A_FOLDER)[place],
        type=TYPES[dice.below(len(TYPES)) * dice.below(16) // 15],
        tags=tuple(dict.fromkeys(TAGS[dice.below(len(TAGS)) * dice.below(8) // 7] for _ in range(3))),
        status=_status(seed, number),
        flaw=FLAWS[number // 200 % len(FLAWS)] if number % 200 == 137 else "",
    )


def folder_path(seed: int, place: int) -> str:
    """The path of a folder: each has eight within it, and the root is the first of all."""
    if place == 0:
        return ""
    parent, child = divmod(place - 1, _FOLDERS_A_FOLDER)
    names = Dice(seed, "folder", parent).some(FOLDERS, _FOLDERS_A_FOLDER)
    return f"{folder_path(seed, parent)}/{names[child]}".lstrip("/")


def subfolders(place: int) -> range:
    """The folders within a folder, as far as the bundle is large enough."""
    return range(place * _FOLDERS_A_FOLDER + 1, (place + 1) * _FOLDERS_A_FOLDER + 1)


@lru_cache(maxsize=1 << 17)
def _naming(seed: int, number: int) -> _Naming:
    dice = Dice(seed, number, "title")
    code = _code(number)
    spoken = language(code)
    patterns = _ACCENTED if code == "en" and dice.chance(8) else spoken.titles
    pattern = dice.pick(patterns)
    words: list[TitleWord] = []
    for slot in pattern.slots:
        draw = dice.take(1)[0]
        text = (
            name(code, dice.below(_NAMES_OF_TITLES[code])) if slot == "N" else spoken.title_words[slot][draw]
        )
        words.append(TitleWord(slot, text))
    title = pattern.text.format(*[word.text for word in words])
    return _Naming(code, title[:1].upper() + title[1:], tuple(words))


def _code(number: int) -> str:
    """Of a hundred concepts in a row 85 are English, 8 German, 5 Arabic, one Chinese and one Japanese."""
    place = (number * 37 + number // 100 * 11 + 5) % 100
    return (
        "en" if place < 85 else "de" if place < 93 else "ar" if place < 98 else "zh" if place < 99 else "ja"
    )


def _status(seed: int, number: int) -> str:
    """Of a hundred concepts in a row 5 are deprecated; of the others half say that they are stable."""
    if (number * 53 + number // 100 * 13) % 100 < 5:
        return "deprecated"
    draw = Dice(seed, number, "status").below(12)
    return "draft" if draw == 0 else "stable" if draw < 7 else ""


@lru_cache(maxsize=1 << 12)
def _paths(seed: int, folder: int) -> tuple[str, ...]:
    """The files of the concepts of a folder."""
    parent = folder_path(seed, folder)
    first = folder * CONCEPTS_A_FOLDER
    slugs: dict[str, None] = {}
    for number in range(first, first + CONCEPTS_A_FOLDER):
        named = _naming(seed, number)
        slug = _slug(named.title, number)
        slugs[slug if slug not in slugs else f"{slug}-{number}"] = None
    return tuple(f"{parent}/{slug}.md".lstrip("/") for slug in slugs)


def _slug(title: str, number: int) -> str:
    """The name of a file: Latin letters, or for other scripts those of the title in every second file."""
    kept = title.lower().replace(" ", "-").translate(_WITHOUT_STROKES)
    plain = unicodedata.normalize("NFKD", written_out(kept)).encode("ascii", "ignore").decode()
    if plain.replace("-", "").isalpha() or len(plain) * 2 > len(kept):
        return plain
    return kept if number % 2 else f"article-{number:06d}"
