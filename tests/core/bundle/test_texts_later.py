"""Bundles whose headers are read before the first answer, and whose texts in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fingerpost import Bundle, StoreError
from fingerpost.bundle import documents, refresh, waiting_texts
from fingerpost.bundle.reading import entry_of
from fingerpost.catalog.building import Limits
from fingerpost.catalog.index import Index
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.bundle.shelf import Shelf, concept


def _read_headers_first(monkeypatch: pytest.MonkeyPatch, room: int = 0) -> None:
    monkeypatch.setattr(refresh, "_AT_ONCE", 10)
    monkeypatch.setattr(waiting_texts, "ROOM", room)


def _titled(count: int) -> dict[str, str]:
    return {f"{number}.md": concept(f"Word{number}.", title=f"Title{number}") for number in range(count)}


def test_a_text_is_read_once_as_long_as_there_is_room_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _read_headers_first(monkeypatch, room=40_000)
    store = Shelf({f"{number:02}.md": concept(f"Word{number}, [see](00.md).") for number in range(20)})
    with Bundle(store, cache=tmp_path) as kb:
        assert kb.wait().left == 0
        assert [kb.find(f"word{number}")["total"] for number in range(20)] == [1] * 20
        assert len(kb.backlinks("00")) == 19
    again = [path for path, reads in store.reads.items() if reads > 1]
    assert again == [f"{number:02}.md" for number in range(13, 20)]


def test_a_text_that_was_kept_counts_only_for_the_content_that_the_catalog_knows() -> None:
    files = {name: concept(body) for name, body in (("a.md", "Old [b](b.md)."), ("b.md", "B."))}
    kept = waiting_texts.WaitingTexts()
    by_header = {path: entry_of(text.encode(), path, whole=False, texts=kept) for path, text in files.items()}
    assert kept.take("a.md", by_header["a.md"].card) == entry_of(files["a.md"].encode(), "a.md", whole=True)
    assert kept.take("a.md", by_header["a.md"].card) is None
    assert kept.take("b.md", by_header["a.md"].card) is None


def test_headers_are_found_first_and_texts_as_soon_as_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _read_headers_first(monkeypatch)
    store = Shelf(_titled(20))
    store.gate = threading.Event()
    with Bundle(store, cache=tmp_path) as kb:
        early = kb.find("title7")
        assert [hit["id"] for hit in early["results"]] == ["7"]
        assert (early.get("still_reading"), kb.reading.done, kb.reading.total) == (20, 0, 20)
        assert "The text of 20 concepts is still being read" in kb.find("word7").get("message", "")
        store.gate.set()
        seen: list[tuple[int, int]] = []
        assert kb.wait(progress=lambda done, total: seen.append((done, total))).left == 0
        late = kb.find("word7")
        assert ([hit["id"] for hit in late["results"]], "still_reading" in late) == (["7"], False)
    store = Shelf(_titled(20))
    with Bundle(store, cache=tmp_path) as kb:
        assert (kb.find("word7")["total"], store.reads) == (1, {})


def test_an_edit_while_texts_are_read_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _read_headers_first(monkeypatch)
    store = Shelf({f"{number}.md": concept(f"Word{number}.") for number in range(20)})
    store.gate = threading.Event()
    with Bundle(store, cache=tmp_path) as kb:
        assert kb.reading.left == 20
        gate, store.gate = store.gate, None
        store.write_bytes("7.md", concept("Edited.").encode())
        assert kb.find("edited")["total"] == 1
        gate.set()
        assert kb.wait().left == 0
        assert (kb.find("edited")["total"], kb.find("word7")["total"], kb.find("word8")["total"]) == (1, 0, 1)


class LastHeld(Shelf):
    """One whose last file is read in the background when it is let go."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.let_go, self.is_asked = threading.Event(), threading.Event()

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path == "9.md" and threading.current_thread().name == "fingerpost-bodies":
            self.is_asked.set()
            assert self.let_go.wait(30)
        return super().read_bytes(path, max_bytes)


def test_many_changes_while_texts_are_read_are_seen_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _read_headers_first(monkeypatch)
    store = LastHeld(_titled(80))
    with Bundle(store, cache=tmp_path) as kb:
        assert kb.find("title7")["total"] == 1
        assert store.is_asked.wait(30)
        for number in range(70):
            store.write_bytes(f"{number}.md", concept(f"New{number}.", title=f"Other{number}").encode())
        letting_go = threading.Timer(0.3, store.let_go.set)
        letting_go.start()
        assert (kb.find("other7")["total"], kb.find("title7")["total"], kb.trouble) == (1, 0, "")
        letting_go.join()
        assert kb.wait().left == 0
        assert [kb.find(word)["total"] for word in ("new7", "word7", "word75")] == [1, 0, 1]


