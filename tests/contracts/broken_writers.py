"""Document stores that write wrongly on purpose, each in one way."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Self

from fingerpost import (
    KnowledgeCapabilityError,
    KnowledgeNotFoundError,
    KnowledgePathError,
    MemoryDocumentStore,
)

_A_MOMENT = 0.0005


class Shared(MemoryDocumentStore):
    """Memory that several objects share. It does no wrong, and is what all the others are made of.

    Attributes:
        folder: Where a careless one writes files.
    """

    folder = Path()

    def over_the_same(self) -> Self:
        other = type(self)()
        other._files, other._lock, other._identity = self._files, self._lock, self._identity
        return other

    def held(self, path: str) -> bytes | None:
        try:
            return self.read_bytes(path)
        except KnowledgeNotFoundError:
            return None


class SaysThatItIsOnlyRead(Shared):
    @property
    def writable(self) -> bool:
        return False


class WritesAndRemovesNothing(Shared):
    def delete(self, path: str) -> None:
        raise KnowledgeCapabilityError("nothing is removed")


class LosesEmptyFiles(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        if data:
            super().write_bytes(path, data)


class WritesText(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data.decode("utf-8", "replace").encode())


class CutsLargeFiles(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data[: 1 << 19])


class KnowsNoNewFolders(Shared):
    """Who writes to a folder has to make one first, and cannot."""

    def write_bytes(self, path: str, data: bytes) -> None:
        if path.startswith("new/folders/further"):
            raise FileNotFoundError(path)
        super().write_bytes(path, data)


class ListsNoNewFolders(Shared):
    def list(self, prefix: str = "") -> list[str]:
        return [path for path in super().list(prefix) if not path.startswith("new/folders/")]


class DeniesWhatIsNew(Shared):
    def exists(self, path: str) -> bool:
        return super().exists(path) and path != "new.md"


class SeesFilesThatAreGone(Shared):
    def exists(self, path: str) -> bool:
        return super().exists(path) or path == "b.md"


class WritesPathsAsTheyAre(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data)
        if "//" in path:
            self._files[path] = self._files.pop(self.normalise(path))


class WritesOverTheStart(Shared):
    """What was longer before keeps its end."""

    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data + (self.held(path) or b"")[len(data) :])


class KeepsTheBuffer(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data)
        path = self.normalise(path)
        self._files[path] = (self._files[path][0], data)

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        return bytes(super().read_bytes(path, max_bytes))


class SignsByLength(Shared):
    def signature(self, path: str) -> str:
        return super().signature(path) and f"{len(self.read_bytes(path))} bytes"


class SignsAnewAfterRemoval(Shared):
    """It counts writes, and forgets the count of what is removed."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}

    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data)
        self.counts[path] = self.counts.get(path, 0) + 1

    def delete(self, path: str) -> None:
        super().delete(path)
        self.counts[path] = 1

    def signature(self, path: str) -> str:
        return super().signature(path) and f"written {self.counts.get(path)} times"


class ForgetsRemovals(Shared):
    def changes(self, cursor: Any = None) -> Any:
        found = super().changes(cursor)
        return type(found)(found.cursor, found.changed, ())


class TellsNothingOfSwaps(Shared):
    """It notes what is written, and not what is swapped."""

    def __init__(self) -> None:
        super().__init__()
        self.swapped: set[str] = set()

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        super().swap_bytes(path, old, new)
        self.swapped.add(path)

    def changes(self, cursor: Any = None) -> Any:
        found = super().changes(cursor)
        kept = [path for path in found.changed if path not in self.swapped or cursor is None]
        return type(found)(found.cursor, tuple(kept), found.removed)


class ClimbsOut(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        if path.startswith("../"):
            (self.folder / path).write_bytes(data)
        super().write_bytes(path, data)


class RefusesTooLate(Shared):
    """What is hidden is written, and then found to be hidden."""

    def write_bytes(self, path: str, data: bytes) -> None:
        if path == ".hidden.md":
            (self.folder / path).write_bytes(data)
        super().write_bytes(path, data)


class WritesUnderAnotherName(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        try:
            super().write_bytes(path, data)
        except KnowledgePathError:
            super().write_bytes("refused.md", data)
            raise


class SwapsWhatIsHidden(Shared):
    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        if path != ".hidden.md":
            super().swap_bytes(path, old, new)


class PutsFilesInPlaceOfFolders(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data)
        for other in [each for each in self._files if each.startswith(f"{self.normalise(path)}/")]:
            del self._files[other]


class SaysNothingOfClashes(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        if "a.md/" not in path:
            super().write_bytes(path, data)


class RaisesErrorsOfTheSystem(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        if "a.md/" in path:
            raise NotADirectoryError(path)
        super().write_bytes(path, data)


class RemovesInSilence(Shared):
    def delete(self, path: str) -> None:
        if self.exists(path) or path.startswith("."):
            super().delete(path)
        else:
            self.normalise(path)


class RaisesKeyErrors(Shared):
    def delete(self, path: str) -> None:
        try:
            super().delete(path)
        except KnowledgeNotFoundError:
            raise KeyError(path) from None


class RemovesFolders(Shared):
    def delete(self, path: str) -> None:
        for each in self.list(path) if path else ():
            super().delete(each)
        super().delete(path)


class RemovesTheContentAlone(Shared):
    """An empty file is left."""

    def delete(self, path: str) -> None:
        super().delete(path)
        self.write_bytes(path, b"")


class ListsTemporaryFiles(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        if path == "b.md":
            super().write_bytes(f"{path}.tmp", data)
            time.sleep(_A_MOMENT)
            self.delete(f"{path}.tmp")
        super().write_bytes(path, data)


class LeavesTemporaryFiles(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data)
        if path.startswith("new/1"):
            super().write_bytes(f"{path}~", data)


class RemovesBeforeItWrites(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        if self.held(path) is not None:
            self.delete(path)
            time.sleep(_A_MOMENT)
        super().write_bytes(path, data)


class WritesInTwoSteps(Shared):
    def write_bytes(self, path: str, data: bytes) -> None:
        if self.held(path) is not None:
            super().write_bytes(path, data[: len(data) // 2])
            time.sleep(_A_MOMENT)
        super().write_bytes(path, data)
