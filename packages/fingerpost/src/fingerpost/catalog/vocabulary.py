"""The words of an index, made to be asked for near spellings.

Words of one length are kept together in a bucket, as bit planes: plane `k` of place `p` is the set of the
words whose character at `p` has bit `k` in its code, which is its position in the bucket's own alphabet. So
an `&` or two give all words with a certain character at a certain place. The table of edit distances is
then filled once for all words of the bucket; each of its cells is a few sets of words instead of a number.
Integers are the SIMD here: 25,000 words are compared in the time that a loop needs for a dozen. Only cells
from which the end can still be reached within the limit are filled: for two edits, five sets for each letter
at most.

It finds exactly the words that `fingerpost.text.distance.distance` would find one by one.
"""

from __future__ import annotations

import codecs
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import groupby
from typing import NamedTuple

from fingerpost.catalog import bitsets, planes
from fingerpost.text.distance import distance

_HEAD = struct.Struct("<IIIII")
_LAST_CODE = 255
_ONE_LESS = bytes((0, *range(_LAST_CODE)))
_ONES = tuple(bytes(code >> bit & 1 for code in range(256)) for bit in range(8))
_LETTER_BITS, _LENGTH_BITS = 32, 28
_LARGE = 64_000  # bytes of a bucket that is stored as it is, as it would take long to unpack
_GROUP = 3  # planes of which all combinations are worked out; one more would nearly double what they take
_LAST_OF_GROUP = (1 << _GROUP) - 1
# Reading all words of a bucket costs as much as reading one of so many by itself.
_ALL_FOR = 30
# Comparing so many words one by one costs as much as making buckets of them.
_FEW = 40


def encode(words: Iterable[str]) -> dict[int, bytes]:
    """Store words, those of each length apart.

    Args:
        words: The words, in any order.

    Returns:
        The blob of each length, as `Bucket` reads it.
    """
    by_length = groupby(sorted(dict.fromkeys(words), key=len), key=len)  # those that come in order stay so
    return {length: _encode_bucket(length, sorted(alike)) for length, alike in by_length if length}


