"""The tables of the persisted catalog.

Text is stored as UTF-8 bytes and never as SQLite's text, which cannot hold every Python string; bytes compare
as code points do. Bitsets are stored with a checksum, as are texts.
"""

from __future__ import annotations

import sqlite3
import time
from functools import lru_cache

APPLICATION = 0x46504341
"""Marks the file as one of ours ("FPCA")."""

FORMAT = 6
"""The version of the tables and of what the blobs in them mean; a file of another one is replaced."""

PAGE_SIZE = 8192
"""Of the file, in bytes."""

_TABLES = """
CREATE TABLE state (
    origin INTEGER NOT NULL,      -- the first generation; no other file has the same
    generation INTEGER NOT NULL,  -- grows with each update
    epoch INTEGER NOT NULL,       -- the generation that last changed the set of segments
    next INTEGER NOT NULL,        -- the lowest document number that was never used
    live BLOB NOT NULL,           -- bitset of the documents that are there
    hidden BLOB NOT NULL,         -- bitset of those among them that no search finds
    free BLOB NOT NULL            -- bitset of the numbers below `next` that may be used again
);
CREATE TABLE document (           -- also holds documents that are not live yet, or no longer
    number INTEGER PRIMARY KEY,
    id BLOB NOT NULL,
    changed INTEGER NOT NULL,     -- a generation, or -id of the build whose generation counts
    card BLOB NOT NULL
);
CREATE INDEX document_id ON document (id);
CREATE TABLE content (
    number INTEGER PRIMARY KEY,
    sample INTEGER NOT NULL,      -- what `text` was compressed with, 0 for nothing
    text BLOB NOT NULL            -- header, body and details, compressed
);
CREATE TABLE sample (id INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE removed (id BLOB PRIMARY KEY, changed INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE note (name BLOB PRIMARY KEY, changed INTEGER NOT NULL, text BLOB NOT NULL);
CREATE INDEX note_changed ON note (changed);
CREATE TABLE build (id INTEGER PRIMARY KEY, generation INTEGER, numbers BLOB NOT NULL);
CREATE TABLE segment (            -- its terms are in a table of its own
    id INTEGER PRIMARY KEY,
    numbers BLOB NOT NULL,        -- bitset of the documents that it knows
    lengths BLOB NOT NULL         -- the words in the header of each document, from the lowest number on
);
CREATE TABLE vocabulary (         -- this and the next fill their pages better with row ids than without
    segment INTEGER, length INTEGER, words BLOB NOT NULL, PRIMARY KEY (segment, length)
);
CREATE TABLE wordlist (           -- the same words, in order
    segment INTEGER, backward INTEGER, last BLOB, words BLOB NOT NULL, PRIMARY KEY (segment, backward, last)
);
CREATE TABLE series (             -- the ordered facets of a segment
    segment INTEGER, name BLOB, items BLOB NOT NULL, PRIMARY KEY (segment, name)
) WITHOUT ROWID;
CREATE TABLE recent (             -- documents that no segment knows yet
    sequence INTEGER PRIMARY KEY, number INTEGER NOT NULL, length INTEGER NOT NULL,
    words BLOB NOT NULL, impacts BLOB NOT NULL, rest BLOB NOT NULL
);
"""

_last_generation = 0


def create(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty database.

    The first generation is the time in microseconds, so that none ever comes again when a file is made anew.

    Args:
        connection: The database, outside a transaction.
    """
    global _last_generation  # noqa: PLW0603 - the clock may stand still or go back
    _last_generation = max(time.time_ns() // 1000, _last_generation + 1)
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT};"
    connection.executescript(f"BEGIN; {marks} {_TABLES}")
    connection.execute("INSERT INTO state VALUES (?1, ?1, ?1, 0, x'', x'', x'')", (_last_generation,))
    connection.execute("COMMIT")


def make_its_own(connection: sqlite3.Connection) -> None:
    """Tell a copy of a database from what it was copied from: its generations come nowhere else.

    Args:
        connection: The copy, outside a transaction.
    """
    global _last_generation  # noqa: PLW0603 - as above
    (generation,) = connection.execute("SELECT generation FROM state").fetchone()
    _last_generation = max(time.time_ns() // 1000, _last_generation + 1, generation + 1)
    connection.execute("UPDATE state SET origin = ?1, generation = ?1", (_last_generation,))


def terms_table(segment: int) -> str:
    """The name of the table that holds the terms of a segment."""
    return f"terms_{segment:d}"


@lru_cache(128)
def among(start: str, count: int) -> str:
    """A statement that ends in a condition on several values.

    Args:
        start: The statement as far as the name of the column.
        count: How many values there are.
    """
    return f"{start} IN ({','.join([f'?{place}' for place in range(1, count + 1)])})"
