"""The catalog's interface: what goes in, what can be asked, and how answers are ranked.

Ranking, the same in every implementation. A hit is better when, in this order,

1. it holds every word that was asked, where a near spelling is as good as the word only if no document has
   the word itself, in any form;
2. it holds more of what was asked: rare words count more than common ones, words in its header (title, id,
   tags, type, description) more than those in its body, words as asked more than near spellings;
3. it holds more of those words in its header;
4. it holds them as they were asked rather than in another form, form rather than misspelt;
5. its BM25 score is higher;
6. its header is shorter;
7. its id comes first.

`catalog.ranking` has the numbers, `catalog.spellings` says what counts as the same word.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, Self, TypeAlias

from fingerpost.catalog.spellings import Manner
from fingerpost.errors import StoreError

_NONE: Mapping[str, Any] = MappingProxyType({})


class Entry(NamedTuple):
    """A document as the catalog sees it.

    Attributes:
        id: Unique id.
        header: Text of the fields that say what the document is about, in one string each. A document without
            is kept and listed, and never found by a search.
        body: The running text.
        facets: Keyword facets: name to values, compared as they are.
        ordered: Ordered facets: name to a number.
        edges: Keys of what the document points to.
        card: Text that the catalog keeps for its owner and hands out with every hit.
        details: Text that the catalog keeps for its owner and hands out when asked.
    """

    id: str
    header: tuple[str, ...] = ()
    body: str = ""
    facets: Mapping[str, tuple[str, ...]] = _NONE
    ordered: Mapping[str, int] = _NONE
    edges: tuple[str, ...] = ()
    card: str = ""
    details: str = ""


@dataclass(frozen=True, slots=True)
class Among:
    """A document has one of some values in a keyword facet; with `holds` false, none of them."""

    facet: str
    values: tuple[str, ...]
    holds: bool = True


@dataclass(frozen=True, slots=True)
class AtMost:
    """A document has a number up to `value` in an ordered facet; with `holds` false, a larger one or none."""

    facet: str
    value: int
    holds: bool = True


Condition: TypeAlias = Among | AtMost


@dataclass(frozen=True, slots=True)
class Query:
    """A search.

    Attributes:
        text: What to look for, as typed; empty for everything, ordered by id.
        require: Conditions that a document must all meet.
        leave_out: Conditions of which a document may meet none; what they keep out is counted.
        limit: Most hits to return.
        offset: Hits to pass over first.
        explain: Whether to say of each hit how it matched.
    """

    text: str = ""
    require: tuple[Condition, ...] = ()
    leave_out: tuple[Condition, ...] = ()
    limit: int = 20
    offset: int = 0
    explain: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no question, which would look like damage where the index is read.

        Raises:
            TypeError: The text is none, or a number is none.
            ValueError: A number is negative.
        """
        given: tuple[object, ...] = self.text, self.limit, self.offset
        if not all(map(isinstance, given, (str, int, int))):
            raise TypeError(f"A query has a text and whole numbers; this is none: {self!r}.")
        if self.limit < 0 or self.offset < 0:
            raise ValueError(f"The numbers of a query are not negative; these are: {self!r}.")


@dataclass(frozen=True, slots=True)
class Match:
    """How a document answers one asked word.

    Attributes:
        asked: The word as asked, folded.
        words: The words of the document that answer it, folded; several for the parts of a compound.
        manner: "exact", "form", "part" or "near".
        edits: How many edits lie between, for "near".
        weight: How much the word counts, by its rarity.
        fields: Numbers of the header texts that hold one of the words, as in `Entry.header`.
        in_body: Whether the body holds one of the words.
    """

    asked: str
    words: tuple[str, ...]
    manner: Manner
    edits: int
    weight: int
    fields: tuple[int, ...]
    in_body: bool


