"""What a process knows of the index for as long as the set of segments stays the same."""

from __future__ import annotations

import sqlite3
import threading
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from fingerpost.catalog import bitsets
from fingerpost.catalog.base import Among
from fingerpost.catalog.documents import Sample
from fingerpost.catalog.held import Held
from fingerpost.catalog.kept import Kept
from fingerpost.catalog.lists import Postings
from fingerpost.catalog.rows import Recorded
from fingerpost.catalog.segments import Segment
from fingerpost.catalog.spellings import edits_allowed
from fingerpost.catalog.state import State
from fingerpost.catalog.texts import Text
from fingerpost.catalog.vocabulary import Bucket, mask
from fingerpost.text.forms import form_key, key_starts, starts_of

if TYPE_CHECKING:
    from fingerpost.catalog.answers import Answer

_FAMILY_BYTES = 64_000_000  # of the words that were asked for, with all their forms
_LISTED_BYTES = 6_000_000  # of facets and of words in other spellings
_ID_BYTES = 2_000_000
_CARD_BYTES = 6_000_000
_TEXT_BYTES = 20_000_000
_MOST_KNOWN = 100
_NO_FAMILY: Mapping[str, dict[int, int]] = MappingProxyType({})
_form_key = lru_cache(1 << 14)(form_key)  # a document that changes again has the words that it had

K = TypeVar("K")
V = TypeVar("V")


class Recent:
    """What the documents hold that no segment knows yet. It only grows; what is no longer live is masked.

    The families of words, and what words in other spellings need, are worked out when they are asked for.
    """

    def __init__(self) -> None:
        self.sequence = 0
        self.terms: dict[str, list[int]] = {}
        self.series: dict[str, list[tuple[int, int]]] = {}
        self.lengths: dict[int, int] = {}
        self._holders: dict[str, dict[int, int]] = {}
        self._lock = threading.Lock()
        self._families: dict[str, dict[str, dict[int, int]]] = {}
        self._alone: defaultdict[str, list[str]] = defaultdict(
            list
        )  # words, by `key_starts`, without a family
        self._unsorted: list[str] = []
        self._masks: dict[int, dict[str, int]] = {}
        self._lines = "\n"

    def absorb(self, rows: Iterable[Recorded]) -> None:
        """Take in what was written since.

        Args:
            rows: What `rows.recents` gives of all that has a higher `sequence`.
        """
        terms = self.terms
        for sequence, number, document in rows:
            new: dict[str, dict[int, int]] = {}
            for word, impact in zip(document.words, document.impacts, strict=True):
                holders = self._holders.get(word)
                if holders is None:
                    new[word] = {number: impact}
                else:
                    holders[number] = impact
            self._holders.update(new)
            for start, word in zip(key_starts(new), new, strict=True):
                self._alone[start].append(word)
            self._unsorted.extend(new)
            for term in document.terms:
                known = terms.get(term)
                if known is None:
                    terms[term] = [number]
                else:
                    known.append(number)
            for name, value in document.ordered.items():
                self.series.setdefault(name, []).append((value, number))
            self.lengths[number] = document.length
            self.sequence = sequence

    @property
    def has_words(self) -> bool:
        """Whether any document holds any word."""
        return bool(self._holders)

    def family(self, key: str) -> Mapping[str, Mapping[int, int]]:
        """The words of a key, each with the impacts of the documents that hold it.

        Args:
            key: What `form_key` gave.
        """
        if not self._holders:
            return _NO_FAMILY
        for start in starts_of(key):
            if self._alone.get(start):
                self._join(start)
        return self._families.get(key, _NO_FAMILY)

    def _join(self, start: str) -> None:
        """Put those words into their families whose keys start like that."""
        with self._lock:
            alone = self._alone[start]
            count = len(alone)  # others may come while this goes on
            for word in alone[:count]:
                self._families.setdefault(_form_key(word), {})[word] = self._holders[word]
            del alone[:count]  # last, so that whoever finds some waits until they have joined theirs

    @property
    def masks(self) -> dict[int, dict[str, int]]:
        """The words of letters alone, by their length, with what they are made of."""
        self._sort_in()
        return self._masks

    def _sort_in(self) -> None:
        """Make the new words known to whoever looks for other spellings."""
        if not self._unsorted:
            return
        with self._lock:
            count = len(self._unsorted)  # others may come while this goes on
            new = [word for word in self._unsorted[:count] if edits_allowed(word)]
            for word in new:
                self._masks.setdefault(len(word), {})[word] = mask(word)
            self._lines += "".join([f"{word}\n" for word in new])
            del self._unsorted[:count]  # last, so that whoever finds some waits until they are sorted in

    def starting(self, part: str) -> Iterator[str]:
        """The words, of letters alone, that start with a part."""
        self._sort_in()
        lines = self._lines
        place = lines.find(f"\n{part}")
        while place >= 0:
            end = lines.index("\n", place + 1)
            yield lines[place + 1 : end]
            place = lines.find(f"\n{part}", end)

    def ending(self, part: str) -> Iterator[str]:
        """The words, of letters alone, that end with a part."""
        self._sort_in()
        lines = self._lines
        place = lines.find(f"{part}\n")
        while place >= 0:
            end = place + len(part)
            yield lines[lines.rindex("\n", 0, end) + 1 : end]
            place = lines.find(f"{part}\n", end)


