"""Sets of document numbers as Python integers: bit `n` stands for document `n`.

An integer is the widest vector unit that Python has. `a & b` over 100,000 documents is one call that takes
half a microsecond, where a loop over them takes milliseconds, and the standard library is enough. So whatever
concerns many documents at once (filters, coverage, sums of weights) is written as a few operations on whole
sets, and numbers are only read out of a set once few are left.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import compress

# Up to this many documents, an operation on the whole set for each is cheaper than one pass over its bytes.
_FEW = 24
_OFFSETS = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))
_IS_SET = bytes([0]) + bytes([1]) * 255
_FROM_DIGITS, _TO_DIGITS = bytes.maketrans(b"01", b"\0\1"), bytes.maketrans(b"\0\1", b"01")
_SHORT = 4096  # bits that are read from binary digits sooner than they are put together


def of(numbers: Iterable[int], size: int | None = None) -> int:
    """The set of some documents.

    Args:
        numbers: Document numbers, not negative, in any order.
        size: A number above all of them, where it is known; saves a pass over them.
    """
    known = numbers if isinstance(numbers, (array, list)) else list(numbers)
    if len(known) <= _FEW:
        bits = 0
        for number in known:
            bits |= 1 << number
        return bits
    size = max(known) + 1 if size is None else size
    return _of_many(known, size) if len(known) * 40 > size else _of_some(known, size)


def numbers(bits: int) -> list[int]:
    """The documents of a set, ascending.

    Args:
        bits: A set.
    """
    count = bits.bit_count()
    if count <= _FEW:
        return _few_numbers(bits)
    return _many_numbers(bits) if count * 40 > bits.bit_length() else _some_numbers(bits)


def first(bits: int, count: int) -> list[int]:
    """The documents of a set with the lowest numbers, ascending.

    Args:
        bits: A set.
        count: The most to return.
    """
    start = (bits & -bits).bit_length() - 1
    if start > 0:  # below it nothing needs to be looked at
        return [start + number for number in first(bits >> start, count)]
    width = max(256, 2 * count)
    while width < bits.bit_length():
        low = bits & ((1 << width) - 1)
        if low.bit_count() >= count:
            return numbers(low)[:count]
        width *= 8
    return numbers(bits)[:count]


def flags(bits: int, size: int) -> bytes:
    """A set as one byte for each document, 1 for a member: for whoever asks about many single documents.

    Args:
        bits: A set.
        size: The length of the answer; at least one more than the highest number of the set.
    """
    return format(bits, "b").encode()[::-1].translate(_FROM_DIGITS).ljust(size, b"\0")


def _of_some(numbers: Iterable[int], size: int) -> int:
    packed = bytearray((size + 7) // 8)
    for number in numbers:
        packed[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(packed, "little")


def _of_many(numbers: Iterable[int], size: int) -> int:
    """A byte for each document first, which costs a third of setting a bit; then eight are put into one."""
    flags = bytearray((size + 7) // 8 * 8)
    for number in numbers:
        flags[number] = 1
    if size < _SHORT:
        flags.reverse()
        return int(flags.translate(_TO_DIGITS), 2)
    bits = 0
    for bit in range(8):
        bits |= int.from_bytes(flags[bit::8], "little") << bit
    return bits


def _few_numbers(bits: int) -> list[int]:
    found: list[int] = []
    while bits:
        highest = bits.bit_length() - 1
        found.append(highest)
        bits ^= 1 << highest
    found.reverse()
    return found


def _some_numbers(bits: int) -> list[int]:
    packed = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    find = packed.translate(_IS_SET).find
    found: list[int] = []
    place = find(1)
    while place >= 0:
        base = place * 8
        for offset in _OFFSETS[packed[place]]:
            found.append(base + offset)  # noqa: PERF401 - a list for each byte would cost more than it saves
        place = find(1, place + 1)
    return found


def _many_numbers(bits: int) -> list[int]:
    packed = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    bases = compress(range(0, len(packed) * 8, 8), packed)
    filled = packed.translate(None, b"\0")
    return [base + offset for base, byte in zip(bases, filled, strict=True) for offset in _OFFSETS[byte]]


class Sum:
    """An integer for each document, kept as bit planes: plane `i` holds the documents whose sum has bit `i`.

    Adding a weight to a whole set is a ripple-carry addition over the planes, for all documents at once; the
    highest sums are found from the top plane down. Neither ever looks at a single document.

    Two sums combine lexicographically when the weights of the first are shifted above the largest sum of the
    second: `add(bits, weight << k)` starts at plane `k` and costs nothing for the planes below it.
    """

    __slots__ = ("_planes",)

    def __init__(self) -> None:
        self._planes: list[int] = []

    def add(self, bits: int, weight: int) -> None:
        """Add a weight to each document of a set.

        Args:
            bits: The set.
            weight: What to add, not negative.
        """
        if not bits or not weight:
            return
        planes = self._planes
        level = (weight & -weight).bit_length() - 1
        weight >>= level
        carry = 0
        while weight or carry:
            while len(planes) <= level:
                planes.append(0)
            plane = planes[level]
            # What is carried lies within `bits`, so a full adder needs no third operand.
            if weight & 1:
                planes[level] = plane ^ bits ^ carry
                carry |= plane & bits
            else:
                planes[level] = plane ^ carry
                carry &= plane
            weight >>= 1
            level += 1

    def of(self, number: int) -> int:
        """The sum of one document.

        Args:
            number: The document.
        """
        one = 1 << number
        return sum([1 << level for level, plane in enumerate(self._planes) if plane & one])

    def tiers(self, within: int) -> Iterator[tuple[int, int]]:
        """The documents of a set by their sums, the highest first; only what is consumed is worked out.

        Args:
            within: The set.

        Yields:
            A sum, and the set of all the documents that have it.
        """
        planes = self._planes
        waiting = [(within, len(planes), 0)] if within else []
        while waiting:
            bits, level, total = waiting.pop()
            while level:
                level -= 1
                ones = bits & planes[level]
                if not ones:
                    continue
                total |= 1 << level
                if ones != bits:
                    waiting.append((bits ^ ones, level, total ^ 1 << level))
                    bits = ones
            yield total, bits
