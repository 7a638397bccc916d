"""The commands that show a bundle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fingerpost import Bundle, MemoryDocumentStore, OKFTools, Tool, demo_bundle
from fingerpost.stores.base import Changes, Cursor, Skipped
from fingerpost.stores.registry import register
from tests.core.cli.shell import Shell, concept, write_files

DEMO = demo_bundle()


def test_index_prints_what_the_folder_holds(shell: Shell) -> None:
    outcome = shell("index", DEMO)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.strip("\n") == Bundle(DEMO).index("/").strip("\n")
    assert outcome.out.startswith("# Harbour Bikes\n")
    assert "(/policies/)" in outcome.out


def test_index_of_a_folder_as_json_names_the_page(shell: Shell) -> None:
    outcome = shell("index", DEMO, "policies", "--json")
    assert (outcome.json["path"], outcome.json["page"], outcome.json["pages"]) == ("policies", 1, 1)
    assert "(/policies/cancellation)" in outcome.json["text"]


def test_index_pages_a_long_list_and_says_how_to_go_on(shell: Shell, tmp_path: Path) -> None:
    files = {f"c{number:03}.md": concept(f"Concept number {number}", "x") for number in range(300)}
    folder = write_files(tmp_path, files)
    first = shell("index", folder)
    pages = shell("index", folder, "--json").json["pages"]
    assert pages > 1
    assert first.err == f"Page 1 of {pages}; go on with --page 2.\n"
    last = shell("index", folder, "--page", str(pages))
    assert last.err == f"Page {pages} of {pages}.\n"
    assert "(/c299)" in last.out
    assert "(/c299)" not in first.out
    assert shell("index", folder, "--page", str(pages + 1)).err.startswith(
        f"There is no page {pages + 1}; this is page {pages}.\n"
    )


def test_a_page_that_there_is_not_is_told(shell: Shell) -> None:
    outcome = shell("index", DEMO, "--page", "9")
    assert (outcome.code, outcome.err) == (0, "There is no page 9; this is page 1.\n")
    assert shell("index", DEMO, "--page", "9", "--json").err == outcome.err


def test_read_prints_signals_then_body_then_links(shell: Shell) -> None:
    outcome = shell("read", DEMO, "policies/cancellation-2024")
    assert outcome.code == 0
    assert outcome.lines[:7] == [
        "Season plan refund after cancellation",
        "A Season plan can be cancelled within 14 days of purchase for a refund, less a fee of 20 euros.",
        "id      policies/cancellation-2024",
        "type    Policy",
        "status  deprecated",
        "trust   human-reviewed",
        "tags    refunds, customers",
    ]
    body, links = outcome.out.index("# Rule"), outcome.out.index("\nLinks\n  policies/cancellation\n")
    assert outcome.out.index("warning ") < body < links < outcome.out.index("\nLinked from\n")


def test_read_marks_a_stale_concept(shell: Shell, tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"old.md": concept("Old", "x", more="stale_after: 2001-01-01\n")})
    assert "status  stable, stale" in shell("read", folder, "old").lines


def test_read_of_a_section_leaves_the_rest_out(shell: Shell) -> None:
    outcome = shell("read", DEMO, "policies/cancellation", "--section", "What to do")
    assert "Pay back to the card" in outcome.out
    assert "full refund. The bicycle" not in outcome.out


def test_read_as_json_is_what_the_bundle_answers(shell: Shell) -> None:
    assert shell("read", DEMO, "plans/day", "--json").json == Bundle(DEMO).read("plans/day")


def test_links_names_what_is_missing_and_what_was_meant(shell: Shell, tmp_path: Path) -> None:
    body = "[a](b.md#part) [c](docs/b.md) [d](nowhere.md) [e](https://example.org/x) [f](sub/)"
    folder = write_files(
        tmp_path,
        {"a.md": concept("A", body), "b.md": concept("B", "# Part"), "sub/c.md": concept("C", "[a](/a.md)")},
    )
    outcome = shell("links", folder, "a")
    assert outcome.code == 0
    assert outcome.lines == [
        "Links",
        "  b#part",
        "  docs/b  missing; did you mean b?",
        "  nowhere  missing",
        "  https://example.org/x",
        "  sub/",
        "Linked from",
        "  sub/c",
    ]


def test_links_as_json_has_links_and_backlinks(shell: Shell) -> None:
    answer = shell("links", DEMO, "policies/damage", "--json").json
    assert answer["id"] == "policies/damage"
    assert answer["links"] == Bundle(DEMO).links("policies/damage")
    assert "plans/day" in answer["backlinks"]


def test_links_says_none_where_there_are_none(shell: Shell, tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.md": concept("A", "alone")})
    assert shell("links", folder, "a").lines == ["Links: none", "Linked from: none"]


def test_log_prints_entries_newest_first_as_written(shell: Shell) -> None:
    outcome = shell("log", DEMO)
    assert outcome.code == 0
    assert [line[:10] for line in outcome.lines if line.startswith("20")] == [
        "2026-10-05",
        "2026-10-05",
        "2026-03-02",
        "2025-11-17",
    ]
    assert shell("log", DEMO, "--json").json == {"path": "/", "entries": Bundle(DEMO).log("/")}


def test_log_of_a_folder_without_one_finds_nothing(shell: Shell) -> None:
    outcome = shell("log", DEMO, "plans")
    assert (outcome.code, outcome.out, outcome.err) == (
        1,
        "",
        "The folder plans has no log.md with entries.\n",
    )


def test_tools_prints_names_descriptions_and_parameters(shell: Shell) -> None:
    outcome = shell("tools")
    assert outcome.code == 0
    assert [line for line in outcome.lines if line.startswith("kb_")] == ["kb_index", "kb_read", "kb_find"]
    tools = [Tool.of(function) for function in OKFTools(DEMO).functions()]
    for tool in tools:
        assert tool.description.splitlines()[0] in outcome.out
        for parameter in tool.schema["properties"].values():
            assert parameter["description"].splitlines()[0] in outcome.out
    assert "    concept_id (string, required)" in outcome.lines
    assert "    include_deprecated (boolean, default false)" in outcome.lines
    assert "    tags (array of string)" in outcome.lines


def test_tools_as_json_has_the_schemas_and_the_prefix(shell: Shell) -> None:
    answer = shell("tools", DEMO, "--prefix", "hire_", "--json").json
    assert [tool["name"] for tool in answer] == ["hire_kb_index", "hire_kb_read", "hire_kb_find"]
    assert answer[1]["parameters"] == Tool.of(OKFTools(DEMO).kb_read).schema


class HalfListed(MemoryDocumentStore):
    """A store of which a part cannot be listed."""

    reason = "permission denied"

    def changes(self, cursor: Cursor | None = None) -> Changes:
        skipped = Skipped("s", "OKF404", self.reason)
        return replace(super().changes(cursor), complete=False, skipped=(skipped,))


register(
    "half-listed", lambda _uri: HalfListed({"a.md": concept("A", "word"), "log.md": "## 2026-01-01\n\n* x\n"})
)


@pytest.mark.parametrize(
    ("command", "words"), [("index", []), ("read", ["a"]), ("find", ["word"]), ("links", ["a"]), ("log", [])]
)
def test_a_part_of_the_store_that_cannot_be_listed_is_told(
    command: str, words: list[str], shell: Shell
) -> None:
    outcome = shell(command, "half-listed://x", *words)
    assert outcome.code == 0
    warning, *remarks = outcome.err.splitlines()
    assert warning == "warning: Part of the store could not be listed. 's': permission denied"
    told = "1 file or folder could not be read and was not searched."
    which = "`fingerpost validate` says which, and what is wrong."
    assert remarks == ([told, which] if command == "find" else [])


def test_what_lies_in_a_part_that_cannot_be_listed_is_not_said_to_be_missing(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HalfListed, "reason", "'s' is left out: it cannot be read.")
    for words in (("index", "s"), ("read", "s/a"), ("links", "/s/a.md"), ("find", "word", "--path", "s/t")):
        command, *others = words
        outcome = shell(command, "half-listed://x", *others)
        asked = others[-1]
        assert (outcome.code, outcome.out) == (3, ""), words
        why = "'s' is left out: it cannot be read."
        assert outcome.err == f"fingerpost: {asked!r} cannot be looked up now. {why}\n"
    listed = shell("index", "half-listed://x").err
    assert listed == "warning: Part of the store could not be listed. 's' is left out: it cannot be read.\n"
    assert shell("read", "half-listed://x", "sa").code == 1
    nothing = shell("find", "half-listed://x", "zeppelin").err
    assert "1 file or folder was not searched: not readable. So this does not show" in nothing
