"""A document as the index stores it: its words with what each adds to a score, and its other terms."""

from __future__ import annotations

import json
import sqlite3
import struct
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from fingerpost.catalog.base import Entry
from fingerpost.catalog.ranking import body_impacts, impacts
from fingerpost.catalog.texts import WINDOW, Text, Unpacking
from fingerpost.text.words import counted_words

_COMPRESSION = 2
# A header alone is not worth compressing; it becomes the one block of a stream that stores it as it is.
_PLAIN_HEAD, _MOST_PLAIN = struct.Struct("<BHH"), 0xFFFF
as_json = json.JSONEncoder(ensure_ascii=False).encode
"""Plain values as JSON; the encoder is made once."""

_text_as_json: Callable[[str], str] = json.encoder.encode_basestring
_CHECKSUM_SIZE = 4
_SAMPLE_SIZE = 16_000  # what zlib makes use of
_SIZES = struct.Struct("<II")  # of the header and the body
_AT_FIRST = 1500  # bytes to unpack of a text before anybody has read it
_MOST_COMMON = 127  # letters, told by one byte
_FAR = (1 << 62) - 1
_NO_WORDS = Counter[str]()
_BYTE = 255


class Stored(NamedTuple):
    """What is kept of a document as it is, in bytes.

    Attributes:
        id: Its id.
        card: Its card.
        sample: The number of the sample that its text was compressed with.
        text: Its header, its body and its details, compressed.
        is_hidden: Whether no search finds it.
    """

    id: bytes
    card: bytes
    sample: int
    text: bytes
    is_hidden: bool


