"""What a bundle as a knowledge base tells of its concepts, folders and troubles, and what it counts."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from fingerpost import Bundle, ConfigError, MemoryDocumentStore, OKFManager
from fingerpost.bundle import refresh, waiting_texts
from fingerpost.errors import StoreError
from fingerpost.knowledge.okf_records import hit_record, index_records, is_own
from fingerpost.records import Record
from tests.core.bundle import shelf
from tests.core.knowledge.test_okf_manager import FILES, Failing, concept, ids, manager


def many_types(count: int) -> dict[str, str]:
    return {f"{number:02}.md": concept(type=f"T{number:02}") for number in range(count)}


def test_an_empty_bundle_is_one() -> None:
    base = manager({})
    assert base.get_description() == "Curated documents: 0 concepts."
    assert base.search("refund") == []


def test_a_description_names_five_types_and_a_schema_fifty() -> None:
    assert manager(many_types(6)).get_description() == (
        "Curated documents: 6 concepts, such as T00, T01, T02, T03, T04."
    )
    schema = manager(many_types(53)).schema()
    assert list(schema["types"]) == [f"T{number:02}" for number in range(50)]
    assert schema["further_types"] == 3
    assert "further_types" not in manager(many_types(50)).schema()


def test_what_is_deprecated_has_to_be_like_the_filters_too() -> None:
    files = {
        "new.md": concept("refund"),
        "old.md": concept("refund", status="deprecated"),
        "plan.md": concept("refund", type="Plan", status="deprecated"),
    }
    assert ids(manager(files).search("refund", limit=9, type="Policy")) == ["new", "old"]


def test_the_first_by_path_are_served_whatever_their_status_and_spelling() -> None:
    files = {
        "a.md": concept("refund", status="deprecated"),
        "b.md": concept("refund"),
        "c.md": concept("refund", status="deprecated"),
        "d.md": concept("refund"),
    }
    base = manager(files, max_concepts=2)
    rows = base.search("refund", limit=9)
    assert (ids(rows), rows.total) == (["b", "a"], None)
    assert (ids(base.browse()), base.browse().total) == (["a", "b"], None)
    whole = manager(files, max_concepts=4)
    assert (whole.search("refund").total, whole.browse().total) == (4, 4)
    assert whole.schema()["truncated"] is False
    assert ids(whole.fetch(["d"])) == ["d"]
    odd = manager({"x+y.md": concept("refund"), "x,y.md": concept("refund")}, max_concepts=1)
    assert ids(odd.search("refund", limit=9)) == ["x+y"]


@pytest.mark.parametrize("most", ["3", 1.5, -1])
def test_the_most_concepts_are_a_whole_number(most: Any) -> None:
    with pytest.raises(ConfigError, match="serves nothing; give 1 or more"):
        manager(max_concepts=most)


def test_no_more_of_the_bundle_is_searched_than_is_asked_for() -> None:
    class Counted(Bundle):
        asked = 0

        def find(self, *args: Any, **kwargs: Any) -> Any:
            self.asked += 1
            return super().find(*args, **kwargs)

    bundle = Counted(MemoryDocumentStore({f"{number}.md": concept("refund") for number in range(250)}))
    base = OKFManager(bundle)
    for limit, pages in ((0, 1), (100, 1), (101, 2), (250, 3)):
        bundle.asked = 0
        assert len(base.search("refund", limit=limit)) == limit
        assert bundle.asked == pages
    assert len(base.search("refund", limit=251)) == 250
    assert base.search("refund", limit=-1) == []


def test_a_folder_is_browsed_as_far_as_it_is_asked_for() -> None:
    base = manager({f"{number:03}.md": concept() for number in range(130)})
    assert len(base.browse(limit=120)) == 120


def test_a_file_that_is_no_concept_is_told_with_what_is_wrong_with_it() -> None:
    rows = manager().fetch(["plans/broken.md", " ", "policies/old"])
    assert ids(rows) == ["policies/old"]
    (note,) = rows.notes
    assert note.startswith("This file is no valid concept. plans/broken.md:1:1: OKF101 ")


def test_the_whole_bundle_is_not_fetched_and_the_tool_for_it_named() -> None:
    rows = manager({"a.md": concept()}).fetch(["/"])
    assert (rows, rows.notes) == ([], ("'/' is a folder: call browse_kb with this path.",))
    assert manager().browse("polcs").notes == (
        "There is no 'polcs' in this bundle. Call browse_kb to see what there is, or search_kb to search.",
    )


def test_trouble_is_told_beside_a_folder_that_there_is_not() -> None:
    store = Failing(FILES)
    base = OKFManager(store)
    store.fails = True
    base.reload()
    first, last = base.browse("polcs").notes
    assert first.startswith("There is no 'polcs'")
    assert last.endswith("may be old or not all. The bucket does not answer.")


class Locked(MemoryDocumentStore):
    """A store of which some files cannot be read."""

    locked = ("index.md", "policies/old.md")

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path in self.locked:
            raise StoreError("It is locked.")
        return super().read_bytes(path, max_bytes)


def test_what_cannot_be_read_is_told_by_every_way() -> None:
    base = OKFManager(Locked(FILES))
    assert base.browse().notes[0] == "The index.md of this folder could not be read. It is locked."
    assert base.search("refund").notes[0] == "2 files were not searched: no valid concept, or not readable."
    assert base.browse("policies").notes[0].startswith("Left out here: 1 file without a valid concept, or")
    only = OKFManager(Locked({name: FILES[name] for name in ("policies/old.md", "policies/refunds.md")}))
    assert only.search("refund").notes[0] == "1 file was not searched: no valid concept, or not readable."


def test_texts_that_are_still_being_read_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh, "_AT_ONCE", 10)
    monkeypatch.setattr(waiting_texts, "ROOM", 0)
    store = shelf.Shelf(
        {f"{number:02}.md": shelf.concept("Text.", title=f"T{number}") for number in range(20)}
    )
    store.gate = threading.Event()
    with OKFManager(store) as base:
        try:
            (note,) = base.search("T7").notes
        finally:
            store.gate.set()
        assert note == "The text of 20 concepts is still being read; until then, headers alone are searched."
        base.bundle.wait()
        assert base.search("T7").notes == ()


def test_closing_closes_what_is_below() -> None:
    class Closing(MemoryDocumentStore):
        closed = 0

        def close(self) -> None:
            self.closed += 1

    store = Closing(FILES)
    OKFManager(store).close()
    assert store.closed > 0


def test_a_record_in_short_says_once_what_it_says() -> None:
    rows = manager({"a.md": concept("Text.", description="Money back.")}).search("money")
    assert rows[0]["text"] == "Money back."
    (hit,) = manager({"a.md": concept("Text.", description="Money back.")}).bundle.find("text")["results"]
    assert hit_record({**hit, "snippet": hit["description"]}, None)["text"] == "Money back."
    assert hit_record({**hit, "snippet": "Text."}, None)["text"] == "Money back. Text."
    assert manager({"a.md": concept("")}).format_results(manager({"a.md": concept("")}).browse()) == (
        "- [a] A (Policy, unverified, links to 0, linked from 0)"
    )


def test_titles_and_types_cannot_forge_an_entry() -> None:
    base = manager({"a.md": concept("Text.", title='"T\\n- [b] x"', type='"[Type]"')})
    assert base.format_results(base.browse()).startswith(r"- [a] T - \[b\] x (\[Type\], unverified, ")


def test_ids_are_as_printed_and_sources_are_as_they_lie() -> None:
    base = manager({"x, y/a, b.md": concept("refund"), "x, y/index.md": "# X\n"})
    about = base.search("refund")[0]["metadata"]
    assert (about["id"], about["path"], about["source"]) == ("x%2C y/a%2C b", "x%2C y/", "x, y/a, b.md")
    assert base.browse("x, y")[0]["metadata"]["source"] == "x, y/index.md"
    assert manager({"a.md": concept()}).browse()[0]["metadata"]["path"] == "/"


def test_a_hub_names_the_first_ten_that_lead_to_it_and_counts_all() -> None:
    files = {f"{number:02}.md": concept("[hub](hub.md)") for number in range(12)} | {"hub.md": concept()}
    base = manager(files)
    base.bundle.wait()
    (hub,) = base.browse("hub")
    first = [f"{number:02}" for number in range(10)]
    assert hub["metadata"]["backlinks"] == {"count": 12, "first": first}
    text = base.format_results(base.fetch(["hub"]))
    assert f"\n  Linked from: {', '.join(first)} and 2 more\n" in text


def test_links_to_files_and_sections_are_told_as_such() -> None:
    files = {"a.md": concept("[f](x.pdf) [s](b.md#one)", note="kept"), "b.md": concept("# One"), "x.pdf": ""}
    base = manager(files)
    (row,) = base.fetch(["a"])
    assert row["metadata"]["extra"] == {"note": "kept"}
    assert "\n  Links to: x.pdf (a file beside the concepts), b#one\n" in base.format_results([row])


def test_a_folder_says_how_many_concepts_lie_below_it() -> None:
    folders = [row for row in manager().browse() if row["metadata"]["kind"] == "folder"]
    assert [row["metadata"] for row in folders] == [
        {"id": "plans/", "kind": "folder", "concepts": 1},
        {"id": "policies/", "kind": "folder", "concepts": 3},
    ]


def test_the_pages_of_an_index_are_numbered_and_the_last_has_the_marks() -> None:
    listing = "\n# Top\n\n* [old](policies/old.md)\n" + "* Entry of the list\n" * 400
    base = manager({**FILES, "index.md": listing})
    pages = [row for row in base.browse(limit=100) if row["metadata"]["kind"] == "index"]
    assert len(pages) > 1
    assert [("marks" in row["metadata"]) for row in pages] == [False] * (len(pages) - 1) + [True]
    told = base.format_results(pages)
    assert told.startswith(
        f"- [/] index.md, page 1 of {len(pages)}; its links start at this folder:\n  # Top\n"
    )
    assert told.endswith("* Entry of the list\n  (Of these, policies/old is deprecated.)")


def test_an_empty_index_is_no_record() -> None:
    assert ids(manager({"index.md": " \n", "a.md": concept()}).browse()) == ["a"]
    assert list(index_records({**manager().bundle.contents(), "index": "\n"})) == []


def test_what_is_not_known_of_a_concept_is_left_out() -> None:
    bundle = manager({"a.md": concept("refund")}).bundle
    (hit,) = bundle.find("refund")["results"]
    record = hit_record(hit, None)
    assert "links" not in record["metadata"]
    assert manager().format_results([record]) == "- [a] A (Policy, unverified): refund"


@pytest.mark.parametrize(
    "row", [{"text": "x"}, {"text": "x", "metadata": None}, {"text": "x", "metadata": {"id": ""}}]
)
def test_records_of_others_are_told_as_those_of_others(row: Record) -> None:
    assert not is_own(row)
    assert manager().format_results([row]) == "- x"
