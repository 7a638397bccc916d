"""The numbers behind the ranking, whole ones, so that every implementation comes to the very same order."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

IN_HEADER, IN_BODY = 0x80, 0x40
"""The bits of an impact byte that say that the word stands in the document's header, and in its body."""

STRENGTH_BITS = 6
STRENGTH = (1 << STRENGTH_BITS) - 1
"""The bits of an impact byte that say what the word adds to the score."""

MOST_ASKED = 64
"""Words of a query beyond these are not looked up."""

MOST_RESPELT = 8
"""So many words of a query, the rarest, are looked up in other spellings."""

WORTH_BITS = 20
"""Bits that hold what the words of a query are worth together."""

_OF_POOL = (4, 3, 3, 2)  # as asked or in another form, part of a compound, one edit away, two
_OF_HEADER, _OF_BODY = 4, 3
_STEPS, _STEPS_OF_WEAK = 16, 3  # of rarity, per unit of the natural logarithm
_SATURATION, _LENGTH_WEIGHT, _HEADER_WEIGHT = 1.2, 0.75, 4
_USUAL_LENGTH = 300  # words; a fixed one, so that a document's score depends on itself alone


@lru_cache(4096)
def rarity(held: int, documents: int, *, is_leading: bool = True) -> int:
    """How much a word counts: its inverse document frequency in steps.

    Args:
        held: How many documents hold the word.
        documents: How many documents there are.
        is_leading: Whether it has to be found; a word that questions are made of counts for little.

    Returns:
        At least 1.
    """
    steps = _STEPS if is_leading else _STEPS_OF_WEAK
    return max(1, round(steps * math.log(1 + (documents - held + 0.5) / (held + 0.5))))


def worth(weight: int, pool: int, *, in_header: bool) -> int:
    """What a word adds to what a document holds of a query.

    Args:
        weight: The word's rarity.
        pool: How closely it is spelt, as in `Spelling.pool`.
        in_header: Whether it stands in the header.

    Returns:
        A number below `1 << WORTH_BITS`, also when those of all words are added up.
    """
    return weight * _OF_POOL[pool] * (_OF_HEADER if in_header else _OF_BODY)


def impacts(times: Iterable[tuple[int, int]], length: int) -> bytes:
    """What words add to a document's score before their rarity: the BM25 term, as a byte for each.

    Args:
        times: How often each word stands in the header, and how often in the body. Few of them differ.
        length: How many words the document has.

    Returns:
        1 to `STRENGTH`, plus `IN_HEADER` and `IN_BODY` for where the word stands.
    """
    return bytes(map(_impacts_at(length).__getitem__, times))


def body_impacts(times: Iterable[int], length: int) -> bytes:
    """What `impacts` answers for words that stand in the body alone.

    Args:
        times: How often each word does.
        length: How many words the document has.
    """
    saturation = _saturation(length)
    return bytes([_strength(each, saturation) | IN_BODY for each in times])


def _saturation(length: int) -> float:
    """How often a word has to stand in a document of some length to have half of the highest strength."""
    return _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length / _USUAL_LENGTH)


def _strength(frequency: int, saturation: float) -> int:
    return max(1, round(STRENGTH * frequency / (frequency + saturation)))


class _Impacts(dict[tuple[int, int], int]):
    """The impact for each pair of counts in documents of one length, worked out when first asked for."""

    def __init__(self, length: int) -> None:
        self._saturation = _saturation(length)

    def __missing__(self, times: tuple[int, int]) -> int:
        in_header, in_body = times
        strength = _strength(_HEADER_WEIGHT * in_header + in_body, self._saturation)
        where = (IN_HEADER if in_header else 0) | (IN_BODY if in_body else 0)
        self[times] = impact = strength | where
        return impact


_impacts_at = lru_cache(256)(_Impacts)  # documents known by their headers alone have few different lengths
