"""For each rule about files that cannot be used, a store that breaks it in one place."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from fingerpost import DocumentStore, LocalDocumentStore, MemoryDocumentStore, StoreError
from fingerpost.bundle.reading import MAX_DOCUMENT_BYTES
from tests.core.bundle.breaches import concept


class FailingStore(MemoryDocumentStore):
    """A store of which one file cannot be read."""

    def __init__(self, files: dict[str, str], failing: str) -> None:
        super().__init__(files)
        self._failing = failing

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path == self._failing:
            raise StoreError(f"{path!r} cannot be read: the disk failed.")
        return super().read_bytes(path, max_bytes)


def on_disk(folder: Path) -> Path:
    (folder / "a.md").write_text(concept(), encoding="utf-8")
    return folder


def hidden(folder: Path) -> DocumentStore:
    (on_disk(folder) / ".draft.md").write_text("x", encoding="utf-8")
    return LocalDocumentStore(folder)


def leaving(folder: Path) -> DocumentStore:
    os.symlink("/etc/hostname", on_disk(folder) / "out.md")
    return LocalDocumentStore(folder)


def pipe(folder: Path) -> DocumentStore:
    os.mkfifo(on_disk(folder) / "pipe.md")
    return LocalDocumentStore(folder)


def circle(folder: Path) -> DocumentStore:
    os.symlink(".", on_disk(folder) / "again")
    return LocalDocumentStore(folder)


def failing(folder: Path) -> DocumentStore:
    return FailingStore({"a.md": concept(), "b.md": concept()}, "b.md")


def too_large(folder: Path) -> DocumentStore:
    return MemoryDocumentStore({"a.md": concept(), "b.md": concept("x" * MAX_DOCUMENT_BYTES)})


UNUSABLE: dict[str, tuple[Callable[[Path], DocumentStore], str]] = {
    "OKF401": (hidden, ""),
    "OKF402": (leaving, "out.md"),
    "OKF403": (pipe, "pipe.md"),
    "OKF404": (failing, "b.md"),
    "OKF405": (too_large, "b.md"),
    "OKF406": (circle, "again"),
}
