"""Document stores: bytes at paths, and what changed since a cursor. Nothing here knows of Markdown.

The functions are for those who write a store: they say the same things in the same words.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from fingerpost.stores.base import (
    Changes,
    Cursor,
    DocumentStore,
    Skipped,
    changes_since,
    conflict,
    hidden_entries,
    is_hidden,
    not_found,
    served,
    too_large,
    writable_path,
)
from fingerpost.stores.local import LocalDocumentStore
from fingerpost.stores.memory import MemoryDocumentStore
from fingerpost.stores.registry import from_uri, register
from fingerpost.stores.remarks import Remarks

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
    "Remarks",
    "Skipped",
    "changes_since",
    "conflict",
    "from_uri",
    "hidden_entries",
    "is_hidden",
    "not_found",
    "register",
    "served",
    "too_large",
    "writable_path",
]

_LOADED_LATER = {"ArchiveDocumentStore": "archive", "GitDocumentStore": "git"}


def __getattr__(name: str) -> object:
    home = _LOADED_LATER.get(name)
    if home is None:
        raise AttributeError(f"module 'fingerpost.stores' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"fingerpost.stores.{home}"), name)
    return value
