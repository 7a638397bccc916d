"""`OKFManager`: a bundle as a knowledge base, as an agent sees it through the builder's tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fingerpost import (
    Bundle,
    ConfigError,
    KnowledgeBuilder,
    LocalDocumentStore,
    MemoryDocumentStore,
    OKFManager,
)
from fingerpost.errors import StoreError
from fingerpost.records import Record
from fingerpost.stores.base import Changes, Cursor


def concept(body: str = "Text.", **fields: str) -> str:
    lines = [f"{key}: {value}" for key, value in {"type": "Policy", **fields}.items()]
    return "---\n" + "\n".join(lines) + f"\n---\n{body}\n"


TOP = "# Top\n\n* [Refunds](policies/refunds.md)\n* [Old](policies/old.md)\n"
FILES = {
    "index.md": f'---\nokf_version: "0.2"\n---\n{TOP}',
    "log.md": "# Log\n\n## 2026-01-02\n\n* Begun.\n",
    "policies/refunds.md": concept(
        "Refund within 30 days, see [old](old.md), [gone](gone.md) and [web](https://example.org/).",
        title="Refunds",
        description="Money back.",
        verified="{by: human:ada, at: 2026-01-01}",
    ),
    "policies/old.md": concept("Refund within 14 days.", title="Old refunds", status="deprecated"),
    "policies/late.md": concept("Refund later.", title="Late refunds", stale_after="2020-01-01"),
    "plans/day, or night.md": concept("[refund](/policies/refunds.md)", type="Plan", title="Day ticket"),
    "plans/broken.md": "no frontmatter\n",
}


def manager(files: dict[str, str] = FILES, **settings: Any) -> OKFManager:
    return OKFManager(MemoryDocumentStore(files), name="kb", **settings)


def asked(base: OKFManager, tool: str, *args: Any, **kwargs: Any) -> str:
    return {function.__name__: function for function in KnowledgeBuilder([base]).build()}[tool](
        *args, **kwargs
    )


def ids(rows: list[Record]) -> list[str]:
    return [row["metadata"]["id"] for row in rows]


def test_it_declares_what_it_can_do_and_describes_itself() -> None:
    base = manager()
    assert [function.__name__ for function in KnowledgeBuilder([base]).build()] == [
        "get_schemas",
        "read_kb",
        "write_kb",
        "get_all_kb_descriptions",
        "search_kb",
        "fetch_kb",
        "browse_kb",
    ]
    schema = base.schema()
    assert next(iter(schema)) == "backend"
    assert list(schema)[-1] == "capabilities"
    assert schema["capabilities"]["search_mode"] == "lexical"
    assert {key: schema[key] for key in list(schema)[1:-1]} == {
        "okf_version": "0.2",
        "concept_count": 4,
        "types": {"Policy": 3, "Plan": 1},
        "top_level_directories": {"plans/": 1, "policies/": 3},
        "reserved_files": {"index": 1, "log": 1},
        "diagnostics": 1,
        "truncated": False,
        "may_be_written": ["generated/"],
        "writes_are_proposals": False,
    }


def test_its_description_names_what_cannot_be_served() -> None:
    assert manager().get_description() == (
        "Curated documents: 4 concepts, such as Policy, Plan. 1 file of it cannot be served."
    )
    assert manager(description="Rules.").get_description() == "Rules. 1 file of it cannot be served."
    assert manager({"a.md": concept()}, description="Rules.").get_description() == "Rules."
    assert manager({"a.md": concept()}, description="Rules.").schema()["description"] == "Rules."


def test_a_search_shows_every_signal_and_puts_what_is_deprecated_last() -> None:
    base = manager()
    rows = base.search("refund", limit=10)
    assert ids(rows)[0] == "policies/refunds"
    assert ids(rows)[-1] == "policies/old"
    assert rows.total == len(rows) == 4
    lines = base.format_results(rows).split("\n")
    assert lines[0].startswith(
        "- [policies/refunds] Refunds (Policy, human-reviewed, links to 1, linked from 1): Money back. Refund"
    )
    assert lines[-1].startswith("- [policies/old] Old refunds (Policy, DEPRECATED, unverified, links to 0, ")
    late = next(line for line in lines if "policies/late" in line)
    assert late.startswith(
        "- [policies/late] Late refunds (Policy, unverified, STALE, links to 0, linked from 0)"
    )
    assert rows[-1]["metadata"]["status"] == "deprecated"
    assert rows[0]["metadata"]["links"] == [{"id": "policies/old", "exists": True}]
    assert rows[0]["metadata"]["backlinks"] == {"count": 1, "first": ["plans/day%2C or night"]}
    assert rows.notes == ("1 file was not searched: no valid concept, or not readable.",)


def test_a_page_of_results_goes_on_into_what_is_deprecated() -> None:
    files = {f"new/{number}.md": concept("refund") for number in range(3)}
    files |= {f"old/{number}.md": concept("refund", status="deprecated") for number in range(3)}
    base = manager(files)
    assert ids(base.search("refund", limit=4)) == ["new/0", "new/1", "new/2", "old/0"]
    assert ids(base.search("refund", limit=2)) == ["new/0", "new/1"]
    assert "- [old/1]" in asked(base, "search_kb", "kb", "refund", limit=1, offset=4)
    assert base.search("refund", limit=4).total == 6
    assert base.search("refund", limit=0) == []


def test_more_than_a_page_of_the_bundle_is_gone_through() -> None:
    base = manager({f"{number:03}.md": concept("refund") for number in range(250)})
    found = base.search("refund", limit=240)
    assert len(set(ids(found))) == 240
    assert "- [239]" in asked(base, "search_kb", "kb", "refund", limit=10, offset=230)


def test_a_search_is_narrowed_down_by_what_is_declared() -> None:
    base = manager()
    assert ids(base.search("refund", limit=9, type="plan")) == ["plans/day%2C or night"]
    assert ids(base.search("refund", limit=9, status="deprecated")) == ["policies/old"]
    assert ids(base.search("refund", limit=9, stale=True)) == ["policies/late"]
    assert ids(base.search("refund", limit=9, trust="human-reviewed")) == ["policies/refunds"]
    assert "- [plans/day%2C or night]" in asked(
        base, "search_kb", "kb", "refund", filters_json='{"path": "plans/"}'
    )
    assert "stale is true or false" in asked(base, "search_kb", "kb", "x", filters_json='{"stale": "yes"}')
    with pytest.raises(ConfigError, match="no filter 'tpye'"):
        base.search("refund", tpye="x")


def test_silence_says_what_was_searched_and_which_tool_helps() -> None:
    message = json.loads(asked(manager(), "search_kb", "kb", "zebra"))["message"]
    assert message.startswith(
        "The knowledge base 'kb' has nothing like that. 4 concepts of this bundle were searched, and none "
        "matches. 1 file was not searched: no valid concept."
    )
    assert message.endswith("or call browse_kb to browse.")


def test_a_misspelt_word_is_told_with_what_was_looked_for() -> None:
    assert "'refnud'" in " ".join(manager().search("refnud").notes)


@pytest.mark.parametrize(
    "spelling",
    [
        "policies/refunds",
        "/policies/refunds.md",
        "[policies/refunds]",
        "policies/refunds.md#x",
        "Policies/Refunds",
    ],
)
def test_an_id_is_fetched_in_any_spelling(spelling: str) -> None:
    answer = asked(manager(), "fetch_kb", "kb", spelling)
    assert "- [policies/refunds] Refunds (Policy, human-reviewed)\n" in answer
    assert "Refund within 30 days, see [old](old.md)" in answer


def test_a_whole_concept_comes_with_its_links_and_revision() -> None:
    row = manager().fetch(["policies/refunds"])[0]
    assert row["text"].startswith("Refund within 30 days")
    assert row["metadata"]["revision"]
    answer = asked(manager(), "fetch_kb", "kb", "policies/refunds")
    assert "  Links to: policies/old, policies/gone (missing), https://example.org/\n" in answer
    assert "  Linked from: plans/day%2C or night\n" in answer
    assert f"  Revision: {row['metadata']['revision']}\n" in answer
    old = asked(manager(), "fetch_kb", "kb", "policies/old")
    assert "- [policies/old] Old refunds (Policy, DEPRECATED, unverified)\n  DEPRECATED: this is" in old


def test_several_ids_are_fetched_and_what_is_missing_is_told() -> None:
    base = manager()
    answer = asked(base, "fetch_kb", "kb", "plans/day%2C or night, policies/old.md, policies/refnds, ../x")
    assert "- [plans/day%2C or night] Day ticket (Plan, " in answer
    assert "- [policies/old] Old refunds" in answer
    assert "Note: There is no 'policies/refnds' in this bundle. Did you mean policies/refunds" in answer
    assert "'../x' points outside this bundle" in answer
    assert base.fetch(["nothing"]) == []
    assert json.loads(asked(base, "fetch_kb", "kb", "policies/refnds"))["error"].startswith("There is no ")


def test_a_section_is_fetched_by_its_anchor() -> None:
    base = manager({"a.md": concept("# One\n\nFirst.\n\n# Two\n\nSecond.")})
    assert base.fetch(["a#two"])[0]["text"] == "# Two\n\nSecond."


def test_an_own_index_is_browsed_as_it_was_written_and_what_it_lacks_follows() -> None:
    base = manager()
    rows = base.browse()
    assert rows[0]["text"] == TOP
    assert rows[0]["metadata"]["marks"] == {"policies/old": ["deprecated"]}
    assert ids(rows) == ["/", "plans/", "policies/"]
    text = base.format_results(rows)
    assert "- [/] index.md; its links start at this folder:\n  # Top\n" in text
    assert (
        "  (Of these, policies/old is deprecated.)\n- [plans/] 1 concept.\n- [policies/] 3 concepts." in text
    )


def test_a_folder_without_an_index_lists_folders_and_concepts_with_their_signals() -> None:
    base = manager()
    rows = base.browse("policies")
    assert ids(rows) == ["policies/late", "policies/old", "policies/refunds"]
    assert rows.total == 3
    assert "- [policies/old] Old refunds (Policy, DEPRECATED, unverified, links to 0, linked from 1)" in (
        base.format_results(rows)
    )
    assert base.browse("plans").notes == ("Left out here: 1 file without a valid concept, or not readable.",)
    assert ids(base.browse("policies/refunds")) == ["policies/refunds"]
    assert base.browse("polices").notes[0].startswith("There is no 'polices'")


def test_folders_are_paged_and_so_are_long_indexes() -> None:
    listing = "# Top\n" + "".join(f"* Entry {number} of the list\n" for number in range(400))
    files = {"index.md": listing, **{f"{number:02}.md": concept() for number in range(20)}}
    base = manager(files)
    rows = base.browse(limit=100)
    pages = [row for row in rows if row["metadata"]["kind"] == "index"]
    assert "".join(row["text"] for row in pages) == listing
    assert [row["metadata"]["page"] for row in pages] == list(range(1, len(pages) + 1))
    assert len(rows) == rows.total == len(pages) + 20
    assert ids(base.browse(limit=len(pages) + 2))[-2:] == ["00", "01"]
    answer = asked(base, "browse_kb", "kb", limit=2, offset=len(pages) + 18)
    assert "- [18] 18 " in answer
    assert "- [19] 19 " in answer
    assert "Call again" not in answer


def test_what_is_printed_can_be_given_back() -> None:
    base = manager()
    for row in [*base.browse(), *base.browse("policies"), *base.search("refund", limit=9)]:
        id_ = row["metadata"]["id"]
        assert base.fetch([id_]), id_
        assert base.browse(id_), id_


def test_a_log_can_be_fetched() -> None:
    assert "Begun." in manager().fetch(["log.md"])[0]["text"]


def test_only_fetching_reads_bodies(tmp_path: Path) -> None:
    reads: list[str] = []

    class Counted(MemoryDocumentStore):
        def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
            reads.append(path)
            return super().read_bytes(path, max_bytes)

    base = OKFManager(Counted(FILES))
    base.bundle.wait()
    reads.clear()
    base.search("refund", limit=9)
    base.browse("policies")
    base.schema()
    base.get_description()
    assert set(reads) <= {"index.md"}
    base.fetch(["policies/refunds"])
    assert "policies/refunds.md" in reads


def test_no_more_concepts_than_allowed_are_served_and_that_is_told() -> None:
    base = manager({f"{name}.md": concept("refund") for name in "abcdef"}, max_concepts=3)
    schema = base.schema()
    assert (schema["concept_count"], schema["truncated"]) == (3, True)
    assert sorted(ids(base.search("refund", limit=9))) == ["a", "b", "c"]
    assert ids(base.browse()) == ["a", "b", "c"]
    assert base.fetch(["d"]) == []
    assert base.fetch(["d"]).notes == ("'d' is beyond the first 3 concepts.",)
    assert ids(base.fetch(["c"])) == ["c"]
    whole = manager({"a.md": concept("refund")}, max_concepts=3)
    assert whole.schema()["truncated"] is False
    with pytest.raises(ConfigError, match="max_concepts=0"):
        manager(max_concepts=0)


def test_a_bundle_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        OKFManager(str(tmp_path / "nowhere"))


class Failing(MemoryDocumentStore):
    """A store that fails as long as it is told to."""

    fails = False
    asked = 0
    has_cheap_changes = False  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    def changes(self, cursor: Cursor | None = None) -> Changes:
        self.asked += 1
        if self.fails:
            raise StoreError("The bucket does not answer.")
        return super().changes(cursor)


def test_a_store_that_fails_is_told_at_once_and_later_with_every_answer() -> None:
    store = Failing(FILES)
    store.fails = True
    with pytest.raises(StoreError, match="The bucket does not answer"):
        OKFManager(store)
    store.fails = False
    base = OKFManager(store, name="kb")
    store.fails = True
    base.reload()
    trouble = "may be old or not all. The bucket does not answer."
    assert trouble in base.search("refund").notes[-1]
    assert trouble in base.browse().notes[-1]
    assert trouble in base.fetch(["policies/old"]).notes[-1]
    assert trouble in base.schema()["trouble"]
    assert trouble in base.get_description()
    assert "Note: " in asked(base, "search_kb", "kb", "refund")
    store.fails = False
    base.reload()
    assert not any("bucket" in note for note in base.search("refund").notes)


def test_a_dear_store_is_asked_once_in_a_while_and_on_reload() -> None:
    store = Failing({"a.md": concept("refund")})
    base = OKFManager(store, refresh_seconds=None)
    before = store.asked
    store.write_bytes("b.md", concept("refund").encode())
    assert ids(base.search("refund", limit=9)) == ["a"]
    assert store.asked == before
    base.reload()
    assert ids(base.search("refund", limit=9)) == ["a", "b"]
    always = OKFManager(Failing({"a.md": concept("refund")}), refresh_seconds=0)
    always.store.write_bytes("b.md", concept("refund").encode())
    assert ids(always.search("refund", limit=9)) == ["a", "b"]
    with pytest.raises(ConfigError, match="refresh_seconds=-1"):
        OKFManager(Failing({}), refresh_seconds=-1)


def test_an_edit_of_a_local_bundle_is_seen_by_the_next_call(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(concept("refund"))
    with OKFManager(LocalDocumentStore(tmp_path), refresh_seconds=None) as base:
        assert ids(base.search("refund", limit=9)) == ["a"]
        (tmp_path / "b.md").write_text(concept("refund"))
        assert ids(base.search("refund", limit=9)) == ["a", "b"]


def test_it_is_a_view_of_one_bundle() -> None:
    bundle = Bundle(MemoryDocumentStore(FILES))
    base = OKFManager(bundle)
    assert base.bundle is bundle
    assert base.backend_name == "okf"
    base.close()
    with pytest.raises(StoreError, match="closed"):
        bundle.find("refund")
