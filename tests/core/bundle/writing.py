"""A small bundle to write to, and who writes to it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from fingerpost import (
    Bundle,
    MemoryDocumentStore,
)
from fingerpost.bundle.writer import BundleWriter

NOW = datetime(2026, 11, 30, 12, 30, 45, 999, UTC)
REFUNDS = b"""---
# who looks after it
type: Policy
title:   'Refunds'  # as in the shop
x-limit: 0755
version: 1.10
tags: [money, "returns"]
verified:
  - {by: human:ada, at: 2026-01-01}
generated:
  by: process:importer
  at: 2025-12-01
---

Within 30 days.

## Exceptions

None.
"""
FILES = {
    "policies/refunds.md": REFUNDS,
    "policies/new.md": b"---\ntype: Policy\n---\nThe new rule.\n",
    "broken.md": b"---\ntype: [\n---\nText\n",
    "notes.txt": b"x",
}


def writer(files: dict[str, bytes] | None = None, **settings: Any) -> BundleWriter:
    bundle = Bundle(MemoryDocumentStore(FILES if files is None else files), cache="")
    settings = {"actor": "process:curator", **settings}
    return BundleWriter(bundle, clock=lambda: NOW, **settings)


def held(writer: BundleWriter, path: str) -> bytes:
    return writer.bundle.store.read_bytes(path)
