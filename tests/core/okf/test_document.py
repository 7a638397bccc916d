"""Every field of a concept: its value, its default, and what is said when it has the wrong kind."""

import json
from datetime import UTC, datetime

import pytest

from fingerpost.okf.attestation import AttestedComputation, Parameter
from fingerpost.okf.document import Document, date_text, looks_like_path, read_document
from fingerpost.okf.provenance import Actor, Event, Source, parse_actor


def read(block: str, path: str = "policies/late-fees.md") -> Document:
    return read_document(f"---\n{block}\n---\n# Body\n".encode(), path)


def codes(document: Document) -> list[str]:
    return [found.code for found in document.findings]


def test_a_full_concept_is_read_without_findings() -> None:
    document = read(
        "type: Policy\ntitle: Late fees\ndescription: What a late return costs.\n"
        "status: Draft\ntags: [a, b, a]\n"
        "resource: https://example.com/x\ngenerated: {by: writer/1.0, at: 2026-06-01T10:00:00Z}\n"
        "verified: {by: human:ana, at: 2026-06-25T09:00:00Z}\nstale_after: 2027-01-01T00:00:00Z\n"
        "usage_window: {from: 2026-01-01T00:00:00Z, to: 2026-02-01T00:00:00Z}\n"
        "sources:\n  - {id: s1, resource: refs/a.md, title: A, author: 'team:data', usage_count: 12,"
        " last_modified: 2026-05-01T00:00:00Z}\nx-team: {d: 2026-01-01}"
    )
    assert document.findings == ()
    assert document.is_concept
    assert (document.type, document.title, document.status) == ("Policy", "Late fees", "draft")
    assert document.description == "What a late return costs."
    assert document.tags == ("a", "b")
    assert document.resource == "https://example.com/x"
    assert document.generated is not None
    assert (document.generated.by, document.generated.at_text) == ("writer/1.0", "2026-06-01T10:00:00Z")
    assert [event.by for event in document.verified] == ["human:ana"]
    assert document.stale_after is not None
    assert document.stale_after.value == datetime(2027, 1, 1, tzinfo=UTC)
    assert document.usage_window is not None
    assert str(document.usage_window.end) == "2026-02-01T00:00:00Z"
    (source,) = document.sources
    assert (source.id, source.resource, source.title, source.author) == ("s1", "refs/a.md", "A", "team:data")
    assert (source.usage_count, source.last_modified_text) == ("12", "2026-05-01T00:00:00Z")
    assert document.body == "# Body\n"
    assert json.loads(json.dumps(document.extra))["x-team"] == {"d": "2026-01-01"}
    assert set(document.extra) & {"type", "title", "description", "status", "tags"} == set()


def test_dates_and_switches_stay_text_in_extra_at_every_depth() -> None:
    document = read("type: x\nextra: {d: 2026-01-01, on: [no, 5]}\n2026-01-01: x\ncontent: a\nmetadata: b")
    assert document.extra == {
        "extra": {"d": "2026-01-01", "on": ["no", "5"]},
        "2026-01-01": "x",
        "content": "a",
        "metadata": "b",
    }


@pytest.mark.parametrize(
    ("block", "code", "concept_type"),
    [
        ("title: x", "OKF201", ""),
        ("type:", "OKF202", ""),
        ("type: null", "OKF202", ""),
        ("type: ''", "OKF202", ""),
        ("type: '  '", "OKF202", ""),
        ("type: [Reference]", "OKF202", ""),
        ("type: {a: b}", "OKF202", ""),
        ("type: 5", "OKF513", "5"),
    ],
)
def test_the_rule_for_types(block: str, code: str, concept_type: str) -> None:
    document = read(block)
    assert codes(document) == [code]
    assert document.type == concept_type
    assert document.is_concept == bool(concept_type)


@pytest.mark.parametrize("written", ["'5'", "Yes", "BigQuery Table", "Prüfschema", "1a"])
def test_any_text_is_a_type(written: str) -> None:
    document = read(f"type: {written}")
    assert (document.type, document.findings) == (written.strip("'"), ())


def test_a_display_title_comes_from_the_file_name_when_there_is_none() -> None:
    assert read("type: x", "a/late-fees_2026.md").display_title == "Late fees 2026"
    assert read("type: x\ntitle: Yes", "a/late-fees.md").display_title == "Yes"
    assert read("type: x", "README.md").display_title == "README"


