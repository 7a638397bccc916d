"""The ways in which people and agents ask for something that they know is there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from benchmarks.asking.items import Item, Shelf
from benchmarks.asking.misspelling import can_be_misspelt, misspelt
from benchmarks.generator import words_arabic, words_english, words_german
from benchmarks.generator.concept import TitleWord
from benchmarks.generator.dice import Dice
from benchmarks.generator.languages import language
from fingerpost.text.folding import fold
from fingerpost.text.forms import form_key
from fingerpost.text.stop_words import STOP_WORDS, WEAK_WORDS

_NO_SUBJECTS = STOP_WORDS | WEAK_WORDS
_EARLY_WORDS = 128  # where some indexes stop
_VARIANTS = 8
_WORD = re.compile(r"[^\W_]+")
_UMLAUT = re.compile("[äöüßÄÖÜ]")
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff]{4,}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a known item.

    Attributes:
        text: The question.
        meant: The words of the item that it means, as the item spells them.
        target: Id of the item.
    """

    text: str
    meant: str
    target: str


Made = tuple[str, str] | None
"""A question and what it means, or None where an item does not lend itself to the class."""

Maker = Callable[[Item, Shelf, Dice], Made]


@dataclass(frozen=True, slots=True)
class QueryClass:
    """A way to ask.

    Attributes:
        name: Its name.
        languages: Languages of the items that it is for.
        make: Makes a question about an item.
    """

    name: str
    languages: frozenset[str]
    make: Maker

    def asked(self, shelf: Shelf, count: int, seed: int = 1) -> list[Asked]:
        """Different questions about the items of a shelf, as many as asked or as it allows."""
        return list(self._asked(shelf, count, seed))

    def _asked(self, shelf: Shelf, count: int, seed: int) -> Iterator[Asked]:
        known: set[str] = set()
        suited = [item for item in shelf.items if item.language in self.languages]
        for variant in range(_VARIANTS):
            dice = Dice(seed, self.name, variant)
            for item in dice.shuffled(suited):
                made = self.make(item, shelf, dice)
                if made and fold(made[0]) not in known:
                    known.add(fold(made[0]))
                    yield Asked(*made, item.id)
                    if len(known) == count:
                        return


# ---- any language


def _title(item: Item, _shelf: Shelf, _dice: Dice) -> Made:
    return item.title, item.title


def _shuffled(item: Item, _shelf: Shelf, dice: Dice) -> Made:
    words = [word.text for word in item.words]
    shuffled = dice.shuffled(words)
    return (" ".join(shuffled), " ".join(words)) if shuffled != words else None


def _path_words(item: Item, _shelf: Shelf, _dice: Dice) -> Made:
    words = " ".join(_WORD.findall(" ".join(item.id.split("/")[-2:])))
    return words, words


def _question(item: Item, _shelf: Shelf, dice: Dice) -> Made:
    return dice.pick(language(item.language).questions).format(item.title.lower()), item.title


def _noise(item: Item, shelf: Shelf, dice: Dice) -> Made:
    rare = _rare_words(item, shelf, 2)
    if not rare or len(shelf.common) < 2:
        return None
    word = dice.pick(rare)
    first, second = dice.some(shelf.common, 2)
    return f"please explain what {first} and {second} have to do with {word}", word


def _deep(item: Item, shelf: Shelf, dice: Dice) -> Made:
    rare = _rare_words(item, shelf, 1, beyond=_EARLY_WORDS)
    word = dice.pick(rare) if rare else ""
    return (word, word) if word else None


def _rare_words(item: Item, shelf: Shelf, holders: int, beyond: int = 0) -> list[str]:
    """Long subjects of a body that few items hold, from behind its first different words on."""
    words = list(dict.fromkeys(fold(item.body[match[0] : match[1]]) for match in _spans(item.body)))
    return [
        word
        for word in words[beyond:]
        if len(word) > 5
        and word.isalpha()
        and word not in _NO_SUBJECTS
        and len(shelf.texts.get(form_key(word), ())) <= holders
    ]


