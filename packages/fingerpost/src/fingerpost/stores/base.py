"""The joint between storage and everything above it: `DocumentStore`."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Self, TypeAlias

from fingerpost.errors import (
    ConflictError,
    KnowledgeCapabilityError,
    KnowledgeError,
    KnowledgeNotFoundError,
    KnowledgePathError,
    StoreError,
    TooLargeError,
)
from fingerpost.stores.addresses import plain_path
from fingerpost.stores.changes import Changes, Skipped, changes_since
from fingerpost.stores.cursor import Cursor

__all__ = [
    "Changes",
    "Cursor",
    "DocumentStore",
    "Paths",
    "Skipped",
    "changes_since",
    "conflict",
    "failure_sentence",
    "hidden_entries",
    "is_hidden",
    "not_found",
    "plain_path",
    "served",
    "too_large",
    "writable_path",
]

Paths: TypeAlias = list[str]


def is_hidden(path: str) -> bool:
    """Whether a segment of a normalised path starts with a dot; such paths are not served by any store."""
    return path.startswith(".") or "/." in path


class DocumentStore(ABC):
    """Bytes at paths. Thread-safe; every error is a `KnowledgeError`.

    A path is relative, separated by "/", and free of ".." and backslashes. Paths with a segment that starts
    with a dot are hidden: not listed, and not found when asked for.
    """

    @staticmethod
    def from_uri(uri: str | os.PathLike[str]) -> DocumentStore:
        """The store that an address names; see `fingerpost.stores.from_uri`.

        Raises:
            ConfigError: The address names no store that there is; the sentence lists the schemes.
            KnowledgeError: The store cannot be opened.
        """
        from fingerpost.stores.registry import from_uri

        return from_uri(uri)

    @property
    def writable(self) -> bool:
        """Whether `write_bytes` works."""
        return False

    @property
    @abstractmethod
    def identity(self) -> str:
        """A stable text that names what is stored, such as "file:///srv/kb"; holds no secrets."""

    @property
    def earlier_identities(self) -> tuple[str, ...]:
        """The identities of stores that held much the same documents, the latest first."""
        return ()

    @property
    def is_lasting(self) -> bool:
        """Whether the identity names the same documents in the next process too, so that its cursors do."""
        return True

    @property
    def has_cheap_changes(self) -> bool:
        """Whether `changes` costs so little that it is asked at every call; else it is once in a while."""
        return False

    @abstractmethod
    def list(self, prefix: str = "") -> Paths:
        """The sorted paths of all files in a folder and the folders below it.

        Args:
            prefix: The folder, "" for everything. A folder that does not exist has no files.

        Raises:
            KnowledgePathError: The prefix is malformed.
            StoreError: The storage cannot be listed.
        """

    @abstractmethod
    def signature(self, path: str) -> str:
        """An opaque text that differs whenever the content of a file may differ.

        One that ends in "~" belongs to a file that may change again without another signature: it is reported
        as changed in every call until it has another.

        Raises:
            KnowledgeNotFoundError: No file is served at the path.
            KnowledgePathError: The path is malformed or leaves the store.
            StoreError: What lies there is no file, or cannot be examined.
        """

    @abstractmethod
    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        """The content of a file.

        Args:
            path: The file.
            max_bytes: The most that may be read; None for no cap.

        Raises:
            KnowledgeNotFoundError: No file is served at the path.
            KnowledgePathError: The path is malformed or leaves the store.
            StoreError: The file is larger than `max_bytes`, is no file, or cannot be read.
        """

    def read_many(
        self, paths: Iterable[str], max_bytes: int | None = None
    ) -> Iterator[tuple[str, bytes | Exception]]:
        """The contents of many files; a store whose reads take long overrides it to read some ahead.

        Args:
            paths: The files. They may be asked for before the contents of earlier ones are taken.
            max_bytes: The most that may be read of each; None for no cap.

        Yields:
            Each path with its content, or with what `read_bytes` raised, in the order of the paths.
        """
        for path in paths:
            try:
                found: bytes | Exception = self.read_bytes(path, max_bytes)
            except Exception as error:  # noqa: BLE001 - one file that cannot be read must not sink the rest
                found = error
            yield path, found

    def exists(self, path: str) -> bool:
        """Whether a file is served at a path; False also for a malformed path.

        Raises:
            StoreError: The storage cannot tell.
        """
        try:
            self.signature(path)
        except (KnowledgeNotFoundError, KnowledgePathError):
            return False
        except StoreError:
            if self.list(path):  # a folder, and no file
                return False
            raise
        return True

    def write_bytes(self, path: str, data: bytes) -> None:
        """Create or replace a file.

        Raises:
            KnowledgeCapabilityError: This store only reads.
            KnowledgePathError: The path is malformed or hidden.
            StoreError: The file cannot be written.
        """
        raise KnowledgeCapabilityError(
            f"{path!r} was not written, {len(data):,} bytes: the store {self.identity} can only be read; "
            f"choose a store that can be written."
        )

    def delete(self, path: str) -> None:
        """Remove a file.

        Raises:
            KnowledgeCapabilityError: This store removes nothing.
            KnowledgeNotFoundError: No file is served at the path.
            KnowledgePathError: The path is malformed.
            StoreError: The file cannot be removed.
        """
        raise KnowledgeCapabilityError(
            f"{path!r} was not removed: nothing can be removed from the store {self.identity}."
        )

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        """Create, replace or remove a file, if it still holds what its writer has read.

        Of several writers that bring the same `old` at the same time, one succeeds. As it stands here, that
        holds for the threads of one process; a store that several processes write to overrides it.

        Args:
            path: The file.
            old: What it has to hold; None for a file that must not be there.
            new: What it is to hold; None to remove it.

        Raises:
            ConflictError: The file holds something else; nothing was written.
            KnowledgeError: As `write_bytes` and `delete`.
        """
        with _swapping:
            try:
                held = self.read_bytes(path)
            except KnowledgeNotFoundError:
                held = None
            if held != old:
                raise conflict(path)
            if new is not None:
                self.write_bytes(path, new)
            elif old is not None:
                self.delete(path)

    def leads_to(self, path: str) -> str:
        """The path of the file that is written at a path: another one where links lead elsewhere.

        Raises:
            KnowledgePathError: The path is malformed.
            StoreError: The storage cannot tell.
        """
        return self.normalise(path)

    def changes(self, cursor: Cursor | None = None) -> Changes:
        """What changed since a cursor.

        Args:
            cursor: What an earlier call returned; None to have every file reported.

        Raises:
            StoreError: The storage cannot be listed at all; what was known before still holds as far as
                anyone knows.
        """
        found: list[tuple[str, str]] = []
        unread: set[str] = set()
        skipped: list[Skipped] = []
        for path in self.list():
            try:
                found.append((path, self.signature(path)))
            except KnowledgeNotFoundError:
                continue
            except Exception as error:  # noqa: BLE001 - one file that cannot be examined must not hide the rest
                skipped.append(Skipped(path, "OKF404", failure_sentence(error)))
                unread.add(path)
        return changes_since(cursor, Cursor.of(found), unread, tuple(skipped))

    def close(self) -> None:
        """Release what the store holds; a second call does nothing."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    @staticmethod
    def normalise(path: str) -> str:
        """A path in its one spelling: "a//b/./c/" becomes "a/b/c".

        Raises:
            KnowledgePathError: The path is empty, absolute, holds "..", a backslash or a NUL, or is not valid
                Unicode.
        """
        for forbidden, reason in _FORBIDDEN.items():
            if forbidden in path:
                raise KnowledgePathError(f"The path {path!r} {reason}")
        if path.startswith("/"):
            raise KnowledgePathError(f"The path {path!r} is absolute; give it relative to the store.")
        if not path.isascii():
            try:
                path.encode()
            except UnicodeEncodeError:
                raise KnowledgePathError(
                    f"The path {path!a} is not valid Unicode text; use the name as it is listed."
                ) from None
        segments = [segment for segment in path.split("/") if segment not in {"", "."}]
        if ".." in segments:
            raise KnowledgePathError(
                f"The path {path!r} holds '..'; give it relative to the store's top folder."
            )
        if not segments:
            raise KnowledgePathError(
                f"The path {path!r} names no file; give a path such as 'folder/file.md'."
            )
        return "/".join(segments)


