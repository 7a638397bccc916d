"""Blocks of work with a connection of a database."""

from __future__ import annotations

import sqlite3
from types import TracebackType
from typing import Protocol, TypeAlias

from fingerpost.catalog.trouble import Translated

Identity: TypeAlias = tuple[int, int]
"""What tells a file from every other one."""


class Lender(Protocol):
    """What has connections, of which each block takes one."""

    def take(self) -> tuple[sqlite3.Connection, Identity | None]:
        """A connection to be given back, and the file that it has open; None for memory."""
        ...

    def give_back(self, connection: sqlite3.Connection, identity: Identity | None) -> None:
        """Take back what `take` gave, and end its transaction, undone."""
        ...

    def translated(self) -> Translated:
        """What to take a connection in."""
        ...


class Transaction:
    """A connection of a database for the length of a `with` block, within a transaction.

    What the block has not committed is undone at its end.

    Args:
        database: The database.
        begin: The statement to begin with, "" for none.
    """

    __slots__ = ("_begin", "_database", "_taken")

    def __init__(self, database: Lender, begin: str) -> None:
        self._database = database
        self._begin = begin

    def __enter__(self) -> sqlite3.Connection:
        database = self._database
        with database.translated():
            self._taken = connection, identity = database.take()
            # In memory nobody else is at work, and a block of reading may lie within another one.
            if self._begin and (identity is not None or self._begin != "BEGIN"):
                try:
                    connection.execute(self._begin)
                except BaseException:
                    database.give_back(connection, identity)
                    raise
        return connection

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.give_back(*self._taken)