def _spans(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _WORD.finditer(text)]


# ---- forms and slips


def _other_number(item: Item, _shelf: Shelf, dice: Dice) -> Made:
    flips = [(place, other) for place, word in enumerate(item.words) if (other := _flipped(word))]
    return _with_one(item, dice.pick(flips)) if flips else None


def _verb_form(item: Item, _shelf: Shelf, dice: Dice) -> Made:
    verbs = [place for place, word in enumerate(item.words) if word.slot == "V"]
    if not verbs:
        return None
    form = dice.pick((words_english.gerund, words_english.past, words_english.third_person))
    return _with_one(item, (verbs[0], form(item.words[verbs[0]].text.lower())))


def _one_typo(item: Item, shelf: Shelf, dice: Dice) -> Made:
    places = [place for place, word in enumerate(item.words) if can_be_misspelt(word.text, 5)]
    if not places:
        return None
    place = dice.pick(places)
    word = item.words[place].text
    wrong = misspelt(word.lower(), dice)
    if len(word) > 5 and shelf.holders(word) == 1:
        return wrong, word
    return _with_one(item, (place, wrong))


def _two_typos(item: Item, _shelf: Shelf, dice: Dice) -> Made:
    short, long = (
        [place for place, word in enumerate(item.words) if can_be_misspelt(word.text, letters)]
        for letters in (5, 8)
    )
    if long and dice.chance(50):
        place = dice.pick(long)
        return _with_one(item, (place, misspelt(item.words[place].text.lower(), dice, 2)))
    if len(short) < 2:
        return None
    slips = [(place, misspelt(item.words[place].text.lower(), dice)) for place in dice.some(short, 2)]
    return _with_one(item, *slips)


def _with_one(item: Item, *replaced: tuple[int, str]) -> Made:
    """The words of a title, some of them replaced, and as they are."""
    words = [word.text for word in item.words]
    asked = list(words)
    for place, other in replaced:
        asked[place] = other
    return (" ".join(asked), " ".join(words)) if asked != words else None


def _flipped(word: TitleWord) -> str:
    """The plural of a singular and the other way round, "" where there is none."""
    if word.slot == "n":
        return words_english.plural(word.text)
    if word.slot == "s":
        return _singulars().get(word.text, "")
    if word.slot or not (word.text.isascii() and word.text.isalpha() and len(word.text) > 3):
        return ""
    if word.text.endswith("s"):
        return "" if word.text.endswith(("ss", "us", "is", "es")) else word.text[:-1]
    return words_english.plural(word.text)


@cache
def _singulars() -> dict[str, str]:
    return {words_english.plural(noun): noun for noun in words_english.NOUNS}


def _accents_kept(item: Item, _shelf: Shelf, _dice: Dice) -> Made:
    if any(_bare(word.text) != word.text for word in item.words):
        return " ".join(word.text for word in item.words), item.title
    return None


def _accents_dropped(item: Item, shelf: Shelf, dice: Dice) -> Made:
    kept = _accents_kept(item, shelf, dice)
    return (_bare(kept[0]), item.title) if kept else None


