"""Document stores that are broken on purpose, each in one way."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from fingerpost import DocumentStore, KnowledgeNotFoundError, KnowledgePathError, LocalDocumentStore
from fingerpost import MemoryDocumentStore as Memory


class ReadsByNameAlone(LocalDocumentStore):
    """It reads whatever a path leads to, without a look at the path."""

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        try:
            data = (self.root / path).read_bytes()
        except FileNotFoundError:
            return super().read_bytes(path, max_bytes)
        except (OSError, ValueError):
            return super().read_bytes(path, max_bytes)
        return data if max_bytes is None or len(data) <= max_bytes else super().read_bytes(path, max_bytes)


class Unsorted(Memory):
    def list(self, prefix: str = "") -> list[str]:
        return super().list(prefix)[::-1]


class ListsByTheStartOfNames(Memory):
    def list(self, prefix: str = "") -> list[str]:
        self.normalise(prefix or "x")
        return [path for path in super().list() if path.startswith(prefix)]


class RaisesErrorsOfTheSystem(Memory):
    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        try:
            return super().read_bytes(path, max_bytes)
        except KnowledgeNotFoundError:
            raise FileNotFoundError(path) from None


class ReadsText(Memory):
    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        return super().read_bytes(path, max_bytes).decode("utf-8", "replace").encode()


class CutsAtTheCap(Memory):
    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        return super().read_bytes(path)[:max_bytes]


class IgnoresTheCap(Memory):
    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        return super().read_bytes(path)


class TakesPathsAsTheyAre(Memory):
    """It refuses what is malformed, and knows one spelling alone."""

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        self.normalise(path)
        if path not in self.list() and "//" in path:
            raise KnowledgeNotFoundError(path)
        return super().read_bytes(path, max_bytes)


class SeesNoEdits(Memory):
    def signature(self, path: str) -> str:
        return f"{len(path)}" if super().signature(path) else ""


class SignsEachTimeAnew(Memory):
    asked = 0

    def signature(self, path: str) -> str:
        self.asked += 1
        return f"{super().signature(path)} {self.asked}"


class IgnoresTheCursor(Memory):
    def changes(self, cursor: Any = None) -> Any:
        return super().changes()


class ForgetsWhatWasRemoved(Memory):
    def changes(self, cursor: Any = None) -> Any:
        found = super().changes(cursor)
        return type(found)(found.cursor, found.changed, ())


class RemembersForItself(Memory):
    """It answers with what changed since anybody asked, whatever cursor is given."""

    last: Any = None

    def changes(self, cursor: Any = None) -> Any:
        found = super().changes(self.last if cursor is not None else None)
        self.last = found.cursor
        return found


class WritesNothing(LocalDocumentStore):
    """It says that it is only read, takes what is written, and does nothing."""

    @property
    def writable(self) -> bool:
        return False

    def write_bytes(self, path: str, data: bytes) -> None:
        return


class WritesAnywhere(LocalDocumentStore):
    @property
    def writable(self) -> bool:
        return True

    def write_bytes(self, path: str, data: bytes) -> None:
        try:
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        except (OSError, ValueError) as error:
            raise KnowledgePathError(str(error)) from error

    def delete(self, path: str) -> None:
        (self.root / path).unlink()


class WritesWhatIsHidden(Memory):
    def write_bytes(self, path: str, data: bytes) -> None:
        if not self.normalise(path).startswith(".") and "/." not in path:
            super().write_bytes(path, data)


class ShowsWhatIsHidden(Memory):
    def exists(self, path: str) -> bool:
        return super().exists(path) or path == ".hidden.md"


class ListsWhatIsHidden(LocalDocumentStore):
    def list(self, prefix: str = "") -> list[str]:
        hidden = [str(file.relative_to(self.root)) for file in self.root.rglob(".*") if file.is_file()]
        return sorted([*super().list(prefix), *hidden])


class ReadsOtherwiseInThreads(Memory):
    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        data = super().read_bytes(path, max_bytes)
        return data if threading.current_thread() is threading.main_thread() else data[:3]


class NamesFoldersAsFiles(Memory):
    def exists(self, path: str) -> bool:
        return super().exists(path) or path == "a"


class ClosesOnce(Memory):
    is_closed = False

    def close(self) -> None:
        if self.is_closed:
            raise ValueError("already closed")
        self.is_closed = True


class ChangesItsIdentity(Memory):
    asked = 0

    @property
    def identity(self) -> str:
        self.asked += 1
        return f"memory://{self.asked}"


class ListsNothingAsAnError(Memory):
    def list(self, prefix: str = "") -> list[str]:
        found = super().list(prefix)
        if not found and not prefix:
            raise LookupError("empty")
        return found


IN_A_FOLDER = (ReadsByNameAlone, WritesNothing, WritesAnywhere, ListsWhatIsHidden)


def made(kind: type[DocumentStore], folder: Path) -> DocumentStore:
    """A store of a kind."""
    return kind(folder) if issubclass(kind, IN_A_FOLDER) else kind()  # type: ignore[abstract]
