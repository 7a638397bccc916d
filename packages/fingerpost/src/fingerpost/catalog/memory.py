"""The catalog in memory: plain dictionaries, ranked by the rules of `catalog.base` to the letter.

It is the reference that the persisted catalog is tested against.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby

from fingerpost.catalog.base import (
    AtMost,
    Catalog,
    Condition,
    Entry,
    Hit,
    Hits,
    Match,
    Query,
    View,
)
from fingerpost.catalog.ranking import IN_HEADER, MOST_ASKED, MOST_RESPELT, STRENGTH, impacts, rarity, worth
from fingerpost.catalog.snippet import snippet
from fingerpost.catalog.spellings import Spelling, corrected, edits_allowed, spellings, wider_spellings
from fingerpost.text.compounds import may_be_compound
from fingerpost.text.distance import distance
from fingerpost.text.forms import form_key
from fingerpost.text.words import indexed_words, leading_words, query_words, typed_words


@dataclass(frozen=True, slots=True)
class _Document:
    entry: Entry
    fields: tuple[Counter[str], ...]
    body: Counter[str]
    header: Counter[str]

    @property
    def words(self) -> set[str]:
        """What it can be found by: nothing without a header."""
        return self.header.keys() | self.body.keys() if self.entry.header else set()

    def impact(self, word: str) -> int:
        length = self.header.total() + self.body.total()
        return impacts([(self.header[word], self.body[word])], length)[0]


@dataclass(frozen=True, slots=True)
class _Answer:
    """How a document answers one asked word.

    Attributes:
        spelling: The closest spelling; of several the one that adds most to the score.
        of_spelling: What that one adds to the score.
        impact: What the one that adds most of all adds.
        in_header: Whether any stands in the header.
    """

    spelling: Spelling
    of_spelling: int
    impact: int
    in_header: bool

    def beside(self, other: _Answer | None) -> _Answer:
        """This answer and one that came before it, as one."""
        if other is None:
            return self
        closest = min(other, self, key=lambda answer: (answer.spelling.cost, -answer.of_spelling))
        return _Answer(
            closest.spelling,
            closest.of_spelling,
            max(self.impact, other.impact),
            self.in_header or other.in_header,
        )


class MemoryCatalog(Catalog, View):
    """A catalog that lives and dies with the process, and is its own view."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._generation = 0
        self._documents: dict[str, _Document] = {}
        self._changed: dict[str, int] = {}
        self._notes: dict[str, tuple[str, int]] = {}
        self._holders: dict[str, set[str]] = {}
        self._by_key: dict[str, set[str]] = {}

    @contextmanager
    def reading(self) -> Generator[View]:
        """See `Catalog.reading`; others wait until the block ends."""
        with self._lock:
            yield self

    def update(
        self,
        put: Iterable[Entry] = (),
        remove: Iterable[str] = (),
        notes: Mapping[str, str] | None = None,
        *,
        since: int | None = None,
    ) -> frozenset[str]:
        """See `Catalog.update`."""
        new, notes = {entry.id: entry for entry in put}, notes or {}
        with self._lock:
            touched = new.keys() | {id_ for id_ in remove if id_ in self._changed}
            left = {id_ for id_ in touched if since is not None and self._changed.get(id_, 0) > since}
            left |= {
                name
                for name in notes
                if left or (since is not None and name in self._notes and self._notes[name][1] > since)
            }
            self._generation += 1
            for id_ in touched - left:
                self._drop(id_)
                self._changed[id_] = self._generation
            for entry in new.values():
                if entry.id not in left:
                    self._add(entry)
            self._notes.update({n: (text, self._generation) for n, text in notes.items() if n not in left})
            return frozenset(left)

    @property
    def origin(self) -> int:
        """See `View.origin`."""
        return id(self)

    @property
    def generation(self) -> int:
        """See `View.generation`."""
        return self._generation

    def card(self, id_: str) -> str | None:
        """See `View.card`."""
        document = self._documents.get(id_)
        return document.entry.card if document else None

    def details(self, id_: str) -> str | None:
        """See `View.details`."""
        document = self._documents.get(id_)
        return document.entry.details if document else None

    def listing(
        self, conditions: tuple[Condition, ...] = (), *, after: str = "", limit: int | None = None
    ) -> Iterator[tuple[str, str]]:
        """See `View.listing`."""
        ids = sorted(id_ for id_ in self._meeting(conditions) if id_ > after)
        return ((id_, self._documents[id_].entry.card) for id_ in ids[:limit])

    def count(self, conditions: tuple[Condition, ...] = ()) -> int:
        """See `View.count`."""
        return len(self._meeting(conditions))

    def values(self, facet: str, prefix: str = "") -> Iterator[str]:
        """See `View.values`."""
        held = {value for found in self._documents.values() for value in found.entry.facets.get(facet, ())}
        return iter(sorted(value for value in held if value.startswith(prefix)))

    def sources(self, edge: str) -> tuple[str, ...]:
        """See `View.sources`."""
        return tuple(sorted(id_ for id_, found in self._documents.items() if edge in found.entry.edges))

    def notes(self, since: int = -1) -> Mapping[str, str]:
        """See `View.notes`."""
        return {name: text for name, (text, at) in self._notes.items() if at > since}

    def search(self, query: Query) -> Hits:
        """See `View.search`."""
        allowed = {id_ for id_ in self._meeting(query.require) if self._documents[id_].entry.header}
        left_out = {id_ for id_ in allowed if any(self._meets(id_, item) for item in query.leave_out)}
        asked = query_words(query.text)[:MOST_ASKED]
        if not asked:
            found: set[str] = set() if query.text.strip() else allowed
            return self._page(query, sorted(found - left_out), {}, len(found & left_out))
        answers = self._answers(asked, allowed - left_out)
        leading = leading_words(asked)
        weights = {word: rarity(*self._held(answers[word]), is_leading=word in leading) for word in asked}
        matching = allowed & set[str]().union(*answers.values())
        whole = matching.intersection(*(_holding(answers[word]) for word in leading))
        ranked = sorted(
            matching - left_out, key=lambda id_: (id_ not in whole, *self._rank(id_, answers, weights))
        )
        return self._page(query, ranked, answers, len(matching & left_out), weights)

    def _add(self, entry: Entry) -> None:
        fields = tuple(Counter(indexed_words(text)) for text in entry.header)
        document = _Document(
            entry, fields, Counter(indexed_words(entry.body)), sum(fields, start=Counter[str]())
        )
        self._documents[entry.id] = document
        for word in document.words:
            self._holders.setdefault(word, set()).add(entry.id)
            self._by_key.setdefault(form_key(word), set()).add(word)

    def _drop(self, id_: str) -> None:
        document = self._documents.pop(id_, None)
        for word in document.words if document else ():
            self._holders[word].discard(id_)
            if not self._holders[word]:
                del self._holders[word]
                self._by_key[form_key(word)].discard(word)

    def _meeting(self, conditions: tuple[Condition, ...]) -> list[str]:
        return [id_ for id_ in self._documents if all(self._meets(id_, item) for item in conditions)]

    def _meets(self, id_: str, condition: Condition) -> bool:
        entry = self._documents[id_].entry
        if isinstance(condition, AtMost):
            number = entry.ordered.get(condition.facet)
            return (number is not None and number <= condition.value) == condition.holds
        return (
            any(value in condition.values for value in entry.facets.get(condition.facet, ()))
            == condition.holds
        )

    # The words of the index, as `spellings.Words` has them.

    def forms(self, word: str) -> Sequence[str]:
        """See `spellings.Words.forms`."""
        return sorted(self._by_key.get(form_key(word), ()))

    def near(self, word: str, limit: int) -> Sequence[tuple[str, int]]:
        """See `spellings.Words.near`."""
        found = ((other, distance(word, other, limit)) for other in self._respellable())
        return sorted(
            ((other, edits) for other, edits in found if 0 < edits <= limit), key=lambda pair: pair[::-1]
        )

    def has(self, word: str) -> bool:
        """See `spellings.Words.has`."""
        return word in self._holders

    def starting(self, part: str) -> Sequence[str]:
        """See `spellings.Words.starting`."""
        return sorted(word for word in self._compounds() if word.startswith(part) and word != part)

    def ending(self, part: str) -> Sequence[str]:
        """See `spellings.Words.ending`."""
        return sorted(word for word in self._compounds() if word.endswith(part) and word != part)

    def _compounds(self) -> Iterator[str]:
        return filter(may_be_compound, self._respellable())

    def _respellable(self) -> Iterator[str]:
        return (word for word in self._holders if edits_allowed(word))

    def _answers(self, asked: list[str], within: set[str]) -> dict[str, dict[str, _Answer]]:
        """The documents that answer each asked word, in wider spellings where nothing answers every word."""
        ways = {word: spellings(word, self) for word in asked}
        answers = {word: self._answering(ways[word]) for word in asked}
        leading = leading_words(asked)
        rarest = sorted(leading, key=lambda word: len(answers[word]))[:MOST_RESPELT]
        lacking = [word for word in rarest if not answers[word]]
        for chosen in (lacking, rarest[len(lacking) :]):
            if within.intersection(*(answers[word] for word in leading)):
                break
            for word in chosen:
                answers[word] = self._answering([*ways[word], *wider_spellings(word, self)])
        return answers

    def _answering(self, ways: list[Spelling]) -> dict[str, _Answer]:
        answers: dict[str, _Answer] = {}
        in_order = sorted(ways, key=lambda way: (way.cost, way.words))
        for _, pool in groupby(in_order, key=lambda way: way.pool):
            of_pool: dict[str, _Answer] = {}
            for way in pool:
                for id_ in set[str].intersection(*(self._holders.get(word, set()) for word in way.words)):
                    adding = [self._documents[id_].impact(word) for word in way.words]
                    strength = min(each & STRENGTH for each in adding)
                    in_header = all(each & IN_HEADER != 0 for each in adding)
                    of_pool[id_] = _Answer(way, strength, strength, in_header).beside(of_pool.get(id_))
            answers = of_pool | answers
        return answers

    def _held(self, answers: Mapping[str, _Answer]) -> tuple[int, int]:
        """In how many documents a word stands, in its closest pool, and how many documents there are."""
        searchable = sum(1 for found in self._documents.values() if found.entry.header)
        closest = min((answer.spelling.pool for answer in answers.values()), default=0)
        return sum(1 for answer in answers.values() if answer.spelling.pool == closest), searchable

    def _rank(
        self, id_: str, answers: Mapping[str, Mapping[str, _Answer]], weights: Mapping[str, int]
    ) -> tuple[int, int, int, int, int, str]:
        held = {word: found[id_] for word, found in answers.items() if id_ in found}
        worths = (
            worth(weights[word], answer.spelling.pool, in_header=answer.in_header)
            for word, answer in held.items()
        )
        return (
            -sum(worths),
            -sum(answer.in_header for answer in held.values()),
            sum(answer.spelling.cost for answer in held.values()),
            -sum(weights[word] * answer.impact for word, answer in held.items()),
            self._documents[id_].header.total(),
            id_,
        )

    def _page(
        self,
        query: Query,
        ranked: list[str],
        answers: Mapping[str, Mapping[str, _Answer]],
        left_out: int,
        weights: Mapping[str, int] | None = None,
    ) -> Hits:
        page = ranked[query.offset : query.offset + query.limit]
        typed = typed_words(query.text)
        hits = tuple(self._hit(id_, answers, weights or {}, typed, explain=query.explain) for id_ in page)
        return Hits(hits, len(ranked), left_out, corrected(_of_page(page, answers)))

    def _hit(
        self,
        id_: str,
        answers: Mapping[str, Mapping[str, _Answer]],
        weights: Mapping[str, int],
        typed: Mapping[str, str],
        *,
        explain: bool,
    ) -> Hit:
        document = self._documents[id_]
        held = {word: found[id_].spelling for word, found in answers.items() if id_ in found}
        rarest_first = sorted(held, key=lambda word: -weights[word])
        wanted = [word for asked in rarest_first for word in held[asked].words if word in document.body]
        matches = tuple(
            Match(
                asked,
                way.words,
                way.manner,
                way.edits,
                weights[asked],
                tuple(
                    number
                    for number, field in enumerate(document.fields)
                    if any(word in field for word in way.words)
                ),
                any(word in document.body for word in way.words),
            )
            for asked, way in held.items()
        )
        return Hit(
            id=id_,
            card=document.entry.card,
            words=tuple(word for way in held.values() for word in way.words),
            snippet=snippet(document.entry.body, wanted, typed),
            matches=matches if explain else (),
        )


def _holding(answers: Mapping[str, _Answer]) -> set[str]:
    """The documents that count as holding a word: by a near spelling only if none has the word itself."""
    if all(answer.spelling.pool for answer in answers.values()):
        return set(answers)
    return {id_ for id_, answer in answers.items() if not answer.spelling.is_near}


def _of_page(page: list[str], answers: Mapping[str, Mapping[str, _Answer]]) -> dict[str, list[Spelling]]:
    """By which spellings the documents of a page answer each asked word."""
    return {word: [found[id_].spelling for id_ in page if id_ in found] for word, found in answers.items()}
