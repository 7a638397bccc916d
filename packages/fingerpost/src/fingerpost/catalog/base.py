"""The catalog's interface: what goes in, what can be asked, and how answers are ranked.

Ranking, the same in every implementation. A hit is better when, in this order,

1. it holds more of what was asked, rare words counting more than common ones (every word beats some words);
2. it holds more of those words in its header, which is its title, id, tags, type and description;
3. it needed fewer edits to match;
4. its BM25 score is higher;
5. its header is shorter;
6. its id comes first.

A word is matched as it is folded. Its near spellings are tried when the index lacks the word, or when no
document holds every word: one edit for words of 3 to 5 letters, two for longer ones, none below 3 and none
for words with digits; a swap of neighbours is one edit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as the catalog sees it.

    Attributes:
        id: Unique id.
        header: Text of the fields that say what the document is about, in one string each.
        body: The running text.
        facets: Keyword facets: name to values. Compared without regard to letter case.
        edges: Keys of what the document points to.
    """

    id: str
    header: tuple[str, ...]
    body: str
    facets: Mapping[str, tuple[str, ...]]
    edges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A search.

    Attributes:
        text: What to look for, as typed; empty for everything, ordered by id.
        require: (facet, value) pairs that a document must all have.
        leave_out: (facet, value) pairs of which a document may have none; what they keep out is counted.
        limit: Most hits to return.
        offset: Hits to pass over first.
    """

    text: str = ""
    require: tuple[tuple[str, str], ...] = ()
    leave_out: tuple[tuple[str, str], ...] = ()
    limit: int = 20
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """One document found.

    Attributes:
        id: The document.
        words: The folded words of the document that matched, in the order asked.
        snippet: The part of the body where it matched, "" when it matched in the header alone.
    """

    id: str
    words: tuple[str, ...] = ()
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class Hits:
    """The answer to a query.

    Attributes:
        hits: The page asked for, best first.
        total: How many documents matched in all.
        left_out: How many more would have matched but for `Query.leave_out`.
        corrected: Asked words that only matched in another spelling, with the spellings that matched.
    """

    hits: tuple[Hit, ...]
    total: int
    left_out: int = 0
    corrected: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


class Catalog(ABC):
    """An index of documents. Implementations are safe to use from several threads."""

    @abstractmethod
    def update(self, put: Iterable[Entry], remove: Iterable[str] = ()) -> None:
        """Add or replace documents and remove others, in one step.

        Args:
            put: Documents to add; one with a known id replaces the old one.
            remove: Ids to remove; unknown ones are passed over.
        """

    @abstractmethod
    def search(self, query: Query) -> Hits:
        """Search.

        Args:
            query: What to look for. Any text is valid.

        Returns:
            Ranked hits.
        """

    @abstractmethod
    def sources(self, edge: str) -> tuple[str, ...]:
        """The ids of the documents that have an edge, sorted.

        Args:
            edge: A key as given in `Entry.edges`.
        """

    @abstractmethod
    def __len__(self) -> int: ...


def edits_allowed(word: str) -> int:
    """How many edits a word may be away from what was typed and still match.

    Args:
        word: A folded word.
    """
    if len(word) < 3 or not word.isalpha():
        return 0
    return 1 if len(word) <= 5 else 2
