"""`MemoryKnowledgeBase`: a knowledge base in memory, for tests, and a pattern for one of your own."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from fingerpost import ArgumentError, KnowledgeBase, KnowledgeCapabilities, Record, Records

_DECLARED = KnowledgeCapabilities(
    kinds=["document"],
    search=True,
    search_mode="lexical",
    fetch=True,
    browse=True,
    writable=True,
    derives_schema=True,
)
_WORD = re.compile(r"\w+")


class MemoryKnowledgeBase(KnowledgeBase):
    """Records in memory: searched by words, fetched by id, browsed by the start of their ids, and written.

    Each record has a revision, which counts its changes. Who replaces one names the revision that they have
    read, so that no change of somebody else is lost.

    Args:
        name: What tools call it.
        records: The texts that it holds at first, by id.
        description: What it holds, in a sentence.
        writable: Whether it can be written to.
    """

    declared = _DECLARED

    def __init__(
        self,
        name: str = "notes",
        records: Mapping[str, str] | None = None,
        description: str = "Notes in memory.",
        writable: bool = True,
    ) -> None:
        super().__init__(replace(_DECLARED, writable=writable), name)
        self._name = name
        self._description = description
        self._records: dict[str, Record] = {}
        self._lock = threading.Lock()
        for id_, text in (records or {}).items():
            self._records[id_] = _record(id_, text)

    @property
    def backend_name(self) -> str:
        """What tools call it."""
        return self._name

    def connect(self, **_kwargs: Any) -> None:
        """Do nothing: there is nothing to connect to."""

    def get_description(self) -> str:
        """What it holds, in the sentence that was given."""
        return self._description

    def _derived_schema(self) -> Mapping[str, Any]:
        return {"description": self._description, "records": len(self._records)}

    def search(self, query: str, limit: int = 3, **_kwargs: Any) -> Records:
        """Find the records that have words of the query, those with most of them first."""
        words = set(_words(query))
        found = [(len(words & set(_words(row["text"]))), row) for row in self._records.values()]
        best = sorted((each for each in found if each[0]), key=lambda each: -each[0])
        return Records((row for _, row in best[:limit]), total=len(best))

    def fetch(self, ids: Iterable[str], **_kwargs: Any) -> Records:
        """Return the records with these ids; the notes name those that there are not."""
        wanted = list(ids)
        notes = [f"There is no record {id_!r}." for id_ in wanted if id_ not in self._records]
        return Records((self._records[id_] for id_ in wanted if id_ in self._records), notes=notes)

    def browse(self, path: str = "", limit: int = 50, **_kwargs: Any) -> Records:
        """List the records whose ids start like this."""
        below = [self._records[id_] for id_ in sorted(self._records) if id_.startswith(path)]
        return Records(below[:limit], total=len(below))

    def write(self, records: Iterable[Record], **_kwargs: Any) -> Records:
        """Store records, in place of those that they name.

        Raises:
            ArgumentError: One names a record that there is not, or not its last revision.
        """
        if not self.capabilities.writable:
            raise self._undeclared("write")
        with self._lock:
            return Records([self._stored(row) for row in records])

    def _stored(self, row: Record) -> Record:
        given: Mapping[str, Any] = row.get("metadata") or {}
        id_, revision = given.get("id", ""), 0
        if id_:
            revision = self._current(id_, given.get("revision", ""))
        else:
            id_ = self._free("-".join(_words(given.get("title", ""))) or "note")
        self._records[id_] = _record(id_, row["text"], revision + 1, given)
        return self._records[id_]

    def _current(self, id_: str, read: str) -> int:
        """The revision of a record that somebody who has read it may replace."""
        if id_ not in self._records:
            raise ArgumentError(f"There is no record {id_!r} to replace; leave out the id for a new one.")
        revision: str = self._records[id_]["metadata"]["revision"]
        if revision != read:
            raise ArgumentError(
                f"The record {id_!r} has the revision {revision!r}, and not {read!r}; read it again first."
            )
        return int(revision)

    def _free(self, name: str) -> str:
        taken = (f"{name}-{number}" if number > 1 else name for number in range(1, len(self._records) + 2))
        return next(id_ for id_ in taken if id_ not in self._records)


def _record(id_: str, text: str, revision: int = 1, given: Mapping[str, Any] | None = None) -> Record:
    return {"text": text, "metadata": {**(given or {}), "id": id_, "revision": str(revision)}}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
