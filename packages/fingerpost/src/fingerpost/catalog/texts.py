"""Texts that are unpacked no further than they are read, which for a snippet is mostly their beginning."""

from __future__ import annotations

import re
import threading
import unicodedata
import zlib
from itertools import filterfalse
from typing import NamedTuple

from fingerpost.text.folding import fold

WINDOW = -14
"""Texts are compressed without head or checksum, and refer to no more than 16 KB before them.

With the largest window a compressor takes a quarter of a megabyte, and longer to be made than to be used.
"""

_PIECE = 2000  # bytes to unpack behind those at hand, before it is all
_WIDEST = 4  # bytes of a character
_FIRST = 200  # bytes beyond ASCII that mostly tell whether there are words among all of them
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3105-\u312f\u3400-\u9fff\uf900-\ufaff\U0001b000-\U0003ffff]"
)
"""A character of a script that runs without blanks."""

_BLOCK = 800  # bytes, or as many more as it takes to the end of a piece, to fold at once
_ASCII = bytes(range(128))
_ALPHANUMERIC = frozenset(byte for byte in range(128) if chr(byte).isalnum())
_BLANKS = bytes(byte if byte > 127 or byte in _ALPHANUMERIC else ord(" ") for byte in range(256))
_SPACED = _BLANKS.lower()
_BLANK = ord(" ")


class Unpacking:
    """Gives out a compressed text from its beginning.

    What zlib needs for that is many times as large as a text, and is given up in between.
    """

    __slots__ = ("_compressed", "_given", "_inflate", "_left", "_sample")

    def __init__(self, sample: bytes, compressed: bytes) -> None:
        """Begin.

        Args:
            sample: What the text was compressed with.
            compressed: The text, as raw deflate.
        """
        self._sample = sample
        self._compressed = compressed
        self._given = 0
        self.rest()

    def rest(self) -> None:
        """Forget how it stands; it is worked out again when there is more to give."""
        self._inflate: zlib._Decompress | None = None  # pyright: ignore[reportPrivateUsage] - it has no other name
        self._left = self._compressed

    @property
    def is_at_rest(self) -> bool:
        """Whether it needs no more memory than the compressed text."""
        return self._inflate is None

    def take(self, most: int) -> bytes:
        """The next bytes.

        Args:
            most: As many, or fewer at the end.
        """
        inflate = self._inflate
        if inflate is None:
            inflate = self._inflate = zlib.decompressobj(WINDOW, zdict=self._sample)
            if self._given:
                inflate.decompress(self._left, self._given)
                self._left = inflate.unconsumed_tail
        piece = inflate.decompress(self._left, most)
        self._left = inflate.unconsumed_tail
        self._given += len(piece)
        return piece


class Text:
    """A text in UTF-8. Threads may share it.

    Attributes:
        header: What the caller wants to have kept with it.
        body: What is at hand of it.
    """

    __slots__ = ("_folded", "_is_whole", "_lock", "_piece", "_spaced", "_unpacking", "body", "header", "size")

    def __init__(
        self,
        body: bytes,
        size: int | None = None,
        unpacking: Unpacking | None = None,
        header: bytes = b"",
        lock: threading.Lock | None = None,
    ) -> None:
        """Take a text.

        Args:
            body: Its beginning, or all of it.
            size: The bytes of all of it; by default those of `body`.
            unpacking: Gives the bytes behind `body`; not needed when that is all.
            header: What to keep with it.
            lock: Taken while it is unpacked. Several texts may share one, if no fork takes only some of them.
        """
        self.header = header
        self._lock = lock or threading.Lock()
        self._unpacking = unpacking
        self._piece = _PIECE
        self._folded: _Folded | None = None
        self.body = body
        self.size = len(body) if size is None else size
        self._is_whole = len(body) == self.size
        # With a blank before it, so that also its first word stands between blanks.
        self._spaced = b" %b " % body.translate(_SPACED) if self._is_whole else b" " + body.translate(_SPACED)

    def more(self) -> None:
        """Unpack some more, if there is any: a little at first, later all of it.

        Raises:
            ValueError: The text is damaged.
        """
        with self._lock:
            if self._unpacking is None or self._is_whole:
                return
            piece = self._unpacking.take(min(self._piece, self.size - len(self.body)))
            self._piece = self.size
            if not piece:
                raise ValueError("a stored text is shorter than it should be")
            self.body += piece
            is_whole = len(self.body) == self.size
            self._spaced += piece.translate(_SPACED) + (b" " if is_whole else b"")
            self._is_whole = is_whole

    def rest(self) -> None:
        """Give up the memory that unpacking takes, for a while or, when all is at hand, for good."""
        unpacking = self._unpacking
        if unpacking is None or (unpacking.is_at_rest and not self._is_whole):
            return
        with self._lock:
            if self._is_whole:
                self._unpacking = None
            else:
                unpacking.rest()
                self._piece = self.size

    @property
    def all(self) -> bytes:
        """All of the text."""
        return self.up_to(self.size)

    def up_to(self, end: int) -> bytes:
        """What is at hand of the text: so many bytes of it, if it has them, or more."""
        while len(self.body) < end and not self._is_whole:
            self.more()
        return self.body

    def place(self, word: bytes, *, alone: bool, typed: bytes = b"") -> int:
        """Where a word stands first as it is folded or typed, failing that however it is spelt there; or -1.

        Args:
            word: The word, folded.
            alone: Whether it has to stand by itself, rather than within a longer word.
            typed: How somebody spelt it, in small letters, where that is not how it is folded.
        """
        while True:
            is_whole, spaced = self._is_whole, self._spaced
            place = _between_blanks(spaced, word) if alone else spaced.find(word)
            if typed:
                other = _between_blanks(spaced, typed) if alone else spaced.find(typed)
                place = min(place, other) if place >= 0 <= other else max(place, other)
            # Where the text at hand ends, a longer word may go on.
            if is_whole or 0 <= place < len(spaced) - max(len(word), len(typed)):
                break
            self.more()
        if place >= 0:
            return place - 1
        return -1 if self.body.isascii() else self._place_folded(word, alone=alone)

    def place_in_identifier(self, word: bytes) -> int:
        """Where a word stands first as a part of an identifier, as `order` in `orderId`; or -1.

        Args:
            word: The word, folded.
        """
        body = self.all
        small = body.lower()
        place = small.find(word)
        while place >= 0:
            begins = body[place : place + 1].isupper() or not body[max(place - 1, 0) : place].isalpha()
            end = place + len(word)
            after = body[end : end + 1]
            if begins and after.isascii() and not after.islower():
                break
            place = small.find(word, end)
        return place

    def _place_folded(self, word: bytes, *, alone: bool) -> int:
        """The same in all of the text, for what only folding and the signs of other scripts make a word."""
        place = _find(self._spaced, word, alone=alone) - 1
        if place >= 0:
            return place
        if self._folded is None:
            self._folded = _Folded(self.body)
        return self._folded.place(word, alone=alone)


