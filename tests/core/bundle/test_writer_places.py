"""Where things are written: folders and ids in odd spellings, and names that are taken."""

from __future__ import annotations

import pytest

from fingerpost.bundle.snapshot import Snapshot
from fingerpost.errors import ConceptError, KnowledgeNotFoundError, KnowledgePathError
from tests.core.bundle.writing import FILES, held, writer


class TestFolders:
    @pytest.mark.parametrize(
        ("folder", "place"),
        [
            ("./policies", "policies"),
            ("policies//deep/", "policies/deep"),
            ("plans/./b", "plans/b"),
            ("Policies", "policies"),
            ("a%2Cb", "a,b"),
            ("/", ""),
        ],
    )
    def test_a_folder_in_any_spelling_is_one_folder(self, folder: str, place: str) -> None:
        to = writer({**FILES, "a,b/x.md": b"---\ntype: T\n---\n"})
        start = f"{place}/" if place else ""
        assert [to.create("Hello", folder=folder).path for _ in range(3)] == [
            f"{start}hello.md",
            f"{start}hello-2.md",
            f"{start}hello-3.md",
        ]
        assert to.log("x", folder).path == f"{start}log.md"

    @pytest.mark.parametrize("folder", [".hidden", "new|er", "..", "x\ny", "policies/refunds.md", "a\\b"])
    def test_what_can_be_no_folder_is_refused_before_anything_is_shown(self, folder: str) -> None:
        to = writer()
        with pytest.raises(KnowledgePathError):
            to.draft("Hello", folder=folder)
        with pytest.raises((KnowledgePathError, KnowledgeNotFoundError)):
            to.draft_entry("x", folder, "")

    def test_a_log_is_kept_only_where_there_is_a_folder(self) -> None:
        to = writer(prefix="generated", beyond=["policies/", "polices/"])
        with pytest.raises(KnowledgeNotFoundError, match=r"There is no 'polices'.*Did you mean policies/"):
            to.log("x", "polices")
        with pytest.raises(KnowledgeNotFoundError, match="is no folder; it lies in the folder 'policies/'"):
            to.log("x", "policies/refunds")
        assert to.log("x", "policies").path == "policies/log.md"
        assert to.log("x", "generated/").path == "generated/log.md"  # which is its own to make

    def test_an_index_is_written_only_where_something_is_to_be_listed(self) -> None:
        to = writer({"old.md": b"---\ntype: T\nstatus: deprecated\n---\n"})
        for folder, said in (("absent", "There is no 'absent'"), ("old", "lies in the folder '/'")):
            with pytest.raises(KnowledgeNotFoundError, match=said):
                to.draft_index(folder)
        with pytest.raises(KnowledgeNotFoundError, match="'/' holds nothing to list"):
            to.draft_index()


class TestNames:
    @pytest.mark.parametrize(
        "id_", ["refunds\u2060", "re\xadfunds", "x\u2028y", "x\x85y", "x\U000e0041", "\u2066x"]
    )
    def test_no_id_holds_what_nobody_sees(self, id_: str) -> None:
        with pytest.raises(KnowledgePathError, match="which links cannot have"):
            writer().create("Text.", id=id_)

    def test_of_many_equal_titles_each_gets_a_name_and_few_are_looked_at(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        to = writer({f"note{'' if n == 1 else f'-{n}'}.md": b"---\ntype: T\n---\n" for n in range(1, 1_500)})
        asked: list[str] = []
        look = Snapshot.spelt_like

        def counted(snapshot: Snapshot, path: str) -> list[str]:
            asked.append(path)
            return look(snapshot, path)

        monkeypatch.setattr(Snapshot, "spelt_like", counted)
        assert to.create("Note").id == "note-1500"
        assert len(asked) < 100

    def test_a_name_in_a_row_with_gaps_is_one_that_nothing_has(self) -> None:
        to = writer({f"note-{n}.md": b"---\ntype: T\n---\n" for n in (2, 4, 5, 8)})
        ids = [to.create("Note").id for _ in range(4)]
        assert ids[0] == "note"
        assert len({*ids, "note-2", "note-4", "note-5", "note-8"}) == 8


class TestTexts:
    @pytest.mark.parametrize("title", ["", "  ", None])
    def test_a_title_without_words_gives_way_to_the_text(self, title: str | None) -> None:
        made = writer().create("# Weir\n\nIt floods.", {"title": title})
        assert (made.id, b"title: Weir\n" in made.after) == ("weir", True)

    def test_a_byte_order_mark_before_a_text_is_no_part_of_it(self) -> None:
        to = writer()
        assert b"title: Hi\n" in to.create("\ufeff# Hi").after
        assert to.append("policies/new", "\ufeffMore.").after.endswith(b"rule.\n\nMore.\n")
        revision = to.bundle.read("policies/new")["revision"]
        changed = to.update("policies/new", "\ufeffOther.", revision=revision)
        assert changed.after.endswith(b"---\nOther.\n")

    @pytest.mark.parametrize("text", [" ", "\n\n", "---\ntitle: Newer\n---\n", "---\ntitle: Newer\n---\n \n"])
    def test_a_text_without_words_leaves_the_one_that_is_there(self, text: str) -> None:
        to = writer()
        revision = to.bundle.read("policies/new")["revision"]
        to.update("policies/new", text, revision=revision)
        title = b"title: Newer\n" if "title" in text else b""
        assert held(to, "policies/new.md") == b"---\ntype: Policy\n" + title + b"---\nThe new rule.\n"

    def test_a_text_whose_frontmatter_is_not_closed_is_refused(self) -> None:
        to = writer()
        with pytest.raises(ConceptError, match="no later line is --- alone to close it"):
            to.create("---\ntype: Policy\n\nText.")
        assert to.create("---\n\nA rule: between.").id == "a-rule-between"


def test_the_latest_check_is_told_whatever_its_time_zone() -> None:
    text = (
        b"---\ntype: T\nverified:\n  - {by: human:ada, at: 2026-01-01}\n"
        b"  - {by: human:bo, at: 2025-12-31T23:00:00-05:00}\n  - {by: human:cy}\n---\nText.\n"
    )
    (said,) = writer({"a.md": text}).append("a", "More.").notes
    assert said.startswith("human:bo has verified it on 2025-12-31T23:00:00-05:00, which was before")
