"""Lists of postings in the making: numbers of four bytes, the lowest of which is the impact, one by one.

Such a list is one long integer as well. So a single subtraction gives the gaps between all documents,
and a slice all impacts, where `postings.encode` looks at each document. Most lists of a build are short, and
take a microsecond each.
"""

from __future__ import annotations

import struct
import sys
from array import array
from functools import lru_cache

from fingerpost.catalog import postings

SIZE = 4
"""The bytes of a number with its impact."""

_BYTES, _BITS = SIZE, 32
_LOW, _HIGH = slice(0, None, _BYTES), slice(_BYTES - 1, None, _BYTES)
_FEW = 256
_PAIR, _NUMBER = struct.Struct("<II"), (1 << _BITS) - 1


def pack_number(number: int, impact: int) -> bytes:
    """A document with its impact."""
    return (number << 8 | impact).to_bytes(SIZE, "little")


def encode_single(packed: bytes) -> bytes:
    """Store the list of a word that one document has.

    Args:
        packed: What `pack_number` gave.
    """
    return postings.sparse(1, int.from_bytes(packed[1:], "little"), b"", packed[:1])


def encode_plain(numbers: array[int]) -> bytes:
    """Store a list without impacts, as `postings.encode` does.

    Args:
        numbers: The documents, strictly ascending.

    Raises:
        ValueError: As there.
    """
    if len(numbers) == 1 and numbers[0] < postings.FAR:
        return postings.sparse(1, numbers[0], b"", b"")
    return postings.encode(numbers, b"")


def encode_packed(packed: bytearray) -> bytes:
    """Store the list of a word, as `postings.encode` does.

    Args:
        packed: The documents, strictly ascending, each as `pack_number` gave it.

    Raises:
        ValueError: As there.
    """
    count = len(packed) // _BYTES
    if count == 2:
        return _encode_pair(*_PAIR.unpack(packed))
    stored = bytes(packed)
    numbers = (int.from_bytes(stored, "little") & _all_but_lowest(count)) >> 8
    impacts = stored[_LOW]
    first, last = numbers & _NUMBER, numbers >> _BITS * (count - 1)
    found = _gaps(numbers, count - 1)
    if found is None or last >= postings.FAR:
        return postings.encode(_array(numbers.to_bytes(_BYTES * count, "little")), impacts)
    if postings.is_dense(count, first, last):
        return postings.dense(_array(numbers.to_bytes(_BYTES * count, "little")), impacts)
    return postings.sparse(found[0], first, found[1], impacts)


def _encode_pair(one: int, other: int) -> bytes:
    first, last = one >> 8, other >> 8
    gap, impacts = last - first, bytes((one & 0xFF, other & 0xFF))
    if gap < 1 or last >= postings.FAR:
        return postings.encode(array("I", (first, last)), impacts)
    width = 1 if gap < 1 << 8 else 2 if gap < 1 << 16 else 4
    return postings.sparse(width, first, gap.to_bytes(width, "little"), impacts)


def _gaps(numbers: int, count: int) -> tuple[int, bytes] | None:
    """The bytes of a gap, and all gaps; None when the numbers do not ascend."""
    gaps = (numbers >> _BITS) - (numbers & (1 << _BITS * count) - 1)
    if gaps < 0:
        return None
    stored = gaps.to_bytes(_BYTES * count, "little")
    if not gaps & _all_but_lowest(count):
        narrow = stored[_LOW]
        return None if 0 in narrow else (1, narrow)
    # Where a number is not above the one before, it borrows from the next, and its highest byte is filled.
    if stored[_HIGH].strip(b"\0") or 0 in _array(stored):
        return None
    if stored[2::_BYTES].strip(b"\0"):
        return 4, stored
    narrow = bytearray(2 * count)
    narrow[::2], narrow[1::2] = stored[_LOW], stored[1::_BYTES]
    return 2, bytes(narrow)


def _all_but_lowest(count: int) -> int:
    """So many numbers of which all bits are set but those of the lowest byte."""
    return _mask_of_few(count) if count < _FEW else _mask(count)


def _mask(count: int) -> int:
    return int.from_bytes(b"\0\xff\xff\xff" * count, "little")


_mask_of_few = lru_cache(_FEW)(_mask)


def _array(stored: bytes) -> array[int]:
    numbers = array("I", stored)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
