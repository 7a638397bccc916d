"""The public bundles, read file by file."""

import json
from collections import Counter
from pathlib import Path

import pytest

from fingerpost.okf.document import Document, date_text, read_document
from fingerpost.okf.index_file import read_index
from fingerpost.okf.log_file import read_log
from fingerpost.okf.provenance import Event
from fingerpost.okf.trust import tier

RESERVED = {"index.md", "log.md"}


def concepts(bundle: Path) -> dict[str, Document]:
    files = sorted(path for path in bundle.rglob("*.md") if path.name not in RESERVED)
    names = [str(path.relative_to(bundle)) for path in files]
    return {name: read_document(path.read_bytes(), name) for name, path in zip(names, files, strict=True)}


@pytest.mark.parametrize(
    ("bundle", "count", "conformance"),
    [
        ("google-acme_retail", 9, {}),
        ("google-crypto_bitcoin", 9, {}),
        ("google-ga4", 9, {}),
        ("google-mdcode-demo-catalog", 9, {}),
        ("google-stackoverflow", 26, {}),
        ("okf-gem", 27, {}),
        ("awesome-okf-zh", 50, {}),
        ("oks", 125, {}),
        ("blockchain", 45, {"OKF104": 11}),
        ("okf-about", 63, {"OKF104": 17}),
        ("deutsches-recht", 202, {"OKF104": 7}),
    ],
)
def test_every_concept_of_the_public_bundles_is_served(
    corpus: Path, bundle: str, count: int, conformance: dict[str, int]
) -> None:
    documents = concepts(corpus / bundle)
    assert len(documents) == count
    assert all(
        document.is_concept and document.title and document.description for document in documents.values()
    )
    found = Counter(finding.code for document in documents.values() for finding in document.findings)
    assert {code: times for code, times in found.items() if code < "OKF400"} == conformance
    json.dumps([document.extra for document in documents.values()])


def test_the_sample_bundle_of_the_format_is_read_to_the_last_field(corpus: Path) -> None:
    documents = concepts(corpus / "google-acme_retail")
    document = documents["computations/revenue-ytd.md"]
    assert document.findings == ()
    assert document.attested is not None
    assert [parameter.name for parameter in document.attested.parameters] == ["year"]
    assert document.attested.receipt == ("job_id", "executed_sql", "result")
    assert [source.id for source in document.sources] == ["revenue-policy", "orders-table"]
    assert tier(document.verified) == "human-reviewed"
    assert date_text(document) == "august"
    assert [found.field for found in document.path_fields] == [
        "sources[0].resource",
        "sources[1].resource",
        "executor.resource",
        "attester.resource",
    ]
    legacy = documents["metrics/gross-margin-legacy.md"]
    assert legacy.status == "deprecated"


def test_the_sample_log_has_four_dates(corpus: Path) -> None:
    log = read_log((corpus / "google-acme_retail/log.md").read_bytes(), "log.md")
    assert [entry.date for entry in log.entries] == ["2026-07-01", "2026-06-30", "2026-04-15", "2026-02-10"]
    assert [found.code for found in log.findings] == ["OKF518"]


def test_legacy_timestamps_stand_in_for_generated(corpus: Path) -> None:
    documents = concepts(corpus / "oks")
    assert all(isinstance(document.generated, Event) for document in documents.values())
    assert {finding.code for document in documents.values() for finding in document.findings} == {"OKF511"}


def test_the_fixtures_of_invalid_documents_fail_one_by_one(corpus: Path) -> None:
    folder = corpus / "workbench-fixtures" / "invalid-documents"
    expected = json.loads((folder / "expected.json").read_text())
    data = {path.name: path.read_bytes() for path in folder.glob("*.md") if path.name != "index.md"}
    data |= {file["path"]: bytes(file["bytes"]) for file in expected["virtualFiles"]}
    found = {
        name: [finding.code for finding in read_document(content, name).findings if finding.code < "OKF400"]
        for name, content in data.items()
    }
    assert found == {
        "invalid-utf8.md": ["OKF107"],
        "invalid-yaml.md": ["OKF103"],
        "missing-type.md": ["OKF201"],
        "valid.md": [],
    }


def test_standard_tags_and_own_fields_of_the_fixtures_survive(corpus: Path) -> None:
    folder = corpus / "workbench-fixtures"
    tagged = read_document(
        (folder / "yaml-standard-tags/tagged-metadata.md").read_bytes(), "tagged-metadata.md"
    )
    assert tagged.extra["producer"] == {
        "captured_at": "2001-12-15T02:59:43.1Z",
        "payload": "SGVsbG8=",
        "labels": {"alpha": None, "beta": None},
        "ordered": [{"first": "1"}, {"second": "2"}],
    }
    own = read_document((folder / "custom-metadata/experiment.md").read_bytes(), "experiment.md")
    assert own.extra["custom_nested"] == {"enabled": "true", "thresholds": ["1", "2", "3"]}


def test_the_indexes_of_the_public_bundles_have_headings_and_clean_bodies(corpus: Path) -> None:
    codes: Counter[str] = Counter()
    for path in sorted(corpus.rglob("index.md")):
        bundle = path.relative_to(corpus).parts[0]
        index = read_index(path.read_bytes(), str(path.relative_to(corpus / bundle)))
        assert not index.body.startswith("---")
        codes.update(finding.code for finding in index.findings)
    assert codes["OKF302"] == 0
    assert codes["OKF301"] == 49
