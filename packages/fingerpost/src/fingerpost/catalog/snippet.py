"""The part of a text that shows why it was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from fingerpost.catalog.documents import pack
from fingerpost.catalog.texts import Text, decoded
from fingerpost.text.words import is_unspaced, typed_like

_BEFORE, _LENGTH = 60, 200
NOT_TYPED: Mapping[str, str] = MappingProxyType({})
_WIDEST = 4  # bytes of a character
_ON_ONE_LINE = bytes(ord(" ") if byte < 128 and chr(byte).isspace() else byte for byte in range(256))


class Sought(NamedTuple):
    """A word to show.

    Attributes:
        word: The word, folded, in UTF-8.
        alone: Whether it has to stand by itself, as in all scripts with blanks.
        typed: How it was typed, or is spelt if its form was, in UTF-8, where that is not how it is folded.
    """

    word: bytes
    alone: bool
    typed: bytes = b""

    @classmethod
    def of(cls, word: str, typed: Mapping[str, str]) -> Sought:
        """What to look for to find a folded word.

        Args:
            word: The word.
            typed: What `typed_words` gave.
        """
        return cls(pack(word), not is_unspaced(word), pack(typed_like(word, typed)) if typed else b"")


def snippet(body: str, words: Sequence[str], typed: Mapping[str, str] = NOT_TYPED) -> str:
    """Cut out the surroundings of a matched word.

    Args:
        body: The text.
        words: Folded words that matched; the first of them that stands in `body` is shown.
        typed: How words were typed, by their folded form.

    Returns:
        One line of about 200 characters with "…" where text was left off, "" when none of the words stands in
        `body`.
    """
    sought = [Sought.of(word, typed) for word in words]
    return snippet_of(Text(pack(body)), sought)


def snippet_of(text: Text, words: Iterable[Sought]) -> str:
    """What `snippet` does, for a text of which no more is unpacked than it takes.

    Args:
        text: The text.
        words: The words that matched. Those behind one that stands there are not asked for.
    """
    place = -1
    missing: list[bytes] = []
    for word, alone, typed in words:
        place = text.place(word, alone=alone, typed=typed)
        if place >= 0:
            break
        missing.append(word)
    else:
        places = map(text.place_in_identifier, missing)
        place = next((each for each in places if each >= 0), -1)
    cut = _cut_out(text, place) if place >= 0 else ""
    text.rest()
    return cut


def _cut_out(text: Text, place: int) -> str:
    """The surroundings of a place, on one line."""
    start = place - _BEFORE if place > _BEFORE else 0
    end = start + _LENGTH
    body = text.up_to(end + 1)
    near = body[start:end]
    if not near.isascii():
        return _cut_out_wide(text, place)
    first = near.find(b" ", 0, place - start) + 1 if start else 0
    last = near.rfind(b" ", place - start + 1) if end < len(body) else -1
    # In half the time that it takes to split and join.
    line = near[first : last if last > 0 else None].translate(_ON_ONE_LINE).decode("ascii")
    while "  " in line:
        line = line.replace("  ", " ")
    return f"{'…' if start else ''}{line.strip(' ')}{'…' if end < len(body) else ''}"


def _cut_out_wide(text: Text, place: int) -> str:
    """The same where the characters are not all of one byte."""
    body = text.up_to(place + _WIDEST * _LENGTH + 1)
    before = decoded(body[max(0, place - _WIDEST * _BEFORE) : place])
    after = decoded(body[place : place + _WIDEST * _LENGTH])
    middle = min(len(before), _BEFORE)
    around = before[-_BEFORE:] + after[: _LENGTH - middle]
    is_cut_before = len(before) > middle or place > _WIDEST * _BEFORE
    is_cut_after = len(after) > _LENGTH - middle or place + _WIDEST * _LENGTH < len(body)
    first = around.find(" ", 0, middle) + 1 if is_cut_before else 0
    last = around.rfind(" ", middle + 1) if is_cut_after else -1
    line = " ".join(around[first : last if last > 0 else None].split())
    return f"{'…' if is_cut_before else ''}{line}{'…' if is_cut_after else ''}"
