"""Knowledge bases that are broken on purpose in how they take what is written, each in one way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fingerpost import Record, StoreError
from tests.contracts.healthy import Reviewed
from tests.core.knowledge.shelves import Archive


class SaysNothingOfTheLastRevision(Archive):
    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        try:
            return super().write(records)
        except StoreError:
            raise StoreError("Somebody else has changed the record; read it again.") from None


class RaisesKeyErrorsForOldRevisions(Archive):
    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        try:
            return super().write(records)
        except StoreError:
            raise KeyError("revision") from None


class SearchesAnOldIndex(Archive):
    """The index is made when it is searched for the first time."""

    indexed: list[Record] | None = None

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        if self.indexed is None:
            self.indexed = list(self.rows)
        return [row for row in self.indexed if query in row["text"]][:limit]


class SearchesWhatWasReplaced(Archive):
    """The index has every new record, and keeps what it said at first."""

    def __init__(self) -> None:
        super().__init__()
        self.indexed: dict[str, Record] = {}

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        for row in self.rows:
            self.indexed.setdefault(row["metadata"]["id"], row)
        return [row for row in self.indexed.values() if query in row["text"]][:limit]


class BrowsesAnOldListing(Archive):
    listed: list[Record] | None = None

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        if self.listed is None:
            self.listed = list(self.rows)
        return [row for row in self.listed if row["metadata"]["id"].startswith(path)][:limit]


class FetchesWhatItRemembers(Archive):
    """What was not there stays away."""

    def __init__(self) -> None:
        super().__init__()
        self.absent: set[str] = set()

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        wanted = list(ids)
        found = super().fetch(wanted)
        self.absent |= set(wanted) - {row["metadata"]["id"] for row in found}
        return [row for row in found if row["metadata"]["id"] not in self.absent]


class TrustsWhatWasVerified(Reviewed):
    def trust_of(self, record: Record) -> str:
        return "human-reviewed" if "verified" in record["metadata"] else "unverified"


class TrustsWhatIsSaid(Reviewed):
    def trust_of(self, record: Record) -> str:
        return record["metadata"].get("trust", "unverified")


class TrustsTheText(Reviewed):
    """What a text says of itself at its head counts."""

    def trust_of(self, record: Record) -> str:
        return "machine-confirmed" if '"verified"' in record["text"] else "unverified"


class TrustsEverything(Reviewed):
    def trust_of(self, record: Record) -> str:
        return "human-reviewed"
