"""Words for search: the same cut for what is indexed and what is asked.

A word is a run of letters, digits and the vowel signs that belong to them; everything else separates, and
nothing is syntax. Chinese, Japanese, Thai, Lao, Khmer and Burmese run without blanks, so their text is
indexed as single characters and as overlapping pairs, and asked for as pairs. Of an identifier like `orderId`
the parts are indexed beside the whole.

`docs/languages.md` shows what is cut how; a test holds the two together.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import filterfalse, pairwise, takewhile
from operator import eq

from fingerpost.text.folding import fold
from fingerpost.text.stop_words import STOP_WORDS, WEAK_WORDS, subjects, without_function_words

__all__ = [
    "STOP_WORDS",
    "counted_words",
    "indexed_words",
    "is_unspaced",
    "leading_words",
    "query_words",
    "typed_like",
    "typed_words",
]

# What each byte of UTF-8 becomes: capitals small, a blank for ASCII that separates, others as they are.
_CUT = bytes(
    byte if byte > 127 else ord(chr(byte).lower()) if chr(byte).isalnum() else ord(" ") for byte in range(256)
)
# Each byte by its kind: "a" for a small letter, "A" for a capital, "x" for what else belongs to a word.
_KINDS = bytes(
    ord(" " if kept == ord(" ") else "x" if byte > 127 or byte < 65 else "a" if kept == byte else "A")
    for byte, kept in enumerate(_CUT)
)
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_LONGEST_IDENTIFIER = 64
_LONGEST_CACHED = 40  # a longer run is a sentence without blanks, and does not come again

_UNSPACED = re.compile(
    "([\u3005-\u3007\u3031-\u3035\u3041-\u30ff\u3105-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]+"  # Han, Hiragana, Katakana, Bopomofo
    "|[\u0e00-\u0e7f]+|[\u0e80-\u0eff]+|[\u1000-\u109f]+|[\u1780-\u17ff]+)"  # Thai, Lao, Burmese, Khmer
)


class _Separators(dict[int, int]):
    """A blank for each character that separates words, itself for each that belongs to one."""

    def __missing__(self, code: int) -> int:
        character = chr(code)
        belongs = character.isalnum() or unicodedata.category(character)[0] == "M"
        self[code] = code if belongs else ord(" ")
        return self[code]


_SEPARATORS = _Separators()


def query_words(text: str) -> list[str]:
    """The words that a query asks for: folded, no repeats, stop words only when there is nothing else.

    Args:
        text: What was typed; quotes and operators are separators, never syntax.

    Returns:
        Folded words in the order typed.
    """
    folded = fold(text)
    asked = subjects(_distinct(without_function_words(folded)), text)
    return asked or _distinct(folded)


def typed_words(text: str) -> dict[str, str]:
    """How the words of a query were typed, in small letters, where that is not how they are folded.

    Args:
        text: What was typed.

    Returns:
        The words as typed, by their folded form.
    """
    if text.isascii():
        return {}
    typed = (piece.lower() for piece in _spaced(text.encode("utf-8", "surrogatepass")).split())
    return {folded: word for word in typed if not word.isascii() and (folded := fold(word)) != word}


def is_unspaced(word: str) -> bool:
    """Whether a word is of a script that runs without blanks. No other word is a form of such a one.

    Args:
        word: A folded word.
    """
    return not word.isascii() and _UNSPACED.match(word) is not None


def typed_like(word: str, typed: Mapping[str, str]) -> str:
    """How a word is spelt that was typed, or of which a form was: what both share as typed, the rest folded.

    Args:
        word: A folded word.
        typed: What `typed_words` gave.

    Returns:
        A guess, in small letters; "" where there is nothing to go by, or it is the folded word.
    """
    known = typed.get(word)
    if known is not None:
        return known
    for folded, spelling in typed.items():
        shared = sum(takewhile(bool, map(eq, word, folded)))
        if 2 * shared > len(word):
            guess = spelling[:shared] + word[shared:]
        elif word in folded:
            start = folded.index(word)
            guess = spelling[start : start + len(word)]
        elif folded in word and 2 * len(folded) > len(word):
            guess = word.replace(folded, spelling, 1)
        else:
            continue
        # Not so where the letters of both do not stand for each other one by one, as ß stands for two.
        return guess if guess != word and fold(guess) == word else ""
    return ""


def leading_words(asked: list[str]) -> list[str]:
    """Those of the words of a query that have to be found: all but weak ones, unless all are.

    Args:
        asked: What `query_words` gave.
    """
    return [word for word in asked if word not in WEAK_WORDS] or asked


def indexed_words(text: str) -> list[str]:
    """Every word of a document's text, folded, repeats and stop words kept.

    Args:
        text: A field or a body.

    Returns:
        Folded words in reading order; the parts of identifiers come last.
    """
    raw = text.encode("utf-8", "surrogatepass")
    words = _cut(raw, singles=True)
    words.extend(_identifier_parts(raw))
    return words


def counted_words(text: str) -> Counter[str]:
    """How often a document's text has each of its words; it takes half as long as to list them all.

    Args:
        text: A field or a body.

    Returns:
        The words of `indexed_words`, counted.
    """
    raw = text.encode("utf-8", "surrogatepass")
    counts = Counter(_spaced(raw).split())
    more: list[str] = []
    if not raw.isascii():
        # All are taken out before any is counted, since the words of one may be another one.
        for piece in list(filterfalse(str.isascii, counts)):
            more += _words_in(piece, singles=True) * counts.pop(piece)
    more += _identifier_parts(raw)
    if more:
        counts.update(more)
    return counts


def _distinct(asked: str) -> list[str]:
    return list(dict.fromkeys(_cut(asked.encode("utf-8", "surrogatepass"), singles=False)))


def _cut(raw: bytes, *, singles: bool) -> list[str]:
    text = _spaced(raw)
    pieces = text.split()
    if text.isascii():
        return pieces
    words: list[str] = []
    for piece in pieces:
        if piece.isascii():
            words.append(piece)
        else:
            words.extend(_words_in(piece, singles=singles))
    return words


def _spaced(raw: bytes) -> str:
    """A text with blanks for ASCII that separates, and small letters for capitals."""
    # By bytes, because `str.translate` is slow where not all is ASCII.
    return raw.translate(_CUT).decode("utf-8", "surrogatepass")


def _words_in(piece: str, *, singles: bool) -> tuple[str, ...]:
    return (_cached_words if len(piece) <= _LONGEST_CACHED else _words_of)(piece, singles)


def _words_of(piece: str, singles: bool) -> tuple[str, ...]:
    """The words of a text without ASCII separators."""
    folded = fold(piece)
    if folded.isascii() and folded.isalnum():
        return (folded,)
    if folded.isalnum() and not _UNSPACED.search(folded):
        return (folded,)  # as what follows would answer, in half the time
    words: list[str] = []
    for run in folded.translate(_SEPARATORS).split():
        if run.isascii():
            words.append(run)
            continue
        if not any(map(str.isalnum, run)):
            continue
        for position, part in enumerate(_UNSPACED.split(run)):
            if position % 2:
                words.extend(_pairs(part, singles))
            elif part:
                words.append(part)
    return tuple(words)


_cached_words = lru_cache(maxsize=1 << 14)(_words_of)


def _pairs(run: str, singles: bool) -> Iterator[str]:
    """The overlapping pairs of a run's characters, each with its signs, and the characters themselves."""
    units = list(run) if run.isalnum() else _units(run)
    if singles or len(units) == 1:
        yield from units
    yield from map("".join, pairwise(units))


def _units(run: str) -> list[str]:
    units: list[str] = []
    for character in run:
        if units and not character.isalnum():
            units[-1] += character
        else:
            units.append(character)
    return units


def _identifier_parts(raw: bytes) -> Iterator[str]:
    """The parts of each identifier in camel case: order and id of `orderId`."""
    kinds = raw.translate(_KINDS)
    hump = kinds.find(b"aA")
    while hump >= 0:
        start, end = kinds.rfind(b" ", 0, hump) + 1, kinds.find(b" ", hump)
        end = len(kinds) if end < 0 else end
        if end - start <= _LONGEST_IDENTIFIER:
            yield from _parts_of(raw[start:end])
        hump = kinds.find(b"aA", end)


@lru_cache(maxsize=1 << 12)
def _parts_of(identifier: bytes) -> tuple[str, ...]:
    if not identifier.isascii():
        return ()
    parts: list[str] = _HUMP.findall(identifier.decode("ascii"))
    is_encoded = any(len(part) == 1 for part in parts)  # of a token or a picture, not of names
    return () if is_encoded else tuple(map(str.lower, parts))
