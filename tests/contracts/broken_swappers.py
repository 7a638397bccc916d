"""Document stores that several write to, each broken on purpose in one way."""

from __future__ import annotations

import threading
import time

from fingerpost import ConflictError, DocumentStore, StoreError
from tests.contracts.broken_writers import Shared

_A_MOMENT = 0.0005


class TakesOldAsItIsTold(Shared):
    """Whatever is there is replaced or removed."""

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        time.sleep(_A_MOMENT)
        super().swap_bytes(path, self.held(path), new)


class TakesEmptyForNothing(Shared):
    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        held = self.held(path)
        super().swap_bytes(path, held if (held or b"") == (old or b"") else old, new)


class ComparesLengths(Shared):
    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        held = self.held(path)
        is_like = held is not None and old is not None and len(held) == len(old)
        super().swap_bytes(path, held if is_like else old, new)


class CreatesOverAnything(Shared):
    """Nobody creates a file that is there, it thinks, and writes."""

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        super().swap_bytes(path, self.held(path) if old is None and new is not None else old, new)


class RemovesAnything(Shared):
    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        super().swap_bytes(path, self.held(path) if new is None else old, new)


class RefusesTheSameBytes(Shared):
    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        if old == new:
            raise ConflictError("nothing to do")
        super().swap_bytes(path, old, new)


class WritesBeforeItRefuses(Shared):
    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        if (held := self.held(path)) != old and held is not None and new is not None:
            super().swap_bytes(path, held, new)
        super().swap_bytes(path, old, new)


class CallsConflictsErrorsOfTheStore(Shared):
    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        try:
            super().swap_bytes(path, old, new)
        except ConflictError as error:
            raise StoreError(str(error)) from error


class ComparesFirstAndWritesLater(Shared):
    """Two steps, between which others come."""

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        if self.held(path) != old:
            raise ConflictError(path)
        time.sleep(_A_MOMENT)
        super().swap_bytes(path, self.held(path), new)


class CreatesWithoutALock(Shared):
    """As above, of files that are new alone."""

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        if old is None and new is not None and self.held(path) is None:
            time.sleep(_A_MOMENT)
            old = self.held(path)
        super().swap_bytes(path, old, new)


class LetsNobodyAppend(Shared):
    """Whoever swaps a file that was swapped before is told of a conflict."""

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        if path == "log.md" and old:
            raise ConflictError(path)
        super().swap_bytes(path, old, new)


class ReadsOnce(Shared):
    """It reads a file once, and remembers it until it writes it itself."""

    def __init__(self) -> None:
        super().__init__()
        self.read: dict[str, bytes] = {}
        self.turn = threading.Lock()

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        with self.turn:
            data = super().read_bytes(path, max_bytes)
            return self.read.setdefault(self.normalise(path), data)

    def write_bytes(self, path: str, data: bytes) -> None:
        with self.turn:
            super().write_bytes(path, data)
            self.read.pop(self.normalise(path), None)

    def delete(self, path: str) -> None:
        with self.turn:
            super().delete(path)
            self.read.pop(self.normalise(path), None)

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        with self.turn:
            super().swap_bytes(path, old, new)
            self.read.pop(self.normalise(path), None)


class NamesItself(Shared):
    """Each object has a name, and says that it lasts."""

    @property
    def identity(self) -> str:
        return f"memory:{id(self)}"

    @property
    def is_lasting(self) -> bool:
        return True


class RemembersWhatItWrote(Shared):
    """What it wrote itself it takes for what is there, whoever has written since."""

    def __init__(self) -> None:
        super().__init__()
        self.wrote: dict[str, bytes] = {}
        self.turn = threading.Lock()

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        with self.turn:
            if old is not None and self.wrote.get(path) == old:
                old = self.held(path)
            super().swap_bytes(path, old, new)
            if new is not None:
                self.wrote[path] = new

    def write_bytes(self, path: str, data: bytes) -> None:
        super().write_bytes(path, data)
        self.wrote.pop(path, None)


class TakesTurnsInOneProcess(Shared):
    """Its place outlives the process, and its writers take turns within one."""

    swap_bytes = DocumentStore.swap_bytes

    @property
    def identity(self) -> str:
        return "memory:shared"

    @property
    def is_lasting(self) -> bool:
        return True
