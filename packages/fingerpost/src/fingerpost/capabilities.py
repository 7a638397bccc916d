"""What a knowledge base declares that it can do. What it does not declare is never offered to an agent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

SearchMode = Literal["semantic", "lexical", "hybrid"]
SEARCH_MODES: tuple[SearchMode, ...] = get_args(SearchMode)
Operation = Literal["search", "query", "fetch", "browse", "write"]


@dataclass(frozen=True, slots=True)
class KnowledgeCapabilities:
    """What a knowledge base offers, declared once and followed by everything that serves it.

    Attributes:
        kinds: What kind of knowledge it is, in words of the field: "vector", "graph", "structured",
            "document". An open list, for the agent to read.
        search: Whether `search` finds records by relevance.
        search_mode: How it does: "semantic", "lexical" or "hybrid". It tells the agent, and implies nothing.
        query: Whether `query` runs statements of a query language.
        query_language: Which one: "sql", "cypher".
        fetch: Whether `fetch` returns records by their ids.
        browse: Whether `browse` lists what there is below a path.
        writable: Whether `write` stores records.
        appends: Whether `write` adds to the text of a record where `metadata["append"]` is true.
        derives_schema: Whether the knowledge base describes itself, without `add_schema`.
        filters: Names of keyword arguments with which `search` is narrowed down, such as "type".
    """

    kinds: list[str] = field(default_factory=list[str])
    search: bool = False
    search_mode: SearchMode | None = None
    query: bool = False
    query_language: str | None = None
    fetch: bool = False
    browse: bool = False
    writable: bool = False
    appends: bool = False
    derives_schema: bool = False
    filters: list[str] = field(default_factory=list[str])

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations that are declared."""
        declared: dict[Operation, bool] = {
            "search": self.search,
            "query": self.query,
            "fetch": self.fetch,
            "browse": self.browse,
            "write": self.writable,
        }
        return tuple(operation for operation, is_declared in declared.items() if is_declared)

    def view(self) -> dict[str, Any]:
        """The declaration as plain data, for a schema."""
        return {
            "kinds": list(self.kinds),
            "search": self.search,
            "search_mode": self.search_mode,
            "query": self.query,
            "query_language": self.query_language,
            "fetch": self.fetch,
            "browse": self.browse,
            "writable": self.writable,
            "derives_schema": self.derives_schema,
            **({"appends": True} if self.appends and self.writable else {}),
            **({"filters": list(self.filters)} if self.filters else {}),
        }
