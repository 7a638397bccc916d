"""The documents of a page as hits: which words of each answered, and a part of its text that shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TypeAlias

from fingerpost.catalog.answers import Way
from fingerpost.catalog.base import Hit, Hits, Match, Query
from fingerpost.catalog.documents import header_texts, unpack
from fingerpost.catalog.index import Index
from fingerpost.catalog.searching import Found, search
from fingerpost.catalog.snippet import Sought, snippet_of
from fingerpost.catalog.spellings import corrected
from fingerpost.catalog.texts import Text
from fingerpost.text.words import indexed_words, typed_words

_Ways: TypeAlias = tuple[Way | None, ...]
"""The way in which a document answers each asked word, None where it does not."""


def hits_of(query: Query, index: Index) -> Hits:
    """Answer a query; see `View.search`.

    Args:
        query: The query.
        index: Where to look.
    """
    found = search(query, index)
    closest = found.closest()
    ways: list[_Ways] = list(zip(*closest, strict=True)) if closest else [()] * len(found.page)
    page = list(zip(found.page, ways, strict=True))
    shown = _Shown(found, typed_words(query.text)).of_page(ways)
    cards = index.cards(found.page)
    texts = index.texts(found.page if query.explain else list(shown))
    hits = [
        Hit(
            *cards[number],
            tuple([word for way in answering if way for word in way.spelling.words]),
            snippet_of(texts[number], shown[number]) if number in shown else "",
            _matches(found, answering, texts[number]) if query.explain else (),
        )
        for number, answering in page
    ]
    others = {
        asked: [way.spelling for way in of_page if way]
        for (asked, answer), of_page in zip(found.answers.items(), closest, strict=True)
        if answer.has_others
    }
    return Hits(tuple(hits), found.total, found.left_out, corrected(others))


class _Shown:
    """The words to show of each document of a page: those that stand in its body, of the rarest word first.

    Most snippets show the first one, so the others are worked out when they are asked for.
    """

    def __init__(self, found: Found, typed: Mapping[str, str]) -> None:
        self._page = found.page
        self._typed = typed
        weights = list(found.weights.values())
        self._rarest_first = sorted(range(len(weights)), key=lambda place: -weights[place])
        self._known: dict[int, list[tuple[Sought, list[bool]]]] = {}

    def of_page(self, ways: list[_Ways]) -> dict[int, Iterator[Sought]]:
        """The words of each document that has some in its body.

        Args:
            ways: How each document of the page answers.
        """
        shown: dict[int, Iterator[Sought]] = {}
        for place, number in enumerate(self._page):
            words = self._of_one(place, ways[place])
            first = next(words, None)
            if first is not None:
                shown[number] = chain((first,), words)
        return shown

    def _of_one(self, place: int, ways: _Ways) -> Iterator[Sought]:
        for asked in self._rarest_first:
            way = ways[asked]
            if way is not None:
                for word, are_in_body in self._known.get(id(way)) or self._learn(way):
                    if are_in_body[place]:
                        yield word

    def _learn(self, way: Way) -> list[tuple[Sought, list[bool]]]:
        """What to look for to show the words of a way, and whether the body of each document has it."""
        known = self._known[id(way)] = [
            (Sought.of(word, self._typed), held.are_in_body(self._page))
            for word, held in zip(way.spelling.words, way.held, strict=True)
        ]
        return known


def _matches(found: Found, ways: _Ways, text: Text) -> tuple[Match, ...]:
    """How a document matched, worked out from its text."""
    fields = [set(indexed_words(field)) for field in header_texts(text.header)]
    in_body = set(indexed_words(unpack(text.all)))
    answering = [(asked, way.spelling) for asked, way in zip(found.answers, ways, strict=True) if way]
    return tuple(
        Match(
            asked,
            spelling.words,
            spelling.manner,
            spelling.edits,
            found.weights[asked],
            tuple(place for place, field in enumerate(fields) if not field.isdisjoint(spelling.words)),
            not in_body.isdisjoint(spelling.words),
        )
        for asked, spelling in answering
    )
