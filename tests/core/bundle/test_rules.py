"""Every rule is broken by some bundle, at a known place, and kept by one that differs in little."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from fingerpost import Bundle, Diagnostic, MemoryDocumentStore
from fingerpost.okf.rules import RULES, Rule, diagnose
from fingerpost.records import Finding
from tests.core.bundle.breaches import BREACHES, Breach, Files, concept
from tests.core.bundle.unusable import UNUSABLE

NOW = datetime(2026, 11, 29, tzinfo=UTC)


def diagnostics(files: Files) -> list[Diagnostic]:
    return Bundle(MemoryDocumentStore(files)).diagnostics(now=NOW)


IDS = [f"{breach.code}-{number}" for number, breach in enumerate(BREACHES)]


@pytest.mark.parametrize("breach", BREACHES, ids=IDS)
def test_a_broken_rule_is_reported_once_at_its_place(breach: Breach) -> None:
    found = [item for item in diagnostics(breach.files) if item.code == breach.code]
    assert [(item.path, item.line, item.column) for item in found] == [breach.place]


@pytest.mark.parametrize("breach", BREACHES, ids=IDS)
def test_nothing_is_reported_once_it_is_mended(breach: Breach) -> None:
    files = {**breach.files, **breach.mended}
    kept = {path: text for path, text in files.items() if path not in breach.removed}
    assert [str(item) for item in diagnostics(kept)] == []


def test_every_rule_has_a_bundle_that_breaks_it() -> None:
    tried = {breach.code for breach in BREACHES} | UNUSABLE.keys()
    assert sorted(tried) == list(RULES)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_is_described_for_the_docs(rule: Rule) -> None:
    assert re.fullmatch(r"OKF[1-8]\d\d", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert re.fullmatch(r"(§\d+(\.\d+)?)?", rule.clause)
    assert rule.summary.endswith(".")
    assert rule.cure.endswith(".")
    assert "|" not in rule.summary + rule.cure


def test_rules_have_names_of_their_own_and_stand_in_order() -> None:
    assert len({rule.name for rule in RULES.values()}) == len(RULES)
    assert sorted(RULES) == list(RULES)


def test_conformance_is_the_matter_of_the_first_three_hundreds_alone() -> None:
    assert {code[:4] for code, rule in RULES.items() if rule.verdict == "conformance"} == {
        "OKF1",
        "OKF2",
        "OKF3",
    }
    assert {code[:4] for code, rule in RULES.items() if rule.verdict == "lint"}.isdisjoint(
        {"OKF1", "OKF2", "OKF3"}
    )


def test_a_diagnostic_says_where_what_and_how_to_mend_it() -> None:
    found = diagnostics({"a.md": concept("See [b](b.md).")})
    assert [str(item) for item in found] == [
        "a.md:6:5: OKF601 The link 'b.md' leads to nothing. Correct the link, or write the missing concept."
    ]


def test_the_cure_of_a_finding_goes_before_that_of_its_rule() -> None:
    assert diagnose("a.md", Finding("OKF504", 5, 1, "Bare.", "Write it so.")).cure == "Write it so."
    assert diagnose("a.md", Finding("OKF504", 5, 1, "Bare.")).cure == RULES["OKF504"].cure


AS_GENERATED = "`generated: {by: <who>, at: 2023-01-02T00:00:00Z}`"


def cures(fields: str) -> list[tuple[str, str]]:
    return [(item.code, item.cure) for item in diagnostics({"a.md": concept(fields=fields)})]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("stale_after: 2030-01-02\n", [("OKF504", "Write it as 2030-01-02T00:00:00Z.")]),
        ("stale_after: 2030-01-02 09:30\n", [("OKF504", "Write it as 2030-01-02T09:30:00Z.")]),
        ("stale_after: 31.12.2030\n", [("OKF503", "Write it in the form YYYY-MM-DDThh:mm:ssZ.")]),
        (
            "timestamp: 2023-01-02\n",
            [
                ("OKF511", f"Replace it by {AS_GENERATED}, naming who wrote the content."),
            ],
        ),
        ("timestamp: soon\n", [("OKF503", RULES["OKF503"].cure), ("OKF511", RULES["OKF511"].cure)]),
        (
            "generated: 2023-01-02\n",
            [("OKF517", f"Write it as {AS_GENERATED}.")],
        ),
    ],
)
def test_the_cure_of_a_date_is_that_date(fields: str, expected: list[tuple[str, str]]) -> None:
    assert cures(fields) == expected


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_no_cure_names_a_date_that_could_be_copied(rule: Rule) -> None:
    assert not re.search(r"[0-9]{4}-[0-9]{2}", rule.cure)


def test_the_place_of_a_whole_file_has_no_line() -> None:
    assert diagnose("a.md", Finding("OKF701", 0, 0, "Twice.")).location == "a.md"
    assert diagnose("a.md", Finding("OKF701", 3, 0, "Twice.")).location == "a.md:3"
    assert diagnose("", Finding("OKF407", 0, 0, "Nothing.")).location == "."


def test_diagnostics_come_by_path_line_and_column() -> None:
    files = {"b.md": concept("[x](y.md) [x](z.md)\n\n[x](w.md)"), "a.md": "Text."}
    places = [(item.path, item.line, item.column) for item in diagnostics(files)]
    assert places == [("a.md", 1, 1), ("b.md", 6, 1), ("b.md", 6, 11), ("b.md", 8, 1)]
