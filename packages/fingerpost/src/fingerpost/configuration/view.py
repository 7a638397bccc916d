"""What one agent sees of a knowledge base that it shares with others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from fingerpost.capabilities import Operation
from fingerpost.configuration.databases import OKF, Database
from fingerpost.configuration.opening import Shared
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.records import Record


class AgentView(KnowledgeBase):
    """A knowledge base as an agent may use it. Making one opens nothing whose class tells what it declares.

    Args:
        database: Its declaration, which says what the agent may do; others who share it may have another.
        shared: The knowledge base.
        agent: The agent.
    """

    def __init__(self, database: Database, shared: Shared, agent: str) -> None:
        self._shared = shared
        self._agent = agent
        self._database = database
        self._name = database.name
        self._may_write = agent in database.writers
        declared = shared.declared or shared.base().capabilities
        super().__init__(replace(declared, writable=declared.writable and self._may_write), self.backend_name)

    @property
    def backend_name(self) -> str:
        """The name of the database."""
        return self._name

    def connect(self, **_kwargs: Any) -> None:
        """Open the knowledge base, if nobody has yet."""
        self._shared.base()

    def get_description(self) -> str:
        """What the configuration says of the knowledge base, else what it says itself."""
        said = self._shared.base().get_description()
        told = self._shared.database.description
        return said if told in said else told

    def schema(self) -> dict[str, Any]:
        """What the knowledge base says of itself, with what this agent may do."""
        base = self._shared.base()
        actual = replace(base.capabilities, writable=base.capabilities.writable and self._may_write)
        return {**base.schema(), "backend": self.backend_name, "capabilities": actual.view()}

    def format_results(self, rows: Iterable[Record]) -> str:
        """As the knowledge base does."""
        return self._shared.base().format_results(rows)

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        """Ask the knowledge base."""
        return self._shared.base().search(query, limit, **kwargs)

    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        """Ask the knowledge base."""
        return self._shared.base().query(statement, limit, **kwargs)

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        """Ask the knowledge base."""
        return self._shared.base().fetch(ids, **kwargs)

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        """Ask the knowledge base."""
        return self._shared.base().browse(path, limit, **kwargs)

    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        """Write to the knowledge base, where the agent may.

        Raises:
            KnowledgeCapabilityError: It may not.
        """
        if not self._may_write:
            raise self._undeclared("write")
        return self._shared.base().write(records, **self._as_who, **kwargs)

    @property
    def _as_who(self) -> dict[str, Any]:
        """What a bundle is told of whoever writes; other knowledge bases know no such thing."""
        if self._database.kind != OKF:
            return {}
        is_curator = self._agent in self._database.agents["curator"]
        return {"actor": f"process:{'-'.join(self._agent.split())}", "is_curator": is_curator}

    def refusal(self, operation: Operation) -> str:
        """Why an operation is not to be had: for lack of a role, or since the knowledge base has it not."""
        if operation == "write" and not self._may_write:
            return f"The agent {self._agent!r} has read-only access to {self.backend_name!r}."
        return super().refusal(operation)
