"""What SQLite's own full-text index takes for the same questions, for the numbers of the results alone.

Two tables, of headers and of whole concepts, hold the same words as the index. A page is filled from the
first, then from the second, both times with concepts that hold every word, and at last with those that hold
some. There is no text in it, no filter, no form of a word and no misspelt one: it is what an answer costs
before all that.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PAGE = 20
_TABLES = """
CREATE VIRTUAL TABLE header USING fts5(words, content='');
CREATE VIRTUAL TABLE whole USING fts5(words, content='');
"""
_PAGE = "SELECT rowid FROM {} WHERE {} MATCH ? ORDER BY rank LIMIT ?"


def times_of(folder: str, questions: Sequence[dict[str, Any]]) -> list[float]:
    """Index a bundle in memory, and ask every question once.

    Args:
        folder: The bundle.
        questions: Arguments of `Bundle.find`, of which the text counts.

    Returns:
        CPU seconds of each answer.
    """
    from fingerpost.text.words import query_words

    connection = filled(folder)
    times: list[float] = []
    for question in questions:
        start = time.process_time_ns()
        page(connection, query_words(question["text"]))
        times.append((time.process_time_ns() - start) / 1e9)
    connection.close()
    return times


def filled(folder: str) -> sqlite3.Connection:
    """The two tables, in memory; a concept's number is its place among the sorted paths."""
    from fingerpost.bundle.scanned import header_of_document
    from fingerpost.okf.document import read_gist
    from fingerpost.text.words import indexed_words

    connection = sqlite3.connect(":memory:")
    connection.executescript(_TABLES)
    for number, path in enumerate(sorted(Path(folder).rglob("*.md"))):
        name = path.relative_to(folder).as_posix()
        gist = read_gist(path.read_bytes(), name)
        if gist.is_concept:
            header = header_of_document(gist, name, "")
            fields = (header.title, header.id, header.type, header.description, *header.tags)
            words = " ".join(indexed_words("\n".join(fields)))
            connection.execute("INSERT INTO header (rowid, words) VALUES (?, ?)", (number, words))
            words += " " + " ".join(indexed_words(gist.body))
            connection.execute("INSERT INTO whole (rowid, words) VALUES (?, ?)", (number, words))
    for table in ("header", "whole"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
    return connection


def page(connection: sqlite3.Connection, words: Sequence[str]) -> set[int]:
    """The numbers of a page of results, some more where a table gave a few and the next filled it.

    Args:
        connection: What `filled` gave.
        words: The words of a question.
    """
    quoted = [f'"{word}"' for word in words]
    found: set[int] = set()
    for table, joint in (("header", " AND "), ("whole", " AND "), ("whole", " OR ")):
        if quoted and len(found) < PAGE:
            rows = connection.execute(_PAGE.format(table, table), (joint.join(quoted), PAGE))
            found.update(number for (number,) in rows)
    return found