class Bucket:
    """The words of one length. Threads may share it.

    Attributes:
        blob: The bytes that it was read from.
        length: Their length.
        count: How many they are.
    """

    __slots__ = (
        *("_body", "_codes", "_depth", "_everything", "_given", "_letters", "_places", "_start"),
        *("_text", "_width", "blob", "count", "length"),
    )

    def __init__(self, blob: bytes) -> None:
        """Read what `encode` gave for one length.

        Args:
            blob: The bucket.

        Raises:
            ValueError: It is damaged.
        """
        if len(blob) < _HEAD.size or _HEAD.unpack_from(blob)[0] != zlib.crc32(memoryview(blob)[4:]):
            raise ValueError("The words of one length are damaged in the index; it has to be built anew.")
        size: int
        alphabet_size: int
        self.length: int
        self.count: int
        self.blob = blob
        _, size, self.length, self.count, alphabet_size = _HEAD.unpack_from(blob)
        body = blob[_HEAD.size :]
        self._body = body if len(body) == size else zlib.decompress(body)
        self._everything = (1 << self.count) - 1
        self._start = alphabet_size
        self._letters = self._body[:alphabet_size].decode()
        self._codes = {letter: code for code, letter in enumerate(self._letters)}
        self._depth, self._width = _depth(len(self._letters)), (self.count + 7) // 8
        self._places: list[list[list[int]] | None] = [None] * self.length
        self._text = ""
        self._given = 0

    def words(self) -> list[str]:
        """All words, sorted."""
        return self._chosen(self._everything)

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
            if state.diagonal == offset and bits != closer:
                near += [(found, state.edits) for found in self._chosen(bits ^ closer)]
                closer = bits
        return near

    def _chosen(self, bits: int) -> list[str]:
        """The words of a set, sorted; one by one until that has cost as much as all at once."""
        numbers = bitsets.numbers(bits)
        if not self._text:
            self._given += len(numbers)
            if self._given * _ALL_FOR <= self.count:
                return [self._word(number) for number in numbers]
            self._text = self._read_text()
        return [self._text[number * self.length : (number + 1) * self.length] for number in numbers]

    def _word(self, number: int) -> str:
        encoding, step = _packing(len(self._letters))
        packed = bytearray(self.length * step)
        column = self._body[self._start + (number >> 3) :: self._width].translate(_ONES[number & 7])
        for start in range(0, self._depth, 8):
            part = 0
            for plane in range(start, min(start + 8, self._depth)):
                part |= int.from_bytes(column[plane :: self._depth], "little") << plane - start
            packed[start // 8 :: step] = part.to_bytes(self.length, "little")
        return packed.decode(encoding, "surrogatepass").translate(self._letters)

    def _read_text(self) -> str:
        """All words, one after the other, as the planes have them."""
        encoding, step = _packing(len(self._letters))
        packed = bytearray(self.count * self.length * step)
        ones = int.from_bytes(bytes([1]) * self.count, "big")
        for place in range(self.length):
            planes = self._planes(place)
            for start in range(0, len(planes), 8):
                part = 0
                for bit, plane in enumerate(planes[start : start + 8]):
                    # A digit for each word behind the first, which keeps zeros in place; those of the last
                    # words come first. The lowest bit of a digit is its value.
                    digits = bin(plane | 1 << self.count)[3:].encode()
                    part |= (int.from_bytes(digits, "big") & ones) << bit
                packed[place * step + start // 8 :: self.length * step] = part.to_bytes(self.count, "little")
        return packed.decode(encoding, "surrogatepass").translate(self._letters)

    def _planes(self, place: int) -> list[int]:
        start, width = self._start + place * self._depth * self._width, self._width
        return [
            int.from_bytes(self._body[start + plane * width : start + (plane + 1) * width], "little")
            for plane in range(self._depth)
        ]

    def _having(self, character: str, place: int) -> int:
        """The words with a character at a place."""
        code = self._codes.get(character)
        if code is None:
            return 0
        groups = self._places[place]
        if groups is None:
            groups = self._places[place] = self._grouped(self._planes(place))
        bits = groups[0][code & _LAST_OF_GROUP]
        for group in groups[1:]:
            code >>= _GROUP
            bits &= group[code & _LAST_OF_GROUP]
        return bits

    def _grouped(self, planes: list[int]) -> list[list[int]]:
        """For a few planes each: the words with each combination of their bits, which is its index."""
        groups: list[list[int]] = []
        for start in range(0, max(len(planes), 1), _GROUP):
            sets = [self._everything]
            for plane in planes[start : start + _GROUP]:
                ones = [each & plane for each in sets]
                sets = [each ^ one for each, one in zip(sets, ones, strict=True)] + ones
            groups.append(sets)
        return groups

    def _reached(self, word: str, states: tuple[_State, ...]) -> list[int]:
        """For each state, the words that are in it at the end of the word asked for.

        Args:
            word: The word asked for.
            states: What to keep for each of its letters; the index after the last stands for no state.
        """
        having = {character: _Places(self._having, character) for character in word}
        rows = [having[character] for character in word]
        nothing = [0] * (len(states) + 1)
        before, last = nothing, [self._everything] * len(states) + [0]
        for row, matching in enumerate(rows):
            current = nothing.copy()
            for index, (diagonal, _, cheaper, deleted, inserted) in enumerate(states):
                place = row + diagonal
                if not 0 <= place < self.length:
                    current[index] = self._everything if place < 0 else 0
                    continue
                bits = last[index]
                if bits:
                    bits &= matching[place]
                for earlier in (last[cheaper], last[deleted], current[inserted]):
                    if earlier:
                        bits = bits | earlier if bits else earlier
                swapped = before[cheaper] if place else 0
                if swapped:
                    swapped &= matching[place - 1]
                    if swapped:
                        bits |= swapped & rows[row - 1][place]
                current[index] = bits
            before, last = last, current
        return last[:-1]


class _Places(dict[int, int]):
    """The words that have a character at each place, worked out when first asked for."""

    __slots__ = ("_character", "_having")

    def __init__(self, having: Callable[[str, int], int], character: str) -> None:
        super().__init__()
        self._having = having
        self._character = character

    def __missing__(self, place: int) -> int:
        self[place] = bits = self._having(self._character, place)
        return bits


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
    """What `Bucket.near` answers, from words of any length that are not encoded yet.

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
        near = [pair for blob in encode(alike).values() for pair in Bucket(blob).near(word, limit)]
    else:
        near = [(other, edits) for other in alike if (edits := distance(word, other, limit)) <= limit]
    return sorted(near, key=_by_edits)


class _State(NamedTuple):
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
    packed, step = _packed(joined, alphabet)
    width, depth = (len(words) + 7) // 8, _depth(len(alphabet))
    stored = alphabet.encode()
    parts = [stored]
    for place in range(length):
        for byte in range((depth + 7) // 8):
            column = packed[place * step + byte :: length * step].ljust(8 * width, b"\0")
            by_bits = planes.transposed(column)
            parts += [by_bits[bit::8] for bit in range(min(8, depth - 8 * byte))]
    body = b"".join(parts)
    head = _HEAD.pack(0, len(body), length, len(words), len(stored))[4:]
    packed = _compressed(body) if len(body) < _LARGE else body
    rest = head + (packed if len(packed) < len(body) else body)
    return zlib.crc32(rest).to_bytes(4, "little") + rest


def _packed(joined: str, alphabet: str) -> tuple[bytes, int]:
    """The code of each letter, and the bytes that each takes."""
    encoding, step = _packing(len(alphabet))
    if step == 1 and len(alphabet) <= _LAST_CODE:
        # What the interpreter's own 8-bit encodings do; in these 0 has to stand for NUL, so codes begin at 1.
        codes, _ = codecs.charmap_encode(joined, "strict", codecs.charmap_build(f"\0{alphabet}"))
        return codes.translate(_ONE_LESS), step
    codes = joined.translate({ord(letter): code for code, letter in enumerate(alphabet)})
    return codes.encode(encoding, "surrogatepass"), step


def _compressed(body: bytes) -> bytes:
    """A bucket in fewer bytes. There is little in it but runs, as the words stand in order."""
    compressor = zlib.compressobj(1, strategy=zlib.Z_RLE)
    return compressor.compress(body) + compressor.flush()


def _packing(letters: int) -> tuple[str, int]:
    """How codes are put into bytes, of which the planes are columns: one byte for each if that is enough."""
    return ("latin-1", 1) if letters <= 256 else ("utf-32-le", 4)


def _depth(characters: int) -> int:
    """The planes that tell so many characters apart."""
    return (characters - 1).bit_length()


def _by_edits(pair: tuple[str, int]) -> tuple[int, str]:
    return pair[1], pair[0]