class Known:
    """What was worked out for one state, which the views of that state share.

    Attributes:
        generation: The generation of the state.
        searchable: The live documents that a search may find.
        has_dead: Whether a segment knows documents that are no more.
        conditions: The documents that meet a condition.
        families: The words of a family that live documents hold.
        answers: How documents answer a word that was asked for.
    """

    def __init__(self, state: State, segments: Iterable[Segment]) -> None:
        self.generation = state.generation
        self.searchable = state.live & ~state.hidden
        self.has_dead = any(segment.numbers & ~state.live for segment in segments)
        self.conditions: dict[Among, int] = {}
        self.families: dict[str, dict[str, Held]] = {}
        self.answers: dict[str, Answer] = {}


def remember(known: dict[K, V], key: K, value: V) -> None:
    """Keep something in a dictionary, and of those before it no more than there is room for."""
    if len(known) >= _MOST_KNOWN:
        for oldest in list(known)[:1]:
            known.pop(oldest, None)
    known[key] = value


class Epoch:
    """What stays while the set of segments does: the segments, what is newer, and what was read of both.

    Views in several threads share it, so everything in it is only added to.
    """

    def __init__(
        self,
        number: int,
        segments: list[Segment],
        buckets: Iterable[tuple[int, int]],
        before: Epoch | None = None,
    ) -> None:
        """Begin an epoch.

        Args:
            number: The epoch.
            segments: Its segments.
            buckets: Segment and length of each bucket of words.
            before: The epoch before it, which may have read some of them.
        """
        self.number = number
        self.segments = segments
        self.recent = Recent()
        self._buckets: dict[tuple[int, int], Bucket | None] = dict.fromkeys(buckets)
        self._segments_with = _by_length(self._buckets)
        self._known_buckets = {} if before is None else before._buckets
        self.series: dict[str, list[tuple[list[int], list[int]]]] = {}
        self.at_most: dict[tuple[str, int, int], tuple[int, int]] = {}
        self.listed: Kept[bytes, Postings] = Kept(_LISTED_BYTES)
        self.families: Kept[str, dict[str, Postings]] = Kept(_FAMILY_BYTES)
        self.ids: Kept[int, bytes] = Kept(_ID_BYTES)
        self.cards: Kept[int, tuple[str, str]] = Kept(_CARD_BYTES)
        self.texts: Kept[int, Text] = Kept(_TEXT_BYTES)
        self.samples = {0: Sample()}
        self.unpacking = threading.Lock()  # of all texts: one for each would be one more object to look after
        self._known: Known | None = None
        self._size = max((segment.numbers.bit_length() for segment in segments), default=0)

    def known_at(self, state: State) -> Known:
        """What was worked out for a state so far, which is begun when there is nothing.

        Args:
            state: A state of this epoch.
        """
        known = self._known
        if known is None or known.generation != state.generation:
            known = self._known = Known(state, self.segments)
        return known

    def size_of(self, lists: Iterable[Postings]) -> int:
        """The bytes that the postings of some words will take in memory, roughly."""
        return sum([200 + listed.size(self._size) for listed in lists])

    def buckets(self, length: int, connection: sqlite3.Connection) -> Iterator[Bucket]:
        """The words of one length, a bucket for each segment that has some.

        Args:
            length: The length.
            connection: A connection within a transaction.
        """
        for segment in self._segments_with.get(length, ()):
            yield self._buckets[segment, length] or self._read_bucket((segment, length), connection)

    def _read_bucket(self, key: tuple[int, int], connection: sqlite3.Connection) -> Bucket:
        """Read a bucket; what the epoch before had too is not made again."""
        (stored,) = connection.execute(
            "SELECT words FROM vocabulary WHERE segment = ? AND length = ?", key
        ).fetchone()
        bucket = self._known_buckets.get(key)
        if bucket is None or bucket.blob != stored:
            bucket = Bucket(stored)
        self._buckets[key] = bucket
        return bucket

    @cached_property
    def lengths(self) -> array[int]:
        """How many words the header of each document has that a segment knows."""
        lengths = array("I", bytes(4 * self._size))
        filled = 0
        for segment in self.segments:
            first, last = segment.first, segment.numbers.bit_length()
            if not filled >> first & ((1 << (last - first)) - 1):
                lengths[first:last] = segment.lengths
            else:
                for number in bitsets.numbers(segment.numbers):
                    lengths[number] = segment.lengths[number - first]
            filled |= segment.numbers
        return lengths

    @classmethod
    def load(cls, connection: sqlite3.Connection, number: int, before: Epoch | None = None) -> Epoch:
        """Read what an epoch needs from the start.

        Args:
            connection: A connection within a transaction.
            number: The epoch.
            before: The one before it, for what both have.
        """
        # Others may stand there: of segments that are being written, or were merged and are to be deleted.
        # The "+" is for passing through all, since a search would read the words of each that it compares.
        buckets = connection.execute(
            "SELECT segment, length FROM vocabulary WHERE +segment IN (SELECT id FROM segment)"
        ).fetchall()
        return cls(number, Segment.listed(connection), buckets, before)


def _by_length(buckets: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    segments: dict[int, list[int]] = {}
    for segment, length in buckets:
        segments.setdefault(length, []).append(segment)
    return segments
