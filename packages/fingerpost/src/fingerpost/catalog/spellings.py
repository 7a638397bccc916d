"""What counts as the same word: as asked, in another form, as a part of a compound, or nearly so spelt.

Forms are always looked for. Compounds and near spellings are, when the index lacks a word or no document
holds every word. A near spelling is one edit away for words of 3 to 5 letters and up to two for longer ones;
there is none below 3 letters and none for words with digits; a swap of neighbours is one edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product, takewhile
from typing import Literal, NamedTuple, Protocol, TypeAlias

from fingerpost.text.compounds import inflected, is_compound_of, may_be_part, splits
from fingerpost.text.forms import form_key

Manner: TypeAlias = Literal["exact", "form", "part", "near"]

_COSTS: dict[Manner, int] = {"exact": 0, "form": 1, "part": 2, "near": 2}
_MOST_NEAR, _MOST_COMPOUNDS, _MOST_SPLITS = 64, 64, 16
_SHORTEST_NEAR = 3
_MOST_PIECES = 20_000
"""Pieces that are looked up to find the compounds of a word: no text may make that take long."""


class Spelling(NamedTuple):
    """One way in which a document may answer an asked word.

    Attributes:
        words: Words of the index; a document answers when it holds all of them.
        manner: How they relate to the asked word.
        edits: How many edits lie between, for "near".
    """

    words: tuple[str, ...]
    manner: Manner
    edits: int = 0

    @property
    def cost(self) -> int:
        """How far from what was asked; it orders documents that are otherwise alike."""
        return _COSTS[self.manner] + self.edits

    @property
    def pool(self) -> int:
        """Spellings of one pool count alike; a document answers by its lowest pool alone."""
        return max(0, self.cost - 1)

    @property
    def is_near(self) -> bool:
        """Whether it is another word, that merely looks like the asked one."""
        return self.manner == "near"


class Words(Protocol):
    """The words of an index."""

    def forms(self, word: str) -> Sequence[str]:
        """The words of the index that are forms of a word, itself included where it is there; sorted."""
        ...

    def near(self, word: str, limit: int) -> Sequence[tuple[str, int]]:
        """The words of the index that are 1 to `limit` edits away, and the edits; by edits, then word."""
        ...

    def has(self, word: str) -> bool:
        """Whether the index has a word."""
        ...

    def starting(self, part: str) -> Sequence[str]:
        """The words that start with a part, are or were in the index and may be compounds; sorted."""
        ...

    def ending(self, part: str) -> Sequence[str]:
        """The words that end with a part, are or were in the index and may be compounds; sorted."""
        ...


def spellings(word: str, words: Words) -> list[Spelling]:
    """The ways to write an asked word that are always looked for.

    Args:
        word: A folded word.
        words: The words of the index.
    """
    return [Spelling((form,), "exact" if form == word else "form") for form in words.forms(word)]


def wider_spellings(word: str, words: Words) -> list[Spelling]:
    """The ways to write an asked word that are looked for when it is not found otherwise, closest first.

    Args:
        word: A folded word.
        words: The words of the index.
    """
    found = list(_parts(word, words))
    forms = set(words.forms(word))
    limit = edits_allowed(word)
    if limit:
        near = ((other, edits) for other, edits in words.near(word, limit) if other not in forms)
        found += [Spelling((other,), "near", edits) for other, edits in islice(near, _MOST_NEAR)]
    return found


def edits_allowed(word: str) -> int:
    """How many edits a word may be away from what was typed and still match.

    Args:
        word: A folded word.
    """
    if len(word) < _SHORTEST_NEAR or not word.isalpha():
        return 0
    return 1 if len(word) <= 5 else 2


def may_be_near(words: Iterable[str]) -> list[str]:
    """Those of many words to which `edits_allowed` allows any edit.

    Args:
        words: Folded words; their order is kept.
    """
    return [word for word in filter(str.isalpha, words) if len(word) >= _SHORTEST_NEAR]


def corrected(ways: Mapping[str, Iterable[Spelling]]) -> dict[str, tuple[str, ...]]:
    """The asked words that were answered misspelt alone, with the words that answered them.

    Args:
        ways: By which spellings documents answered each asked word.
    """
    spelt = {asked: list(found) for asked, found in ways.items()}
    return {
        asked: tuple(sorted({word for way in found for word in way.words}))
        for asked, found in spelt.items()
        if found and all(way.manner == "near" for way in found)
    }


def _parts(word: str, words: Words) -> Iterator[Spelling]:
    """The asked word as a compound of known words, and the known compounds that it is a part of."""
    if not may_be_part(word):
        return
    together = product(*(words.forms(part) for part in splits(word, _Pieces(words).is_known)))
    yield from (Spelling(parts, "part") for parts in islice(together, _MOST_SPLITS) if parts)
    forms = dict.fromkeys((word, form_key(word), *words.forms(word)))
    candidates = dict.fromkeys(longer for form in forms for longer in words.starting(form))
    for form in dict.fromkeys((*forms, *inflected(word))):
        candidates.update(dict.fromkeys(words.ending(form)))
    yield from (Spelling((other,), "part") for other in _compounds_of(word, list(candidates), words))


class _Pieces:
    """Tells which pieces of compounds are words of an index, until enough of them were looked up.

    Attributes:
        left: How many more are looked up; below zero when one was refused.
    """

    def __init__(self, words: Words) -> None:
        self.left = _MOST_PIECES
        self._words = words

    def is_known(self, piece: str) -> bool:
        """Whether the index has a form of a piece; none that is asked about too late is known."""
        self.left -= 1
        return self.left >= 0 and bool(self._words.forms(piece))


def _compounds_of(word: str, candidates: list[str], words: Words) -> list[str]:
    """The first of some words that are compounds with the asked one and are in the index."""
    pieces = _Pieces(words)
    compounds = (
        other
        for other in takewhile(lambda _: pieces.left > 0, candidates)
        if is_compound_of(other, word, pieces.is_known) and words.has(other)
    )
    found = list(islice(compounds, _MOST_COMPOUNDS))
    if pieces.left <= 0:
        # What is no longer in the index must not use up what there is to look up.
        present = [other for other in candidates if words.has(other)]
        if len(present) < len(candidates):
            return _compounds_of(word, present, words)
    return found
