"""Knowledge bases in memory, for tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

from fingerpost.capabilities import KnowledgeCapabilities
from fingerpost.errors import ArgumentError, StoreError
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.records import Record


class Shelf(KnowledgeBase):
    """A list of records that does whatever it declares, and notes what it was asked."""

    def __init__(self, name: str = "shelf", rows: Iterable[Record] = (), **declared: Any) -> None:
        super().__init__(KnowledgeCapabilities(**(declared or {"search": True})), name)
        self.name = name
        self.rows = list(rows)
        self.asked: list[tuple[Any, ...]] = []
        self.fails: Exception | None = None

    @property
    def backend_name(self) -> str:
        return self.name

    def connect(self, **kwargs: Any) -> None:
        """Nothing to connect to."""

    def get_description(self) -> str:
        return f"What {self.name} holds."


class Searched(Shelf):
    """One that can be searched, by words that stand in a text."""

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        self.asked.append(("search", query, limit, kwargs))
        if self.fails is not None:
            raise self.fails
        return [row for row in self.rows if query in row["text"]][:limit]


class Tables(Shelf):
    """One that runs statements: rows in whose text a word stands that is like '%this%', or all rows."""

    def __init__(self, name: str = "tables", rows: Iterable[Record] = (), **declared: Any) -> None:
        super().__init__(name, rows, **{"query": True, "query_language": "sql", **declared})

    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        self.asked.append(("query", statement, limit, kwargs))
        if self.fails is not None:
            raise self.fails
        if not statement.startswith(("SELECT", "MATCH")):
            raise ArgumentError(f"{statement!r} is no statement; start with SELECT.")
        words = re.findall("'%(.*?)%'", statement)
        return [row for row in self.rows if all(word in row["text"] for word in words)][:limit]


class Archive(Searched):
    """One that does everything but run statements; what is written gets the next number as its id."""

    def __init__(self, name: str = "archive", rows: Iterable[Record] = (), **declared: Any) -> None:
        everything = {"search": True, "fetch": True, "browse": True, "writable": True}
        super().__init__(name, rows, **{**everything, **declared})
        self._writing = Lock()

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        wanted = list(ids)
        self.asked.append(("fetch", wanted))
        return [row for row in self.rows if row["metadata"]["id"] in wanted]

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        self.asked.append(("browse", path, limit))
        return [row for row in self.rows if row["metadata"]["id"].startswith(path)][:limit]

    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        written = list(records)
        self.asked.append(("write", written))
        with self._writing:
            return [self._stored(each) for each in written]

    def _stored(self, record: Record) -> Record:
        """Takes the place of the record with its id, unless that was changed since it was read."""
        id_ = record["metadata"].get("id") or f"new/{len(self.rows)}"
        place = next((at for at, old in enumerate(self.rows) if old["metadata"]["id"] == id_), len(self.rows))
        last: str = self.rows[place]["metadata"].get("revision", "r0") if place < len(self.rows) else "r0"
        if record["metadata"].get("revision", last) != last:
            raise StoreError(f"{id_!r} was changed by somebody else and is at {last!r}; read it again.")
        given = {"id": id_, "revision": f"r{int(last[1:]) + 1}"}
        self.rows[place : place + 1] = [{**record, "metadata": {**record["metadata"], **given}}]
        return {"text": "", "metadata": given}


def row(text: str, **metadata: Any) -> Mapping[str, Any]:
    """A record."""
    return {"text": text, "metadata": metadata}
