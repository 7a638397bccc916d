"""Knowledge bases that are broken on purpose, each in one way."""

from __future__ import annotations

import datetime
import itertools
import threading
from collections import ChainMap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from fingerpost import ArgumentError, KnowledgeBase, KnowledgeCapabilities, Record
from tests.core.knowledge.shelves import Archive, Searched, Tables


class ReturnsNothing(Archive):
    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return []


class SameForEveryQuery(Archive):
    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return self.rows[:limit]


class IgnoresLimit(Archive):
    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return super().search(query, 1_000)

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        return super().browse(path, 1_000)


class Unordered(Archive):
    """The place of each row depends on how often it was asked."""

    turn = 0

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        self.turn += 1
        rows = [row for row in self.rows if query in row["text"]]
        start = self.turn % max(len(rows), 1)
        return [*rows[start:], *rows[:start]][:limit]


class RaisesWhereNothingIs(Archive):
    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        found = super().search(query, limit)
        if not found:
            raise LookupError("no match")
        return found


class ChokesOnQuotes(Archive):
    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        if '"' in query:
            raise SyntaxError("unterminated string")
        return super().search(query, limit)


class Lazy(Searched):
    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Any:
        rows = super().search(query, limit)
        return (row for row in rows)


class IgnoresFilters(Archive):
    def __init__(self) -> None:
        super().__init__(filters=["source"])


class DropsMetadata(Archive):
    def _stored(self, record: Record) -> Record:
        kept = {key: record["metadata"][key] for key in ("id", "revision") if key in record["metadata"]}
        return super()._stored({**record, "metadata": kept})


class LosesOtherLetters(Archive):
    def _stored(self, record: Record) -> Record:
        return super()._stored({**record, "text": record["text"].encode("ascii", "ignore").decode()})


class CutsTexts(Archive):
    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        return [{**row, "text": row["text"][:30]} for row in super().fetch(ids)]


class TextsInLists(Archive):
    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return [{**row, "text": [row["text"]]} for row in super().search(query, limit)]


class NoJson(Archive):
    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        seen = {"seen": datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)}
        rows = super().browse(path, limit)
        return [{**row, "metadata": {**row["metadata"], **seen}} for row in rows]


class CommasInIds(Archive):
    def _stored(self, record: Record) -> Record:
        id_ = f"{record['metadata'].get('id') or len(self.rows)},1".replace(",1,1", ",1")
        return super()._stored({**record, "metadata": {**record["metadata"], "id": id_}})


class OtherIdsInSearch(Archive):
    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        rows = super().search(query, limit)
        return [{**row, "metadata": {**row["metadata"], "id": f"row {at}"}} for at, row in enumerate(rows)]


class NoIdsInBrowse(Archive):
    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        return [{"text": row["text"], "metadata": {}} for row in super().browse(path, limit)]


class RaisesForUnknownIds(Archive):
    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        by_id = {row["metadata"]["id"]: row for row in self.rows}
        return [by_id[id_] for id_ in ids]


class AnswersEveryId(Archive):
    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        wanted = list(ids)
        unknown: Record = {"text": "There is no such note.", "metadata": {"id": "none"}}
        return super().fetch(wanted) or [unknown for _ in wanted[:1]]


class FetchesOneOfSeveral(Archive):
    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        return super().fetch(ids)[:1]


class HidesTheLast(Archive):
    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        return super().browse(path, 1_000)[:-1][:limit]


class UnorderedListing(Archive):
    turn = 0

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        self.turn += 1
        return super().browse(path, 1_000)[:: 1 if self.turn % 2 else -1][:limit]


class ListsAllForEveryPath(Archive):
    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        return super().browse("", limit)


class EscapesTheRoot(KnowledgeBase):
    """Notes in a folder, read by their names without a look at these."""

    def __init__(self, folder: Path) -> None:
        super().__init__(KnowledgeCapabilities(fetch=True))
        self.folder = folder

    @property
    def backend_name(self) -> str:
        return "folder"

    def connect(self, **kwargs: Any) -> None:
        """Nothing to connect to."""

    def get_description(self) -> str:
        return "Notes of a folder."

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        rows: list[Record] = []
        for id_ in ids:
            try:
                title, _, text = (self.folder / id_).read_text("utf-8").partition("\n")
            except (OSError, ValueError):
                continue
            rows.append({"text": text, "metadata": {"id": id_, "title": title}})
        return rows