def _between_blanks(spaced: bytes, word: bytes) -> int:
    """Where a word stands first with a blank before it, and behind it a blank or no more text; or -1."""
    place = spaced.find(word)
    while place >= 0:
        end = place + len(word)
        if end == len(spaced) or spaced[place - 1] == _BLANK == spaced[end]:
            break
        place = spaced.find(word, end)
    return place


def _find(text: bytes, word: bytes, *, alone: bool) -> int:
    place = text.find(word)
    while alone and place >= 0:
        end = place + len(word)
        if _ends_before(text, place) and _begins_after(text, end):
            break
        place = text.find(word, end)
    return place


def _ends_before(text: bytes, place: int) -> bool:
    """Whether what stands before a place is no part of a word that begins there."""
    if not place or text[place - 1] < 128:
        return not place or text[place - 1] not in _ALPHANUMERIC
    return _is_between_words(decoded(text[max(0, place - _WIDEST) : place])[-1:])


def _begins_after(text: bytes, place: int) -> bool:
    """Whether what stands at a place is no part of a word that ends there."""
    if place >= len(text) or text[place] < 128:
        return place >= len(text) or text[place] not in _ALPHANUMERIC
    return _is_between_words(decoded(text[place : place + _WIDEST])[:1])


def _is_between_words(character: str) -> bool:
    """Whether a word of a script with blanks ends at a character: also at one of a script without them."""
    return _is_separator(character) or UNSPACED.match(character) is not None


def _is_separator(character: str) -> bool:
    if not character:
        return True
    return not character.isalnum() and unicodedata.category(character)[0] != "M" and fold(character) != ""


def decoded(part: bytes) -> str:
    """A part of a text in UTF-8, without the halves of characters at its ends."""
    return part.decode("utf-8", "ignore")


def _has_words(beyond: bytes) -> bool:
    """Whether some characters beyond ASCII, given in UTF-8, have parts of words among them."""
    return any(not _is_separator(character) for character in set(decoded(beyond)))


class _Folded:
    """What of a text folding may change in more than letter case, as far as it was looked through."""

    __slots__ = ("_blocks", "_body", "_spaced")

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._blocks: dict[int, _Block] = {}
        beyond = body.translate(None, _ASCII)
        has_words = _has_words(beyond[:_FIRST]) or _has_words(beyond)
        self._spaced = body.translate(_BLANKS) if has_words else b""

    def place(self, word: bytes, *, alone: bool) -> int:
        """Where in the text a word stands first that is not all ASCII there, -1 when it stands nowhere."""
        start = 0
        while start < len(self._spaced):
            block = self._blocks.get(start) or self._fold(start)
            place = _find(block.folded, word, alone=alone)
            if place >= 0:
                return self._place_in(start, block, place)
            start = block.end
        return -1

    def _fold(self, start: int) -> _Block:
        end = self._spaced.find(b" ", start + _BLOCK) + 1 or len(self._spaced)
        block = self._blocks[start] = _Block.of(self._spaced[start:end], end)
        return block

    def _place_in(self, start: int, block: _Block, place: int) -> int:
        """Where in the text what stands at a place of a folded block stands: where a character begins."""
        # No piece before this one has the word, so the first that is spelt like it is this one.
        piece = block.pieces[block.folded.count(b"\n", 0, place)]
        found = start + (b" %b " % self._spaced[start : block.end]).find(b" %b " % piece)
        # A script without blanks makes long pieces; folding hardly changes where things are in them.
        within = place - (block.folded.rfind(b"\n", 0, place) + 1)
        found += within if within < len(piece) else 0
        while found and self._body[found] & 0xC0 == 0x80:
            found -= 1
        return found


class _Block(NamedTuple):
    """A part of a text, with whole pieces: what stands between its ASCII separators.

    Attributes:
        end: Where in the text it ends.
        pieces: The pieces that are not all ASCII.
        folded: The same, folded, a line for each.
    """

    end: int
    pieces: list[bytes]
    folded: bytes

    @classmethod
    def of(cls, spaced: bytes, end: int) -> _Block:
        pieces = list(filterfalse(bytes.isascii, spaced.split()))
        return cls(end, pieces, fold(decoded(b"\n".join(pieces))).encode())