@pytest.mark.parametrize(
    ("block", "status", "found"),
    [
        ("a: b", "stable", []),
        ("status:", "stable", []),
        ("status: DEPRECATED", "deprecated", []),
        ("status: active", "active", ["OKF506"]),
        ("status: [draft]", "stable", ["OKF513"]),
    ],
)
def test_the_rule_for_statuses(block: str, status: str, found: list[str]) -> None:
    document = read(f"type: x\n{block}")
    assert (document.status, codes(document)) == (status, found)


@pytest.mark.parametrize(
    ("written", "tags", "found"),
    [
        ("[no, on, y, 5]", ("no", "on", "y", "5"), []),
        ("[a, null, a, ' b ', '']", ("a", "b"), []),
        ("null", (), []),
        ("[]", (), []),
        ("one tag", ("one tag",), ["OKF507"]),
        ("'a, b'", ("a", "b"), ["OKF507"]),
        ("\"[okf, 'producer', agent]\"", ("okf", "producer", "agent"), ["OKF507"]),
        ("{a: b}", (), ["OKF507"]),
        ("[a, {b: c}, [d]]", ("a",), ["OKF507", "OKF507"]),
    ],
)
def test_the_rule_for_tags(written: str, tags: tuple[str, ...], found: list[str]) -> None:
    document = read(f"type: x\ntags: {written}")
    assert (document.tags, codes(document)) == (tags, found)


@pytest.mark.parametrize(
    ("written", "sources", "found"),
    [
        ("[https://a.b, {resource: c}]", (Source("https://a.b"), Source("c")), ["OKF510"]),
        ("{resource: a, id: b}", (Source("a", "b"),), ["OKF510"]),
        ("https://a.b", (Source("https://a.b"),), ["OKF510"]),
        ("[{id: a}]", (Source("", "a"),), ["OKF510"]),
        ("[null, [x]]", (), ["OKF510", "OKF510"]),
        ("[{resource: [x], title: {}}]", (Source(""),), ["OKF513", "OKF513"]),
        ("[{resource: a, author: someone}]", (Source("a", author="someone"),), ["OKF508"]),
        ("null", (), []),
    ],
)
def test_the_rule_for_sources(written: str, sources: tuple[Source, ...], found: list[str]) -> None:
    document = read(f"type: x\nsources: {written}")
    assert (document.sources, codes(document)) == (sources, found)


def test_an_old_date_in_a_source_neither_fails_nor_vanishes() -> None:
    (source,) = read("type: x\nsources: [{resource: a, last_modified: last spring}]").sources
    assert (source.last_modified, source.last_modified_text) == (None, "last spring")


@pytest.mark.parametrize(
    ("block", "by", "at", "found"),
    [
        ("generated: {by: a/1, at: 2026-01-31T09:00:00Z}", "a/1", "2026-01-31T09:00:00Z", []),
        ("generated: {by: 'human:a'}", "human:a", "None", []),
        ("generated: {at: 2026-01-31T09:00:00Z}", "", "2026-01-31T09:00:00Z", ["OKF517"]),
        ("generated: {by: 'agent:z', at: x}", "agent:z", "None", ["OKF503", "OKF508"]),
        ("generated: 2026-08-12", "", "2026-08-12", ["OKF517"]),
        ("timestamp: '2026-01-31T09:00:00Z'", "", "2026-01-31T09:00:00Z", ["OKF511"]),
        ("generated:\ntimestamp: 2026-01-31", "", "2026-01-31", ["OKF511"]),
        ("timestamp: 2026-01-31T09:00:00", "", "2026-01-31T09:00:00Z", ["OKF511"]),
        (
            "generated: {by: a/1, at: 2026-01-31T09:00:00Z}\ntimestamp: 2020-01-01",
            "a/1",
            "2026-01-31T09:00:00Z",
            [],
        ),
    ],
)
def test_the_rule_for_generated(block: str, by: str, at: str, found: list[str]) -> None:
    document = read(f"type: x\n{block}")
    assert document.generated is not None
    assert (document.generated.by, str(document.generated.at)) == (by, at)
    assert sorted(codes(document)) == found


