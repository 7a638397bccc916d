"""Document stores: bytes at paths, and what changed since a cursor. Nothing here knows of Markdown."""

from __future__ import annotations

from fingerpost.stores.base import Changes, Cursor, DocumentStore, Skipped
from fingerpost.stores.local import LocalDocumentStore
from fingerpost.stores.memory import MemoryDocumentStore
from fingerpost.stores.registry import from_uri, register

__all__ = [
    "Changes",
    "Cursor",
    "DocumentStore",
    "LocalDocumentStore",
    "MemoryDocumentStore",
    "Skipped",
    "from_uri",
    "register",
]
