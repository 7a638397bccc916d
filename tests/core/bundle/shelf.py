"""A store in memory for tests of what is kept from one process to the next."""

from __future__ import annotations

import threading
from collections import Counter

from fingerpost import MemoryDocumentStore


def concept(body: str, **fields: str) -> str:
    lines = [f"{key}: {value}" for key, value in {"type": "Note", **fields}.items()]
    return "---\n" + "\n".join(lines) + f"\n---\n{body}\n"


class Shelf(MemoryDocumentStore):
    """Files with a name that means the same in the next process; counts how often each is read."""

    def __init__(self, files: dict[str, str], name: str = "shelf:one") -> None:
        super().__init__(files)
        self.name = name
        self.reads = Counter[str]()
        self.gate: threading.Event | None = None
        self.is_reached = threading.Event()

    @property
    def identity(self) -> str:
        return self.name

    @property
    def is_lasting(self) -> bool:
        return True

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        self.reads[path] += 1
        if self.gate is not None and self.reads[path] > 1:
            self.is_reached.set()
            assert self.gate.wait(30)
        return super().read_bytes(path, max_bytes)