@pytest.mark.parametrize(
    "block", ["generated: soon", "generated: [a]", "timestamp: soon", "timestamp: {a: b}", "a: b"]
)
def test_without_a_readable_time_nothing_is_generated(block: str) -> None:
    assert read(f"type: x\n{block}").generated is None


@pytest.mark.parametrize(
    ("written", "actors", "found"),
    [
        ("{by: 'human:a', at: 2026-01-31T09:00:00Z}", ["human:a"], []),
        (
            "[{by: 'human:a', at: 2026-01-31T09:00:00Z}, {by: b/2, at: 2026-01-31T09:00:00Z}]",
            ["human:a", "b/2"],
            [],
        ),
        ("[{by: 'process:ci'}]", ["process:ci"], ["OKF505"]),
        ("[{by: 'human:a', at: yesterday}]", ["human:a"], ["OKF503"]),
        ("[{by: ana, at: 2026-01-31T09:00:00Z}]", ["ana"], ["OKF508"]),
        ("null", [], ["OKF505"]),
        ("true", [], ["OKF505"]),
        ("human:a", [], ["OKF505"]),
        ("[]", [], ["OKF505"]),
        ("{}", [], ["OKF505"]),
        ("[{}]", [], ["OKF505"]),
        ("[{by: 5}]", [], ["OKF505"]),
        ("[{by: true}]", [], ["OKF505"]),
        ("[{by: [x]}]", [], ["OKF505"]),
        ("[{by: ' '}]", [], ["OKF505"]),
        ("[{by: 'human:'}]", [], ["OKF505"]),
        ("[null, 'human:a', [x]]", [], ["OKF505"] * 3),
    ],
)
def test_the_rule_for_verified(written: str, actors: list[str], found: list[str]) -> None:
    document = read(f"type: x\nverified: {written}")
    assert ([event.by for event in document.verified], codes(document)) == (actors, found)


@pytest.mark.parametrize(
    ("written", "value", "found"),
    [
        ("2026-09-23", datetime(2026, 9, 23, tzinfo=UTC), ["OKF504"]),
        ("'2026-09-23'", datetime(2026, 9, 23, tzinfo=UTC), ["OKF504"]),
        ("2026-09-23T10:00:00", datetime(2026, 9, 23, 10, tzinfo=UTC), ["OKF504"]),
        ("2026-09-23T10:00:00+02:00", datetime(2026, 9, 23, 8, tzinfo=UTC), []),
        ("2026-13-45", None, ["OKF503"]),
        ("9" * 5000, None, ["OKF503"]),
        ("[2026-09-23]", None, ["OKF513"]),
        ("null", None, []),
    ],
)
def test_the_rule_for_stale_after(written: str, value: datetime | None, found: list[str]) -> None:
    document = read(f"type: x\nstale_after: {written}")
    assert (document.stale_after.value if document.stale_after else None, codes(document)) == (value, found)
    assert all(len(finding.reason) < 200 for finding in document.findings)


def test_an_attested_computation_is_described() -> None:
    document = read(
        "type: Attested Computation\nruntime: bigquery\ncomputation: c/x.sql\n"
        "parameters:\n  - {name: year, type: integer, required: true}\n  - {name: region}\n"
        "executor: {resource: skills/run.md, receipt: [job_id, result]}\nattester: {resource: a/sql.py}"
    )
    assert document.findings == ()
    assert document.attested == AttestedComputation(
        runtime="bigquery",
        parameters=(Parameter("year", "integer", True), Parameter("region", "", False)),
        computation="c/x.sql",
        executor="skills/run.md",
        receipt=("job_id", "result"),
        attester="a/sql.py",
    )


def test_an_attested_computation_lacks_what_it_lacks() -> None:
    document = read(
        "type: Attested Computation\nparameters: [year, {type: x}]\nexecutor: run.md\nattester: [a]"
    )
    assert document.attested == AttestedComputation("", (), "", "", (), "")
    assert codes(document) == ["OKF512", "OKF513", "OKF513", "OKF513", "OKF513"]
    assert read("type: Policy\nruntime: x").attested is None


