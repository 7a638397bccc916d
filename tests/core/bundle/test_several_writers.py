"""`BundleWriter`: histories, and others who write at the same time."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from fingerpost import (
    Bundle,
    ConflictError,
    MemoryDocumentStore,
)
from fingerpost.bundle.writer import BundleWriter
from fingerpost.errors import ConceptError, StoreError
from tests.core.bundle.writing import FILES, held, writer


class TestHistory:
    def test_an_entry_goes_under_today(self) -> None:
        to = writer({"log.md": b"# Log\n\n## 2026-11-29\n\n* Begun.\n", "a.md": b"---\ntype: T\n---\n"})
        to.log("Refunds reworked.", kind="Update")
        to.log("Again.")
        entries = to.bundle.log()
        assert [(entry["date"], entry["text"]) for entry in entries] == [
            ("2026-11-30", "Again."),
            ("2026-11-30", "**Update**: Refunds reworked."),
            ("2026-11-29", "Begun."),
        ]

    def test_a_history_and_an_index_that_cannot_be_changed_are_named(self) -> None:
        to = writer({**FILES, "log.md": b"\xff\xfe", "policies/index.md": b"\xff\xfe"})
        for path, write in {
            "log.md": lambda: to.log("x"),
            "policies/index.md": lambda: to.draft_index("policies"),
        }.items():
            with pytest.raises(ConceptError, match=f"^'{path}' was not written. The file cannot be changed."):
                write()

    def test_a_folder_without_a_history_gets_one(self) -> None:
        to = writer()
        assert to.log("Begun.", "policies").path == "policies/log.md"
        assert [entry["date"] for entry in to.bundle.log("policies")] == ["2026-11-30"]


class TestOthersAtTheSameTime:
    def test_what_thirty_threads_write_is_all_there(self, tmp_path: Path) -> None:
        (tmp_path / "shared.md").write_bytes(b"---\ntype: T\n---\nStart.\n")
        bundle = Bundle(tmp_path, cache="")
        to = BundleWriter(bundle)
        ids: list[str] = []

        def write(number: int) -> None:
            ids.append(to.create(f"The same line\n\nBody {number}.").id)
            to.append("shared", f"Line {number}.")
            to.log(f"Entry {number}.")

        threads = [threading.Thread(target=write, args=(number,)) for number in range(30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        bodies = {bundle.read(id_)["body"].split("\n")[-1] for id_ in ids}
        assert bodies == {f"Body {number}." for number in range(30)}
        assert len(set(ids)) == 30
        lines = (tmp_path / "shared.md").read_text()
        assert all(f"Line {number}.\n" in lines for number in range(30))
        assert {entry["text"] for entry in bundle.log()} == {f"Entry {number}." for number in range(30)}

    def test_a_change_that_never_gets_its_turn_is_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("fingerpost.bundle.writer._LONGEST_PAUSE_MS", 1)

        class Contested(MemoryDocumentStore):
            def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
                raise ConflictError("Taken.")

        to = BundleWriter(Bundle(Contested(FILES), cache=""))
        with pytest.raises(StoreError, match="others changed it 1,000 times meanwhile"):
            to.append("policies/new", "x")

    def test_an_edit_between_reading_and_writing_is_kept(self) -> None:
        class Edited(MemoryDocumentStore):
            edits = 1

            def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
                if self.edits:
                    self.edits -= 1
                    self.write_bytes(path, self.read_bytes(path) + b"Theirs.\n")
                super().swap_bytes(path, old, new)

        to = BundleWriter(Bundle(Edited(FILES), cache=""))
        to.append("policies/new", "Mine.")
        assert held(to, "policies/new.md").endswith(b"Theirs.\n\nMine.\n")

    def test_a_store_that_is_asked_now_and_then_shows_what_was_written_at_once(self) -> None:
        class Dear(MemoryDocumentStore):
            @property
            def has_cheap_changes(self) -> bool:
                return False

        bundle = Bundle(Dear(FILES), cache="", refresh_seconds=None)
        assert len(bundle) == 2
        made = BundleWriter(bundle).create("A heron at the weir.")
        assert bundle.find("heron")["results"][0]["id"] == made.id
