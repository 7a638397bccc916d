"""Configurations and a backend for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fingerpost import ConfigError, KnowledgeBase, KnowledgeCapabilities, MemoryDocumentStore, Record
from fingerpost.stores.base import Changes, Cursor

DECLARED = KnowledgeCapabilities(kinds=["document"], search=True, fetch=True, writable=True)


class Notes(KnowledgeBase):
    """Notes that can be searched, fetched and written; all that are made are kept in a list."""

    declared = DECLARED
    made: list[Notes] = []  # noqa: RUF012 - for the test to look at

    def __init__(self, name: str, description: str = "", start: str = "") -> None:
        super().__init__(DECLARED, name)
        self.name = name
        self.description = description
        self.rows: list[dict[str, Any]] = []
        if start:
            self.write([{"text": start, "metadata": {}}])
        self.add_schema({"usage": "words"})
        self.made.append(self)

    @property
    def backend_name(self) -> str:
        return self.name

    def connect(self, **kwargs: Any) -> None:
        """Nothing to connect to."""

    def get_description(self) -> str:
        return self.description or "Notes."

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return [row for row in self.rows if query in row["text"]][:limit]

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        wanted = list(ids)
        return [row for row in self.rows if row["metadata"]["id"] in wanted]

    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record]:
        new = [
            {"text": row["text"], "metadata": {**row["metadata"], "id": f"n{number}"}}
            for number, row in enumerate(records, len(self.rows) + 1)
        ]
        self.rows += new
        return new


class Plain(Notes):
    """One that takes no settings at all."""

    def __init__(self) -> None:
        super().__init__("plain", start="refund")


class Failing(Notes):
    """One that cannot be made, and says so in words that no agent must see."""

    def __init__(self, name: str) -> None:
        raise RuntimeError("password=1234")


class Undeclared(Notes):
    """One whose class does not say what it can do."""

    declared = None  # pyright: ignore[reportAssignmentType] - on purpose

    def __init__(self, name: str) -> None:
        KnowledgeBase.__init__(self, KnowledgeCapabilities(browse=True), name)
        self.name = name
        self.made.append(self)


class Counted(MemoryDocumentStore):
    """A bundle of so many concepts; counts all that are made, and their walks and reads."""

    made = 0
    walks = 0
    reads = 0

    def __init__(self, uri: str, count: int = 3) -> None:
        concept = "---\ntype: Note\ntitle: Note {0}\n---\nThe text of note {0} about refunds.\n"
        super().__init__({f"f{n % 20}/{n}.md": concept.format(n) for n in range(count)})
        self.uri = uri
        Counted.made += 1

    def changes(self, cursor: Cursor | None = None) -> Changes:
        Counted.walks += cursor is None
        return super().changes(cursor)

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        Counted.reads += 1
        return super().read_bytes(path, max_bytes)


HERE = __name__


def bundle(**members: Any) -> dict[str, Any]:
    """An `okf` block of one database."""
    return {"okf": {"databases": {"handbook": {"type": "local", "uri": "kb", **members}}}}


def backend(kind: str, **members: Any) -> dict[str, Any]:
    """A `knowledge` block of one database."""
    return {"knowledge": {"databases": {"notes": {"type": f"{HERE}.{kind}", **members}}}}


class Asked(KnowledgeBase):
    """One that does everything, and notes what it is asked."""

    asked: list[tuple[Any, ...]] = []  # noqa: RUF012 - for the test to look at

    def __init__(self, name: str) -> None:
        everything: dict[str, Any] = {"search": True, "fetch": True, "browse": True, "writable": True}
        super().__init__(KnowledgeCapabilities(query=True, query_language="sql", **everything), name)
        self.name = name

    @property
    def backend_name(self) -> str:
        return self.name

    def connect(self, **kwargs: Any) -> None:
        """Nothing to connect to."""

    def get_description(self) -> str:
        return "Notes what it is asked."

    def format_results(self, rows: Iterable[Record]) -> str:
        return f"{len(list(rows))} in its own form"

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return self._noted("search", query, limit, kwargs)

    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return self._noted("query", statement, limit, kwargs)

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        return self._noted("fetch", list(ids), kwargs)

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        return self._noted("browse", path, limit, kwargs)

    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record]:
        return self._noted("write", list(records), kwargs)

    def _noted(self, *call: Any) -> Sequence[Record]:
        self.asked.append(call)
        return [{"text": call[0]}]


class OddlyDeclared(Undeclared):
    """One whose class has a member of that name, which is no declaration."""

    declared = "everything"  # pyright: ignore[reportAssignmentType] - on purpose


class Sealed(Notes):
    """One whose class declares writing, and which cannot be written where it is opened."""

    def __init__(self, name: str) -> None:
        KnowledgeBase.__init__(self, KnowledgeCapabilities(search=True), name)
        self.name = name
        self.rows = []
        self.description = ""
        self.add_schema({"usage": "words"})
        self.made.append(self)


class Picky(Notes):
    """One that is not content with its settings."""

    def __init__(self, name: str, start: str = "") -> None:
        if start == "ours":
            raise ConfigError("The start is ours.")
        raise ValueError(f"start={start!r} is no start")
