"""Keeping a snapshot in step with its store: only what changed is read."""

from __future__ import annotations

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

    Every call of `current` asks the store what changed and reads that alone. When the store fails, the last good
    snapshot is served with the reason in `Snapshot.trouble` until the store answers again.
    """

    def __init__(self, store: DocumentStore, catalog: Catalog) -> None:
        self.store = store
        self.catalog = catalog
        self._lock = threading.Lock()
        self._cursor: Cursor | None = None
        self._snapshot = Snapshot()
        self._scanned: OrderedDict[str, ScannedDocument] = OrderedDict()
        self._generation = 0

    def current(self) -> Snapshot:
        """The snapshot of this moment.

        Raises:
            StoreError: If the store has never answered yet.
        """
        with self._lock:
            try:
                changes = self.store.changes(self._cursor)
            except (StoreError, KnowledgeNotFoundError) as error:
                return self._failed(error)
            if (
                changes.changed
                or changes.removed
                or changes.skipped != self._snapshot.skipped
                or self._snapshot.trouble
            ):
                self._snapshot = self._apply(changes)
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
            kept = self._scanned.get(path)
            if kept is not None:
                self._scanned.move_to_end(path)
                return kept
            generation = self._generation
        scanned = scan_document(self.store.read_bytes(path, MAX_DOCUMENT_BYTES), path)
        with self._lock:
            if generation == self._generation:
                self._keep(path, scanned)
        return scanned

    def _keep(self, path: str, scanned: ScannedDocument) -> None:
        self._scanned[path] = scanned
        self._scanned.move_to_end(path)
        while len(self._scanned) > _KEPT_DOCUMENTS:
            self._scanned.popitem(last=False)

    def _failed(self, error: Exception) -> Snapshot:
        if self._cursor is None:
            raise error
        before = self._snapshot
        self._snapshot = Snapshot(
            before.headers, before.invalid, before.files, before.skipped, trouble=str(error)
        )
        return self._snapshot

    def _apply(self, changes: Changes) -> Snapshot:
        self._generation += 1
        before = self._snapshot
        changed = visible(changes.changed)
        removed = visible(changes.removed)
        headers = {path: header for path, header in before.headers.items() if path not in removed}
        invalid = {path: findings for path, findings in before.invalid.items() if path not in removed}
        skipped = list(changes.skipped)
        gone: set[str] = set()
        entries: list[Entry] = []
        for path in sorted(changed):
            self._scanned.pop(path, None)
            if not path.endswith(SUFFIX) or is_reserved(path):
                continue
            headers.pop(path, None)
            invalid.pop(path, None)
            try:
                scanned = scan_document(self.store.read_bytes(path, MAX_DOCUMENT_BYTES), path)
            except KnowledgeNotFoundError:
                gone.add(path)
            except StoreError as error:
                skipped.append(Skipped(path, unusable_code(error), str(error)))
            else:
                if scanned.header is None:
                    invalid[path] = scanned.document.findings
                else:
                    headers[path] = scanned.header
                    entries.append(catalog_entry(scanned.header, scanned.document))
        for path in removed:
            self._scanned.pop(path, None)
        dropped = (before.headers.keys() | changed) - headers.keys()
        self.catalog.update(entries, remove=dropped)
        trouble = "" if changes.complete else _partly(changes)
        return Snapshot(headers, invalid, (before.files | changed) - removed - gone, tuple(skipped), trouble)


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


def _partly(changes: Changes) -> str:
    reasons = "; ".join(f"{item.path}: {item.reason}" for item in changes.skipped[:3])
    return (
        f"Part of the store could not be listed ({reasons})"
        if reasons
        else "Part of the store could not be listed"
    )
