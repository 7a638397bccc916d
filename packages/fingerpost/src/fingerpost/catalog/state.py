"""The one row that says what the catalog is at a moment, and the numbers of its documents."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from fingerpost.catalog import bitsets

_CHECKSUM_SIZE = 4
_GROWS_BY = 2048  # documents, 8 to a byte


@dataclass(slots=True)
class State:
    """What `schema` describes under the same names."""

    origin: int
    generation: int
    epoch: int
    next: int
    live: int
    hidden: int
    free: int

    @classmethod
    def load(cls, connection: sqlite3.Connection, known: State | None = None) -> State:
        """Read it.

        Args:
            connection: A connection within a transaction.
            known: What it was at some time, of which the large sets need not be read if it is so still.
        """
        if known is not None:
            # The numbers that may be used again also change while somebody builds.
            origin, generation, epoch, next_, free = connection.execute(
                "SELECT origin, generation, epoch, next, free FROM state"
            ).fetchone()
            if (origin, generation, epoch) == (known.origin, known.generation, known.epoch):
                return cls(origin, generation, epoch, next_, known.live, known.hidden, from_blob(free))
        row = connection.execute(
            "SELECT origin, generation, epoch, next, live, hidden, free FROM state"
        ).fetchone()
        return cls(*row[:4], *(from_blob(blob) for blob in row[4:]))

    @property
    def sets(self) -> dict[str, int]:
        """Its sets, by name."""
        return {"live": self.live, "hidden": self.hidden, "free": self.free}

    def save(self, connection: sqlite3.Connection, before: Mapping[str, int] | None = None) -> None:
        """Write it.

        Args:
            connection: A connection within a transaction that also loaded it.
            before: What `sets` was when it was loaded; those that are still the same are not written again.
        """
        sets = self.sets
        if before is not None:
            sets = {name: bits for name, bits in sets.items() if bits != before[name]}
        columns = "".join([f", {name} = ?" for name in sets])
        connection.execute(
            f"UPDATE state SET generation = ?, epoch = ?, next = ?{columns}",  # noqa: S608 - known names
            (self.generation, self.epoch, self.next, *map(_padded, sets.values())),
        )

    def take(self, count: int) -> list[int]:
        """Numbers for new documents, ascending, the lowest that may be used.

        Args:
            count: How many.
        """
        again = bitsets.first(self.free, count) if self.free else []
        self.free &= ~bitsets.of(again)
        fresh = range(self.next, self.next + count - len(again))
        self.next = fresh.stop
        return [*again, *fresh]


def to_blob(bits: int) -> bytes:
    """A set of numbers as it is stored."""
    return _sealed(bits.to_bytes((bits.bit_length() + 7) // 8, "little"))


def _padded(bits: int) -> bytes:
    """A set that changes often: while it keeps its size, SQLite writes only those pages that differ."""
    return _sealed(bits.to_bytes(-(-bits.bit_length() // _GROWS_BY) * _GROWS_BY // 8, "little"))


def _sealed(members: bytes) -> bytes:
    """A set with its checksum in front, since nothing else tells of damage in it; an empty one is empty."""
    return zlib.crc32(members).to_bytes(_CHECKSUM_SIZE, "little") + members if members else b""


def from_blob(stored: bytes) -> int:
    """A set of numbers that was stored.

    Raises:
        ValueError: It is damaged.
    """
    members = stored[_CHECKSUM_SIZE:]
    if stored and zlib.crc32(members) != int.from_bytes(stored[:_CHECKSUM_SIZE], "little"):
        raise ValueError("a stored set of documents does not have its checksum")
    return int.from_bytes(members, "little")
