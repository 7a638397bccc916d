"""Keeping a snapshot in step with its store: only what changed is read."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import OrderedDict

from fingerpost.bundle.scanned import ScannedDocument, scan_document
from fingerpost.bundle.snapshot import SUFFIX, Header, Snapshot, is_reserved, visible
from fingerpost.catalog.base import Catalog, Entry
from fingerpost.errors import KnowledgeNotFoundError, StoreError, TooLargeError
from fingerpost.okf.document import Document
from fingerpost.okf.paths import portable_key
from fingerpost.stores.base import Changes, Cursor, DocumentStore, Skipped

MAX_DOCUMENT_BYTES = 32 * 1024 * 1024
"""Markdown files above this size are diagnostics, not concepts."""

_KEPT_DOCUMENTS = 64
_logger = logging.getLogger("fingerpost.bundle")


class Reader:
    """Reads a store into snapshots and a catalog.

    Every call of `current` asks the store what changed and reads that alone. When the store fails, the last
    good snapshot is served with the reason in `Snapshot.trouble` until the store answers again.
    """

    def __init__(self, store: DocumentStore, catalog: Catalog) -> None:
        self.store = store
        self.catalog = catalog
        self._lock = threading.Lock()
        self._cursor: Cursor | None = None
        self._snapshot = Snapshot()
        self._generation = 0
        self._digests: dict[str, bytes] = {}
        self._unreadable: dict[str, Skipped] = {}
        self._vanished: frozenset[str] = frozenset()
        self._kept: OrderedDict[str, ScannedDocument] = OrderedDict()

    def current(self) -> Snapshot:
        """The snapshot of this moment.

        Raises:
            StoreError: If the store has never answered yet.
        """
        with self._lock:
            try:
                changes = self.store.changes(self._cursor)
            except (StoreError, KnowledgeNotFoundError) as error:
                if self._cursor is None:
                    raise
                self._snapshot = self._snapshot.with_trouble(str(error))
                return self._snapshot
            self._snapshot = self._applied(changes)
            if self._cursor is None and not self._snapshot.headers:
                _logger.warning(
                    "No concept was found in %s; check that this is the bundle meant.", self.store.identity
                )
            self._cursor = changes.cursor
            return self._snapshot

    @property
    def trouble(self) -> str:
        """Why the last refresh failed, "" when it did not."""
        return self._snapshot.trouble

    def document(self, path: str) -> ScannedDocument:
        """Read one Markdown file, from memory when it was read before and has not changed since.

        Raises:
            KnowledgeNotFoundError: If the file has vanished.
            StoreError: If the file cannot be read.
        """
        with self._lock:
            kept = self._kept.get(path)
            if kept is not None:
                self._kept.move_to_end(path)
                return kept
            generation = self._generation
        scanned = scan_document(self.store.read_bytes(path, MAX_DOCUMENT_BYTES), path)
        with self._lock:
            if generation == self._generation:
                self._kept[path] = scanned
                while len(self._kept) > _KEPT_DOCUMENTS:
                    self._kept.popitem(last=False)
        return scanned

    def _applied(self, changes: Changes) -> Snapshot:
        """The snapshot after some changes; the same one when they change nothing."""
        before = self._snapshot
        removed = visible(changes.removed)
        changed = (visible(changes.changed) | self._unreadable.keys() | self._vanished) - removed
        scanned, self._vanished = self._read(sorted(changed))
        gone = removed | self._vanished
        for path in gone:
            self._digests.pop(path, None)
            self._unreadable.pop(path, None)
        skipped = (*changes.skipped, *(self._unreadable[path] for path in sorted(self._unreadable)))
        trouble = _trouble(changes, [path for path in self._unreadable if path in before.headers])
        files = (before.files | changed) - gone if gone or not changed <= before.files else before.files
        if not scanned and files is before.files and (skipped, trouble) == (before.skipped, before.trouble):
            return before
        self._generation += 1
        headers, invalid = dict(before.headers), dict(before.invalid)
        for path in gone | scanned.keys():
            self._kept.pop(path, None)
            headers.pop(path, None)
            invalid.pop(path, None)
        for path, document in scanned.items():
            if document.header is None:
                invalid[path] = document.document.findings
            else:
                headers[path] = document.header
        entries = [
            catalog_entry(document.header, document.document)
            for document in scanned.values()
            if document.header is not None
        ]
        self.catalog.update(entries, remove=before.headers.keys() - headers.keys())
        return Snapshot(headers, invalid, files, skipped, trouble)

    def _read(self, paths: list[str]) -> tuple[dict[str, ScannedDocument], frozenset[str]]:
        """Read the Markdown files among some paths.

        Returns:
            Those whose content is not what was read last, and the paths of those that have vanished.
        """
        scanned: dict[str, ScannedDocument] = {}
        vanished: set[str] = set()
        for path in paths:
            if not path.endswith(SUFFIX) or is_reserved(path):
                self._kept.pop(path, None)
                continue
            try:
                data = self.store.read_bytes(path, MAX_DOCUMENT_BYTES)
            except KnowledgeNotFoundError:
                vanished.add(path)
                continue
            except StoreError as error:
                self._unreadable[path] = Skipped(path, unusable_code(error), str(error))
                continue
            self._unreadable.pop(path, None)
            digest = hashlib.sha256(data).digest()
            if self._digests.get(path) != digest:
                self._digests[path] = digest
                scanned[path] = scan_document(data, path)
        return scanned, frozenset(vanished)


def unusable_code(error: Exception) -> str:
    """The rule that a file falls under which could not be read."""
    return "OKF405" if isinstance(error, TooLargeError) else "OKF404"


def catalog_entry(header: Header, document: Document) -> Entry:
    """What the catalog gets to know of a concept."""
    return Entry(
        id=header.path,
        header=(header.title, header.id, " ".join(header.tags), header.type, header.description),
        body=document.body,
        facets={
            "type": (header.type,),
            "tag": header.tags,
            "status": (header.status,),
            "trust": (header.trust,),
        },
        edges=tuple({portable_key(path) for reference in header.references for path in reference.candidates}),
    )


def _trouble(changes: Changes, unreadable: list[str]) -> str:
    """What keeps a snapshot from being the whole truth: folders not listed, known concepts not read again."""
    if not changes.complete:
        reasons = "; ".join(f"{item.path}: {item.reason}" for item in changes.skipped[:3])
        return f"Part of the store could not be listed. {reasons}".rstrip()
    if unreadable:
        return f"{len(unreadable)} known concepts could not be read again, first {min(unreadable)!r}."
    return ""