class Hit(NamedTuple):
    """One document found.

    Attributes:
        id: The document.
        card: Its card.
        words: The folded words of the document that matched, in the order asked.
        snippet: The part of the body where it matched, "" when it matched in the header alone.
        matches: How it matched, when the query asked for that.
    """

    id: str
    card: str = ""
    words: tuple[str, ...] = ()
    snippet: str = ""
    matches: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class Hits:
    """The answer to a query.

    Attributes:
        hits: The page asked for, best first.
        total: How many documents matched in all.
        left_out: How many more would have matched but for `Query.leave_out`.
        corrected: Asked words that only matched misspelt on this page, with the spellings that matched.
    """

    hits: tuple[Hit, ...]
    total: int
    left_out: int = 0
    corrected: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


class View(ABC):
    """One state of a catalog: all answers come from it, whatever is written meanwhile."""

    @property
    @abstractmethod
    def origin(self) -> int:
        """A number that differs for every catalog that was begun empty; generations of two have no order."""

    @property
    @abstractmethod
    def generation(self) -> int:
        """A number that grows with each update."""

    @abstractmethod
    def search(self, query: Query) -> Hits:
        """Search.

        Args:
            query: What to look for. Any text is valid.
        """

    @abstractmethod
    def card(self, id_: str) -> str | None:
        """The card of a document, None when there is no such document."""

    @abstractmethod
    def details(self, id_: str) -> str | None:
        """The details of a document, None when there is no such document."""

    @abstractmethod
    def listing(
        self, conditions: tuple[Condition, ...] = (), *, after: str = "", limit: int | None = None
    ) -> Iterator[tuple[str, str]]:
        """The documents that meet all conditions, searchable or not, as pairs of id and card in order of id.

        Args:
            conditions: What they must meet; none for all documents.
            after: Only ids that come after this one.
            limit: Most documents to list.
        """

    @abstractmethod
    def count(self, conditions: tuple[Condition, ...] = ()) -> int:
        """How many documents meet all conditions."""

    @abstractmethod
    def values(self, facet: str, prefix: str = "") -> Iterator[str]:
        """The values that documents have in a keyword facet, sorted, those alone that start with `prefix`."""

    @abstractmethod
    def sources(self, edge: str) -> tuple[str, ...]:
        """The ids of the documents that have an edge, sorted.

        Args:
            edge: A key as given in `Entry.edges`.
        """

    @abstractmethod
    def notes(self, since: int = -1) -> Mapping[str, str]:
        """The notes that were written after a generation, by name; "" stands for a note that was removed."""


class CatalogError(StoreError):
    """The catalog itself cannot be read or written, as on a full disk; its documents are elsewhere."""


class CatalogBusyError(CatalogError):
    """Somebody else is writing the catalog; what it holds can be read."""


class CatalogEmptiedError(CatalogError):
    """The catalog was damaged and has been begun anew: its owner has to fill it, and can then ask again."""


class Catalog(ABC):
    """An index of documents, and of notes that its owner wants to change in step with them.

    Implementations are safe to use from several threads.
    """

    @abstractmethod
    def reading(self) -> AbstractContextManager[View]:
        """Open a view of the present state; it is valid within the `with` block, in this thread."""

    @abstractmethod
    def update(
        self,
        put: Iterable[Entry] = (),
        remove: Iterable[str] = (),
        notes: Mapping[str, str] | None = None,
        *,
        since: int | None = None,
    ) -> frozenset[str]:
        """Add or replace documents, remove others and set notes, in one step, wholly or not at all.

        Args:
            put: Documents to add; one with a known id replaces the old one.
            remove: Ids to remove; unknown ones are passed over.
            notes: Notes to set; "" removes one.
            since: The generation that the caller worked from. What somebody else changed after it is left as
                it is, a note as well as a document. Where a document is left, so are all notes, since they
                would tell of a change that was not made. None to overwrite everything.

        Returns:
            Ids of documents and names of notes that were left as they are for that reason.

        Raises:
            CatalogBusyError: If somebody else has been writing for too long.
            CatalogEmptiedError: If it was damaged.
            CatalogError: If it cannot be written.
        """

    @property
    def is_busy(self) -> bool:
        """Whether somebody else is at a large update now, so that one would have to wait."""
        return False

    def close(self) -> None:
        """Release what the catalog holds; a second call does nothing."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
