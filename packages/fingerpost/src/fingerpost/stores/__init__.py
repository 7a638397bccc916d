"""Document stores: bytes at paths, and what changed since a cursor. Nothing here knows of Markdown.

The functions are for those who write a store: they say the same things in the same words.
"""

from __future__ import annotations

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

__all__ = [
    "Changes",
    "Cursor",
    "DocumentStore",
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
