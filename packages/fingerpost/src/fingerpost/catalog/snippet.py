"""The part of a text that shows why it was found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import filterfalse

from fingerpost.text.folding import fold

_ASCII = bytes(range(128))
_ALPHANUMERIC = frozenset(byte for byte in range(128) if chr(byte).isalnum())
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3105-\u312f\u3400-\u9fff\uf900-\ufaff\U0001b000-\U0003ffff]"
)
_BLANKS = bytes(byte if byte > 127 or byte in _ALPHANUMERIC else ord(" ") for byte in range(256))
_BEFORE, _LENGTH = 60, 200
_WIDEST = 4  # bytes of a character


def snippet(body: str, words: Sequence[str]) -> str:
    """Cut out the surroundings of a matched word.

    Args:
        body: The text.
        words: Folded words that matched; the first of them that stands in `body` is shown.

    Returns:
        One line of about 200 characters with "…" where text was left off, "" when none of the words stands in
        `body`.
    """
    return snippet_of_bytes(body.encode("utf-8", "surrogatepass"), words)


def snippet_of_bytes(body: bytes, words: Sequence[str]) -> str:
    """What `snippet` does, for a text in UTF-8, most of which need not be decoded.

    Args:
        body: The text.
        words: Folded words that matched.
    """
    place = _first(body, words)
    if place < 0:
        return ""
    before = _decoded(body[max(0, place - _WIDEST * _BEFORE) : place])
    after = _decoded(body[place : place + _WIDEST * _LENGTH])
    start = max(0, len(before) - _BEFORE)
    is_cut_before = start > 0 or place > _WIDEST * _BEFORE
    if is_cut_before:
        start = before.find(" ", start) + 1 or start
    room = _LENGTH - min(len(before), _BEFORE)
    is_cut_after = len(after) > room or place + _WIDEST * _LENGTH < len(body)
    if is_cut_after:
        after = after[: max(after.rfind(" ", 0, room), 1)] if " " in after[:room] else after[:room]
    text = " ".join((before[start:] + after).split())
    return f"{'…' if is_cut_before else ''}{text}{'…' if is_cut_after else ''}"


def _decoded(part: bytes) -> str:
    """A part of a text in UTF-8, without the halves of characters at its ends."""
    return part.decode("utf-8", "ignore")


def _first(body: bytes, words: Sequence[str]) -> int:
    """Where the first of the words stands that does, -1 when none does."""
    is_ascii = body.isascii()
    lowered = b""
    folded: _Folded | None = None
    for word in words:
        if is_ascii and not word.isascii():
            continue
        place = _find(body, word)
        if place >= 0:
            return place
        lowered = lowered or body.lower()
        place = _find(lowered, word)
        if place < 0 and not is_ascii:
            folded = folded or _Folded(body)
            place = folded.find(word)
        if place >= 0:
            return place
    return -1


def _find(text: bytes, word: str) -> int:
    """Where a word stands by itself, or anywhere if its script has no blanks."""
    sought = word.encode()
    place = text.find(sought)
    if place < 0 or (not word.isascii() and _UNSPACED.match(word)):
        return place
    while place >= 0:
        end = place + len(sought)
        if _ends_before(text, place) and _begins_after(text, end):
            return place
        place = text.find(sought, end)
    return -1


def _ends_before(text: bytes, place: int) -> bool:
    """Whether what stands before a place is no part of a word that begins there."""
    if not place or text[place - 1] < 128:
        return not place or text[place - 1] not in _ALPHANUMERIC
    return _is_separator(_decoded(text[max(0, place - _WIDEST) : place])[-1:])


def _begins_after(text: bytes, place: int) -> bool:
    """Whether what stands at a place is no part of a word that ends there."""
    if place >= len(text) or text[place] < 128:
        return place >= len(text) or text[place] not in _ALPHANUMERIC
    return _is_separator(_decoded(text[place : place + _WIDEST])[:1])


def _is_separator(character: str) -> bool:
    if not character:
        return True
    return not character.isalnum() and unicodedata.category(character)[0] != "M" and fold(character) != ""


@lru_cache(1 << 14)
def _folded(piece: bytes) -> bytes:
    """A piece in its folded form; the same words come again and again."""
    return fold(_decoded(piece)).encode()


class _Folded:
    """The pieces of a text that folding may change in more than letter case."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._pieces: list[bytes] = []
        self._text = b""
        if not all(map(_is_separator, set(_decoded(body.translate(None, _ASCII))))):
            self._pieces = list(filterfalse(bytes.isascii, body.translate(_BLANKS).split()))
            self._text = b"\n".join(map(_folded, self._pieces))

    def find(self, word: str) -> int:
        """Where in the body a word stands that one of the pieces holds, -1 when none does."""
        place = _find(self._text, word)
        if place < 0:
            return -1
        number = self._text.count(b"\n", 0, place)
        start = 0
        for piece in self._pieces[:number]:
            start = self._body.find(piece, start) + len(piece)
        start = self._body.find(self._pieces[number], start)
        # A script without blanks makes long pieces; folding hardly changes where things are in them.
        within = place - (self._text.rfind(b"\n", 0, place) + 1)
        start += within if within < len(self._pieces[number]) else 0
        while start and self._body[start] & 0xC0 == 0x80:
            start -= 1
        return start