class Indexed(NamedTuple):
    """What the index knows of a document.

    Attributes:
        words: Its words, each once.
        impacts: What each of them adds to the score, in the same order.
        terms: Its facets and edges, as `facet_term` and `edge_term` write them.
        ordered: Its ordered facets.
        length: How many words its header has.
    """

    words: list[str]
    impacts: bytes
    terms: list[str]
    ordered: dict[str, int]
    length: int


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of the texts of a catalog; with it, short texts that have much in common compress better.

    Attributes:
        id: Its number, 0 for the empty one.
        text: The sample.
    """

    id: int = 0
    text: bytes = b""

    @classmethod
    def of(cls, id_: int, entries: Sequence[Entry]) -> Sample:
        """Take a sample, the empty one when there is not enough text.

        Args:
            id_: The number that it gets.
            entries: Some documents.
        """
        size = _SAMPLE_SIZE // max(len(entries), 1)
        # What stands in the middle of one document is more like the rest of another than how it begins.
        text = b"".join([pack(entry.body[len(entry.body) // 3 :][:size]) for entry in entries])
        return cls(id_, text) if len(text) >= _SAMPLE_SIZE // 2 else cls()

    @property
    def stored(self) -> bytes:
        """The sample as it is stored; `stored_sample` reads it."""
        return zlib.compress(self.text)

    def compress(self, header: Sequence[str], body: str, details: str) -> bytes:
        """A header, a body and details as they are stored."""
        texts = [pack(texts_as_json(header)), pack(body)]
        text = b"".join([_SIZES.pack(*map(len, texts)), *texts, pack(details)])
        if not body and len(text) <= _MOST_PLAIN:
            return _sealed(_PLAIN_HEAD.pack(1, len(text), ~len(text) & _MOST_PLAIN) + text)
        compressor = _primed(self.text).copy()
        return _sealed(compressor.compress(text) + compressor.flush())

    def decompress(self, stored: bytes, lock: threading.Lock | None = None) -> Text:
        """A body, of which the beginning is unpacked, with a header that `header_texts` reads.

        Args:
            stored: What `compress` gave.
            lock: As for `Text`.
        """
        unpacking = Unpacking(self.text, _unsealed(stored))
        start = unpacking.take(_AT_FIRST)
        sizes: tuple[int, int] = _SIZES.unpack_from(start)
        end = _SIZES.size + sizes[0]
        if end > len(start):
            start += unpacking.take(end - len(start))
        return Text(start[end : end + sizes[1]], sizes[1], unpacking, start[_SIZES.size : end], lock)

    def details(self, stored: bytes) -> str:
        """The details."""
        text = zlib.decompressobj(WINDOW, zdict=self.text).decompress(_unsealed(stored))
        return unpack(text[_SIZES.size + sum(_SIZES.unpack_from(text)) :])


@lru_cache(maxsize=4)
def _primed(sample: bytes) -> zlib._Compress:  # pyright: ignore[reportPrivateUsage] - it has no other name
    """A compressor that has read a sample, to make copies of, which takes less time than to read it again."""
    return zlib.compressobj(_COMPRESSION, zlib.DEFLATED, WINDOW, zdict=sample)


def prepare(entry: Entry, sample: Sample) -> tuple[Stored, Indexed]:
    """Make a document ready to be written. One without a header has no words, for nothing finds it.

    Args:
        entry: The document.
        sample: What to compress its text with.
    """
    stored = Stored(
        pack(entry.id),
        seal(entry.card),
        sample.id,
        sample.compress(entry.header, entry.body, entry.details),
        is_hidden=not entry.header,
    )
    terms = [
        _facet_start(name) + value
        for name, values in entry.facets.items()
        for value in (values if len(values) < 2 else dict.fromkeys(values))
    ]
    terms += map(edge_term, dict.fromkeys(entry.edges))
    ordered = {name: bounded(number) for name, number in entry.ordered.items()}
    if not entry.header:
        return stored, Indexed([], b"", terms, ordered, 0)
    header = counted_words("\n".join(entry.header))
    body = counted_words(entry.body) if entry.body else _NO_WORDS
    length = header.total()
    total = length + body.total()
    in_body = map(body.pop, header, repeat(0)) if body else repeat(0)
    adding = impacts(zip(header.values(), in_body, strict=False), total)
    if body:
        adding += _body_impacts(list(body.values()), total)
    return stored, Indexed([*header, *body], adding, terms, ordered, length)


def _body_impacts(counts: list[int], length: int) -> bytes:
    """What words add that stand in the body alone, by how often they do; few of these numbers differ."""
    if max(counts) > _BYTE:
        return body_impacts(counts, length)
    stored = bytes(counts)
    different = bytes(set(stored))
    return stored.translate(bytes.maketrans(different, body_impacts(different, length)))


def stored_sample(connection: sqlite3.Connection, id_: int | None = None) -> Sample:
    """A sample that was stored, the newest one when none is named, the empty one when there is none.

    Args:
        connection: A connection within a transaction.
        id_: Its number.
    """
    row = connection.execute(
        "SELECT id, text FROM sample WHERE ?1 IS NULL OR id = ?1 ORDER BY id DESC LIMIT 1", (id_,)
    ).fetchone()
    return Sample(row[0], _sample_text(row[1])) if row else Sample()


_sample_text = lru_cache(4)(zlib.decompress)


def texts_as_json(texts: Iterable[str]) -> str:
    """Texts as JSON, in a fraction of the time that an encoder of anything takes."""
    return f"[{', '.join(map(_text_as_json, texts))}]"


def header_texts(stored: bytes) -> list[str]:
    """The texts of a header that was stored."""
    return list(map(str, json.loads(unpack(stored))))


def seal(text: str) -> bytes:
    """A text of the owner as it is stored: with a checksum, since nothing else tells of damage in it."""
    return _sealed(pack(text))


def unseal(stored: bytes) -> str:
    """What `seal` was given.

    Raises:
        ValueError: It is damaged.
    """
    return unpack(_unsealed(stored))


def _sealed(kept: bytes) -> bytes:
    return zlib.crc32(kept).to_bytes(_CHECKSUM_SIZE, "little") + kept


def _unsealed(stored: bytes) -> bytes:
    kept = stored[_CHECKSUM_SIZE:]
    if zlib.crc32(kept) != int.from_bytes(stored[:_CHECKSUM_SIZE], "little"):
        raise ValueError("a stored text does not have its checksum")
    return kept


def pack(text: str) -> bytes:
    """A text as it is stored."""
    return text.encode("utf-8", "surrogatepass")


def unpack(stored: bytes) -> str:
    """A text that was stored."""
    return stored.decode("utf-8", "surrogatepass")


def bounded(number: int) -> int:
    """A number of an ordered facet, brought to what is stored of it."""
    return max(-_FAR, min(_FAR, number))


def word_term(word: str, key: str) -> str:
    """The term of a word: its key and, unless that is the word, how it goes on after what both begin with.

    Args:
        word: The word.
        key: What all its forms have in common; their terms stand next to each other.
    """
    if word == key:
        return f"w{key}\0"
    common = len(key)
    while not word.startswith(key[:common]):
        common -= 1
    common = min(common, _MOST_COMMON)
    return f"w{key}\0{chr(common)}{word[common:]}"


def word_of(term: str) -> str:
    """The word of a term that `word_term` gave."""
    key, _, form = term[1:].partition("\0")
    return key[: ord(form[0])] + form[1:] if form else key


def facet_term(name: str, value: str) -> str:
    """The term of a facet's value; those of one facet stand in the order of the values."""
    return _facet_start(name) + value


@lru_cache(64)
def _facet_start(name: str) -> str:
    return f"f{len(name)}:{name}"


def edge_term(key: str) -> str:
    """The term of an edge."""
    return f"e{key}"
