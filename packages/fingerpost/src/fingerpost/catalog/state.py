"""The one row that says what the catalog is at a moment, and the numbers of its documents."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from fingerpost.catalog import bitsets


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
    def load(cls, connection: sqlite3.Connection) -> State:
        """Read it.

        Args:
            connection: A connection within a transaction.
        """
        row = connection.execute(
            "SELECT origin, generation, epoch, next, live, hidden, free FROM state"
        ).fetchone()
        return cls(*row[:4], *(from_blob(blob) for blob in row[4:]))

    def save(self, connection: sqlite3.Connection) -> None:
        """Write it.

        Args:
            connection: A connection within a transaction that also loaded it.
        """
        connection.execute(
            "UPDATE state SET generation = ?, epoch = ?, next = ?, live = ?, hidden = ?, free = ?",
            (
                self.generation,
                self.epoch,
                self.next,
                to_blob(self.live),
                to_blob(self.hidden),
                to_blob(self.free),
            ),
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
    return bits.to_bytes((bits.bit_length() + 7) // 8, "little")


def from_blob(stored: bytes) -> int:
    """A set of numbers that was stored."""
    return int.from_bytes(stored, "little")
