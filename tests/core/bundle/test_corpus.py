"""Public bundles, wholly read: no exception, no false verdict, and every id that is printed can be opened."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.corpus import Survey, bundle_roots, report, survey, total
from fingerpost import Bundle

GOOGLE = {
    "google-acme_retail": 9,
    "google-crypto_bitcoin": 9,
    "google-ga4": 9,
    "google-mdcode-demo-catalog": 9,
    "google-stackoverflow": 26,
}


@pytest.fixture(scope="module")
def surveys(corpus: Path) -> dict[str, Survey]:
    return {root.name: survey(root) for root in bundle_roots(corpus)}


def test_every_bundle_is_found_and_wholly_read(surveys: dict[str, Survey]) -> None:
    summed = total(list(surveys.values()))
    assert (len(surveys), summed.documents, summed.concepts, summed.invalid) == (24, 737, 588, 2)


@pytest.mark.parametrize(("name", "concepts"), GOOGLE.items())
def test_the_samples_of_the_format_itself_conform(
    surveys: dict[str, Survey], name: str, concepts: int
) -> None:
    found = surveys[name]
    assert (found.concepts, found.invalid, found.conformant) == (concepts, 0, True)


def test_every_concept_link_and_entry_that_exists_can_be_opened(surveys: dict[str, Survey]) -> None:
    assert {name: found.refused for name, found in surveys.items() if found.refused} == {}
    summed = total(list(surveys.values()))
    assert summed.entries == {"entries": 908, "lead somewhere": 739, "taken": 739}


def test_links_are_told_apart(surveys: dict[str, Survey]) -> None:
    summed = total(list(surveys.values()))
    assert +summed.classes == {
        "concept": 1761,
        "folder": 60,
        "file": 3,
        "broken": 591,
        "external": 369,
        "leaves_root": 1,
        "image": 30,
    }
    assert +summed.manners == {"exact": 2561, "candidate": 2, "missing": 760}


def test_the_diagnostics_are_these(surveys: dict[str, Survey]) -> None:
    summed = total(list(surveys.values()))
    assert summed.rules == {
        "OKF103": 1,
        "OKF104": 35,
        "OKF201": 1,
        "OKF301": 40,
        "OKF303": 6,
        "OKF504": 63,
        "OKF511": 169,
        "OKF514": 2,
        "OKF516": 4,
        "OKF518": 1,
        "OKF601": 760,
        "OKF602": 1,
        "OKF606": 9,
        "OKF802": 30,
    }


def test_the_text_that_was_applied_is_told(surveys: dict[str, Survey]) -> None:
    assert surveys["google-acme_retail"].specification == "0.2 (August text)"
    assert surveys["okf-about"].specification == "0.2 (July text)"
    assert surveys["git-best-practices"].specification == "0.1"
    assert surveys["blockchain"].specification == "0.2"


FIXTURES = (
    "broken-links",
    "curation",
    "custom-metadata",
    "invalid-documents",
    "minimal-valid",
    "nested-links",
    "path-portability",
    "reserved-documents",
    "yaml-standard-tags",
)
CODES = {
    "okf.conformance.frontmatter": {"OKF103"},
    "okf.conformance.concept-type": {"OKF201"},
    "okf.curation.broken-link": {"OKF601"},
    "okf.curation.out-of-bundle-link": {"OKF602"},
    "okf.curation.missing-title": {"OKF514"},
    "okf.curation.missing-description": {"OKF514"},
}
COMPARABLE = {code for codes in CODES.values() for code in codes}


@pytest.mark.parametrize("name", FIXTURES)
def test_the_fixtures_of_another_reader_get_the_verdicts_that_it_expects(corpus: Path, name: str) -> None:
    folder = corpus / "workbench-fixtures" / name
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["expected"]
    on_disk = [finding for finding in expected["findings"] if (folder / finding["path"]).is_file()]
    wanted = Counter(
        (code, finding["path"]) for finding in on_disk for code in CODES.get(finding["code"], ())
    )
    bundle = Bundle(folder)
    found = Counter((item.code, item.path) for item in bundle.diagnostics() if item.code in COMPARABLE)
    assert found == wanted
    links = [link for link in expected["links"] if link["kind"] == "internal"]
    assert {(link["sourceId"], link["targetId"]) for link in links} == {
        (source, view.get("id", ""))
        for source in bundle.ids()
        for view in bundle.links(source)
        if view.get("exists")
    }


def test_the_report_has_a_row_for_each_bundle_and_one_of_totals(
    surveys: dict[str, Survey], capsys: pytest.CaptureFixture[str]
) -> None:
    report(list(surveys.values()))
    lines = capsys.readouterr().out.splitlines()
    rows = Counter(line.split()[0] for line in lines if line and line.split()[0] in {*surveys, "total"})
    assert set(rows.values()) == {5}
    assert set(rows) == {*surveys, "total"}
    assert lines[-1] == "Refused by kb_read or kb_index: nothing"
