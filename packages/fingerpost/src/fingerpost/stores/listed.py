"""Stores whose files are all known at each moment: one state after the other, each served as a whole."""

from __future__ import annotations

import os
import threading
from abc import abstractmethod
from collections.abc import Iterable

from fingerpost.errors import ConfigError, KnowledgePathError, StoreError
from fingerpost.stores.base import (
    Changes,
    Cursor,
    DocumentStore,
    Paths,
    Skipped,
    changes_since,
    not_found,
    served,
)
from fingerpost.stores.cursor import entries, split


class Listing:
    """What a store serves at one moment.

    Attributes:
        cursor: The files.
        skipped: What lies there and is not served.
    """

    __slots__ = ("_folder", "_unchanged", "cursor", "skipped")

    def __init__(self, signatures: Iterable[tuple[str, str]], skipped: tuple[Skipped, ...] = ()) -> None:
        self.skipped = skipped
        self._keep(Cursor.of(signatures))
        self._folder: tuple[str, dict[str, str]] | None = None

    def signature(self, path: str) -> str:
        """The signature of a file.

        Args:
            path: Its path as `served` gives it.

        Raises:
            KnowledgeNotFoundError: No file is served there.
            StoreError: It is a folder.
        """
        folder, name = split(path)
        known = self._folder
        if known is None or known[0] != folder:  # files of one folder are asked for one after the other
            self._folder = known = (folder, entries(self.cursor.parts.get(folder, "")))
        signature = known[1].get(name)
        if signature is not None:
            return signature
        if path in self.cursor.parts or any(place.startswith(f"{path}/") for place in self.cursor.parts):
            raise StoreError(f"{path!r} is a folder; name a file in it.")
        raise not_found(path)

    def since(self, cursor: Cursor | None) -> Changes:
        """What changed since a cursor."""
        unchanged = self._unchanged
        if cursor is unchanged.cursor:
            return unchanged
        found = changes_since(cursor, unchanged.cursor, skipped=self.skipped)
        self._keep(found.cursor)  # of the same files: whoever brings it next time has nothing to compare
        return found

    def _keep(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self._unchanged = Changes(cursor, (), (), skipped=self.skipped)


class ListedStore(DocumentStore):
    """A store that serves one listing at a time."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()

    def locked(self) -> threading.Lock:
        """The lock of this process; nobody is left in a forked child to release that of its parent."""
        if self._process != os.getpid():
            self._begin()
        return self._lock

    @abstractmethod
    def current(self) -> Listing:
        """What is served now.

        Raises:
            StoreError: Nothing can be served.
        """

    @abstractmethod
    def renewed(self) -> Listing:
        """What is served from now on, after a look at what there is.

        Raises:
            StoreError: It cannot be looked at; what was served is served on.
        """

    def list(self, prefix: str = "") -> Paths:
        """See `DocumentStore.list`."""
        below = f"{self.normalise(prefix)}/" if prefix else ""
        return sorted(path for path in self.current().cursor.paths() if path.startswith(below))

    def signature(self, path: str) -> str:
        """See `DocumentStore.signature`."""
        return self.current().signature(served(path))

    def changes(self, cursor: Cursor | None = None) -> Changes:
        """See `DocumentStore.changes`."""
        return self.renewed().since(cursor)


def folder_within(folder: str) -> str:
    """The folder of the documents in a repository or an archive, in its one spelling; "" for the top.

    Raises:
        ConfigError: It is malformed.
    """
    try:
        return DocumentStore.normalise(folder.strip("/")) if folder.strip("/") else ""
    except KnowledgePathError as error:
        raise ConfigError(f"The folder of the documents cannot be {folder!r}. {error}") from None
