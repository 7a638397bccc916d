"""Files that cannot be used are named, each by the rule for its kind, and nothing vouches for them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from fingerpost import Bundle, MemoryDocumentStore, StoreError
from fingerpost.bundle.reading import MAX_DOCUMENT_BYTES
from fingerpost.stores.base import Changes, Cursor
from tests.core.bundle.breaches import concept
from tests.core.bundle.unusable import UNUSABLE, FailingStore

NOW = datetime(2026, 11, 29, tzinfo=UTC)


@pytest.mark.parametrize("code", UNUSABLE)
def test_what_cannot_be_used_is_the_one_thing_reported(code: str, tmp_path: Path) -> None:
    make, path = UNUSABLE[code]
    bundle = Bundle(make(tmp_path))
    for _ in range(2):
        found = bundle.diagnostics(now=NOW)
        assert [(item.code, item.path, item.line) for item in found] == [(code, path, 0)]


@pytest.mark.parametrize("code", UNUSABLE)
def test_a_bundle_conforms_only_if_each_file_of_it_could_be_read(code: str, tmp_path: Path) -> None:
    make, _ = UNUSABLE[code]
    assert Bundle(make(tmp_path)).validate(now=NOW).conformant is (code not in {"OKF404", "OKF405"})


def test_a_file_that_is_too_large_is_said_once_to_be_split(tmp_path: Path) -> None:
    make, _ = UNUSABLE["OKF405"]
    (found,) = Bundle(make(tmp_path)).diagnostics(now=NOW)
    size, cap = len(concept("x" * MAX_DOCUMENT_BYTES)), MAX_DOCUMENT_BYTES
    held = f"'b.md' holds {size:,} bytes, more than the {cap:,} bytes that are read"
    assert found.reason == f"{held}, so nothing of it is used."
    assert found.cure == "Split it into smaller concepts."


def test_an_index_that_cannot_be_read_is_reported_too() -> None:
    store = FailingStore({"a.md": concept(), "index.md": "# All\n"}, "index.md")
    found = Bundle(store).validate(now=NOW)
    assert [(item.code, item.path) for item in found.diagnostics] == [("OKF404", "index.md")]
    assert found.conformant is False


class DownStore(MemoryDocumentStore):
    """A store that can be made to fail as a whole."""

    is_down = False

    def changes(self, cursor: Cursor | None = None) -> Changes:
        if self.is_down:
            raise StoreError("The store does not answer.")
        return super().changes(cursor)


def test_a_store_that_fails_later_keeps_its_knowledge_and_loses_its_verdict() -> None:
    store = DownStore({"a.md": concept()})
    bundle = Bundle(store)
    assert bundle.validate(now=NOW).conformant is True
    store.is_down = True
    found = bundle.validate(now=NOW)
    reported = [(item.code, item.path, item.reason) for item in found.diagnostics]
    assert reported == [("OKF404", "", "The store does not answer.")]
    assert (found.conformant, found.concepts) == (False, 1)
