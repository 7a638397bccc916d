"""Knowledge bases and stores that keep the contracts, checked as their authors would do it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from fingerpost import (
    ArgumentError,
    DocumentKnowledgeBase,
    DocumentStore,
    KnowledgeBase,
    KnowledgeCapabilities,
    LocalDocumentStore,
    MemoryDocumentStore,
    OKFManager,
    Record,
)
from fingerpost_testing.contracts import DocumentStoreContract, KnowledgeBaseContract, Sample
from fingerpost_testing.contracts.samples import sample
from tests.core.knowledge.shelves import Archive, Searched, Tables

NESTED = ("title", "source", "tags", "links")


class Near(Searched):
    """One that ranks by how many letters texts have in common, so that something is always near."""

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        def far(row: Record) -> float:
            one, other = set(re.findall(r"\w+", query)), set(re.findall(r"\w+", row["text"]))
            return -len(one & other) / math.sqrt(len(one | other))

        return sorted(self.rows, key=far)[:limit]


class Filtered(Archive):
    """One whose search is narrowed down by the source."""

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        rows = super().search(query, len(self.rows))
        source = kwargs.get("source")
        return [row for row in rows if source is None or row["metadata"]["source"] == source][:limit]


class Reviewed(Archive):
    """One that shows how far each record was checked, and believes nobody who writes."""

    def _stored(self, record: Record) -> Record:
        metadata = {key: value for key, value in record["metadata"].items() if key != "verified"}
        return super()._stored({**record, "metadata": {**metadata, "trust": self.trust_of(record)}})

    def trust_of(self, record: Record) -> str:
        return "unverified"


class RefusesClaims(Reviewed):
    """As above, and it says so."""

    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        written = list(records)
        if any({"verified", "trust"} & set(record["metadata"]) for record in written):
            raise ArgumentError("Nobody vouches for what they write themselves; leave out the trust.")
        return super().write(written)


class Pages(DocumentKnowledgeBase):
    """Documents whose first line is their title."""

    def __init__(self, store: DocumentStore) -> None:
        can = KnowledgeCapabilities(kinds=["document"], fetch=True, browse=True, writable=True)
        super().__init__(store, can, "pages")

    @property
    def backend_name(self) -> str:
        return "pages"

    def connect(self, **kwargs: Any) -> None:
        """Nothing to connect to."""

    def get_description(self) -> str:
        return "Pages of a folder."

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        read = {id_: self._read_document(id_) for id_ in ids}
        return [self._record(id_, data) for id_, data in read.items() if data is not None]

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        return self.fetch(self.store.list(path)[:limit])

    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        written: list[Record] = []
        for record in records:
            id_ = record["metadata"].get("id") or f"new-{abs(hash(record['text']))}"
            title = record["metadata"].get("title", "")
            self.store.write_bytes(id_, f"{title}\n{record['text']}".encode())
            written.append({"text": record["text"], "metadata": {"id": id_}})
        return written

    @staticmethod
    def _record(id_: str, data: bytes) -> Record:
        title, _, text = data.decode().partition("\n")
        return {"text": text, "metadata": {"id": id_, "title": title}}


class OfArchive(KnowledgeBaseContract):
    """It does everything but run statements."""

    keeps = NESTED

    def make(self) -> KnowledgeBase:
        return Archive()


class OfReviewed(OfArchive):
    def make(self) -> KnowledgeBase:
        return Reviewed()


class OfRefusesClaims(OfArchive):
    def make(self) -> KnowledgeBase:
        return RefusesClaims()


class OfSearched(KnowledgeBaseContract):
    """It cannot be written by agents, so the contract is told how to fill it."""

    def make(self) -> KnowledgeBase:
        return Searched()

    def seed(self, base: KnowledgeBase, records: Sequence[Record]) -> Iterable[Record] | None:
        assert isinstance(base, Searched)
        base.rows += records


class OfNear(OfSearched):
    def make(self) -> KnowledgeBase:
        return Near(search=True, search_mode="semantic")


class OfTables(KnowledgeBaseContract):
    def make(self) -> KnowledgeBase:
        return Tables()

    def seed(self, base: KnowledgeBase, records: Sequence[Record]) -> Iterable[Record] | None:
        assert isinstance(base, Tables)
        base.rows += records

    def statement(self, word: str) -> str:
        return f"SELECT * FROM notes WHERE text LIKE '%{word}%'"


class OfFiltered(KnowledgeBaseContract):
    def make(self) -> KnowledgeBase:
        return Filtered(filters=["source"])


class OfPages(KnowledgeBaseContract):
    keeps = ("title",)

    def make(self) -> KnowledgeBase:
        return Pages(MemoryDocumentStore())


class OfPagesInAFolder(OfPages):
    """On a store that is only read, nothing is written, whatever is declared."""

    def make(self) -> KnowledgeBase:
        return Pages(LocalDocumentStore(self.folder, writable=False))

    def seed(self, base: KnowledgeBase, records: Sequence[Record]) -> Iterable[Record] | None:
        for record in records:
            text = f"{record['metadata']['title']}\n{record['text']}"
            (self.folder / record["metadata"]["id"]).write_text(text, encoding="utf-8")


class OfBundle(KnowledgeBaseContract):
    """A bundle, which is filled by writing its files."""

    samples = (
        sample(
            "barrels",
            "Lamp oil comes in barrels, past the signpost.",
            id="supplies/lamp-oil",
            title="Lamp oil",
            type="Supply",
            tags=["oil"],
            path="supplies/",
            status="stable",
            trust="human-reviewed",
            stale=False,
        ),
        sample(
            "灯台守",
            "灯台守 の signpost 🗼",
            id="rules/fog-bell",
            title="The bell: 🗼",
            type="Rule",
            tags=["fog", "Südhöhe"],
            path="rules/",
            status="deprecated",
            trust="unverified",
            stale=True,
        ),
    )
    keeps = ("title", "type", "tags", "path", "status", "trust", "stale")

    def make(self) -> KnowledgeBase:
        return OKFManager(LocalDocumentStore(self.folder), refresh_seconds=None, write_prefix="")

    def seed(self, base: KnowledgeBase, records: Sequence[Record]) -> Iterable[Record] | None:
        for record in records:
            metadata = record["metadata"]
            fields = {name: metadata[name] for name in ("type", "title", "tags", "status")}
            fields["stale_after"] = "2020-01-01" if metadata["stale"] else "2999-01-01"
            if metadata["trust"] == "human-reviewed":
                fields["verified"] = [{"by": "human:ada", "at": "2026-01-01"}]
            file = self.folder / f"{metadata['id']}.md"
            file.parent.mkdir()
            front = json.dumps(fields, ensure_ascii=False)
            file.write_text(f"---\n{front}\n---\n{record['text']}\n", encoding="utf-8")

    def browse_path(self, sample: Sample) -> str:
        return sample.record["metadata"]["path"]


class OfWhatThereIs(KnowledgeBaseContract):
    """It holds what it holds: the contract is told what that is."""

    samples = (
        Sample({"text": "Refunds take a week.", "metadata": {"id": "1", "title": "Refunds"}}, "week"),
        Sample(
            {"text": "Refunds of gifts are vouchers.", "metadata": {"id": "2", "title": "Gifts"}}, "vouchers"
        ),
    )
    shared_word = "Refunds"

    def make(self) -> KnowledgeBase:
        return Searched(rows=self.records)

    def seed(self, base: KnowledgeBase, records: Sequence[Record]) -> Iterable[Record] | None:
        """They are in it."""


class Least(DocumentStore):
    """The least that a store has to bring: all else is the base class's."""

    def __init__(self) -> None:
        self._memory = MemoryDocumentStore()
        self.put, self.remove = self._memory.write_bytes, self._memory.delete

    @property
    def identity(self) -> str:
        return "least:"

    def list(self, prefix: str = "") -> list[str]:
        return self._memory.list(prefix)

    def signature(self, path: str) -> str:
        return self._memory.signature(path)

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        return self._memory.read_bytes(path, max_bytes)


class OfMemory(DocumentStoreContract):
    def make(self) -> DocumentStore:
        return MemoryDocumentStore()


class OfLeast(DocumentStoreContract):
    """It is only read, so the contract is told how what is in it changes."""

    def make(self) -> DocumentStore:
        return Least()

    def put(self, store: DocumentStore, path: str, data: bytes) -> None:
        assert isinstance(store, Least)
        store.put(path, data)

    def remove(self, store: DocumentStore, path: str) -> None:
        assert isinstance(store, Least)
        store.remove(path)


class OfFolder(DocumentStoreContract):
    def make(self) -> DocumentStore:
        return LocalDocumentStore(self.folder)

    def put(self, store: DocumentStore, path: str, data: bytes) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_bytes(data)

    def remove(self, store: DocumentStore, path: str) -> None:
        (self.folder / path).unlink()
