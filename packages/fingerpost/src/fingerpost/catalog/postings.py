"""Which documents of one segment hold a term, and how much each says about it: one blob for each term.

Each document has an impact, one byte whose high bit says that the term stands in the document's header.
A blob takes one of three forms, whichever is quicker to answer from:

sparse   kind, first number (1 to 3 bytes), gaps between the numbers (1, 2 or 4 bytes each), impacts
dense    kind, first number, words, count, size of the members by header, members, members by header
         (compressed where they are many), members before each word (2 or 4 bytes each), impacts
planar   kind, first number, words, count, 0, members, and for each eight documents eight bytes: the lowest
         bits of their impacts, the next ones, and so on

A word is 64 documents of a bitset. Both bitsets of a dense list become Python integers in one call, without
a loop over documents; the impact of one document is found by its rank among the members, so that a list takes
one byte for each document that it has, not for each that it could have. One that nearly all could have takes
hardly more when its impacts are stored by their bits, and those bits are what ranking adds up. Lists of
facets have no impacts and store nothing for them.

All numbers are little-endian. What is not asked for is not decoded. There is no checksum, because a blob is
part of a block that has one; what must agree in it is compared all the same.
"""

from __future__ import annotations

from array import array

from fingerpost.catalog.dense import PLANAR, Dense, Planar, dense
from fingerpost.catalog.lists import DENSE, FAR, MOST_DOCUMENTS, Postings, damaged, disordered
from fingerpost.catalog.sparse import NOTHING, Sparse, encode_sparse, sparse

__all__ = ["FAR", "MOST_DOCUMENTS", "Postings", "dense", "encode", "is_dense", "read", "sparse"]

# A shorter or thinner list is much smaller in the sparse form, and nearly as quick.
_FEWEST_DENSE, _THINNEST_DENSE = 16, 64


def read(blob: bytes) -> Postings:
    """Read a list.

    Args:
        blob: What `encode` gave.

    Raises:
        ValueError: It is damaged. Damage further in is found, and raised alike, by what is asked for.
    """
    if not blob:
        raise damaged("nothing is there")
    if blob[0] == PLANAR:
        return Planar(blob)
    return (Dense if blob[0] & DENSE else Sparse)(blob)


def encode(numbers: array[int], impacts: bytes) -> bytes:
    """Store a list of postings.

    Args:
        numbers: The documents, strictly ascending.
        impacts: The impact of each; empty for a list that has none.

    Returns:
        The blob that `read` reads.

    Raises:
        ValueError: The numbers do not ascend, one reaches `MOST_DOCUMENTS`, or an impact is missing.
    """
    if impacts and len(impacts) != len(numbers):
        raise ValueError(f"{len(numbers)} documents came with {len(impacts)} impacts; give one for each.")
    if not numbers:
        return NOTHING
    first, last = numbers[0], numbers[-1]
    if last >= FAR:
        raise ValueError(f"Document number {last} is beyond {MOST_DOCUMENTS}; number the documents anew.")
    if is_dense(len(numbers), first, last):
        if sorted(numbers) != numbers.tolist():
            raise disordered()
        return dense(numbers, impacts)
    return encode_sparse(numbers, impacts)


def is_dense(count: int, first: int, last: int) -> bool:
    """Whether a list of so many documents, from the first to the last, is stored in the dense form."""
    return count >= _FEWEST_DENSE and count * _THINNEST_DENSE > last - first
