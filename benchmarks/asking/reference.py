"""The brute-force scorer: the reference catalog, which ranks every document by the rules to the letter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fingerpost import Bundle
from fingerpost.bundle.entries import KIND, STATUS
from fingerpost.bundle.header import CONCEPT
from fingerpost.bundle.reading import Outcome, may_be_concept, read_entries
from fingerpost.catalog.base import Among, Query
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.spellings import edits_allowed
from fingerpost.text.distance import distance


class Reference:
    """What a bundle answers when nothing is done to be quick.

    Args:
        folder: The bundle.
    """

    def __init__(self, folder: Path) -> None:
        self._catalog = reference_catalog(folder)

    def best(self, text: str, count: int) -> list[str]:
        """The ids of the best concepts for a text; deprecated ones are left out, as `Bundle.find` does."""
        query = Query(
            text,
            require=(Among(KIND, (CONCEPT,)),),
            leave_out=(Among(STATUS, ("deprecated",)),),
            limit=count,
        )
        return [hit.id.removesuffix(".md") for hit in self._catalog.search(query).hits]


def reference_catalog(folder: Path) -> MemoryCatalog:
    """The reference catalog, filled with the entries that the bundle gives its own."""
    with Bundle(folder, cache="") as bundle:
        store = bundle.store
        paths = sorted(filter(may_be_concept, store.changes(None).changed))
        catalog = _Comparing()
        catalog.update(read_entries(store, paths, None, Outcome(), whole=True))
    return catalog


class _Comparing(MemoryCatalog):
    """The reference catalog, comparing a word with those alone that can be near: its answers are the same.

    An edit changes the length of a word by one at most, and the set of its letters by two.
    """

    def __init__(self) -> None:
        super().__init__()
        self._letters: dict[int, list[tuple[str, int]]] = {}
        self._found: dict[tuple[str, int], list[tuple[str, int]]] = {}

    def near(self, word: str, limit: int) -> Sequence[tuple[str, int]]:
        """See `spellings.Words.near`."""
        if not self._letters:
            for other in filter(edits_allowed, self._holders):
                self._letters.setdefault(len(other), []).append((other, _letters(other)))
        if (word, limit) not in self._found:
            own = _letters(word)
            candidates = [
                other
                for length in range(len(word) - limit, len(word) + limit + 1)
                for other, letters in self._letters.get(length, ())
                if (own ^ letters).bit_count() <= 2 * limit
            ]
            found = [(other, distance(word, other, limit)) for other in candidates]
            near = [(other, edits) for other, edits in found if 0 < edits <= limit]
            self._found[word, limit] = sorted(near, key=lambda pair: pair[::-1])
        return self._found[word, limit]


def _letters(word: str) -> int:
    """The set of the letters of a word, one bit each; letters may share a bit."""
    bits = 0
    for letter in word:
        bits |= 1 << ord(letter) % 64
    return bits
