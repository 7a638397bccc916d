"""What a call asks of the store and the catalog: as little as can be, whatever happened before it."""

from __future__ import annotations

import pytest

from fingerpost import Bundle, MemoryDocumentStore
from fingerpost.bundle import refresh
from fingerpost.bundle.bodies import Bodies
from fingerpost.bundle.refresh import Reader
from fingerpost.catalog.base import Condition
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.view import PersistedView
from fingerpost.stores.base import Changes, Cursor
from tests.core.bundle.test_freshness import SlowStore, concept


class AskedStore(MemoryDocumentStore):
    """A store that counts how often it is asked what changed."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.asked = 0

    def changes(self, cursor: Cursor | None = None) -> Changes:
        self.asked += 1
        return super().changes(cursor)


def test_an_edit_takes_one_look_at_the_store_and_none_at_the_notes_of_the_catalog(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = AskedStore({"a.md": concept("first"), "b/c.md": concept("other")})
    with Bundle(store) as kb:
        assert len(kb) == 2
        monkeypatch.setattr(PersistedView, "notes", None)
        store.asked = 0
        for text, path in (("second", "a.md"), ("third", "b/c.md"), ("fourth", "d.md")):
            store.write_bytes(path, concept(text).encode())
            assert [hit["id"] for hit in kb.find(text)["results"]] == [path.removesuffix(".md")]
            assert len(kb) == 2 + (path == "d.md")
        assert store.asked == 6
        store.delete("d.md")
        assert kb.ids() == ["a", "b/c"]
        assert store.asked == 7


def test_what_another_process_wrote_in_between_is_learnt_from_the_catalog() -> None:
    store = SlowStore({"a.md": concept("first"), "b.md": concept("other")})
    catalog = MemoryCatalog()
    one, other = Reader(store, lambda: catalog), Reader(store, lambda: catalog)

    def found(reader: Reader, text: str) -> list[str]:
        with reader.snapshot() as snapshot:
            return [header.id for header in snapshot.found_by(text, 5)]

    assert (found(one, "first"), found(other, "other")) == (["a"], ["b"])

    def change() -> None:
        store.write_bytes("b.md", concept("changed").encode())
        assert found(other, "changed") == ["b"]

    store.write_bytes("a.md", concept("second").encode())
    store.while_reading = change
    assert found(one, "changed") == ["b"]
    assert found(one, "second") == ["a"]
    store.write_bytes("b.md", concept("other").encode())
    assert found(one, "changed") == []


def do_not_start(_: Bodies, generation: int) -> None:
    assert generation > 0


def test_texts_that_are_still_to_be_read_are_counted_after_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh, "_AT_ONCE", 5)
    monkeypatch.setattr(Bodies, "start", do_not_start)
    store = MemoryDocumentStore({f"{number}.md": concept("text") for number in range(9)})
    with Bundle(store) as kb:
        assert kb.reading.left == 9
        store.write_bytes("3.md", concept("new").encode())
        assert kb.reading.left == 8
        assert kb.find("new").get("still_reading") == 8


def test_what_is_counted_is_counted_once_for_each_state(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryDocumentStore({"a.md": concept("x"), "b.md": "no concept"})
    counted: list[object] = []
    count = PersistedView.count

    def noted(view: PersistedView, conditions: tuple[Condition, ...] = ()) -> int:
        counted.append(conditions)
        return count(view, conditions)

    with Bundle(store) as kb:
        assert (len(kb), kb.find("x")["skipped_invalid"]) == (1, 1)
        monkeypatch.setattr(PersistedView, "count", noted)
        assert (len(kb), kb.find("x")["skipped_invalid"]) == (1, 1)
        assert counted == []
        store.write_bytes("b.md", concept("x").encode())
        assert (len(kb), kb.find("x")["skipped_invalid"]) == (2, 0)
        assert len(counted) == 2
