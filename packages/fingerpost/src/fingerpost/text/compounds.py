"""Compounds: words that are written as one and asked for apart, and the other way round.

Both functions look at words when a query is answered, and know no more of the index than `is_known` says.
They find more when it takes a word for known of which another form is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from fingerpost.text.forms import form_key

_LONGEST = 64
_MOST_PARTS = 4
_INFLECTION = 3  # by how many letters forms of one word may differ in length
_LINKS = ("s", "es", "n", "en", "er", "e")
"""What German puts between the parts of a compound."""
_INFLECTIONS = ("e", "en", "es", "n", "s")
"""What forms of a word end in that a compound may have and that need not stand anywhere by themselves."""

# Words that are also endings or beginnings of English and German words: membership is no kind of ship.
_ENDINGS = frozenset(
    """
    able ability action ages ally ding heit hood ions keit king late less like lich ling mate ment mission
    nation ness ping rate ration ring schaft ship ships sing some ting tion ward wards wise
    """.split()
)
_BEGINNINGS = frozenset(
    """
    anti every fore here inter micro multi over semi some super than then there trans under what when where
    with
    """.split()
)


@dataclass(frozen=True, slots=True)
class _Lengths:
    """How long a part is, and how long it is at the least where no other split is found."""

    part: int
    least: int


_LETTERS = _Lengths(part=4, least=3)
_SYLLABLES = _Lengths(part=2, least=2)  # of Hangul


def may_be_part(word: str) -> bool:
    """Whether a folded word is long enough to be looked for as a part of compounds."""
    return len(word) >= _lengths(word).part and word.isalpha()


def inflected(word: str) -> Iterator[str]:
    """Forms of a folded word that compounds may end in, whether or not they stand anywhere by themselves."""
    key = form_key(word)
    return (word + ending for ending in _INFLECTIONS if form_key(word + ending) == key)


def may_be_compound(word: str) -> bool:
    """Whether a folded word of letters alone is long enough for two parts, in whatever scripts these are."""
    if len(word) >= 2 * _LETTERS.part:
        return True
    return len(word) >= 2 * _SYLLABLES.part and not word.isascii() and max(word) >= "가"


def splits(word: str, is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """Cut a compound into the words that it is made of: for one that is asked where its parts stand apart.

    Args:
        word: A folded word.
        is_known: Whether the index holds a word; called at most once for each piece of `word`.

    Returns:
        The fewest known words that make up `word`, linking letters left out; none when there is no such cut,
        as for a word of fewer than eight letters.
    """
    lengths = _lengths(word)
    if not 2 * lengths.part <= len(word) <= _LONGEST or not word.isalpha():
        return ()
    known = cache(is_known)

    @cache
    def best(start: int) -> tuple[tuple[int, int, int], tuple[str, ...]] | None:
        """The cheapest cut from `start`, and its cost: parts, short parts, linking letters."""
        found: list[tuple[tuple[int, int, int], tuple[str, ...]]] = []
        for end in range(start + lengths.least, len(word) + (start > 0)):
            part = _as_known(word[start:end], known, is_last=end == len(word))
            if not part:
                continue
            is_short = int(end - start < lengths.part)
            if end == len(word):
                found.append(((1, is_short, 0), (part,)))
            for link in ("", *_LINKS):
                rest = best(end + len(link)) if word.startswith(link, end) and end < len(word) else None
                if rest:
                    (parts, short, linking), tail = rest
                    found.append(((parts + 1, short + is_short, linking + len(link)), (part, *tail)))
        return min(found, default=None)

    cheapest = best(0)
    if cheapest is None or cheapest[0][0] > _MOST_PARTS or cheapest[0][1] > 1:
        return ()
    return cheapest[1]


def is_compound_of(word: str, part: str, is_known: Callable[[str], bool]) -> bool:
    """Whether a word is a compound that begins or ends with another one, or with another form of it.

    A catalog need only ask about the words that begin or end with `part` or with another form of it.

    Args:
        word: A folded word of the index.
        part: A folded word that was asked for.
        is_known: Whether the index holds a word.

    Returns:
        Whether the rest of `word`, less its linking letters, is known or can be split into known words.
    """
    shortest = _lengths(part).part
    if not shortest <= len(part) < len(word) <= _LONGEST or not word.isalpha():
        return False
    return any(
        len(rest) >= shortest and (bool(_as_known(rest, is_known, is_last)) or bool(splits(rest, is_known)))
        for rest, is_last in _rests(word, part, shortest)
    )


def _rests(word: str, part: str, shortest: int) -> Iterator[tuple[str, bool]]:
    """What may be the other part of a compound, and whether it is its last."""
    key = form_key(part)
    if part not in _ENDINGS:
        for length in range(max(shortest, len(part) - _INFLECTION), len(part) + _INFLECTION + 1):
            if form_key(word[-length:]) == key:
                rest = word[:-length]
                yield from ((rest.removesuffix(link), False) for link in ("", *_LINKS) if rest.endswith(link))
    if part not in _BEGINNINGS:
        for whole, piece in ((word, part), (word, key), (form_key(word), key)):
            if whole.startswith(piece) and len(piece) >= shortest:
                rest = whole[len(piece) :]
                yield from (
                    (rest.removeprefix(link), True) for link in ("", *_LINKS) if rest.startswith(link)
                )


def _as_known(piece: str, is_known: Callable[[str], bool], is_last: bool) -> str:
    """A piece of a compound as the word that it stands for, "" when it stands for none."""
    if piece in (_ENDINGS if is_last else _BEGINNINGS):
        return ""
    if is_known(piece):
        return piece
    # Miete loses its e in Mietvertrag.
    return piece + "e" if not is_last and len(piece) >= _LETTERS.part and is_known(piece + "e") else ""


def _lengths(word: str) -> _Lengths:
    return _SYLLABLES if "가" <= word[:1] <= "힣" else _LETTERS
