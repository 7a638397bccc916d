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
from fingerpost.bundle.concept_view import body_links, concept_view, field_links, find_heading, log_view
from fingerpost.bundle.edges import Place, backlinks_of
from fingerpost.bundle.header import Header
from fingerpost.bundle.index_text import index_text
from fingerpost.bundle.lookup import find_place
from fingerpost.bundle.names import INDEX, LOG, concept_id, folder_id
from fingerpost.bundle.reading import Progress
from fingerpost.bundle.refresh import Reader
from fingerpost.bundle.scanned import ScannedDocument
from fingerpost.bundle.search import Filters, find, text_of, whole_number
from fingerpost.bundle.shapes import ConceptView, FindView, LinkView, LogEntryView
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.errors import ConceptError, ConfigError, KnowledgeNotFoundError, StoreError
from fingerpost.okf.index_file import IndexFile, read_index
from fingerpost.okf.log_file import read_log
from fingerpost.okf.rules import diagnose
from fingerpost.records import Diagnostic
from fingerpost.stores.base import DocumentStore
from fingerpost.stores.registry import from_uri
from fingerpost.tools.budget import LISTING_CHARS
from fingerpost.tools.frame import one_line
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

    Raises:
        ConfigError: If the folder does not exist or the URI has no store.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | DocumentStore,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        cache: str | os.PathLike[str] | None = None,
    ) -> None:
        self.store = source if isinstance(source, DocumentStore) else from_uri(source)
        self._clock = clock
        self._reader = Reader(
            self.store,
            lambda: open_catalog(self.store, cache),
            lambda: open_catalog(self.store, ""),
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
        with self._reader.snapshot() as snapshot:
            return snapshot.concept_count

    @asked_again
    def ids(self) -> list[str]:
        """The ids of all concepts, sorted."""
        with self._reader.snapshot() as snapshot:
            return sorted(header.id for header in snapshot.concepts())

    @property
    def trouble(self) -> str:
        """Why the last refresh failed and older knowledge is being served, "" when all is well."""
        return self._reader.trouble

    @property
    @asked_again
    def reading(self) -> Reading:
        """How much of the bundle is in the index."""
        with self._reader.snapshot() as snapshot:
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
        with self._reader.snapshot(progress):
            pass
        before, now = None, self.reading
        while until is None or time.monotonic() < until:
            if self._reader.is_held_up:
                time.sleep(_SECONDS_BETWEEN_LOOKS)
            elif not now.left or now == before:
                break
            else:
                self._reader.bodies.wait(until, progress)
                before = now
            now = self.reading
        return now

    def close(self) -> None:
        """Stop reading in the background, and release the index; a second call does nothing."""
        self._reader.close()

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
        with self._reader.snapshot() as snapshot:
            meant = find_place(snapshot, concept_id)
            place, anchor = meant.place, meant.anchor
            if place.kind == "log":
                return log_view(snapshot, self._reader.documents.read(place.path), place.path)
            scanned, header = self._concept(snapshot, place)
            section = text_of("section", section)
            if not section and find_heading(scanned.scan.headings, anchor) is not None:
                section = anchor
            backlinks = backlinks_of(snapshot, header.path)
            view = concept_view(snapshot, scanned, header, backlinks, section, moment)
        if meant.doubt:
            view["warnings"].insert(0, meant.doubt)
        return view

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
        with self._reader.snapshot() as snapshot:
            place = find_place(snapshot, path, prefer_folder=True).place
            if place.kind != "folder":
                raise KnowledgeNotFoundError(
                    f"{concept_id(place.path)!r} is a concept, not a folder: read it with kb_read."
                    if place.kind == "concept"
                    else f"{place.path!r} is not a folder."
                )
            own, problem = self._own_index(snapshot, place.path)
            text = index_text(snapshot, snapshot.directory(place.path), own, moment) + problem
        spans = pages(text, max_chars)
        number = min(max(1, whole_number("page", page)), len(spans))
        start, end = spans[number - 1]
        return text[start:end], number, len(spans)

    def _own_index(self, snapshot: Snapshot, folder: str) -> tuple[IndexFile | None, str]:
        """The index.md of a folder, or None with a closing line that says why it could not be read."""
        path = f"{folder}/{INDEX}" if folder else INDEX
        if not snapshot.kind(path):
            return None, ""
        try:
            return read_index(self._reader.documents.read_bytes(path), path), ""
        except KnowledgeNotFoundError:
            return None, ""
        except StoreError as error:
            return None, f"\n(The index.md of this folder could not be read. {one_line(str(error))})\n"

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
        with self._reader.snapshot() as snapshot:
            filters = Filters.of(
                type=type,
                tags=tags,
                folder=self._folder(snapshot, text_of("path", path)),
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
        with self._reader.snapshot() as snapshot:
            place = find_place(snapshot, concept_id).place
            is_log = place.kind == "log"
            scanned = self._reader.documents.read(place.path) if is_log else self._concept(snapshot, place)[0]
            in_body, _ = body_links(snapshot, scanned, 0, len(scanned.document.body) + 1)
            return [*in_body, *field_links(snapshot, scanned.document, place.path)]

    @asked_again
    def backlinks(self, concept_id: str) -> list[str]:
        """The ids of the concepts that link to a concept, sorted.

        Raises:
            KnowledgeError: As `read`.
        """
        with self._reader.snapshot() as snapshot:
            return backlinks_of(snapshot, find_place(snapshot, concept_id).place.path)

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
        with self._reader.snapshot() as snapshot:
            place = find_place(snapshot, path, prefer_folder=True).place
            file = place.path if place.kind == "log" else f"{place.path}/{LOG}".lstrip("/")
            if not snapshot.kind(file):
                return []
        log = read_log(self._reader.documents.read_bytes(file), file)
        return [{"date": entry.date, "heading": entry.heading, "text": entry.text} for entry in log.entries]

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
        with self._reader.snapshot() as snapshot:
            return validation(check(self._reader, snapshot, moment, progress), snapshot.concept_count)

    def _folder(self, snapshot: Snapshot, path: str) -> str:
        """The folder that a filter names, "" for the root."""
        place = find_place(snapshot, path, prefer_folder=True).place if path.strip() else Place("folder", "")
        if place.kind != "folder":
            raise KnowledgeNotFoundError(f"{place.path!r} is no folder; give a folder that kb_index lists.")
        return place.path

    def _concept(self, snapshot: Snapshot, place: Place) -> tuple[ScannedDocument, Header]:
        if place.kind == "folder":
            raise ConceptError(f"{folder_id(place.path)!r} is a folder: call kb_index with this path.")
        if place.kind == "file":
            raise ConceptError(
                f"{place.path!r} is a file beside the concepts and cannot be read; only concepts can."
            )
        kept = snapshot.header(place.path)
        scanned = self._reader.documents.read(place.path, kept.revision if kept else "")
        if scanned.header is None:
            finding = next(iter(sorted(scanned.document.findings, key=lambda finding: finding.code)))
            raise ConceptError(f"This file is no valid concept. {diagnose(place.path, finding)}")
        return scanned, scanned.header

    def _moment(self, now: datetime | None) -> datetime:
        moment = self._clock() if now is None else now
        try:
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        except AttributeError:
            raise ConfigError(f"now is a datetime, and {moment!r} is none.") from None
