"""The kept index: what was read once is not read again, by whichever process, and files stay the truth."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from fingerpost import Bundle, ConfigError, MemoryDocumentStore, StoreError
from fingerpost.bundle.cache import file_name
from fingerpost.catalog.persisted import PersistedCatalog
from fingerpost.stores import filesystems
from fingerpost.stores.caching import VARIABLE, cache_folder
from tests.core.bundle.shelf import Shelf, concept

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
        "from fingerpost.stores import caching; caching.sys.platform = 'win32'\n"
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