def _bare(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


# ---- German


def _written_out(item: Item, _shelf: Shelf, _dice: Dice) -> Made:
    return (words_german.written_out(item.title), item.title) if _UMLAUT.search(item.title) else None


def _part(item: Item, shelf: Shelf, dice: Dice) -> Made:
    """Part of a compound in its place, unless another item answers that word for word."""
    places = [place for place, word in enumerate(item.words) if word.slot == "K"]
    if not places:
        return None
    part = dice.pick(_compounds()[item.words[places[0]].text])
    made = _with_one(item, (places[0], part))
    return made if made and not shelf.holders(made[0]) else None


@cache
def _compounds() -> dict[str, tuple[str, str]]:
    nouns = words_german.NOUNS
    return {words_german.compound(first, second): (first, second) for first in nouns for second in nouns}


# ---- Arabic


def _other_article(item: Item, _shelf: Shelf, dice: Dice) -> Made:
    places = [place for place, word in enumerate(item.words) if word.slot in "ntab" and len(word.text) > 2]
    if not places:
        return None
    place = dice.pick(places)
    word = item.words[place].text
    bare = word.removeprefix(words_arabic.ARTICLE)
    return _with_one(item, (place, bare if bare != word else words_arabic.with_article(word)))


def _loosely_spelt(item: Item, _shelf: Shelf, _dice: Dice) -> Made:
    loose = words_arabic.loosely_spelt(item.title)
    return (loose, item.title) if loose != item.title else None


def _eastern_digits(item: Item, _shelf: Shelf, dice: Dice) -> Made:
    numbers = [word.text for word in item.words if word.text.isdecimal()]
    if not numbers:
        return None
    words = [word.text for word in item.words if not word.text.isdecimal()]
    asked = " ".join([*dice.some(words, dice.between(1, len(words))), numbers[0]]) if words else numbers[0]
    return words_arabic.eastern_digits(asked), asked


# ---- Chinese and Japanese


def _sentence(item: Item, _shelf: Shelf, dice: Dice) -> Made:
    return dice.pick(language(item.language).questions).format(item.title), item.title


def _substring(item: Item, _shelf: Shelf, dice: Dice) -> Made:
    runs: Sequence[str] = _UNSPACED.findall(item.title)
    if not runs:
        return None
    run = max(runs, key=len)
    length = dice.between(min(4, len(run)), min(7, len(run)))
    start = dice.below(len(run) - length + 1)
    part = run[start : start + length]
    return part, part


def _carries_subject(item: Item) -> bool:
    return any(fold(word.text) not in STOP_WORDS for word in item.words)


def _when_titled(make: Maker) -> Maker:
    """Only for items whose title says something."""
    return lambda item, shelf, dice: make(item, shelf, dice) if _carries_subject(item) else None


_ALL = frozenset(("en", "de", "ar", "zh", "ja"))
_SPACED = frozenset(("en", "de", "ar"))
_LATIN = frozenset(("en", "de"))

CLASSES = (
    QueryClass("title exact", _ALL, _when_titled(_title)),
    QueryClass("title words shuffled", _SPACED, _when_titled(_shuffled)),
    QueryClass("path words", _ALL, _path_words),
    QueryClass("question", _SPACED, _when_titled(_question)),
    QueryClass("rare word amid noise", _LATIN, _noise),
    QueryClass("deep body word", _LATIN, _deep),
    QueryClass("plural and singular", frozenset({"en"}), _other_number),
    QueryClass("verb form", frozenset({"en"}), _verb_form),
    QueryClass("one typo", _LATIN, _one_typo),
    QueryClass("two typos", _LATIN, _two_typos),
    QueryClass("accents dropped", frozenset({"en"}), _accents_dropped),
    QueryClass("accents kept", frozenset({"en"}), _accents_kept),
    QueryClass("German exact", frozenset({"de"}), _when_titled(_title)),
    QueryClass("German umlauts written out", frozenset({"de"}), _written_out),
    QueryClass("German part of a compound", frozenset({"de"}), _part),
    QueryClass("Arabic exact", frozenset({"ar"}), _title),
    QueryClass("Arabic with and without article", frozenset({"ar"}), _other_article),
    QueryClass("Arabic folded", frozenset({"ar"}), _loosely_spelt),
    QueryClass("Arabic-Indic digits", frozenset({"ar"}), _eastern_digits),
    QueryClass("Chinese sentence", frozenset({"zh"}), _sentence),
    QueryClass("Chinese substring", frozenset({"zh"}), _substring),
    QueryClass("Japanese sentence", frozenset({"ja"}), _sentence),
    QueryClass("Japanese substring", frozenset({"ja"}), _substring),
)
