"""`DocumentKnowledgeBase`: a store below a knowledge base."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from fingerpost import LocalDocumentStore, MemoryDocumentStore, StoreError
from fingerpost.capabilities import KnowledgeCapabilities
from fingerpost.errors import ConfigError, KnowledgeCapabilityError, KnowledgePathError
from fingerpost.knowledge.documents import DocumentKnowledgeBase
from fingerpost.records import Record
from fingerpost.stores.base import DocumentStore


class Notes(DocumentKnowledgeBase):
    """Plain notes, fetched by their paths."""

    def __init__(self, store: DocumentStore, **declared: Any) -> None:
        declares = KnowledgeCapabilities(kinds=["document"], **(declared or {"fetch": True}))
        super().__init__(store, declares, "notes")

    @property
    def backend_name(self) -> str:
        return "notes"

    def connect(self, **kwargs: Any) -> None:
        """Nothing to connect to."""

    def get_description(self) -> str:
        return "Notes."

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        read = {id_: self._read_document(id_) for id_ in ids}
        return [
            {"text": data.decode(), "metadata": {"id": id_}} for id_, data in read.items() if data is not None
        ]


class Sealed(MemoryDocumentStore):
    """A store that cannot be written."""

    @property
    def writable(self) -> bool:
        return False


@pytest.mark.parametrize(
    ("store", "declared", "is_writable"),
    [
        (MemoryDocumentStore(), True, True),
        (MemoryDocumentStore(), False, False),
        (Sealed(), True, False),
        (Sealed(), False, False),
    ],
)
def test_the_more_restrictive_side_wins(store: DocumentStore, declared: bool, is_writable: bool) -> None:
    capabilities = KnowledgeCapabilities(fetch=True, writable=declared)
    base = Notes(store, fetch=True, writable=declared)
    assert base.capabilities.writable is is_writable
    assert capabilities.writable is declared
    if not is_writable:
        with pytest.raises(KnowledgeCapabilityError, match="'notes' does not offer write"):
            base.write([{"text": "x"}])


def test_nothing_but_writing_on_a_store_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(ConfigError, match="'notes' declares nothing"):
        Notes(Sealed(), writable=True)


def test_what_is_not_there_is_no_error_and_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.txt").write_text("A.")
    with Notes(LocalDocumentStore(tmp_path)) as base:
        rows = base.fetch(["folder/a.txt", "folder", "gone.txt"])
        assert rows == [{"text": "A.", "metadata": {"id": "folder/a.txt"}}]
    warned = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warned) == 2
    assert all("notes" in message for message in warned)
    assert "'gone.txt'" in warned[1]


def test_a_path_that_leaves_the_store_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgePathError):
        Notes(LocalDocumentStore(tmp_path)).fetch(["../secret"])


def test_a_store_that_fails_gives_no_document(caplog: pytest.LogCaptureFixture) -> None:
    class Down(MemoryDocumentStore):
        def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
            raise StoreError("The disk failed.")

    assert Notes(Down({"a": "x"})).fetch(["a"]) == []
    assert "The disk failed." in caplog.text
