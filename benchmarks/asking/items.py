"""Known items: concepts of a bundle, with what one has to know of each to ask for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice

from benchmarks.bundles import Made
from benchmarks.generator.concept import TitleWord
from benchmarks.generator.page import description, page
from fingerpost import Bundle
from fingerpost.text.forms import form_key
from fingerpost.text.stop_words import STOP_WORDS
from fingerpost.text.words import indexed_words, query_words

_WORD = re.compile(r"[^\W_]+")
_GERMAN = frozenset("der die das und ist nicht mit von des dem eine für auf wird".split())


@dataclass(frozen=True, slots=True)
class Item:
    """A concept to be found.

    Attributes:
        id: Its id.
        language: en, de, ar, zh or ja.
        title: Its title.
        words: The words of the title that carry its subject.
        header: All text that says what it is about.
        body: Its text.
    """

    id: str
    language: str
    title: str
    words: tuple[TitleWord, ...]
    header: str
    body: str


@dataclass(frozen=True)
class Shelf:
    """All concepts of a bundle that are not deprecated, and which words they hold.

    Attributes:
        name: What to call the bundle.
        items: The concepts.
        common: Words that many of them hold.
    """

    name: str
    items: tuple[Item, ...]
    common: tuple[str, ...]

    @cached_property
    def headers(self) -> Mapping[str, frozenset[int]]:
        """The places of the items whose header holds a word in any form."""
        return _postings(item.header for item in self.items)

    @cached_property
    def texts(self) -> Mapping[str, frozenset[int]]:
        """The places of the items that hold a word in any form anywhere."""
        return _postings(f"{item.header}\n{item.body}" for item in self.items)

    def holders(self, text: str) -> int:
        """How many items hold all words of a text, in any form: in headers, or if none does, anywhere."""
        words = list(map(form_key, query_words(text)))
        for held in (self.headers, self.texts):
            found = [held.get(word, frozenset[int]()) for word in words]
            count = len(found[0].intersection(*found)) if found else 0
            if count:
                return count
        return 0


def generated_shelf(made: Made) -> Shelf:
    """The concepts of a generated bundle, as its generator knows them."""
    items: list[Item] = []
    for number in range(made.concepts):
        written = made.concept(number)
        if written.flaw or written.status == "deprecated":
            continue
        about = description(made.seed, number)
        id_ = written.path.removesuffix(".md")
        header = " ".join((written.title, id_, *written.tags, written.type, about))
        body = page(made.seed, number).decode().partition("\n---\n")[2]
        items.append(Item(id_, written.language.code, written.title, written.words, header, body))
    return Shelf(f"generated, {made.concepts} concepts", tuple(items), made.concept(0).language.common)


def real_shelf(name: str, bundle: Bundle) -> Shelf:
    """The concepts of any bundle, as its files show them."""
    items: list[Item] = []
    for id_ in bundle.ids():
        view = bundle.read(id_)
        if view["status"] == "deprecated":
            continue
        words = tuple(TitleWord("", word) for word in _WORD.findall(view["title"]))
        header = " ".join((view["title"], id_, *view["tags"], view["type"], view["description"]))
        spoken = _language_of(view["title"], view["body"])
        items.append(Item(id_, spoken, view["title"], words, header, view["body"]))
    return Shelf(name, tuple(items), tuple(_common_words(items)))


def _common_words(items: Sequence[Item]) -> Iterator[str]:
    """The words that most items hold, of those that carry a subject; what fewer hold says which are meant."""
    held = Counter(word for item in items for word in set(indexed_words(item.body)))
    in_order = sorted(held.items(), key=lambda pair: (-pair[1], pair[0]))
    often = (word for word, count in in_order if 2 * count > len(items))
    return islice((word for word in often if len(word) > 3 and word.isalpha() and word not in STOP_WORDS), 32)


def _language_of(title: str, body: str) -> str:
    for code, first, last in (
        ("ja", "\u3040", "\u30ff"),
        ("zh", "\u4e00", "\u9fff"),
        ("ar", "\u0620", "\u064a"),
    ):
        if any(first <= letter <= last for letter in title):
            return code
    words = body.lower().split()
    return "de" if sum(word in _GERMAN for word in words) * 20 > len(words) else "en"


def _postings(texts: Iterable[str]) -> Mapping[str, frozenset[int]]:
    """The places of the texts that hold a word, by the form that all its forms have in common."""
    key = cache(form_key)
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        for word in set(map(key, indexed_words(text))):
            places.setdefault(word, []).append(place)
    return {word: frozenset(held) for word, held in places.items()}
