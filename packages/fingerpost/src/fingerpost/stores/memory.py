"""A store that lives in memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import replace
from hashlib import blake2b

from fingerpost.errors import KnowledgeNotFoundError, KnowledgePathError, StoreError
from fingerpost.stores.base import (
    Changes,
    Cursor,
    DocumentStore,
    Paths,
    conflict,
    hidden_entries,
    is_hidden,
    not_found,
    served,
    too_large,
    writable_path,
)
from fingerpost.stores.remarks import hidden_part

_HIDDEN_EXAMPLES = 3


class MemoryDocumentStore(DocumentStore):
    """Files in memory, for tests, for generated knowledge, and as the plain example of a store.

    Signatures are hashes of the content: writing the same bytes again is no change.

    Args:
        files: Path to content; text is stored as UTF-8. Hidden paths are kept out of sight and counted, as on
            disk.
    """

    def __init__(self, files: Mapping[str, bytes | str] | None = None) -> None:
        self._lock = threading.Lock()
        self._identity = f"memory://{os.urandom(8).hex()}"
        self._files: dict[str, tuple[str, bytes]] = {}
        for path, content in (files or {}).items():
            data = content.encode() if isinstance(content, str) else bytes(content)
            self._files[self.normalise(path)] = (_signature(data), data)

    @property
    def writable(self) -> bool:
        """True."""
        return True

    @property
    def identity(self) -> str:
        """A name that is unique to this object."""
        return self._identity

    @property
    def is_lasting(self) -> bool:
        """False."""
        return False

    @property
    def has_cheap_changes(self) -> bool:
        """True."""
        return True

    def list(self, prefix: str = "") -> Paths:
        """See `DocumentStore.list`."""
        folder = f"{self.normalise(prefix)}/" if prefix else ""
        with self._lock:
            return sorted(path for path in self._files if path.startswith(folder) and not is_hidden(path))

    def signature(self, path: str) -> str:
        """See `DocumentStore.signature`."""
        return self._file(path)[0]

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        """See `DocumentStore.read_bytes`."""
        _, data = self._file(path)
        if max_bytes is not None and len(data) > max_bytes:
            raise too_large(path, len(data), max_bytes)
        return data

    def exists(self, path: str) -> bool:
        """See `DocumentStore.exists`."""
        try:
            path = served(path)
        except (KnowledgeNotFoundError, KnowledgePathError):
            return False
        with self._lock:
            return path in self._files

    def write_bytes(self, path: str, data: bytes) -> None:
        """See `DocumentStore.write_bytes`."""
        path = writable_path(path)
        with self._lock:
            self._files[path] = (_signature(data), bytes(data))

    def delete(self, path: str) -> None:
        """See `DocumentStore.delete`."""
        path = served(path)
        with self._lock:
            if self._files.pop(path, None) is None:
                raise not_found(path)

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        """See `DocumentStore.swap_bytes`."""
        path = writable_path(path)
        with self._lock:
            if self._files.get(path, ("", None))[1] != old:
                raise conflict(path)
            if new is None:
                self._files.pop(path, None)
            else:
                self._files[path] = (_signature(new), bytes(new))

    def changes(self, cursor: Cursor | None = None) -> Changes:
        """See `DocumentStore.changes`."""
        with self._lock:
            hidden = sorted({hidden_part(path) for path in self._files if is_hidden(path)})
        found = super().changes(cursor)
        return replace(
            found, skipped=(hidden_entries(len(hidden), hidden[:_HIDDEN_EXAMPLES]),) if hidden else ()
        )

    def _file(self, path: str) -> tuple[str, bytes]:
        path = served(path)
        with self._lock:
            if (file := self._files.get(path)) is not None:
                return file
            is_folder = any(other.startswith(f"{path}/") for other in self._files)
        if is_folder:
            raise StoreError(f"{path!r} is a folder; name a file in it.")
        raise not_found(path)


def _signature(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
