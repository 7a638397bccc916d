"""The kept index: what was read once is not read again, by whichever process, and files stay the truth."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fingerpost import Bundle, ConfigError, MemoryDocumentStore, StoreError
from fingerpost.bundle import refresh, waiting_texts
from fingerpost.bundle.cache import VARIABLE, cache_folder, file_name
from fingerpost.bundle.reading import entry_of
from fingerpost.catalog.index import Index
from fingerpost.catalog.persisted import PersistedCatalog
from fingerpost.stores import filesystems


def concept(body: str, **fields: str) -> str:
    lines = [f"{key}: {value}" for key, value in {"type": "Note", **fields}.items()]
    return "---\n" + "\n".join(lines) + f"\n---\n{body}\n"


class Shelf(MemoryDocumentStore):
    """Files with a name that means the same in the next process; counts how often each is read."""

    def __init__(self, files: dict[str, str], name: str = "shelf:one") -> None:
        super().__init__(files)
        self.name = name
        self.reads = Counter[str]()
        self.gate: threading.Event | None = None
        self.is_reached = threading.Event()

    @property
    def identity(self) -> str:
        return self.name

    @property
    def is_lasting(self) -> bool:
        return True

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        self.reads[path] += 1
        if self.gate is not None and self.reads[path] > 1:
            self.is_reached.set()
            assert self.gate.wait(30)
        return super().read_bytes(path, max_bytes)


FILES = {
    "refunds.md": concept("Thirty days, see [plans](plans.md).", title="Refund policy", tags="[money]"),
    "plans.md": concept("Day and season.", title="Plans", stale_after="2026-01-01"),
    "broken.md": "no frontmatter",
    "index.md": "# Notes\n",
}


def test_a_second_bundle_reads_nothing_that_has_not_changed(tmp_path: Path) -> None:
    with Bundle(Shelf(FILES), cache=tmp_path) as first:
        assert first.find("thirty")["total"] == 1
    store = Shelf(FILES)
    with Bundle(store, cache=tmp_path) as second:
        assert second.ids() == ["plans", "refunds"]
        assert [hit["id"] for hit in second.find("thirty")["results"]] == ["refunds"]
        assert second.find("x")["skipped_invalid"] == 1
        assert second.backlinks("plans") == ["refunds"]
        assert store.reads == {}
        store.write_bytes("plans.md", concept("Hourly too.").encode())
        assert [hit["id"] for hit in second.find("hourly")["results"]] == ["plans"]
        assert store.reads == {"plans.md": 1}


def test_what_changed_while_no_process_looked_is_found_by_the_next(tmp_path: Path) -> None:
    with Bundle(Shelf(FILES), cache=tmp_path) as first:
        assert len(first) == 2
    store = Shelf({"refunds.md": FILES["refunds.md"], "new.md": concept("Fresh.")})
    with Bundle(store, cache=tmp_path) as second:
        assert second.ids() == ["new", "refunds"]
        assert (second.find("day season")["total"], second.find("fresh")["total"]) == (1, 1)
        assert store.reads == {"new.md": 1}


def test_two_bundles_of_one_store_share_what_either_has_read(tmp_path: Path) -> None:
    one, two = Shelf(FILES), Shelf(FILES)
    with Bundle(one, cache=tmp_path) as first, Bundle(two, cache=tmp_path) as second:
        assert (first.ids(), second.ids()) == (["plans", "refunds"], ["plans", "refunds"])
        assert two.reads == {}
        for store in (one, two):
            store.write_bytes("plans.md", concept("Hourly too.").encode())
        assert first.find("hourly")["total"] == 1
        assert second.find("hourly")["total"] == 1
        assert (one.reads["plans.md"], two.reads) == (2, {})


def test_stores_of_different_names_keep_to_themselves(tmp_path: Path) -> None:
    other = Shelf({"a.md": concept("Apple.")}, name="shelf:two")
    with Bundle(Shelf(FILES), cache=tmp_path) as first, Bundle(other, cache=tmp_path) as second:
        assert first.find("apple")["total"] == 0
        assert second.find("apple")["total"] == 1


@pytest.mark.parametrize("chosen", ["", "off"])
def test_nothing_is_kept_on_disk_when_that_is_not_wanted(
    chosen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with Bundle(Shelf(FILES), cache=chosen) as kb:
        assert len(kb) == 2
    with Bundle(MemoryDocumentStore(FILES)) as kb:
        assert len(kb) == 2
    assert list(tmp_path.iterdir()) == []


def test_the_variable_names_the_folder_and_else_the_users_cache_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"
    assert cache_folder(tmp_path) == tmp_path
    monkeypatch.setenv(VARIABLE, "off")
    assert cache_folder() is None
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder() == tmp_path / "fingerpost"


def test_an_index_that_cannot_be_kept_is_made_in_memory_and_that_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    for folder, why in (
        (tmp_path / "file" / "folder", f"The folder '{tmp_path}/file/folder' cannot be used, because of "),
        (tmp_path / "file", f"'{tmp_path}/file', where indexes are to be kept, is no folder. "),
    ):
        caplog.clear()
        with Bundle(Shelf(FILES), cache=folder) as kb:
            assert kb.find("thirty")["total"] == 1
        (said,) = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
        assert said.startswith(f"The index is kept in memory, and is made anew by each process. {why}")
        assert said.endswith(" FINGERPOST_CACHE names another folder.")


def test_an_index_deleted_under_way_is_made_again(tmp_path: Path) -> None:
    store = Shelf(FILES)
    with Bundle(store, cache=tmp_path) as kb:
        assert kb.find("thirty")["total"] == 1
        for file in tmp_path.iterdir():
            file.unlink()
        assert kb.find("thirty")["total"] == 1
        store.write_bytes("plans.md", concept("Hourly too.").encode())
        assert kb.find("hourly")["total"] == 1


def _read_headers_first(monkeypatch: pytest.MonkeyPatch, room: int = 0) -> None:
    monkeypatch.setattr(refresh, "_AT_ONCE", 10)
    monkeypatch.setattr(waiting_texts, "_ROOM", room)


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
    store = Shelf({f"{number}.md": concept(f"Word{number}.", title=f"Title{number}") for number in range(20)})
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
    store = Shelf({f"{number}.md": concept(f"Word{number}.", title=f"Title{number}") for number in range(20)})
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

    let_go, is_asked = threading.Event(), threading.Event()

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path == "9.md" and threading.current_thread().name == "fingerpost-bodies":
            self.is_asked.set()
            assert self.let_go.wait(30)
        return super().read_bytes(path, max_bytes)


def test_many_changes_while_texts_are_read_are_seen_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _read_headers_first(monkeypatch)
    store = LastHeld(
        {f"{number}.md": concept(f"Word{number}.", title=f"Title{number}") for number in range(80)}
    )
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
    store = Shelf({f"{number}.md": concept(f"Word{number}.", title=f"Title{number}") for number in range(80)})
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


def test_an_index_that_nobody_has_used_for_long_is_removed_when_a_new_one_is_made(tmp_path: Path) -> None:
    with Bundle(Shelf(FILES, name="shelf:old"), cache=tmp_path) as kb:
        assert len(kb) == 2
    old = set(tmp_path.iterdir())
    for file in old:
        os.utime(file, (0, 0))
    (tmp_path / "mine.txt").write_text("kept", encoding="utf-8")
    with Bundle(Shelf(FILES, name="shelf:new"), cache=tmp_path) as kb:
        assert len(kb) == 2
    left = set(tmp_path.iterdir())
    assert left.isdisjoint(old)
    assert tmp_path / "mine.txt" in left


def test_an_index_is_not_kept_where_processes_cannot_share_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def nfs(_descriptor: int) -> int:
        return 0x6969

    monkeypatch.setattr(filesystems, "kind_of", nfs)
    with Bundle(Shelf(FILES), cache=tmp_path) as kb:
        assert kb.find("thirty")["total"] == 1
    assert "lies on NFS, where processes cannot share an index" in caplog.text
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_named_by_store_format_and_unicode() -> None:
    names = {file_name("file:///a"), file_name("file:///b")}
    assert len(names) == 2
    assert all(name.endswith(f"-{unicodedata.unidata_version}") for name in names)


def test_a_system_without_locks_and_forks_keeps_the_index_in_memory(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(concept("Thirty days."), encoding="utf-8")
    program = (
        "import os, sys; sys.modules['fcntl'] = None; del os.register_at_fork\n"
        "from fingerpost.bundle import cache; cache.sys.platform = 'win32'\n"
        "from fingerpost import Bundle\n"
        "print(Bundle(sys.argv[1], cache=sys.argv[2]).find('thirty')['total'], os.listdir(sys.argv[2]))"
    )
    folder = tmp_path / "cache"
    folder.mkdir()
    command = [sys.executable, "-c", program, str(tmp_path), str(folder)]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (outcome.stdout, outcome.stderr) == ("1 []\n", "")


def test_a_user_without_a_home_keeps_the_index_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv(VARIABLE)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    (tmp_path / "a.md").write_text(concept("Thirty days."), encoding="utf-8")
    with Bundle(tmp_path) as kb:
        assert kb.find("thirty")["total"] == 1


def test_a_home_that_nobody_has_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="starts with a home folder that is not known; write out its path"):
        Bundle(tmp_path, cache="~nobody-of-that-name/index")


@pytest.mark.parametrize("cache", ["", "cache"])
def test_a_closed_bundle_says_that_it_is_closed_and_what_to_do(cache: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\ntype: Note\n---\nmargin\n", encoding="utf-8")
    bundle = Bundle(tmp_path, cache=cache and tmp_path / cache)
    bundle.close()
    bundle.close()
    for ask in (bundle.ids, bundle.wait, lambda: bundle.read("a"), lambda: bundle.find("margin")):
        with pytest.raises(StoreError, match=r"^This bundle is closed; make a new Bundle\(\.\.\.\)\.$"):
            ask()


@pytest.mark.parametrize("is_open", [True, False])
def test_the_index_knows_no_more_of_a_folder_that_is_gone(tmp_path: Path, is_open: bool) -> None:
    kb, cache = tmp_path / "gone" / "kb", tmp_path / "gone" / "cache"
    for folder in ("kept", "left"):
        (kb / folder).mkdir(parents=True)
        (kb / folder / "a.md").write_text("---\ntype: Note\n---\nmargin\n", encoding="utf-8")
    bundle = Bundle(kb, cache=cache)
    assert bundle.find("margin")["total"] == 2
    if not is_open:
        bundle.close()
        bundle = Bundle(kb, cache=cache)
    (kb / "left" / "a.md").unlink()
    assert bundle.find("margin")["total"] == 1
    bundle.close()
    with PersistedCatalog.open(next(cache.glob("*.db"))) as catalog, catalog.reading() as view:
        assert [name for name, part in view.notes().items() if part] == ["/kept"]
