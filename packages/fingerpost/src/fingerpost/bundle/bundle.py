"""`Bundle`: one Open Knowledge Format bundle, read live from its store."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from fingerpost.bundle.check import Progress, check
from fingerpost.bundle.concept_view import body_links, concept_view, field_links, find_heading, log_view
from fingerpost.bundle.edges import Place, points_to
from fingerpost.bundle.index_text import index_text
from fingerpost.bundle.lookup import find_place
from fingerpost.bundle.refresh import Reader
from fingerpost.bundle.scanned import ScannedDocument
from fingerpost.bundle.search import find
from fingerpost.bundle.shapes import ConceptView, FindView, LinkView, LogEntryView
from fingerpost.bundle.snapshot import INDEX, LOG, Header, Snapshot, concept_id, folder_id
from fingerpost.bundle.validation import Validation, validation
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.errors import ConceptError, ConfigError, KnowledgeNotFoundError, StoreError
from fingerpost.okf.index_file import IndexFile, read_index
from fingerpost.okf.log_file import read_log
from fingerpost.okf.paths import portable_key
from fingerpost.okf.rules import diagnose
from fingerpost.records import Diagnostic
from fingerpost.stores.base import DocumentStore
from fingerpost.stores.registry import from_uri
from fingerpost.tools.budget import LISTING_CHARS
from fingerpost.tools.frame import one_line
from fingerpost.tools.pages import pages

_LEAST_INDEX_CHARS = 200  # of one page


class Bundle:
    """A bundle of concepts.

    Every call looks at the store first and reads what changed, so an edit is seen by the next call. Nothing
    in a bundle is ever executed, and nothing outside its root is ever read. Safe to use from several threads.

    Args:
        source: A folder, a URI, or a store.
        clock: Tells the present, for staleness wherever `now` is not given; the system's clock by default.

    Raises:
        ConfigError: If the folder does not exist or the URI has no store.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | DocumentStore,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.store = source if isinstance(source, DocumentStore) else from_uri(source)
        self._clock = clock
        self._reader = Reader(self.store, MemoryCatalog)

    @classmethod
    def of(cls, source: str | os.PathLike[str] | DocumentStore | Bundle) -> Bundle:
        """A bundle from whatever names one; a bundle is returned as it is."""
        return source if isinstance(source, Bundle) else cls(source)

    def __repr__(self) -> str:
        return f"Bundle({self.store.identity!r})"

    def __len__(self) -> int:
        """The number of concepts."""
        return len(self._reader.current().headers)

    def ids(self) -> list[str]:
        """The ids of all concepts, sorted."""
        return sorted(self._reader.current().by_id)

    @property
    def trouble(self) -> str:
        """Why the last refresh failed and older knowledge is being served, "" when all is well."""
        return self._reader.trouble

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
        snapshot = self._reader.current()
        meant = find_place(snapshot, concept_id)
        place, anchor = meant.place, meant.anchor
        if place.kind == "log":
            return log_view(snapshot, self._reader.document(place.path), place.path)
        scanned, header = self._concept(place)
        if not section and find_heading(scanned.scan.headings, anchor) is not None:
            section = anchor
        backlinks = self._backlinks(snapshot, header.path)
        view = concept_view(snapshot, scanned, header, backlinks, section, self._moment(now))
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

    def index_page(
        self, path: str = "/", *, page: int = 1, max_chars: int = LISTING_CHARS, now: datetime | None = None
    ) -> tuple[str, int, int]:
        """Like `index`, apart: the text of the page, its number, and how many pages there are."""
        snapshot = self._reader.current()
        place = find_place(snapshot, path, prefer_folder=True).place
        if place.kind != "folder":
            raise KnowledgeNotFoundError(
                f"{concept_id(place.path)!r} is a concept, not a folder: read it with kb_read."
                if place.kind == "concept"
                else f"{place.path!r} is not a folder."
            )
        if max_chars < _LEAST_INDEX_CHARS:
            raise ConfigError(
                f"max_chars={max_chars} leaves no room for an entry; give at least {_LEAST_INDEX_CHARS}."
            )
        directory = snapshot.directories[place.path]
        own, problem = self._own_index(snapshot, place.path)
        text = index_text(snapshot, directory, own, self._moment(now)) + problem
        spans = pages(text, max_chars)
        number = min(max(1, page), len(spans))
        start, end = spans[number - 1]
        return text[start:end], number, len(spans)

    def _own_index(self, snapshot: Snapshot, folder: str) -> tuple[IndexFile | None, str]:
        """The index.md of a folder, or None with a closing line that says why it could not be read."""
        path = f"{folder}/{INDEX}" if folder else INDEX
        if path not in snapshot.files:
            return None, ""
        try:
            return read_index(self._reader.read_bytes(path), path), ""
        except KnowledgeNotFoundError:
            return None, ""
        except StoreError as error:
            return None, f"\n(The index.md of this folder could not be read. {one_line(str(error))})\n"

    def find(
        self,
        text: str | None = None,
        type: str | None = None,  # noqa: A002 - the name of the field
        tags: str | Iterable[str] | None = None,
        *,
        include_deprecated: bool = False,
        limit: int = 20,
        offset: int = 0,
        now: datetime | None = None,
    ) -> FindView:
        """Search the concepts.

        Args:
            text: Words to look for; letter case, accents and small misspellings do not matter, and no
                character has a special meaning. Without text, all concepts that pass the filters, by id.
            type: Only concepts of this type, letter case aside.
            tags: Only concepts that have all of these tags, letter case aside.
            include_deprecated: Whether deprecated concepts are returned too; they are counted either way.
            limit: Most results, 1 to 100.
            offset: Results to pass over, for the next page.
            now: The moment that staleness is judged at; the present by default.

        Returns:
            Results, best first, with their signals and counts of what is not among them.
        """
        snapshot = self._reader.current()
        return find(
            snapshot,
            self._reader.catalog,
            text=text or "",
            type_=(type or "").strip(),
            tags=[tag.strip() for tag in ([tags] if isinstance(tags, str) else tags or ()) if tag.strip()],
            include_deprecated=include_deprecated,
            limit=limit,
            offset=offset,
            now=self._moment(now),
        )

    def links(self, concept_id: str) -> list[LinkView]:
        """The links of a concept, resolved: those of its body, then those of its path-valued fields.

        Raises:
            KnowledgeError: As `read`.
        """
        snapshot = self._reader.current()
        place = find_place(snapshot, concept_id).place
        scanned = self._reader.document(place.path) if place.kind == "log" else self._concept(place)[0]
        in_body, _ = body_links(snapshot, scanned, 0, len(scanned.document.body) + 1)
        return [*in_body, *field_links(snapshot, scanned.document, place.path)]

    def backlinks(self, concept_id: str) -> list[str]:
        """The ids of the concepts that link to a concept, sorted.

        Raises:
            KnowledgeError: As `read`.
        """
        snapshot = self._reader.current()
        place = find_place(snapshot, concept_id).place
        return self._backlinks(snapshot, place.path)

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
        snapshot = self._reader.current()
        place = find_place(snapshot, path, prefer_folder=True).place
        file = place.path if place.kind == "log" else f"{place.path}/{LOG}".lstrip("/")
        if file not in snapshot.files:
            return []
        log = read_log(self._reader.read_bytes(file), file)
        return [{"date": entry.date, "heading": entry.heading, "text": entry.text} for entry in log.entries]

    def diagnostics(self, *, now: datetime | None = None) -> list[Diagnostic]:
        """Everything that is wrong with the bundle or could be better, by path and line.

        Args:
            now: The moment that staleness is judged at; the present by default.
        """
        return list(self.validate(now=now).diagnostics)

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
        snapshot = self._reader.current()
        return validation(check(self._reader, snapshot, self._moment(now), progress), len(snapshot.headers))

    def _concept(self, place: Place) -> tuple[ScannedDocument, Header]:
        if place.kind == "folder":
            raise ConceptError(f"{folder_id(place.path)!r} is a folder: call kb_index with this path.")
        if place.kind == "file":
            raise ConceptError(
                f"{place.path!r} is a file beside the concepts and cannot be read; only concepts can."
            )
        scanned = self._reader.document(place.path)
        if scanned.header is None:
            finding = next(iter(sorted(scanned.document.findings, key=lambda finding: finding.code)))
            raise ConceptError(f"This file is no valid concept. {diagnose(place.path, finding)}")
        return scanned, scanned.header

    def _backlinks(self, snapshot: Snapshot, path: str) -> list[str]:
        known = snapshot.backlinks.get(path)
        if known is None:
            sources = self._reader.catalog.sources(portable_key(path))
            headers = [
                snapshot.headers[source]
                for source in sources
                if source in snapshot.headers and source != path
            ]
            known = [header.id for header in headers if points_to(snapshot, header, path)]
            snapshot.backlinks[path] = known
        return known

    def _moment(self, now: datetime | None) -> datetime:
        moment = self._clock() if now is None else now
        try:
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        except AttributeError:
            raise ConfigError(f"now is a datetime, and {moment!r} is none.") from None
