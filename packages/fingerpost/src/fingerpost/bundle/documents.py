"""Files of a bundle that are read one by one, of which the last ones stay in memory."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict

from fingerpost.bundle.reading import MAX_DOCUMENT_BYTES
from fingerpost.bundle.scanned import ScannedDocument, scan_document
from fingerpost.errors import KnowledgeError, StoreError
from fingerpost.stores.base import DocumentStore, failure_sentence

_KEPT = 64
_logger = logging.getLogger("fingerpost.bundle")


class Documents:
    """The files of a store. Threads may share it.

    Args:
        store: The store.
    """

    def __init__(self, store: DocumentStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, ScannedDocument] = OrderedDict()

    def read(self, path: str, revision: str = "") -> ScannedDocument:
        """Read one Markdown file.

        Args:
            path: Where it lies.
            revision: The content wanted; with it, a file read before is served from memory.

        Raises:
            KnowledgeNotFoundError: If the file has vanished.
            StoreError: If the file cannot be read.
        """
        with self._lock:
            kept = self._kept.get(path)
            if kept is not None and kept.revision == revision:
                self._kept.move_to_end(path)
                return kept
        scanned = scan_document(self.read_bytes(path), path)
        with self._lock:
            self._kept[path] = scanned
            self._kept.move_to_end(path)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return scanned

    def read_bytes(self, path: str) -> bytes:
        """The content of a Markdown file.

        Raises:
            KnowledgeNotFoundError: If the file has vanished.
            StoreError: If it cannot be read, for whatever reason.
        """
        try:
            return self._store.read_bytes(path, MAX_DOCUMENT_BYTES)
        except KnowledgeError:
            raise
        except Exception as error:
            _logger.warning("The store %s failed on %s.", self._store.identity, path, exc_info=error)
            raise StoreError(
                f"{path!r} cannot be read now. {failure_sentence(error)} Try it again later."
            ) from error
