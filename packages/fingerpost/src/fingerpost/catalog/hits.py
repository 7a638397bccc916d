"""The documents of a page as hits: which words of each answered, and a part of its text that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from fingerpost.catalog.answers import Way
from fingerpost.catalog.base import Hit, Hits, Match, Query
from fingerpost.catalog.documents import header_texts, unpack
from fingerpost.catalog.held import Held
from fingerpost.catalog.index import Index
from fingerpost.catalog.searching import Found, search
from fingerpost.catalog.snippet import Sought, snippet_of
from fingerpost.catalog.spellings import Spelling, corrected
from fingerpost.catalog.texts import Text
from fingerpost.text.words import indexed_words, typed_words


def hits_of(query: Query, index: Index) -> Hits:
    """Answer a query; see `View.search`.

    Args:
        query: The query.
        index: Where to look.
    """
    found = search(query, index)
    page = list(zip(found.page, _alike(found, typed_words(query.text)), strict=True))
    shown = {number: words for place, (number, each) in enumerate(page) if (words := each.in_body(place))}
    cards = index.cards(found.page)
    texts = index.texts(found.page if query.explain else list(shown))
    hits = [
        Hit(
            *cards[number],
            each.words,
            snippet_of(texts[number], shown[number]) if number in shown else "",
            _matches(found, each.spelt, texts[number]) if query.explain else (),
        )
        for number, each in page
    ]
    others = {
        asked: [each.spelt[asked] for _, each in page if asked in each.spelt]
        for asked, answer in found.answers.items()
        if answer.has_others
    }
    return Hits(tuple(hits), found.total, found.left_out, corrected(others))


class _Alike(NamedTuple):
    """What documents that answer in the same ways share.

    Attributes:
        spelt: The spelling of each asked word that they answer.
        words: Their words.
        sought: The same, those for the rarest asked word first, as they are looked for in a body; and of each
            document of the page whether its body has it.
    """

    spelt: dict[str, Spelling]
    words: tuple[str, ...]
    sought: list[tuple[Sought, list[bool]]]

    @classmethod
    def of(cls, ways: Iterable[Way | None], found: Found, sought: _SoughtWords) -> _Alike:
        answering = {asked: way for asked, way in zip(found.answers, ways, strict=True) if way}
        spelt = {asked: way.spelling for asked, way in answering.items()}
        rarest_first = sorted(answering.items(), key=lambda item: -found.weights[item[0]])
        return cls(
            spelt,
            tuple([word for spelling in spelt.values() for word in spelling.words]),
            [
                sought.of(word, held)
                for _, way in rarest_first
                for word, held in zip(way.spelling.words, way.held, strict=True)
            ],
        )

    def in_body(self, place: int) -> list[Sought]:
        """The words that stand in the body of the document at a place of the page."""
        return [word for word, are_in_body in self.sought if are_in_body[place]]


class _SoughtWords:
    """What to look for to show words, and in which bodies of a page; worked out once for each word."""

    def __init__(self, page: Sequence[int], typed: Mapping[str, str]) -> None:
        self._page = page
        self._typed = typed
        self._known: dict[str, tuple[Sought, list[bool]]] = {}

    def of(self, word: str, held: Held) -> tuple[Sought, list[bool]]:
        """The same of one word."""
        known = self._known.get(word)
        if known is None:
            known = Sought.of(word, self._typed), held.are_in_body(self._page)
            self._known[word] = known
        return known


def _alike(found: Found, typed: Mapping[str, str]) -> list[_Alike]:
    """What each document of a page shares with those that answer in the same ways."""
    known: dict[tuple[int, ...], _Alike] = {}
    sought = _SoughtWords(found.page, typed)
    of_page: list[_Alike] = []
    for ways in found.ways():
        key = tuple(map(id, ways))  # each is made once, and a tuple of words takes long to hash
        each = known.get(key)
        if each is None:
            each = known[key] = _Alike.of(ways, found, sought)
        of_page.append(each)
    return of_page


def _matches(found: Found, spelt: Mapping[str, Spelling], text: Text) -> tuple[Match, ...]:
    """How a document matched, worked out from its text."""
    fields = [set(indexed_words(field)) for field in header_texts(text.header)]
    in_body = set(indexed_words(unpack(text.all)))
    return tuple(
        Match(
            asked,
            way.words,
            way.manner,
            way.edits,
            found.weights[asked],
            tuple(place for place, field in enumerate(fields) if not field.isdisjoint(way.words)),
            not in_body.isdisjoint(way.words),
        )
        for asked, way in spelt.items()
    )
