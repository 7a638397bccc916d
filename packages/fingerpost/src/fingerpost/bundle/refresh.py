"""Keeping a snapshot in step with its store: only what changed is read."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from fingerpost.bundle.scanned import ScannedDocument, scan_document
from fingerpost.bundle.snapshot import SUFFIX, Header, Snapshot, is_reserved, visible
from fingerpost.catalog.base import Catalog, Entry
from fingerpost.errors import KnowledgeError, KnowledgeNotFoundError, StoreError, TooLargeError
from fingerpost.okf.document import Document
from fingerpost.okf.paths import portable_key
from fingerpost.records import Finding
from fingerpost.stores.base import Changes, Cursor, DocumentStore, Skipped, failure_sentence

MAX_DOCUMENT_BYTES = 8 * 1024 * 1024
"""Markdown files above this size are diagnostics, not concepts."""

_KEPT_DOCUMENTS = 64
_logger = logging.getLogger("fingerpost.bundle")


class Reader:
    """Reads a store into snapshots and a catalog.

    Every call of `current` asks the store what changed and reads that alone. When the store fails, the last
    good snapshot is served with the reason in `Snapshot.trouble` until the store answers again. A forked
    process starts anew, since another thread may have been at work on what it got.

    Args:
        store: The store.
        make_catalog: Makes an empty catalog.
    """

    def __init__(self, store: DocumentStore, make_catalog: Callable[[], Catalog]) -> None:
        self.store = store
        self._make_catalog = make_catalog
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self.catalog = self._make_catalog()
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
        if self._process != os.getpid():
            self._start()
        with self._lock:
            try:
                changes = self.store.changes(self._cursor)
                self._snapshot = self._applied(changes)
            except Exception as error:
                if self._cursor is None:
                    raise
                if not isinstance(error, KnowledgeError):
                    _logger.warning("The store %s failed.", self.store.identity, exc_info=error)
                self._snapshot = self._snapshot.with_trouble(failure_sentence(error))
                return self._snapshot
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
        scanned = scan_document(self.read_bytes(path), path)
        with self._lock:
            if generation == self._generation:
                self._kept[path] = scanned
                while len(self._kept) > _KEPT_DOCUMENTS:
                    self._kept.popitem(last=False)
        return scanned

    def read_bytes(self, path: str) -> bytes:
        """The content of a Markdown file.

        Raises:
            KnowledgeNotFoundError: If the file has vanished.
            StoreError: If it cannot be read, for whatever reason.
        """
        try:
            return self.store.read_bytes(path, MAX_DOCUMENT_BYTES)
        except KnowledgeError:
            raise
        except Exception as error:
            _logger.warning("The store %s failed on %s.", self.store.identity, path, exc_info=error)
            raise StoreError(
                f"{path!r} cannot be read now. {failure_sentence(error)} Try it again later."
            ) from error

    def _applied(self, changes: Changes) -> Snapshot:
        """The snapshot after some changes; the same one when they change nothing."""
        before = self._snapshot
        removed = visible(changes.removed)
        pending = self._unreadable.keys() | self._vanished
        changed = (visible(changes.changed) | pending) - removed
        outcome = self._read(sorted(changed))
        gone = removed | outcome.vanished
        skipped = (*changes.skipped, *outcome.unreadable.values())
        trouble = _trouble(changes, [path for path in outcome.unreadable if path in before.headers])
        files = (before.files | changed) - gone if gone or not changed <= before.files else before.files
        if (
            outcome.scanned
            or files is not before.files
            or (skipped, trouble) != (before.skipped, before.trouble)
        ):
            snapshot = Snapshot(*self._sorted_out(outcome, gone), files, skipped, trouble)
        else:
            snapshot = before
        self._unreadable, self._vanished = outcome.unreadable, outcome.vanished
        self._digests.update(outcome.digests)
        for path in gone:
            self._digests.pop(path, None)
        return snapshot

    def _sorted_out(
        self, outcome: _Outcome, gone: frozenset[str]
    ) -> tuple[dict[str, Header], dict[str, tuple[Finding, ...]]]:
        """The headers and the invalid files after a read; the catalog is brought in step."""
        self._generation += 1
        headers, invalid = dict(self._snapshot.headers), dict(self._snapshot.invalid)
        for path in gone | outcome.scanned.keys():
            self._kept.pop(path, None)
            headers.pop(path, None)
            invalid.pop(path, None)
        entries: list[Entry] = []
        for path, scanned in outcome.scanned.items():
            if scanned.header is None:
                invalid[path] = scanned.document.findings
            else:
                headers[path] = scanned.header
                entries.append(catalog_entry(scanned.header, scanned.document))
        self.catalog.update(entries, remove=self._snapshot.headers.keys() - headers.keys())
        return headers, invalid

    def _read(self, paths: list[str]) -> _Outcome:
        """Read the Markdown files among some paths."""
        outcome = _Outcome()
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
            except Exception as error:  # noqa: BLE001 - one file that cannot be read must not sink the rest
                outcome.unreadable[path] = Skipped(path, unusable_code(error), failure_sentence(error))
                continue
            digest = hashlib.sha256(data).digest()
            if self._digests.get(path) != digest:
                outcome.digests[path] = digest
                outcome.scanned[path] = scan_document(data, path)
        return replace(outcome, vanished=frozenset(vanished))


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of reading some files: those with new content, those that failed, those that are gone."""

    scanned: dict[str, ScannedDocument] = field(default_factory=dict[str, ScannedDocument])
    digests: dict[str, bytes] = field(default_factory=dict[str, bytes])
    unreadable: dict[str, Skipped] = field(default_factory=dict[str, Skipped])
    vanished: frozenset[str] = frozenset()


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
        reasons = "; ".join(f"{item.path!r}: {item.reason}" for item in changes.skipped[:3])
        return f"Part of the store could not be listed. {reasons}".rstrip()
    if unreadable:
        return f"{len(unreadable)} known concepts could not be read again, first {min(unreadable)!r}."
    return ""
