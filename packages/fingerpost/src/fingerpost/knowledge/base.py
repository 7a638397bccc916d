"""`KnowledgeBase`: one interface over any kind of knowledge, of which each offers what it declares."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

from fingerpost.capabilities import SEARCH_MODES, KnowledgeCapabilities, Operation
from fingerpost.errors import ConfigError, KnowledgeCapabilityError
from fingerpost.records import Record
from fingerpost.tools.frame import one_line

_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_LINE_END = re.compile(r"\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


class KnowledgeBase(ABC):
    """A place that holds knowledge: documents, vectors, a graph, tables.

    A backend implements `backend_name`, `connect` and `get_description`, declares in its capabilities what
    else it can do, and implements just that. What it does not declare raises `KnowledgeCapabilityError`.

    Attributes:
        capabilities: What it declares.
        declared: What every one of a class declares before any is made, None where that depends on settings.
            With it, a configuration can hand out tools without opening anything.
    """

    declared: ClassVar[KnowledgeCapabilities | None] = None

    def __init__(self, capabilities: KnowledgeCapabilities, name: str | None = None) -> None:
        """Declare what the backend can do.

        Args:
            capabilities: The declaration.
            name: What to call the backend if the declaration makes no sense; by default its class.

        Raises:
            ConfigError: The declaration makes no sense; see `validate_capabilities`.
        """
        self.validate_capabilities(capabilities, name or type(self).__name__)
        self.capabilities = capabilities
        self._dynamic_schema: dict[str, Any] | None = None

    @staticmethod
    def validate_capabilities(capabilities: KnowledgeCapabilities, subject: str) -> None:
        """Check that a declaration makes sense, without making a backend.

        Args:
            capabilities: The declaration.
            subject: Whose it is, for the sentence.

        Raises:
            ConfigError: It declares nothing that could be asked of it, or one of `query` and `query_language`
                without the other.
        """
        if not capabilities.operations:
            raise ConfigError(
                f"The knowledge base {subject!r} declares nothing that it can do; declare at least one of "
                "search, query, fetch, browse and writable."
            )
        if capabilities.search_mode not in (None, *SEARCH_MODES):
            raise ConfigError(
                f"The knowledge base {subject!r} declares the search mode {capabilities.search_mode!r}; "
                f"there are {', '.join(SEARCH_MODES)}."
            )
        if capabilities.query and not capabilities.query_language:
            raise ConfigError(
                f"The knowledge base {subject!r} declares query without saying in which language; set "
                'query_language, as to "sql".'
            )
        if capabilities.query_language and not capabilities.query:
            raise ConfigError(
                f"The knowledge base {subject!r} declares the query language "
                f"{capabilities.query_language!r} without query; set query=True as well, or leave it out."
            )

    @property
    @abstractmethod
    def backend_name(self) -> str:
        """The name that tools address it by, unlike that of any other in the same builder."""

    @abstractmethod
    def connect(self, **kwargs: Any) -> None:
        """Establish the connections that it needs.

        Raises:
            ValueError: A setting is missing.
        """

    @abstractmethod
    def get_description(self) -> str:
        """What it holds, in a sentence that helps an agent to choose."""

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        """Find records by relevance, best first. Implemented where `search` is declared.

        Args:
            query: What to look for.
            limit: The most records.
            **kwargs: What the backend takes beside these.

        Returns:
            Records, none where nothing was found.
        """
        raise self._undeclared("search")

    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        """Run a statement of the declared language. Implemented where `query` is declared.

        Args:
            statement: The statement.
            limit: The most records.
            **kwargs: What the backend takes beside these.

        Returns:
            Records, none where nothing was found.
        """
        raise self._undeclared("query")

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        """Return records by their ids, whole. Implemented where `fetch` is declared.

        Args:
            ids: The ids, as `metadata["id"]` of other records has them.
            **kwargs: What the backend takes beside these.

        Returns:
            The records that there are.
        """
        raise self._undeclared("fetch")

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        """List what there is below a path. Implemented where `browse` is declared.

        Args:
            path: The path, "" for the top.
            limit: The most records.
            **kwargs: What the backend takes beside these.

        Returns:
            A record for each thing.
        """
        raise self._undeclared("browse")

    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        """Store records. Implemented where `writable` is declared.

        Args:
            records: The records; they are not changed.
            **kwargs: What the backend takes beside these.

        Returns:
            What was written, with an id and perhaps a revision for each; None where that is not known.
        """
        raise self._undeclared("write")

    def refusal(self, operation: Operation) -> str:
        """Why an operation is not to be had."""
        if operation in self.capabilities.operations:
            return (
                f"The knowledge base {self.backend_name!r} declares {operation} and does not implement it; "
                "tell whoever runs it, and use another."
            )
        *others, last = self.capabilities.operations
        offered = f"{', '.join(others)} and {last}" if others else last
        return f"The knowledge base {self.backend_name!r} does not offer {operation}; it offers {offered}."

    def _undeclared(self, operation: Operation) -> KnowledgeCapabilityError:
        return KnowledgeCapabilityError(self.refusal(operation))

    def add_schema(self, config: Mapping[str, Any]) -> Self:
        """Describe the knowledge base for `schema()`; what is said twice counts as said last.

        Args:
            config: What to add, such as what its tables are and how to ask it.

        Returns:
            The knowledge base itself.
        """
        self._dynamic_schema = {**(self._dynamic_schema or {}), **config}
        return self

    def schema(self) -> dict[str, Any]:
        """What an agent has to know to use it: its name, what it derives and was told, and what it declares.

        Raises:
            ConfigError: It was told nothing and derives nothing.
        """
        derived = self._derived_schema()
        if self._dynamic_schema is None and not derived:
            raise ConfigError(
                f"The knowledge base {self.backend_name!r} has no schema; call add_schema() with what an "
                "agent has to know of it."
            )
        merged = {"backend": self.backend_name, **derived, **(self._dynamic_schema or {})}
        merged.pop("capabilities", None)
        return {**merged, "capabilities": self.capabilities.view()}

    def _derived_schema(self) -> Mapping[str, Any]:
        """What the knowledge base knows of itself; to be overridden along with declaring `derives_schema`."""
        return {}

    def format_results(self, rows: Iterable[Record]) -> str:
        """Records as a list for a model, each with its source, and with its id where it can be fetched.

        Args:
            rows: The records.
        """
        return "\n".join(map(self._line, rows))

    def _line(self, row: Record) -> str:
        """A record as an entry of a list, of which every line but the first is indented."""
        metadata: Mapping[str, Any] = row.get("metadata") or {}
        id_ = metadata.get("id")
        parts = [
            f"[{_BREAKS.sub(' ', str(id_))}]" if self.capabilities.fetch and id_ else "",
            _LINE_END.sub(r"\g<0>  ", self._told(row).strip()),
        ]
        return f"- {' '.join(filter(None, parts))}"

    def _told(self, row: Record) -> str:
        """What is told of a record beside its id; to be overridden where there is more to tell."""
        metadata: Mapping[str, Any] = row.get("metadata") or {}
        text = str(row.get("text") or "").strip()
        title = one_line(str(metadata.get("title") or ""))
        if title and not text.startswith(title):
            text = f"{title}: {text}"
        about = "; ".join(_about(metadata))
        return f"{text} ({about})" if about else text

    def close(self) -> None:
        """Give back connections and write what is buffered; there may be nothing to do."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _about(metadata: Mapping[str, Any]) -> Iterator[str]:
    """What the usual keys of a record's metadata tell of it, but for its id and title."""
    if metadata.get("kind"):
        yield one_line(str(metadata["kind"]))
    if metadata.get("status") not in (None, "", "stable"):
        yield one_line(str(metadata["status"])).upper()
    if metadata.get("trust"):
        yield one_line(str(metadata["trust"]))
    if metadata.get("stale") is True:
        yield "STALE"
    if metadata.get("source"):
        yield f"source: {one_line(str(metadata['source']))}"
    if metadata.get("revision"):
        yield f"revision {one_line(str(metadata['revision']))}"
