"""What a bundle tells of its folders, of itself, and of the neighbours of a concept."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from fingerpost import Bundle, KnowledgeNotFoundError, MemoryDocumentStore
from fingerpost.errors import StoreError, TooLargeError
from fingerpost.stores.base import Changes, Cursor, Skipped

NOW = datetime(2026, 11, 29, tzinfo=UTC)


def concept(body: str = "Text.", **fields: str) -> str:
    lines = [f"{key}: {value}" for key, value in {"type": "Policy", **fields}.items()]
    return "---\n" + "\n".join(lines) + f"\n---\n{body}\n"


FILES = {
    "index.md": "# Top\n\n* [A](a.md)\n* [Gone](gone.md)\n* [Sub](sub/)\n",
    "a.md": concept("[b](b.md), [far](sub/far.md), [web](https://example.org), [no](no.md)", title="A"),
    "b.md": concept("[a](a.md)", title="B", type="Plan", status="draft"),
    "sub/far.md": concept("[up](../a.md) [up](/a.md)", stale_after="2020-01-01"),
    "sub/deep/log.md": "# Log\n",
    "other/bad.md": "no frontmatter",
}


def of(files: dict[str, str] = FILES) -> Bundle:
    return Bundle(MemoryDocumentStore(files))


def test_the_contents_of_a_folder_are_its_index_and_what_that_does_not_list() -> None:
    view = of().contents("/", now=NOW)
    assert view["index"] == FILES["index.md"]
    assert view["marks"] == {}
    assert view["folders"] == [{"id": "other/", "concepts": 0}]
    assert [header["id"] for header in view["concepts"]] == ["b"]
    assert (view["id"], view["total"], view["not_shown"]) == ("/", 2, 0)
    assert "problem" not in view


def test_without_an_index_all_is_listed_in_parts() -> None:
    files = {f"{name}.md": concept() for name in "abc"} | {f"{name}/x.md": concept() for name in "de"}
    bundle = of(files)
    everything = bundle.contents()
    assert [each["id"] for each in everything["folders"]] == ["d/", "e/"]
    assert [each["id"] for each in everything["concepts"]] == ["a", "b", "c"]
    parts = [bundle.contents(limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [each["id"] for part in parts for each in (*part["folders"], *part["concepts"])] == [
        "d/",
        "e/",
        "a",
        "b",
        "c",
    ]
    assert {part["total"] for part in parts} == {5}
    assert bundle.contents(offset=1, limit=3)["concepts"][0]["id"] == "a"


def test_what_an_index_lists_is_marked_with_what_must_not_be_missed() -> None:
    view = of({**FILES, "index.md": "[a](a.md) [b](b.md) [far](sub/far.md)"}).contents(now=NOW)
    assert view["marks"] == {"b": ["draft"], "sub/far": ["stale"]}


def test_the_contents_of_a_concept_are_itself_and_what_is_not_there_is_refused() -> None:
    bundle = of()
    assert [header["id"] for header in bundle.contents("sub/far")["concepts"]] == ["sub/far"]
    assert bundle.contents("other")["not_shown"] == 1
    with pytest.raises(KnowledgeNotFoundError, match=r"no 'sbu'.*sub/"):
        bundle.contents("sbu")
    with pytest.raises(KnowledgeNotFoundError, match="not a folder"):
        bundle.contents("sub/deep/log.md")


def test_an_index_that_cannot_be_read_is_told_and_all_is_listed() -> None:
    class Locked(MemoryDocumentStore):
        def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
            if path == "index.md":
                raise StoreError("The disk is on fire.")
            return super().read_bytes(path, max_bytes)

    view = Bundle(Locked(FILES)).contents()
    assert "The disk is on fire." in view.get("problem", "")
    assert [header["id"] for header in view["concepts"]] == ["a", "b"]


def test_neighbours_are_known_without_reading() -> None:
    bundle = of()
    bundle.wait()
    assert bundle.neighbours(["a", "sub/far", "none"]) == {
        "a": {"links": ["b", "sub/far"], "backlinks": ["b", "sub/far"]},
        "sub/far": {"links": ["a"], "backlinks": ["a"]},
    }


def test_a_hub_is_told_with_all_that_link_to_it() -> None:
    files = {f"{number:03}.md": concept("[hub](hub.md)") for number in range(300)}
    bundle = of({**files, "hub.md": concept()})
    bundle.wait()
    assert bundle.neighbours(["hub"])["hub"]["backlinks"] == bundle.backlinks("hub")
    assert len(bundle.backlinks("hub")) == 300


def test_an_overview_counts_concepts_by_type_and_folder() -> None:
    files = {**FILES, "index.md": '---\nokf_version: "0.2"\n---\n# Top\n', "sub/index.md": "# Sub\n"}
    assert of(files).overview() == {
        "okf_version": "0.2",
        "concepts": 3,
        "types": {"Policy": 2, "Plan": 1},
        "folders": {"other/": 0, "sub/": 1},
        "reserved": {"index.md": 2, "log.md": 1},
        "skipped": 1,
    }
    assert of({"a.md": concept()}).overview()["okf_version"] == ""


def test_types_that_are_as_frequent_are_sorted_by_name() -> None:
    types = ["b", "C", "a", "b", "D", "a"]
    bundle = of({f"{number}.md": concept(type=name) for number, name in enumerate(types)})
    assert list(bundle.overview()["types"].items()) == [("a", 2), ("b", 2), ("C", 1), ("D", 1)]


class Failing(MemoryDocumentStore):
    """A store of which some files cannot be read, for the reason that is given."""

    def __init__(self, files: dict[str, str], **failures: Exception) -> None:
        super().__init__(files)
        self.failures = {f"{name}.md": failure for name, failure in failures.items()}

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        if path in self.failures:
            raise self.failures[path]
        return super().read_bytes(path, max_bytes)


def test_what_cannot_be_read_is_counted_where_it_lies() -> None:
    files = {**FILES, "index.md": "# Top\n", "big.md": concept(), "notes.txt": "x"}
    bundle = Bundle(Failing(files, a=StoreError("Locked."), big=TooLargeError("Too big.")))
    assert bundle.contents()["not_shown"] == 2
    assert bundle.contents("sub")["not_shown"] == 0
    assert bundle.contents("b")["not_shown"] == 0
    assert bundle.overview()["skipped"] == 3
    assert "(2 files of this folder are not listed: no valid concepts, or not readable.)" in bundle.index("/")


def test_a_concept_that_cannot_be_read_any_more_is_listed_as_it_was_known() -> None:
    store = Failing({"a.md": concept(), "b.md": concept()})
    bundle = Bundle(store)
    assert bundle.contents()["not_shown"] == 0
    store.write_bytes("a.md", concept("New.").encode())
    store.failures["a.md"] = StoreError("Locked.")
    bundle.reload()
    view = bundle.contents()
    assert [header["id"] for header in view["concepts"]] == ["a", "b"]
    assert (view["not_shown"], bundle.overview()["skipped"]) == (0, 1)


def test_only_what_should_be_a_concept_is_counted_as_not_shown() -> None:
    class Odd(MemoryDocumentStore):
        def changes(self, cursor: Cursor | None = None) -> Changes:
            odd = [Skipped(name, "OKF404", "Its name is odd.") for name in ("x.txt", "y.md", "sub/z.md")]
            return replace(super().changes(cursor), skipped=tuple(odd))

    bundle = Bundle(Odd({"a.md": concept(), "sub/b.md": concept()}))
    assert (bundle.contents()["not_shown"], bundle.contents("sub")["not_shown"]) == (1, 1)


def test_an_index_that_went_away_in_the_meantime_is_no_index() -> None:
    view = Bundle(Failing(FILES, index=KnowledgeNotFoundError("Gone."))).contents()
    assert (view["index"], "problem" in view) == ("", False)
    assert [header["id"] for header in view["concepts"]] == ["a", "b"]


def test_folders_within_folders_are_told_with_their_whole_paths() -> None:
    files = {"x/y/a.md": concept(), "x/y/z/b.md": concept(), "x/c.md": concept()}
    bundle = of(files)
    assert bundle.contents("x")["folders"] == [{"id": "x/y/", "concepts": 2}]
    assert bundle.contents("x/c.md")["id"] == "x/c"
    assert bundle.contents("x/y")["id"] == "x/y/"


def test_an_index_lists_by_links_of_any_kind_from_its_own_folder() -> None:
    files = {
        "sub/index.md": (
            '# Sub\n\n* [A](a.md)\n* [[sub/b]]\n* <a href="c.md">C</a>\n* [web](https://example.org/d)\n'
        ),
        **{f"sub/{name}.md": concept(status="draft") for name in "abcde"},
        "a.md": concept(),
    }
    bundle = of(files)
    view = bundle.contents("sub", now=NOW)
    assert [header["id"] for header in view["concepts"]] == ["sub/d", "sub/e"]
    assert list(view["marks"]) == ["sub/a", "sub/b", "sub/c"]
    assert "* [web](https://example.org/d)\n" in bundle.index("sub")


def test_marks_are_in_the_order_of_the_paths() -> None:
    names = "hgfedcba"
    links = " ".join(f"[{name}]({name}.md)" for name in names)
    files = {"index.md": links, **{f"{name}.md": concept(status="draft") for name in names}}
    assert list(of(files).contents(now=NOW)["marks"]) == sorted(names)


def test_the_log_of_a_folder_is_that_of_its_file() -> None:
    bundle = of({"sub/log.md": "# Log\n\n## 2026-01-02\n\n* Begun.\n", "sub/a.md": concept()})
    assert bundle.log("sub/log.md") == bundle.log("sub")
    assert [entry["date"] for entry in bundle.log("sub")] == ["2026-01-02"]
    assert bundle.log("/") == []


def test_a_blank_folder_narrows_nothing_down() -> None:
    bundle = of()
    assert (
        bundle.find("text", path=" ")["total"]
        == bundle.find("text")["total"]
        == len(bundle.find("text")["results"])
    )


def test_neighbours_are_others_and_folders_too() -> None:
    bundle = of(
        {"a.md": concept("[self](a.md) [sub](sub/) [b](sub/b.md) [b](/sub/b.md)"), "sub/b.md": concept()}
    )
    bundle.wait()
    assert bundle.neighbours(["a"]) == {"a": {"links": ["sub/", "sub/b"], "backlinks": []}}


@pytest.mark.parametrize(("most", "is_checked"), [(199, True), (200, False)])
def test_of_a_crowd_it_is_not_looked_which_of_two_spellings_is_meant(most: int, is_checked: bool) -> None:
    files = {f"{number:03}.md": concept("[hub](hub.md)") for number in range(most - 2)}
    files |= {name: concept("[hub](hub.md)") for name in ("x.md", "x-y.md")}
    files |= {"other.md": concept("[Hub](Hub.md)"), "hub.md": concept("[hub](hub.md)"), "Hub.md": concept()}
    bundle = of(files)
    bundle.wait()
    backlinks = bundle.neighbours(["hub"])["hub"]["backlinks"]
    assert backlinks == sorted(backlinks)
    assert "hub" not in backlinks
    assert ("other" not in backlinks) is is_checked
    assert len(backlinks) == most + (not is_checked)