_swapping = threading.Lock()
_FORBIDDEN = {
    "\0": "holds a NUL character; remove it.",
    "\\": "holds a backslash; separate folders with '/'.",
}


def served(path: str) -> str:
    """A path in its one spelling, when a store may serve it.

    Raises:
        KnowledgePathError: The path is malformed.
        KnowledgeNotFoundError: The path is hidden.
    """
    path = DocumentStore.normalise(path)
    if is_hidden(path):
        raise KnowledgeNotFoundError(f"{path!r} is hidden: names that start with a dot are not served.")
    return path


def writable_path(path: str) -> str:
    """A path in its one spelling, when a store may write to it.

    Raises:
        KnowledgePathError: The path is malformed or hidden.
    """
    path = DocumentStore.normalise(path)
    if is_hidden(path):
        raise KnowledgePathError(f"{path!r} would be hidden; choose a name that does not start with a dot.")
    return path


def conflict(path: str) -> ConflictError:
    """The sentence about a file that is not what its writer takes it for."""
    return ConflictError(f"{path!r} was changed by somebody else and is not written; read it again.")


def failure_sentence(error: Exception) -> str:
    """Why a store failed: its own sentence, or the kind alone of an error that was not meant for readers."""
    if isinstance(error, KnowledgeError):
        return str(error)
    return f"The store failed with {type(error).__name__}."


def not_found(path: str) -> KnowledgeNotFoundError:
    """The sentence about a path under which nothing is stored."""
    return KnowledgeNotFoundError(f"No file is stored at {path!r}; list the store to see what there is.")


def too_large(path: str, size: int | None, max_bytes: int) -> TooLargeError:
    """The sentence about a file that holds more bytes than the reader takes.

    Args:
        path: The file.
        size: Its size in bytes; None when it grew while it was read.
        max_bytes: The reader's cap.
    """
    held = "grew while it was read and now holds" if size is None else f"holds {size:,} bytes,"
    return TooLargeError(
        f"{path!r} {held} more than the {max_bytes:,} bytes that are read, so nothing of it is used."
    )


def hidden_entries(count: int, examples: list[str]) -> Skipped:
    """The one entry that sums up what is hidden in a store."""
    named = ", ".join(repr(example) for example in examples)
    more = ", ..." if count > len(examples) else ""
    subject = "1 hidden entry is" if count == 1 else f"{count:,} hidden entries are"
    return Skipped("", "OKF401", f"{subject} left out: {named}{more}.", count)
