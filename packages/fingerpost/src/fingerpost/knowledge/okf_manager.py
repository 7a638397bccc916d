"""`OKFManager`: a bundle of the Open Knowledge Format as a knowledge base."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fingerpost.bundle import Bundle
from fingerpost.bundle.names import path_printed_as
from fingerpost.bundle.search import MAX_LIMIT, left_out_words_note
from fingerpost.bundle.shapes import FindView, HeaderView, HitView
from fingerpost.bundle.silence import counted, was
from fingerpost.bundle.writer import BundleWriter
from fingerpost.capabilities import KnowledgeCapabilities
from fingerpost.errors import ConceptError, ConfigError, KnowledgeError, KnowledgeNotFoundError, StoreError
from fingerpost.knowledge.documents import DocumentKnowledgeBase
from fingerpost.knowledge.okf_records import (
    concept_record,
    entry_record,
    folder_record,
    hit_record,
    index_records,
    is_own,
    told,
)
from fingerpost.knowledge.okf_writing import write_records
from fingerpost.records import Record, Records
from fingerpost.stores.base import DocumentStore
from fingerpost.tools.frame import one_line

WRITE_PREFIX = "generated"
"""The folder that new concepts go to, where no other is named."""

_MOST_TYPES = 50
_TOOLS = {"kb_index": "browse_kb", "kb_read": "fetch_kb", "kb_find": "search_kb"}
_TOOL = re.compile(rf"(?<![\w'/-])(?:{'|'.join(_TOOLS)})(?![\w'/-])")  # and no id that is called alike


_DECLARED = KnowledgeCapabilities(
    kinds=["document"],
    search=True,
    search_mode="lexical",
    fetch=True,
    browse=True,
    writable=True,
    appends=True,
    derives_schema=True,
    filters=["type", "tags", "path", "status", "trust", "stale"],
)


class OKFManager(DocumentKnowledgeBase):
    """A bundle as a knowledge base: searched, fetched by id, browsed by folder, and it describes itself.

    It is a view of one `Bundle`, which reads each change once, whoever asks. Trust, staleness and status are
    shown and hide nothing: deprecated concepts come last. Only `fetch` gives whole texts.

    Attributes:
        bundle: The bundle.
        write_actor: Who writes, as new concepts tell it.
        write_prefix: The folder that new concepts go to.
    """

    declared = _DECLARED

    def __init__(
        self,
        store: str | os.PathLike[str] | DocumentStore | Bundle,
        name: str = "",
        description: str | None = None,
        refresh_seconds: float | None = 300.0,
        max_concepts: int | None = None,
        write_actor: str | None = None,
        write_prefix: str = WRITE_PREFIX,
        curated: Iterable[str] = (),
        proposals: bool = False,
    ) -> None:
        """Open a bundle and read the headers of its concepts, so that what is wrong with it is told here.

        Args:
            store: Where the bundle lies: a store, a folder, a URI, or a `Bundle`.
            name: What tools call it; "okf" by default.
            description: What it holds, in a sentence; by default one made of its contents.
            refresh_seconds: As for `Bundle`, which has its own.
            max_concepts: The most concepts that are served, the first by path; None for all.
            write_actor: Who writes, as new concepts tell it, such as "process:curator"; no person.
            write_prefix: The folder that new concepts go to; "" lets all of the bundle be written.
            curated: Further folders (`policies/`) and concepts (`policies/refunds`) that may be written.
            proposals: Whether what is written is put aside below `proposals/`, for a person to accept.

        Raises:
            ConfigError: There is no such bundle, or an argument makes no sense.
            StoreError: The bundle cannot be read.
        """
        check_max_concepts(max_concepts)
        is_bundle = isinstance(store, Bundle)
        self.bundle = store if is_bundle else Bundle(store, refresh_seconds=refresh_seconds)
        super().__init__(self.bundle.store, _DECLARED, name or "okf")
        self._name = name or "okf"
        self._description = description
        self._max_concepts = max_concepts
        self.write_actor = write_actor
        self.write_prefix = write_prefix
        self._curated = tuple(curated)
        self._proposes = proposals
        self._places = self._writer("", is_curator=True).reach.places
        self.connect()

    @property
    def backend_name(self) -> str:
        """The name that tools address it by."""
        return self._name

    def connect(self, **_kwargs: Any) -> None:
        """Read what changed; the first time, the headers of all concepts.

        Raises:
            StoreError: Nothing of the bundle can be read.
        """
        if not len(self.bundle) and self.bundle.trouble:
            raise StoreError(self.bundle.trouble)

    def reload(self) -> None:
        """Look for changes now, whatever `refresh_seconds` says."""
        self.bundle.reload()

    def close(self) -> None:
        """Stop reading in the background, and give back what the store holds."""
        self.bundle.close()
        super().close()

    def get_description(self) -> str:
        """What it holds, and what of it could not be read."""
        overview = self.bundle.overview()
        types = list(overview["types"])
        named = f", such as {', '.join(map(one_line, types[:5]))}" if types else ""
        said = self._description or f"Curated documents: {counted(overview['concepts'], 'concept')}{named}."
        skipped = overview["skipped"]
        notes = [f"{counted(skipped, 'file')} of it cannot be served."] if skipped else []
        return " ".join([said, *notes, *self._trouble()])

    def _derived_schema(self) -> Mapping[str, Any]:
        overview = self.bundle.overview()
        types = dict(list(overview["types"].items())[:_MOST_TYPES])
        most = self._max_concepts
        schema: dict[str, Any] = {
            "okf_version": overview["okf_version"],
            "concept_count": min(overview["concepts"], most or overview["concepts"]),
            "types": types,
            "top_level_directories": overview["folders"],
            "reserved_files": {name.removesuffix(".md"): n for name, n in overview["reserved"].items()},
            "diagnostics": overview["skipped"],
            "truncated": most is not None and overview["concepts"] > most,
        }
        if len(overview["types"]) > len(types):
            schema["further_types"] = len(overview["types"]) - len(types)
        if self.capabilities.writable:
            schema["may_be_written"] = list(self._places)
            schema["writes_are_proposals"] = self._proposes
        if self._description:
            schema["description"] = self._description
        if trouble := self._trouble():
            schema["trouble"] = trouble[0]
        return schema

    def search(self, query: str, limit: int = 3, **filters: Any) -> Records:
        """Find concepts by words, the deprecated ones last.

        Args:
            query: Words to look for; see `Bundle.find`.
            limit: The most records.
            **filters: type, tags, path, status, trust and stale, as for `Bundle.find`.

        Returns:
            Records of the concepts in short, with all signals.
        """
        known = self.capabilities.filters
        for name in filters:
            if name not in known:
                raise ConfigError(f"There is no filter {name!r}; there are {', '.join(known)}.")
        last = self._last_path()
        try:
            hits, first = self._found(query, limit, filters, last)
            if first["left_out_deprecated"]:
                retired = {**filters, "status": "deprecated"}
                hits += self._found(query, limit - len(hits), retired, last)[0]
        except KnowledgeError as error:
            raise type(error)(*_as_told([str(error)])) from error
        total = first["total"] + first["left_out_deprecated"]
        neighbours = self.bundle.neighbours(hit["id"] for hit in hits)
        records = (hit_record(hit, neighbours.get(hit["id"])) for hit in hits)
        silent = not hits and last is None  # of what is beyond the last, the bundle tells nothing
        notes = _as_told([*_search_notes(first, is_silent=silent), *self._beyond(last), *self._trouble()])
        return Records(records, total if last is None else None, notes)

    def _found(
        self, query: str, limit: int, filters: Mapping[str, Any], last: str | None
    ) -> tuple[list[HitView], FindView]:
        """So many hits, and what the first page of them says of all."""
        hits: list[HitView] = []
        pages = self._pages(query, filters, limit)
        first = page = next(pages)
        while page["results"]:
            hits += [hit for hit in page["results"] if last is None or _path(hit) <= last]
            if len(hits) >= limit:
                break
            page = next(pages)
        return hits[: max(limit, 0)], first

    def _pages(self, query: str, filters: Mapping[str, Any], size: int) -> Iterator[FindView]:
        offset = 0
        while True:
            page = self.bundle.find(query, **filters, limit=size, offset=offset)
            offset += len(page["results"])
            yield page

    def fetch(self, ids: Iterable[str], **_kwargs: Any) -> Records:
        """Read whole concepts, and the indexes of folders.

        Args:
            ids: Ids in any spelling that `Bundle.read` takes; one with an anchor gives that section.

        Returns:
            A record for each that there is; the notes say what the others may have meant.
        """
        records: list[Record] = []
        notes: list[str] = []
        last = self._last_path()
        for id_ in filter(str.strip, ids):
            try:
                read = self._read(id_, last)
            except KnowledgeError as error:
                notes.append(str(error))
            else:
                records += read
                notes += read.notes
        return Records(records, notes=_as_told([*notes, *self._trouble()]))

    def _read(self, id_: str, last: str | None) -> Records:
        try:
            view = self.bundle.read(id_)
        except ConceptError as unreadable:
            return self._read_folder(id_, unreadable)
        if last is not None and _path(view) > last:
            raise ConceptError(f"{view['id']!r} is beyond the first {self._max_concepts} concepts.")
        return Records([concept_record(view)])

    def _read_folder(self, id_: str, unreadable: ConceptError) -> Records:
        """The index.md of a folder, or where it has none a part of what browsing lists."""
        try:
            folder = self.bundle.contents(id_)
        except KnowledgeNotFoundError:
            raise unreadable from None
        if not folder["index"] and folder["id"] == "/":
            raise unreadable
        shown = Records(index_records(folder)) or self.browse(id_, MAX_LIMIT)
        others = folder["total"] if folder["index"] else folder["total"] - len(shown)
        more = f"There is more in {folder['id']} than is shown of it: browse_kb lists it."
        return Records(shown, notes=[*shown.notes, *([more] if shown and others > 0 else [])])

    def browse(self, path: str = "", limit: int = 50, **_kwargs: Any) -> Records:
        """List a folder: its own index.md as written, then what this does not list.

        Args:
            path: The folder, "" for the top. Of a concept, the contents are itself.
            limit: The most records. A long index.md takes several.

        Returns:
            Records of its pages, of folders and of concepts in short.
        """
        try:
            view = self.bundle.contents(path or "/", limit=limit)
        except KnowledgeError as error:
            return Records(notes=_as_told([str(error), *self._trouble()]))
        last = self._last_path()
        headers = [header for header in view["concepts"] if last is None or _path(header) <= last]
        neighbours = self.bundle.neighbours(header["id"] for header in headers)
        index = list(index_records(view))
        records = [
            *index,
            *map(folder_record, view["folders"]),
            *(entry_record(header, neighbours.get(header["id"])) for header in headers),
        ]
        notes = [view["problem"]] if "problem" in view else []
        if view["not_shown"]:
            files = counted(view["not_shown"], "file")
            notes.append(f"Left out here: {files} without a valid concept, or not readable.")
        total = len(index) + view["total"] if last is None else None
        return Records(records[:limit], total, _as_told([*notes, *self._beyond(last), *self._trouble()]))

    def write(
        self, records: Iterable[Record], *, actor: str = "", is_curator: bool = True, **_kwargs: Any
    ) -> Records:
        """Write concepts. They are in the very next answer, and no byte changes that was not asked for.

        A record without an id becomes a new concept below `write_prefix`, titled by its text and stamped with
        who generated it. One with an id makes or changes that concept and adds nothing of its own; to replace
        a text, it gives the revision that was read. With `metadata["append"]`, its text follows the old one.

        Args:
            records: The records.
            actor: Who writes, where no `write_actor` is set.
            is_curator: Whether what is `curated` may be written too.

        Returns:
            A record with id and revision for each; the notes say what is to be known of them.

        Raises:
            ConflictError: Somebody else has changed the concept; the sentence has the revision as it is.
            KnowledgePathError: It lies where nothing may be written.
            ArgumentError: The record claims a verification, or a person's signature.
            KnowledgeError: It cannot be written. Nothing was, or the sentence says what was.
        """
        if not self.capabilities.writable:
            raise self._undeclared("write")
        return write_records(self._writer(actor, is_curator=is_curator), records)

    def _writer(self, actor: str, *, is_curator: bool) -> BundleWriter:
        return BundleWriter(
            self.bundle,
            actor=self.write_actor or actor,
            prefix=self.write_prefix,
            beyond=self._curated if is_curator else (),
            proposes=self._proposes,
        )

    def _told(self, row: Record) -> str:
        return told(row) if is_own(row) else super()._told(row)

    def _trouble(self) -> list[str]:
        trouble = self.bundle.trouble
        if not trouble:
            return []
        return [f"Not all of it could be read now, so this may be old or not all. {trouble}"]

    def _beyond(self, last: str | None) -> list[str]:
        """That not all is served, where that is so."""
        if last is None:
            return []
        return [f"Only the first {self._max_concepts} of {len(self.bundle)} concepts are served here."]

    def _last_path(self) -> str | None:
        """The path of the last concept that is served, None where all are."""
        most = self._max_concepts
        if most is None or len(self.bundle) <= most:
            return None
        found = self.bundle.find(None, include_deprecated=True, limit=1, offset=most - 1)["results"]
        return _path(found[0]) if found else None


def check_max_concepts(most: object) -> None:
    """Check the most concepts that are to be served.

    Raises:
        ConfigError: It is no whole number from 1 on, and not None.
    """
    is_allowed = isinstance(most, int) and not isinstance(most, bool) and most >= 1
    if most is not None and not is_allowed:
        raise ConfigError(f"max_concepts={most!r} serves nothing; give 1 or more, or None for all.")


def _path(view: HeaderView) -> str:
    return f"{path_printed_as(view['id'])}.md"


def _search_notes(found: FindView, *, is_silent: bool) -> Iterator[str]:
    """What is to be said of a search beside what it found."""
    if left_out := left_out_words_note(found.get("left_out_words", 0)):
        yield left_out
    if is_silent and "message" in found:
        yield found["message"]
        return
    for word, spellings in found.get("corrected", {}).items():
        yield f"Nothing has the word {word!r}; {', '.join(spellings)} was looked for."
    if found["skipped_invalid"] or found.get("skipped_unreadable"):
        count = found["skipped_invalid"] + found.get("skipped_unreadable", 0)
        yield f"{counted(count, 'file')} {was(count)} not searched: no valid concept, or not readable."
    if count := found.get("still_reading", 0):
        told = counted(count, "concept")
        yield f"The text of {told} is still being read; until then, headers alone are searched."


def _as_told(sentences: Sequence[str]) -> list[str]:
    """Sentences of the bundle with the names of the tools that reach it here."""
    return [_TOOL.sub(lambda found: _TOOLS[found[0]], sentence) for sentence in sentences]
