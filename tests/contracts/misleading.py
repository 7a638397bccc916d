"""Knowledge bases that say something else of themselves than they do, or end otherwise than they should."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fingerpost import KnowledgeCapabilities, Record
from tests.core.knowledge.shelves import Archive, Searched, Shelf


class DeclaresWhatItDoesNot(Searched):
    def __init__(self) -> None:
        super().__init__(search=True, browse=True)


class DoesWhatItDoesNotDeclare(Archive):
    def __init__(self) -> None:
        super().__init__(browse=False)


class RaisesByHand(Searched):
    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        raise NotImplementedError("read only")


class HasRead(Searched):
    def read(self, query: str, limit: int = 3) -> Sequence[Record]:
        return self.search(query, limit)


class NoDescription(Searched):
    def get_description(self) -> str:
        return " "


class NameWithBlanks(Searched):
    def __init__(self) -> None:
        super().__init__(" shelf ")


class ChangesItsName(Searched):
    calls = 0

    @property
    def backend_name(self) -> str:
        self.calls += 1
        return f"shelf{self.calls}"


class ChangesItsDeclaration(Searched):
    def __init__(self) -> None:
        super().__init__()
        self.capabilities = KnowledgeCapabilities(search=True, query_language="sql")


class OverridesTheDeclaration(Searched):
    def schema(self) -> dict[str, Any]:
        return {**super().schema(), "capabilities": "everything"}


class TurnsItsSchemaRound(Searched):
    def schema(self) -> dict[str, Any]:
        return dict(reversed(super().schema().items()))


class DerivesNothing(Searched):
    def __init__(self) -> None:
        super().__init__(search=True, derives_schema=True)

    def _derived_schema(self) -> Mapping[str, Any]:
        return {}


class DerivesNothingAndIsToldNothing(DerivesNothing):
    def __init__(self) -> None:
        super().__init__()
        self.add_schema({})


class DerivesInSecret(Searched):
    def _derived_schema(self) -> Mapping[str, Any]:
        return {"count": len(self.rows)}


class InsistsOnWhatItDerives(Searched):
    def __init__(self) -> None:
        super().__init__(search=True, derives_schema=True)

    def _derived_schema(self) -> Mapping[str, Any]:
        return {"count": len(self.rows)}

    def schema(self) -> dict[str, Any]:
        schema = super().schema()
        return {**schema, "count": len(self.rows), "capabilities": schema.pop("capabilities")}


class ClosesOnce(Searched):
    is_closed = False

    def close(self) -> None:
        if self.is_closed:
            raise ValueError("already closed")
        self.is_closed = True


class EntersAsSomethingElse(Searched):
    def __enter__(self) -> Any:
        return Shelf()


class ListsWithoutIds(Archive):
    def format_results(self, rows: Iterable[Record]) -> str:
        return "\n".join(row["text"] for row in rows)
