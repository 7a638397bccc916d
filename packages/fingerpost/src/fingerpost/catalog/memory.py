"""The catalog in memory: plain dictionaries, scored by the rules of `catalog.base` to the letter.

It is the reference that faster catalogs are tested against, and what a small bundle needs.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fingerpost.catalog.base import Catalog, Entry, Hit, Hits, Query, edits_allowed
from fingerpost.catalog.snippet import snippet
from fingerpost.text.distance import distance
from fingerpost.text.words import indexed_words, query_words

_MOST_ASKED, _MOST_RESPELT = 64, 8
_SATURATION, _LENGTH_WEIGHT, _HEADER_WEIGHT = 1.2, 0.75, 4.0


@dataclass(frozen=True, slots=True)
class _Indexed:
    entry: Entry
    header: Counter[str]
    body: Counter[str]
    facets: frozenset[tuple[str, str]]

    @property
    def length(self) -> int:
        return self.header.total() + self.body.total()


@dataclass(frozen=True, slots=True)
class _Match:
    """How a document answers one asked word: the spelling that matched and the edits it took."""

    word: str
    edits: int


class MemoryCatalog(Catalog):
    """A catalog that lives and dies with the process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._documents: dict[str, _Indexed] = {}
        self._postings: dict[str, set[str]] = {}
        self._edges: dict[str, set[str]] = {}
        self._near: dict[str, tuple[tuple[str, int], ...]] = {}
        self._by_length: dict[int, list[str]] = {}
        self._total_length = 0

    def __len__(self) -> int:
        return len(self._documents)

    def update(self, put: Iterable[Entry], remove: Iterable[str] = ()) -> None:
        """See `Catalog.update`."""
        with self._lock:
            for gone in remove:
                self._drop(gone)
            for entry in put:
                self._drop(entry.id)
                self._add(entry)
            self._near.clear()
            self._by_length.clear()

    def sources(self, edge: str) -> tuple[str, ...]:
        """See `Catalog.sources`."""
        with self._lock:
            return tuple(sorted(self._edges.get(edge, ())))

    def search(self, query: Query) -> Hits:
        """See `Catalog.search`."""
        with self._lock:
            asked = query_words(query.text)[:_MOST_ASKED]
            matches = self._matches(asked, query)
            if query.text and not query.text.isspace() and not asked:
                matches = {}
            left_out = _facets(query.leave_out)
            kept = [id_ for id_ in matches if not self._documents[id_].facets & left_out]
            ranked = sorted(kept, key=lambda id_: self._rank(id_, asked, matches[id_]))
            page = ranked[query.offset : query.offset + query.limit]
            return Hits(
                hits=tuple(self._hit(id_, asked, matches[id_]) for id_ in page),
                total=len(kept),
                left_out=len(matches) - len(kept),
                corrected=_corrected(asked, [matches[id_] for id_ in page]),
            )

    def _add(self, entry: Entry) -> None:
        indexed = _Indexed(
            entry=entry,
            header=Counter(word for text in entry.header for word in indexed_words(text)),
            body=Counter(indexed_words(entry.body)),
            facets=_facets((name, value) for name, values in entry.facets.items() for value in values),
        )
        self._documents[entry.id] = indexed
        self._total_length += indexed.length
        for word in indexed.header.keys() | indexed.body.keys():
            self._postings.setdefault(word, set()).add(entry.id)
        for edge in entry.edges:
            self._edges.setdefault(edge, set()).add(entry.id)

    def _drop(self, id_: str) -> None:
        indexed = self._documents.pop(id_, None)
        if indexed is None:
            return
        self._total_length -= indexed.length
        _discard(self._postings, indexed.header.keys() | indexed.body.keys(), id_)
        _discard(self._edges, indexed.entry.edges, id_)

    def _matches(self, asked: list[str], query: Query) -> dict[str, dict[str, _Match]]:
        """Documents that hold at least one asked word and pass the filter, with how each word matched."""
        required = _facets(query.require)
        allowed = {id_ for id_, document in self._documents.items() if required <= document.facets}
        if not asked:
            return {id_: {} for id_ in allowed}
        exact = self._collect({word: [(word, 0)] for word in asked}, allowed)
        left_out = _facets(query.leave_out)
        if any(
            len(found) == len(asked) and not self._documents[id_].facets & left_out
            for id_, found in exact.items()
        ):
            return exact
        unknown_first = sorted(asked, key=lambda word: len(self._postings.get(word, ())))
        near = {word: self._neighbours(word) for word in unknown_first[:_MOST_RESPELT]}
        return self._collect({word: [(word, 0), *near.get(word, ())] for word in asked}, allowed)

    def _collect(
        self, spellings: Mapping[str, list[tuple[str, int]]], allowed: set[str]
    ) -> dict[str, dict[str, _Match]]:
        matches: dict[str, dict[str, _Match]] = {}
        for word, variants in spellings.items():
            for variant, edits in variants:
                for id_ in self._postings.get(variant, set()) & allowed:
                    matches.setdefault(id_, {}).setdefault(word, _Match(variant, edits))
        return matches

    def _neighbours(self, word: str) -> tuple[tuple[str, int], ...]:
        if word not in self._near:
            limit = edits_allowed(word)
            near = ((other, distance(word, other, limit)) for other in self._comparable(word, limit))
            self._near[word] = tuple(
                sorted(
                    ((other, edits) for other, edits in near if 0 < edits <= limit),
                    key=lambda pair: (pair[1], pair[0]),
                )
            )
        return self._near[word]

    def _comparable(self, word: str, limit: int) -> Iterator[str]:
        """The words of the index whose length allows them to be near spellings."""
        if not self._by_length:
            for other in filter(str.isalpha, self._postings):
                self._by_length.setdefault(len(other), []).append(other)
        lengths = range(len(word) - limit, len(word) + limit + 1) if limit else range(0)
        return (other for length in lengths for other in self._by_length.get(length, ()))

    def _rank(
        self, id_: str, asked: list[str], found: Mapping[str, _Match]
    ) -> tuple[float, float, int, float, int, str]:
        document = self._documents[id_]
        coverage = math.fsum(self._rarity(word) for word in asked if word in found)
        in_header = sum(1 for match in found.values() if match.word in document.header)
        edits = sum(match.edits for match in found.values())
        score = math.fsum(self._score(document, match.word) for match in found.values())
        return (-round(coverage, 9), -in_header, edits, -round(score, 9), document.header.total(), id_)

    def _rarity(self, word: str) -> float:
        """Inverse document frequency of a word, or of its rarest near spelling where the index lacks it."""
        spellings = [word] if word in self._postings else [near for near, _ in self._neighbours(word)]
        held = min((len(self._postings.get(spelling, ())) for spelling in spellings), default=0)
        return math.log(1 + (len(self._documents) - held + 0.5) / (held + 0.5))

    def _score(self, document: _Indexed, word: str) -> float:
        held = len(self._postings[word])
        rarity = math.log(1 + (len(self._documents) - held + 0.5) / (held + 0.5))
        frequency = _HEADER_WEIGHT * document.header[word] + document.body[word]
        average = self._total_length / len(self._documents)
        length = 1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * document.length / average
        return rarity * frequency * (_SATURATION + 1) / (frequency + _SATURATION * length)

    def _hit(self, id_: str, asked: list[str], found: Mapping[str, _Match]) -> Hit:
        document = self._documents[id_]
        words = tuple(found[word].word for word in asked if word in found)
        rarest_first = sorted(
            (word for word in words if word in document.body), key=lambda word: len(self._postings[word])
        )
        return Hit(id_, words, snippet(document.entry.body, rarest_first[:1]) if rarest_first else "")


def _facets(pairs: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    return frozenset((name, value.casefold()) for name, value in pairs)


def _discard(index: dict[str, set[str]], keys: Iterable[str], id_: str) -> None:
    for key in keys:
        holders = index.get(key)
        if holders is not None:
            holders.discard(id_)
            if not holders:
                del index[key]


def _corrected(asked: list[str], found: list[dict[str, _Match]]) -> dict[str, tuple[str, ...]]:
    spellings = {
        word: tuple(
            sorted({matches[word].word for matches in found if word in matches and matches[word].edits})
        )
        for word in asked
    }
    exact = {word for matches in found for word, match in matches.items() if not match.edits}
    return {word: variants for word, variants in spellings.items() if variants and word not in exact}