class ListsTheRoot(EscapesTheRoot):
    """It reads what lies in it alone, and lists what lies anywhere."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.capabilities = KnowledgeCapabilities(fetch=True, browse=True)

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        return super().fetch(id_ for id_ in ids if "/" not in id_)

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        folder = self.folder / path
        names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
        return [{"text": name, "metadata": {"id": name}} for name in names][:limit]


class ChangesWhatItIsGiven(Archive):
    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        given = list(records)
        for record in given:
            record["metadata"]["seen"] = True
        return super().write(given)


class KeepsWhatItIsGiven(Archive):
    def _stored(self, record: Record) -> Record:
        stored = super()._stored(record)
        at = [row["metadata"]["id"] for row in self.rows].index(stored["metadata"]["id"])
        self.rows[at] = {**record, "metadata": ChainMap(dict(stored["metadata"]), record["metadata"])}
        return stored


class StoresOneOfSeveral(Archive):
    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        (first, *others) = records
        return super().write([first, *(each for each in others if "id" in each["metadata"])])


class OneIdForAll(Archive):
    def _stored(self, record: Record) -> Record:
        id_ = record["metadata"].get("id", "new")
        return super()._stored({**record, "metadata": {**record["metadata"], "id": id_}})


class AddsWhereItShouldReplace(Archive):
    def _stored(self, record: Record) -> Record:
        id_ = record["metadata"].get("id") or f"new/{len(self.rows)}"
        self.rows.append({**record, "metadata": {**record["metadata"], "id": id_}})
        return {"text": "", "metadata": {"id": id_}}


class FindsWhatWasReplaced(Archive):
    """Its index keeps the words of the texts that were there before."""

    def __init__(self) -> None:
        super().__init__()
        self.index: list[tuple[str, str]] = []

    def _stored(self, record: Record) -> Record:
        stored = super()._stored(record)
        self.index.append((record["text"], stored["metadata"]["id"]))
        return stored

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return self.fetch([id_ for text, id_ in self.index if query in text])[:limit]


class IgnoresRevisions(Archive):
    def _stored(self, record: Record) -> Record:
        metadata = {key: value for key, value in record["metadata"].items() if key != "revision"}
        return super()._stored({**record, "metadata": metadata})


class LosesUpdates(Archive):
    """Several that write at once each start from what was there before all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.together = threading.Barrier(8)
        self.numbers = itertools.count()

    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        if threading.current_thread() is threading.main_thread():
            return super().write(records)
        before = list(self.rows)
        self.together.wait()
        new = [{**each, "metadata": {**each["metadata"], "id": f"n{next(self.numbers)}"}} for each in records]
        self.rows = [*before, *new]
        return [{"text": "", "metadata": {"id": each["metadata"]["id"]}} for each in new]


class BoundToItsThread(Archive):
    """Like a connection that may be used by the thread alone that made it."""

    def __init__(self) -> None:
        super().__init__()
        self.owner = threading.get_ident()

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        if threading.get_ident() != self.owner:
            raise RuntimeError("made in another thread")
        return super().search(query, limit)


class AnswersOneThreadAlone(Archive):
    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        is_main = threading.current_thread() is threading.main_thread()
        return super().search(query, limit) if is_main else []


class AllRowsForEveryStatement(Tables):
    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        super().query(statement, limit)
        return self.rows[:limit]


class IgnoresLimitOfStatements(Tables):
    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return super().query(statement, 1_000)


class UnorderedStatements(Tables):
    turn = 0

    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        self.turn += 1
        rows = super().query(statement, 1_000)
        start = self.turn % max(len(rows), 1)
        return [*rows[start:], *rows[:start]][:limit]


class SilentAboutStatements(Tables):
    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        if not statement.startswith("SELECT"):
            raise RuntimeError("near line 1: syntax error")
        return super().query(statement, limit)


class AnswersAnything(Tables):
    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        try:
            return super().query(statement, limit)
        except ArgumentError:
            return []


class EndsTheRun(Searched):
    """It raises what is no Exception, for one question alone."""

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        if query == "[x]":
            raise SystemExit(1)
        return super().search(query, limit)
