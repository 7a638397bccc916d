from __future__ import annotations

import pytest

from fingerpost.errors import KnowledgeNotFoundError, KnowledgePathError
from fingerpost.stores import MemoryDocumentStore


def test_text_is_stored_as_utf8_under_the_normalised_path() -> None:
    store = MemoryDocumentStore({"a//b.md": "é"})
    assert store.list() == ["a/b.md"]
    assert store.read_bytes("a/b.md") == b"\xc3\xa9"


def test_the_store_can_be_written() -> None:
    store = MemoryDocumentStore()
    assert store.writable is True
    store.write_bytes("x.md", b"1")
    assert store.read_bytes("x.md") == b"1"


def test_writing_the_same_bytes_again_is_no_change() -> None:
    store = MemoryDocumentStore({"x.md": "1"})
    before = store.changes().cursor
    store.write_bytes("x.md", b"1")
    assert store.changes(before).changed == ()


def test_what_the_caller_alters_afterwards_does_not_alter_the_store() -> None:
    data = bytearray(b"before")
    store = MemoryDocumentStore()
    store.write_bytes("x.md", data)  # pyright: ignore[reportArgumentType]
    data[:] = b"after!"
    assert store.read_bytes("x.md") == b"before"


def test_a_hidden_path_is_not_written() -> None:
    store = MemoryDocumentStore()
    with pytest.raises(KnowledgePathError, match=r"'a/\.x/y\.md' would be hidden"):
        store.write_bytes("a/.x/y.md", b"")


def test_deleting_what_is_absent_is_an_error() -> None:
    store = MemoryDocumentStore({"x.md": "1"})
    store.delete("x.md")
    with pytest.raises(KnowledgeNotFoundError):
        store.delete("x.md")
