"""`Bundle`: one Open Knowledge Format bundle, read live from its store."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from fingerpost.bundle.asking import asked_again
from fingerpost.bundle.bodies import Reading
from fingerpost.bundle.cache import open_catalog
from fingerpost.bundle.concept_view import links_view, read_view
from fingerpost.bundle.edges import backlinks_of, neighbours_of
from fingerpost.bundle.folders import contents, folder_at, index_of, log_of, overview
from fingerpost.bundle.lookup import find_place
from fingerpost.bundle.pace import Pace
from fingerpost.bundle.reading import Progress
from fingerpost.bundle.refresh import Reader
from fingerpost.bundle.search import Filters, find, text_of, whole_number
from fingerpost.bundle.shapes import (
    ConceptView,
    ContentsView,
    FindView,
    LinkView,
    LogEntryView,
    NeighboursView,
    OverviewView,
)
from fingerpost.errors import ConfigError
from fingerpost.records import Diagnostic
from fingerpost.stores.base import DocumentStore
from fingerpost.stores.registry import from_uri
from fingerpost.tools.budget import LISTING_CHARS
from fingerpost.tools.pages import pages

if TYPE_CHECKING:
    from fingerpost.bundle.validation import Validation

_SECONDS_BETWEEN_LOOKS = 0.1
_LEAST_INDEX_CHARS = 200  # of one page


class Bundle:
    """A bundle of concepts.

    Every call looks at the store first and reads what changed, so an edit is seen by the next call. Nothing
    in a bundle is ever executed, and nothing outside its root is ever read. Safe to use from several threads.

    What was read is kept in an index, one file for each bundle in the user's cache folder, so that the next
    process opens it at once and several share it; it can be deleted at any time. The headers of a large
    bundle are read before the first answer and its texts after it, in the background (`reading`, `wait`).

    Args:
        source: A folder, a URI, or a store.
        clock: Tells the present, for staleness wherever `now` is not given; the system's clock by default.
        cache: The folder to keep the index in; "" to keep it in memory alone. By default what the environment
            variable FINGERPOST_CACHE says, else the user's cache folder.
        refresh_seconds: Of a store that cannot tell cheaply what changed, such as one behind a network, how
            many seconds it is relied on before it is asked again; None for until `reload`. A local folder
            is looked at in every call, whatever this says.

    Attributes:
        reader: Keeps the index in step with the store, for those who write to it too.

    Raises:
        ConfigError: If the folder does not exist, the URI has no store, or `refresh_seconds` is no number.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | DocumentStore,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        cache: str | os.PathLike[str] | None = None,
        refresh_seconds: float | None = 300.0,
    ) -> None:
        pace = Pace(refresh_seconds)
        self.store = source if isinstance(source, DocumentStore) else from_uri(source)
        self._clock = clock
        self.reader = Reader(
            self.store,
            lambda: open_catalog(self.store, cache),
            lambda: open_catalog(self.store, ""),
            Pace(0) if self.store.has_cheap_changes else pace,
        )

    @classmethod
    def of(cls, source: str | os.PathLike[str] | DocumentStore | Bundle) -> Bundle:
        """A bundle from whatever names one; a bundle is returned as it is."""
        return source if isinstance(source, Bundle) else cls(source)

    def __repr__(self) -> str:
        return f"Bundle({self.store.identity!r})"

    @asked_again
    def __len__(self) -> int:
        """The number of concepts."""
        with self.reader.snapshot() as snapshot:
            return snapshot.concept_count

    @asked_again
    def ids(self) -> list[str]:
        """The ids of all concepts, sorted."""
        with self.reader.snapshot() as snapshot:
            return sorted(header.id for header in snapshot.concepts())

    @property
    def trouble(self) -> str:
        """Why the last refresh failed and older knowledge is being served, "" when all is well."""
        return self.reader.trouble

    @property
    @asked_again
    def reading(self) -> Reading:
        """How much of the bundle is in the index."""
        with self.reader.snapshot() as snapshot:
            return Reading(snapshot.concept_count - snapshot.unread, snapshot.concept_count)

    def wait(self, timeout: float | None = None, progress: Progress | None = None) -> Reading:
        """Wait until every text is in the index.

        Args:
            timeout: Most seconds to wait; None for as long as it takes.
            progress: Called with how many headers, then texts, are done, and how many there are.

        Returns:
            How much is in the index then.
        """
        until = None if timeout is None else time.monotonic() + timeout
        with self.reader.snapshot(progress):
            pass
        before, now = None, self.reading
        while until is None or time.monotonic() < until:
            if self.reader.is_held_up:
                time.sleep(_SECONDS_BETWEEN_LOOKS)
            elif not now.left or now == before:
                break
            else:
                self.reader.bodies.wait(until, progress)
                before = now
            now = self.reading
        return now

    def reload(self) -> None:
        """Look for changes now, whatever `refresh_seconds` says; `trouble` tells when that failed.

        Raises:
            StoreError: If the store has never answered yet.
        """
        self.reader.pace.hurry()
        with self.reader.snapshot():
            pass

    def close(self) -> None:
        """Stop reading in the background, and release the index; a second call does nothing."""
        self.reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    @asked_again
    def read(self, concept_id: str, section: str = "", *, now: datetime | None = None) -> ConceptView:
        """Read one concept.

        Args:
            concept_id: Its id, such as "policies/refunds". `.md`, a leading slash, percent-encoding, another
                letter case and a whole Markdown link are understood; an anchor selects the section.
            section: A heading, to get that part of the body alone.
            now: The moment that staleness is judged at; the present by default.

        Returns:
            The concept with its signals, links and backlinks.

        Raises:
            KnowledgeNotFoundError: If there is no such concept or section; the sentence offers the nearest.
            KnowledgePathError: If the id is none of this bundle.
            ConceptError: If the file is no concept, or a folder was asked for.
            StoreError: If the file cannot be read.
        """
        moment = self._moment(now)
        with self.reader.snapshot() as snapshot:
            meant = find_place(snapshot, concept_id)
            return read_view(self.reader.documents, snapshot, meant, text_of("section", section), moment)

    def index(
        self, path: str = "/", *, page: int = 1, max_chars: int = LISTING_CHARS, now: datetime | None = None
    ) -> str:
        """The index of a folder, as Markdown to put into a prompt.

        Args:
            path: The folder, "/" for the root.
            page: Which page, from 1; pages end at line ends.
            max_chars: Budget of a page in characters.
            now: The moment that staleness is judged at; the present by default.

        Returns:
            The page. When there are more, its last line says so.

        Raises:
            KnowledgeNotFoundError: If there is no such folder; the sentence offers the nearest.
            KnowledgePathError: If the path is none of this bundle.
            ConfigError: If the budget is too small for an entry.
        """
        text, number, count = self.index_page(path, page=page, max_chars=max_chars, now=now)
        if count == 1:
            return text
        return f"{text.rstrip()}\n\nPage {number} of {count}.\n"

    @asked_again
    def index_page(
        self, path: str = "/", *, page: int = 1, max_chars: int = LISTING_CHARS, now: datetime | None = None
    ) -> tuple[str, int, int]:
        """Like `index`, apart: the text of the page, its number, and how many pages there are."""
        if whole_number("max_chars", max_chars) < _LEAST_INDEX_CHARS:
            raise ConfigError(
                f"max_chars={max_chars} leaves no room for an entry; give at least {_LEAST_INDEX_CHARS}."
            )
        moment = self._moment(now)
        with self.reader.snapshot() as snapshot:
            text = index_of(self.reader.documents, snapshot, path, moment)
        spans = pages(text, max_chars)
        number = min(max(1, whole_number("page", page)), len(spans))
        start, end = spans[number - 1]
        return text[start:end], number, len(spans)

    @asked_again
    def find(
        self,
        text: str | None = None,
        type: str | None = None,  # noqa: A002 - the name of the field
        tags: str | Iterable[str] | None = None,
        *,
        path: str | None = None,
        status: str | None = None,
        trust: str | None = None,
        stale: bool | None = None,
        include_deprecated: bool = False,
        limit: int = 20,
        offset: int = 0,
        explain: bool = False,
        now: datetime | None = None,
    ) -> FindView:
        """Search the concepts.

        Args:
            text: Words to look for; letter case, accents and small misspellings do not matter, and no
                character has a special meaning. Without text, all concepts that pass the filters, by id.
            type: Only concepts of this type, letter case aside.
            tags: Only concepts that have all of these tags, letter case aside.
            path: Only concepts of this folder and the folders below it.
            status: Only concepts of this status; "deprecated" asks for deprecated ones.
            trust: Only concepts of this tier: "human-reviewed", "machine-confirmed" or "unverified".
            stale: Only concepts that are stale at `now`, or that are not.
            include_deprecated: Whether deprecated concepts are returned too; they are counted either way.
            limit: Most results, 1 to 100.
            offset: Results to pass over, for the next page.
            explain: Whether each result says how it matched, under "why".
            now: The moment that staleness is judged at; the present by default.

        Returns:
            Results, best first, with their signals and counts of what is not among them.

        Raises:
            KnowledgeNotFoundError: If there is no folder `path`; the sentence offers the nearest.
            KnowledgePathError: If `path` is none of this bundle.
            ArgumentError: If an argument is of another kind.
        """
        moment = self._moment(now)
        with self.reader.snapshot() as snapshot:
            filters = Filters.of(
                type=type,
                tags=tags,
                folder=folder_at(snapshot, text_of("path", path)),
                status=status,
                trust=trust,
                stale=stale,
                include_deprecated=include_deprecated,
            )
            asked = text_of("text", text)
            return find(snapshot, asked, filters, limit=limit, offset=offset, explain=explain, now=moment)

    @asked_again
    def links(self, concept_id: str) -> list[LinkView]:
        """The links of a concept, resolved: those of its body, then those of its path-valued fields.

        Raises:
            KnowledgeError: As `read`.
        """
        with self.reader.snapshot() as snapshot:
            return links_view(self.reader.documents, snapshot, find_place(snapshot, concept_id).place)

    @asked_again
    def backlinks(self, concept_id: str) -> list[str]:
        """The ids of the concepts that link to a concept, sorted.

        Raises:
            KnowledgeError: As `read`.
        """
        with self.reader.snapshot() as snapshot:
            return backlinks_of(snapshot, find_place(snapshot, concept_id).place.path)

    @asked_again
    def neighbours(self, ids: Iterable[str]) -> dict[str, NeighboursView]:
        """What each of some concepts links to and is linked from, without reading their texts.

        Args:
            ids: Their ids as printed; of those that are none, nothing is said.
        """
        with self.reader.snapshot() as snapshot:
            places = [(id_, snapshot.concept_with_id(id_)) for id_ in ids]
            return {id_: neighbours_of(snapshot, header.path) for id_, header in places if header is not None}

    @asked_again
    def contents(
        self, path: str = "/", *, limit: int = 100, offset: int = 0, now: datetime | None = None
    ) -> ContentsView:
        """What lies directly in a folder, as data. No text but that of its own index.md is read.

        Args:
            path: The folder, "/" for the root; of a concept, the contents are itself.
            limit: The most folders and concepts together.
            offset: How many of them to pass over.
            now: The moment that staleness is judged at; the present by default.

        Returns:
            Its index.md as written, and the folders and concepts that this does not list; of a folder without
            one, all.

        Raises:
            KnowledgeNotFoundError: If there is no such folder; the sentence offers the nearest.
            KnowledgePathError: If the path is none of this bundle.
        """
        moment = self._moment(now)
        limit, offset = max(1, whole_number("limit", limit)), max(0, whole_number("offset", offset))
        with self.reader.snapshot() as snapshot:
            return contents(self.reader.documents, snapshot, path, limit, offset, moment)

    @asked_again
    def overview(self) -> OverviewView:
        """What the bundle holds: its version, and how many concepts by type and by folder at the top."""
        with self.reader.snapshot() as snapshot:
            return overview(self.reader.documents, snapshot)

    @asked_again
    def log(self, path: str = "/") -> list[LogEntryView]:
        """The history that a folder's log.md tells, in the order written (newest first by the format's rule).

        Args:
            path: The folder, "/" for the root.

        Returns:
            Entries; empty when the folder has no log.md.

        Raises:
            KnowledgeNotFoundError: If there is no such folder.
            StoreError: If the log.md cannot be read.
        """
        with self.reader.snapshot() as snapshot:
            return log_of(self.reader.documents, snapshot, path)

    def diagnostics(self, *, now: datetime | None = None) -> list[Diagnostic]:
        """Everything that is wrong with the bundle or could be better, by path and line.

        Args:
            now: The moment that staleness is judged at; the present by default.
        """
        return list(self.validate(now=now).diagnostics)

    @asked_again
    def validate(self, *, now: datetime | None = None, progress: Progress | None = None) -> Validation:
        """Hold the bundle to all rules: whether it conforms to the specification, and what could be better.

        Args:
            now: The moment that staleness is judged at; the present by default.
            progress: Called before each Markdown file, with how many are done and how many there are.

        Returns:
            The verdicts and the diagnostics behind them. Nothing that a bundle holds is an error to raise.

        Raises:
            StoreError: If the store cannot be listed at all.
        """
        from fingerpost.bundle.check import check  # half of what there is to import, and seldom used
        from fingerpost.bundle.validation import validation

        moment = self._moment(now)
        with self.reader.snapshot() as snapshot:
            return validation(check(self.reader, snapshot, moment, progress), snapshot.concept_count)

    def _moment(self, now: datetime | None) -> datetime:
        moment = self._clock() if now is None else now
        try:
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        except AttributeError:
            raise ConfigError(f"now is a datetime, and {moment!r} is none.") from None