def test_many_changes_of_which_another_process_writes_one_meanwhile_are_all_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knew the file as it was before, and says nothing of the state of the store."""
    _read_headers_first(monkeypatch)
    old = concept("Old.", title="Old7").encode()

    class Disturbed(Shelf):
        disturb: Callable[[], object] | None = None

        def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
            if path == "9.md" and self.disturb is not None:
                disturb, self.disturb = self.disturb, None
                disturb()
            return super().read_bytes(path, max_bytes)

    store = Disturbed({f"{number}.md": concept("Word.", title=f"Title{number}") for number in range(80)})
    with Bundle(store, cache=tmp_path) as kb:
        assert kb.wait().left == 0
        with PersistedCatalog.open(next(tmp_path.glob("*.db"))) as other:
            for number in range(80):
                store.write_bytes(f"{number}.md", concept("Word.", title=f"Other{number}").encode())
            store.disturb = lambda: other.update([entry_of(old, "7.md", whole=True)])
            assert (kb.find("other7")["total"], kb.find("old7")["total"], kb.trouble) == (1, 0, "")
        assert kb.wait().left == 0
        assert (kb.find("other7")["total"], store.disturb) == (1, None)


def test_an_index_that_is_damaged_while_texts_are_read_is_begun_anew_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _read_headers_first(monkeypatch)
    store = Shelf(_titled(80))
    store.gate = threading.Event()
    cards = Index.cards

    def damaged(index: Index, numbers: Sequence[int]) -> dict[int, tuple[str, str]]:
        monkeypatch.setattr(Index, "cards", cards)
        raise ValueError("no such bytes")

    with Bundle(store, cache=tmp_path) as kb:
        assert kb.find("title7")["total"] == 1
        assert store.is_reached.wait(30)
        monkeypatch.setattr(Index, "cards", damaged)
        gate, store.gate = store.gate, None
        opening = threading.Timer(0.5, gate.set)
        opening.start()
        assert (kb.find("title7")["total"], kb.trouble) == (1, "")
        opening.join()
        assert kb.wait().left == 0
        assert kb.find("word7")["total"] == 1


def test_a_text_that_cannot_be_read_in_the_background_is_told_and_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _read_headers_first(monkeypatch)

    class Locked(Shelf):
        locked = True

        def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
            data = super().read_bytes(path, max_bytes)
            if self.locked and path == "7.md" and self.reads[path] > 1:
                raise StoreError("'7.md' cannot be read: permission denied.")
            return data

    store = Locked({f"{number}.md": concept(f"Word{number}.") for number in range(20)})
    with Bundle(store, cache=tmp_path) as kb:
        assert kb.wait().left == 1
        assert "The text of 1 concept is still being read" in kb.find("word7").get("message", "")
        store.locked = False
        store.write_bytes("8.md", concept("Else.").encode())
        assert kb.find("else")["total"] == 1
        assert kb.wait().left == 0
        assert kb.find("word7")["total"] == 1


def test_the_page_states_the_budgets_of_the_code() -> None:
    page = " ".join((Path(__file__).parents[3] / "docs" / "search.md").read_text().split())
    limits = Limits()
    assert f"From {limits.apart // 10**6} million characters of text on" in page
    assert f"writes words to the disk once they take {limits.memory // 10**6} MB" in page
    assert f"up to {waiting_texts.ROOM // 10**6} MB of texts between header and text" in page


def test_files_that_were_read_lately_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_KEPT", 2)
    store = Shelf({f"{name}.md": concept(name) for name in "abc"})
    kept = documents.Documents(store)
    revision = {name: kept.read(f"{name}.md").revision for name in "ab"}
    kept.read("a.md", revision["a"])
    kept.read("c.md")  # in the place of b
    kept.read("a.md", revision["a"])
    assert store.reads == {"a.md": 1, "b.md": 1, "c.md": 1}
    kept.read("b.md", revision["b"])
    assert store.reads["b.md"] == 2


class Failing(Shelf):
    """One that can be made to fail for a file."""

    failing = ""

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path == self.failing:
            raise StoreError(f"{path!r} cannot be read: the disk failed.")
        return super().read_bytes(path, max_bytes)


def test_a_concept_that_cannot_be_read_any_more_stays_as_it_was_when_much_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _read_headers_first(monkeypatch)
    store = Failing({f"{number}.md": concept("Word.", title=f"Title{number}") for number in range(80)})
    with Bundle(store, cache=tmp_path) as kb:
        assert kb.wait().left == 0
        store.failing = "7.md"
        for number in range(80):
            store.write_bytes(f"{number}.md", concept("Word.", title=f"Other{number}").encode())
        found = {word: kb.find(word)["total"] for word in ("title7", "other7", "title8", "other8")}
        assert found == {"title7": 1, "other7": 0, "title8": 0, "other8": 1}
        store.failing = ""
        assert kb.find("other7")["total"] == 1


def test_a_file_that_cannot_be_read_at_first_is_told_of_as_where_all_is_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Failing({f"{number}.md": concept("See [it](7.md).") for number in range(80)})
    store.failing = "7.md"
    with Bundle(store, cache=tmp_path / "at once") as kb:
        expected = kb.diagnostics()
    assert [item.path for item in expected if item.code == "OKF404"] == ["7.md"]
    _read_headers_first(monkeypatch)
    with Bundle(store, cache=tmp_path / "headers first") as kb:
        assert kb.wait().left == 0
        assert kb.diagnostics() == expected
