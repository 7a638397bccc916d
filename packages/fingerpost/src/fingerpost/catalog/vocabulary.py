"""The words of an index, made to be asked for near spellings and for words that begin or end alike.

Words of one length are kept together in a bucket, as bit planes: plane `k` of place `p` is the set of the
words whose character at `p` has bit `k` in its code, which is its position in the bucket's own alphabet. So a
few `&` give all words with a certain character at a certain place. The table of edit distances is then filled
once for all words of the bucket; each of its cells is a few sets of words instead of a number. Integers are
the SIMD here: 25,000 words are compared in the time that a loop needs for a dozen. Only cells from which the
end can still be reached within the limit are filled: for two edits, five sets for each letter at most.

It finds exactly the words that `fingerpost.text.distance.distance` would find one by one.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from fingerpost.catalog import bitsets
from fingerpost.text.distance import distance

_HEAD = struct.Struct("<IIII")
_DIGITS = tuple(bytes(ord("0") + (code >> bit & 1) for code in range(256)) for bit in range(8))
_LETTER_BITS, _LENGTH_BITS = 32, 28
# Comparing so many words one by one costs as much as making buckets of them.
_FEW = 40


def encode(words: Iterable[str]) -> dict[int, bytes]:
    """Store words, those of each length apart.

    Args:
        words: The words, in any order.

    Returns:
        The blob of each length, as `Bucket` reads it.
    """
    by_length: dict[int, list[str]] = {}
    for word in set(words):
        by_length.setdefault(len(word), []).append(word)
    return {length: _encode_bucket(length, sorted(alike)) for length, alike in by_length.items() if length}


class Bucket:
    """The words of one length.

    Attributes:
        length: Their length.
        count: How many they are.
    """

    __slots__ = ("_codes", "_everything", "_letters", "_planes", "_text", "count", "length")

    def __init__(self, blob: bytes) -> None:
        """Read what `encode` gave for one length.

        Args:
            blob: The bucket.

        Raises:
            ValueError: It is damaged.
        """
        if len(blob) < _HEAD.size or _HEAD.unpack_from(blob)[0] != zlib.crc32(blob[4:]):
            raise ValueError("The words of one length are damaged in the index; it has to be built anew.")
        alphabet_size: int
        self.length: int
        self.count: int
        _, self.length, self.count, alphabet_size = _HEAD.unpack_from(blob)
        self._everything = (1 << self.count) - 1
        planes_start = _HEAD.size + alphabet_size
        self._letters = blob[_HEAD.size : planes_start].decode()
        self._codes = {letter: code for code, letter in enumerate(self._letters)}
        depth, width = _depth(len(self._letters)), (self.count + 7) // 8
        starts = range(planes_start, planes_start + self.length * depth * width, width)
        planes = [int.from_bytes(blob[start : start + width], "little") for start in starts]
        # A plane comes after its complement, so that the bit of a code is the index of its set.
        pairs = [(self._everything ^ plane, plane) for plane in planes]
        self._planes = [pairs[place * depth : (place + 1) * depth] for place in range(self.length)]
        self._text = ""

    def words(self) -> list[str]:
        """All words, sorted."""
        return list(self._chosen(self._everything))

    def near(self, word: str, limit: int) -> list[tuple[str, int]]:
        """The words within some edits of a word, itself included, with the edits that each takes.

        Args:
            word: The word asked for, of any length.
            limit: The most edits; the work grows with its square.

        Returns:
            Words by edits, then sorted.
        """
        offset = self.length - len(word)
        if abs(offset) > limit:
            return []
        states = _states(offset, limit)
        near: list[tuple[str, int]] = []
        closer = 0
        for state, bits in zip(states, self._reached(word, states), strict=True):
            if state.diagonal == offset:
                near += [(found, state.edits) for found in self._chosen(bits ^ closer)]
                closer = bits
        return near

    def starting(self, part: str) -> list[str]:
        """The words that begin with a text, sorted.

        Args:
            part: The text.
        """
        return list(self._chosen(self._holding(part, 0)))

    def ending(self, part: str) -> list[str]:
        """The words that end with a text, sorted.

        Args:
            part: The text.
        """
        return list(self._chosen(self._holding(part, self.length - len(part))))

    def _chosen(self, bits: int) -> Iterator[str]:
        if bits and not self._text:
            self._text = self._read_text()
        for number in bitsets.numbers(bits):
            yield self._text[number * self.length : (number + 1) * self.length]

    def _read_text(self) -> str:
        """All words, one after the other, as the planes have them."""
        encoding, step = _packing(len(self._letters))
        packed = bytearray(self.count * self.length * step)
        ones = int.from_bytes(bytes([1]) * self.count, "big")
        for place, pairs in enumerate(self._planes):
            for start in range(0, len(pairs), 8):
                part = 0
                for bit, (_, plane) in enumerate(pairs[start : start + 8]):
                    # A digit for each word behind the first, which keeps zeros in place; those of the last
                    # words come first. The lowest bit of a digit is its value.
                    digits = bin(plane | 1 << self.count)[3:].encode()
                    part |= (int.from_bytes(digits, "big") & ones) << bit
                packed[place * step + start // 8 :: self.length * step] = part.to_bytes(self.count, "little")
        return packed.decode(encoding, "surrogatepass").translate(self._letters)

    def _holding(self, part: str, start: int) -> int:
        if start < 0 or start + len(part) > self.length:
            return 0
        bits = self._everything
        for place, character in enumerate(part, start):
            bits &= self._having(character, place)
            if not bits:
                break
        return bits

    def _having(self, character: str, place: int) -> int:
        """The words with a character at a place."""
        code = self._codes.get(character)
        if code is None:
            return 0
        bits = self._everything
        for pair in self._planes[place]:
            bits &= pair[code & 1]
            code >>= 1
        return bits

    def _reached(self, word: str, states: tuple[_State, ...]) -> list[int]:
        """For each state, the words that are in it at the end of the word asked for.

        Args:
            word: The word asked for.
            states: What to keep for each of its letters; the index after the last stands for no state.
        """
        having: dict[tuple[str, int], int] = {}

        def match(character: str, place: int) -> int:
            known = having.get((character, place))
            if known is None:
                known = having[character, place] = self._having(character, place)
            return known

        nothing = [0] * (len(states) + 1)
        before, last = nothing, [self._everything] * len(states) + [0]
        for row, character in enumerate(word):
            current = nothing.copy()
            for index, state in enumerate(states):
                place = row + state.diagonal
                if not 0 <= place < self.length:
                    current[index] = self._everything if place < 0 else 0
                    continue
                bits = last[index] and last[index] & match(character, place)
                for earlier in (last[state.cheaper], last[state.deleted], current[state.inserted]):
                    if earlier:
                        bits |= earlier
                swapped = before[state.cheaper] if place else 0
                if swapped:
                    swapped &= match(character, place - 1)
                    bits |= swapped and swapped & match(word[row - 1], place)
                current[index] = bits
            before, last = last, current
        return last[:-1]


class Vocabulary:
    """All words, a bucket for each length, loaded when first needed."""

    def __init__(self, load: Callable[[int], bytes | None], lengths: Iterable[int]) -> None:
        """Take the buckets from wherever they are stored.

        Args:
            load: Gives the blob of a length, None when there is none after all.
            lengths: The lengths that have a bucket.
        """
        self._load = load
        self._lengths = sorted(lengths)
        self._buckets: dict[int, Bucket | None] = {}

    def near(self, word: str, limit: int) -> list[tuple[str, int]]:
        """The words within some edits of a word, itself included, with the edits that each takes.

        Args:
            word: The word asked for.
            limit: The most edits.

        Returns:
            Words by edits, then sorted.

        Raises:
            ValueError: A bucket is damaged, here and below.
        """
        lengths = range(len(word) - limit, len(word) + limit + 1)
        near = [pair for bucket in self._loaded(lengths) for pair in bucket.near(word, limit)]
        return sorted(near, key=_by_edits)

    def starting(self, part: str) -> list[str]:
        """The words that begin with a text, sorted.

        Args:
            part: The text.
        """
        return sorted(word for bucket in self._loaded() for word in bucket.starting(part))

    def ending(self, part: str) -> list[str]:
        """The words that end with a text, sorted.

        Args:
            part: The text.
        """
        return sorted(word for bucket in self._loaded() for word in bucket.ending(part))

    def _loaded(self, lengths: range | None = None) -> Iterator[Bucket]:
        for length in self._lengths:
            if lengths is not None and length not in lengths:
                continue
            if length not in self._buckets:
                blob = self._load(length)
                self._buckets[length] = None if blob is None else Bucket(blob)
            bucket = self._buckets[length]
            if bucket is not None:
                yield bucket


def mask(word: str) -> int:
    """What a word is made of, in bits: an edit changes two of them at most.

    Args:
        word: A word.

    Returns:
        A bit for each kind of letter, another for each that comes twice, and as many as the word is long.
    """
    bits = 0
    for character in word:
        letter = 1 << ord(character) % _LETTER_BITS
        bits |= letter << _LETTER_BITS if bits & letter else letter
    return bits | ((1 << min(len(word), _LENGTH_BITS)) - 1) << 2 * _LETTER_BITS


def near_among(word: str, limit: int, candidates: Mapping[str, int]) -> list[tuple[str, int]]:
    """What `Vocabulary.near` answers, from words that are not encoded yet.

    Args:
        word: The word asked for.
        limit: The most edits.
        candidates: Words with their masks.

    Returns:
        Words by edits, then sorted.
    """
    asked, most = mask(word), 2 * limit
    alike = [other for other, bits in candidates.items() if (bits ^ asked).bit_count() <= most]
    if len(alike) > _FEW:
        buckets = encode(alike)
        return Vocabulary(buckets.get, buckets).near(word, limit)
    near = [(other, edits) for other in alike if (edits := distance(word, other, limit)) <= limit]
    return sorted(near, key=_by_edits)


@dataclass(frozen=True, slots=True)
class _State:
    """Words whose first `row + diagonal` letters are within some edits of the first `row` letters asked for.

    The other three are the indexes of the states that an edit leads here from.
    """

    diagonal: int
    edits: int
    cheaper: int
    deleted: int
    inserted: int


@cache
def _states(offset: int, limit: int) -> tuple[_State, ...]:
    """The states through which a word that is longer by `offset` can come within the limit, by edits.

    Args:
        offset: How much longer the words of a bucket are than the word asked for.
        limit: The most edits.
    """
    kept = [
        (edits, diagonal)
        for edits in range(limit + 1)
        for diagonal in range(-edits, edits + 1)
        if abs(offset - diagonal) <= limit - edits
    ]
    index = {state: place for place, state in enumerate(kept)}
    none = len(kept)
    return tuple(
        _State(
            diagonal,
            edits,
            cheaper=index.get((edits - 1, diagonal), none),
            deleted=index.get((edits - 1, diagonal + 1), none),
            inserted=index.get((edits - 1, diagonal - 1), none),
        )
        for edits, diagonal in kept
    )


def _encode_bucket(length: int, words: list[str]) -> bytes:
    joined = "".join(words)
    alphabet = "".join(sorted(set(joined)))
    encoding, step = _packing(len(alphabet))
    codes = joined.translate({ord(letter): code for code, letter in enumerate(alphabet)})
    packed = codes.encode(encoding, "surrogatepass")
    width, depth = (len(words) + 7) // 8, _depth(len(alphabet))
    planes: list[int] = []
    for place in range(length):
        for byte in range((depth + 7) // 8):
            column = packed[place * step + byte :: length * step][::-1]
            planes += [int(column.translate(_DIGITS[bit]), 2) for bit in range(min(8, depth - 8 * byte))]
    stored = alphabet.encode()
    head = _HEAD.pack(0, length, len(words), len(stored))[4:]
    rest = head + stored + b"".join([plane.to_bytes(width, "little") for plane in planes])
    return zlib.crc32(rest).to_bytes(4, "little") + rest


def _packing(letters: int) -> tuple[str, int]:
    """How codes are put into bytes, of which the planes are columns: one byte for each if that is enough."""
    return ("latin-1", 1) if letters <= 256 else ("utf-32-le", 4)


def _depth(characters: int) -> int:
    """The planes that tell so many characters apart."""
    return (characters - 1).bit_length()


def _by_edits(pair: tuple[str, int]) -> tuple[int, str]:
    return pair[1], pair[0]
