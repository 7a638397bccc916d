"""Document stores: bytes at paths, and what changed since a cursor. Nothing here knows of Markdown."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from fingerpost.stores.base import Changes, Cursor, DocumentStore, Skipped
from fingerpost.stores.local import LocalDocumentStore
from fingerpost.stores.memory import MemoryDocumentStore
from fingerpost.stores.registry import from_uri, register

if TYPE_CHECKING:
    from fingerpost.stores.archive import ArchiveDocumentStore
    from fingerpost.stores.git import GitDocumentStore

__all__ = [
    "ArchiveDocumentStore",
    "Changes",
    "Cursor",
    "DocumentStore",
    "GitDocumentStore",
    "LocalDocumentStore",
    "MemoryDocumentStore",
    "Skipped",
    "from_uri",
    "register",
]

_LOADED_LATER = {"ArchiveDocumentStore": "archive", "GitDocumentStore": "git"}


def __getattr__(name: str) -> object:
    home = _LOADED_LATER.get(name)
    if home is None:
        raise AttributeError(f"module 'fingerpost.stores' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"fingerpost.stores.{home}"), name)
    return value