def test_path_fields_are_listed_with_their_places() -> None:
    document = read(
        "type: x\nresource: /a.md\nsources:\n  - resource: b.md\n  - all queries\n  - {id: c}\n"
        "executor: {resource: run.md}\nattester: {resource: [x]}\ncomputation: c.sql"
    )
    assert [(found.field, found.value, found.line, found.column) for found in document.path_fields] == [
        ("sources[0].resource", "b.md", 5, 5),
        ("sources[1]", "all queries", 6, 5),
        ("resource", "/a.md", 3, 1),
        ("computation", "c.sql", 10, 1),
        ("executor.resource", "run.md", 8, 12),
    ]


@pytest.mark.parametrize(
    "value", ["a.md", "a/b", "/a b.md", "./a b", "../x", "tables/orders.md#top", "x.SQL", "/"]
)  # fmt: skip
def test_paths_look_like_paths(value: str) -> None:
    assert looks_like_path(value)


@pytest.mark.parametrize(
    "value",
    [
        "https://a.b/c.md", "urn:x:y", "bigquery://a/b", "//host/x", "mailto:a@b.c", "C:\\x\\y",
        "schema.table", "word", "all queries in project a/b", "#top", "", " ", "a\n/b",
    ],
)  # fmt: skip
def test_urls_names_and_words_do_not_look_like_paths(value: str) -> None:
    assert not looks_like_path(value)


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ("stale_after: 2026-09-23", "july"),
        ("stale_after: 2026-09-23T00:00:00Z", "august"),
        ("sources: [{resource: a, last_modified: 2026-01-01}]\nstale_after: 2026-09-23T00:00:00Z", "july"),
        ("sources: [{resource: a, usage_window: {from: 2026-01-01}}]", "july"),
        ("usage_window: {to: 2026-01-01T00:00:00+02:00}", "august"),
        ("generated: {by: a/1, at: 2026-01-01}", ""),
        ("a: b", ""),
    ],
)
def test_the_text_of_the_format_is_told_from_the_dates(block: str, text: str) -> None:
    assert date_text(read(f"type: x\n{block}")) == text


def test_a_version_on_a_concept_is_reported() -> None:
    assert codes(read("type: x\nokf_version: '0.2'")) == ["OKF515"]


@pytest.mark.parametrize("field", ["title", "description", "resource"])
def test_a_text_field_of_another_kind_is_empty_and_reported_in_place(field: str) -> None:
    document = read(f"type: x\n{field}: [a]")
    assert getattr(document, field) == ""
    assert [(found.code, found.line, found.column) for found in document.findings] == [("OKF513", 3, 1)]


def test_a_recovered_colon_is_served() -> None:
    document = read("type: Policy\ndescription: Note: see below")
    assert document.is_concept
    assert document.description == "Note: see below"
    assert [(found.code, found.line, found.column) for found in document.findings] == [("OKF104", 3, 14)]


def test_bad_bytes_in_the_body_do_not_hide_the_concept() -> None:
    document = read_document(b"---\ntype: Policy\n---\na \xff b", "x.md")
    assert (document.is_concept, document.body) == (True, "a \ufffd b")
    assert codes(document) == ["OKF107"]


def test_broken_frontmatter_is_no_concept_and_stays_out_of_the_body() -> None:
    document = read_document(b"---\ntype: [x\n---\nbody", "x.md")
    assert (document.is_concept, document.type, document.body, document.tags) == (False, "", "body", ())
    assert codes(document) == ["OKF103"]


def test_findings_are_in_the_order_of_the_lines() -> None:
    document = read("tags: a\nstatus: odd\ntype: 5\nsources: a\nverified: no")
    assert [found.line for found in document.findings] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("human:jsmith@acme", Actor("human", "jsmith@acme")),
        ("process:nightly", Actor("process", "nightly")),
        ("reference_agent/gemini-2.5-pro", Actor("producer", "reference_agent/gemini-2.5-pro")),
        ("Human:x", Actor("other", "Human:x")),
        ("agent:x/1", Actor("other", "agent:x/1")),
        ("https://x.y/z", Actor("other", "https://x.y/z")),
        ("human:", Actor("other", "human:")),
        ("ana", Actor("other", "ana")),
    ],
)
def test_actors_are_told_apart_by_form(text: str, actor: Actor) -> None:
    assert parse_actor(text) == actor
    assert Event(text).actor == actor
