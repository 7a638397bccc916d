"""The verdicts on a bundle, and which text of the specification was applied."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from fingerpost import Bundle, MemoryDocumentStore
from fingerpost.bundle.validation import Validation
from tests.core.bundle.breaches import Files, concept

NOW = datetime(2026, 11, 29, tzinfo=UTC)
ROOT = '---\nokf_version: "{}"\n---\n# All\n\n* [A](a.md)\n'
JULY = concept(fields="stale_after: 2030-01-01\n")
AUGUST = concept(fields="sources: [{resource: x, last_modified: 2026-01-01T00:00:00Z}]\n")
LEGACY = concept(fields="timestamp: 2026-01-01T00:00:00Z\n")
SIGNED = concept(fields="generated: {by: human:ann, at: 2026-01-01T00:00:00Z}\n")


def validate(files: Files) -> Validation:
    return Bundle(MemoryDocumentStore(files)).validate(now=NOW)


def test_a_bundle_without_fault_conforms() -> None:
    found = validate({"a.md": concept(), "index.md": ROOT.format("0.2")})
    assert found == Validation("0.2", "0.2", 1, 2, ())
    assert found.conformant is True
    assert found.severities == {"error": 0, "warning": 0, "note": 0}


@pytest.mark.parametrize(
    ("files", "specification"),
    [
        ({"a.md": concept()}, "0.2"),
        ({"a.md": JULY}, "0.2 (July text)"),
        ({"a.md": AUGUST}, "0.2 (August text)"),
        ({"a.md": JULY, "b.md": AUGUST}, "0.2 (July and August text)"),
        ({"a.md": LEGACY}, "0.1"),
        ({"a.md": LEGACY, "b.md": SIGNED}, "0.2"),
        ({"a.md": LEGACY, "index.md": ROOT.format("0.2")}, "0.2"),
        ({"a.md": SIGNED, "index.md": ROOT.format("0.1")}, "0.1"),
        ({"a.md": JULY, "index.md": ROOT.format("9.7")}, "0.2 (July text)"),
        ({"a.md": concept(), "sub/index.md": ROOT.format("0.1")}, "0.2"),
    ],
)
def test_the_text_that_was_applied_is_told_by_declaration_then_dates(
    files: Files, specification: str
) -> None:
    assert validate(files).specification == specification


def test_lint_alone_does_not_make_a_bundle_fail() -> None:
    found = validate({"a.md": concept("See [b](b.md), [[c]].", fields="status: active\n")})
    assert found.conformant is True
    assert found.rules == {"OKF506": 1, "OKF601": 1, "OKF603": 1}
    assert found.severities == {"error": 0, "warning": 2, "note": 1}
    assert found.of("conformance") == ()
    assert len(found.of("lint")) == 3


@pytest.mark.parametrize(
    "files",
    [
        {"a.md": "no frontmatter", "b.md": concept()},
        {"a.md": concept(type_=""), "b.md": concept()},
        {"b.md": concept(), "index.md": "no heading"},
    ],
    ids=["clause 1", "clause 2", "clause 3"],
)
def test_one_breach_of_a_clause_makes_a_bundle_fail(files: Files) -> None:
    found = validate(files)
    assert found.conformant is False
    assert len(found.of("conformance")) == 1


def test_a_bundle_without_concepts_is_no_pass() -> None:
    found = validate({"index.md": "# Nothing yet\n"})
    assert (found.conformant, found.concepts, found.rules) == (False, 0, {"OKF407": 1})


def test_a_deprecated_concept_may_be_past_its_date() -> None:
    old = "stale_after: 2020-01-01T00:00:00Z\n"
    assert "OKF516" in validate({"a.md": concept(fields=old)}).rules
    assert "OKF516" not in validate({"a.md": concept(fields=f"status: deprecated\n{old}")}).rules


def test_progress_is_told_before_each_file() -> None:
    told: list[tuple[int, int]] = []
    bundle = Bundle(MemoryDocumentStore({"a.md": concept(), "b.md": concept(), "c.txt": "x"}))
    bundle.validate(progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 2), (1, 2)]


def test_a_clash_with_a_folder_is_named_once_for_all_that_lies_in_it() -> None:
    found = validate({"Docs/a.md": concept(), "Docs/b.md": concept(), "docs/a.md": concept()})
    assert [(item.code, item.path) for item in found.diagnostics] == [
        ("OKF701", "docs"),
        ("OKF701", "docs/a.md"),
    ]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "INDEX.md",
            "The name 'INDEX.md' differs from a reserved name in letter case alone, so it is a concept.",
        ),
        ("b.MD", "The name 'b.MD' does not end with .md in small letters, so it is no concept."),
        ("c#.md", "The name 'c#.md' holds '#'."),
        ("end .md.", "The name 'end .md.' starts with a blank, or ends with a blank or a dot."),
        ("Con.md", "The name 'Con.md' is reserved on Windows."),
    ],
)
def test_a_name_that_is_not_portable_is_told_why(name: str, reason: str) -> None:
    found = [item for item in validate({name: concept(), "a.md": concept()}).diagnostics if item.path == name]
    assert [(item.code, item.reason) for item in found] == [("OKF702", reason)]


def test_a_broken_link_of_a_bundle_in_a_bigger_repository_tells_what_may_be_meant() -> None:
    files = {"a.md": concept("See [b](/kb/sub/b.md)."), "sub/b.md": concept()}
    (found,) = validate(files).diagnostics
    assert found.reason == "The link '/kb/sub/b.md' leads to nothing. Perhaps /sub/b.md is meant."


def test_a_link_of_very_many_folders_is_looked_up_in_linear_time() -> None:
    target = "a/" * 100_000
    start = time.process_time()
    (found,) = validate({"a.md": concept(f"See [b]({target}).")}).diagnostics
    assert (found.code, found.line, found.column) == ("OKF601", 6, 5)
    assert len(found.reason) < 300
    assert time.process_time() - start < 10  # when the time is quadratic, it is minutes


def test_hidden_text_in_the_frontmatter_is_found_too() -> None:
    tagged = concept(fields="owner: ann\U000e0061\U000e0062\n")
    (found,) = validate({"a.md": tagged}).diagnostics
    assert (found.line, found.column) == (5, 11)
    assert found.reason == "The text holds 2 tag characters, first U+E0061."
