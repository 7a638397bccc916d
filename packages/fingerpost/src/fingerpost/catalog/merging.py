"""The lists of one term in several segments, made one."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from itertools import compress, pairwise, repeat


def merge(parts: Iterable[tuple[array[int], bytes]], live: bytes) -> tuple[array[int], bytes]:
    """Unite the lists of one term in several segments, without the documents that are no more.

    Args:
        parts: A list from each segment, all with impacts or none. Where two have the same document, the later
            one counts.
        live: `bitsets.flags` of the documents to keep; made once, it serves the lists of all terms.

    Returns:
        The documents, ascending, and their impacts.
    """
    filled = [part for part in parts if part[0]]
    ascending = sorted(filled, key=lambda part: part[0][0])
    if all(part[0][-1] < after[0][0] for part, after in pairwise(ascending)):
        numbers = array("I", b"".join([part[0].tobytes() for part in ascending]))
        impacts = b"".join([part[1] for part in ascending])
    else:
        numbers, impacts = _interleave(filled)
    if numbers and numbers[-1] >= len(live):
        numbers = numbers[: bisect_left(numbers, len(live))]
        impacts = impacts[: len(numbers)]
    kept = bytes(map(live.__getitem__, numbers))
    if 0 not in kept:
        return numbers, impacts
    return array("I", compress(numbers, kept)), bytes(compress(impacts, kept))


def _interleave(parts: list[tuple[array[int], bytes]]) -> tuple[array[int], bytes]:
    impacts_of: dict[int, int] = {}
    for numbers, impacts in parts:
        impacts_of.update(zip(numbers, impacts or repeat(0), strict=False))
    united = array("I", sorted(impacts_of))
    has_impacts = any(impacts for _, impacts in parts)
    return united, bytes(map(impacts_of.__getitem__, united)) if has_impacts else b""
