"""Tiers, staleness and the words for them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from fingerpost.okf.dates import parse_instant
from fingerpost.okf.document import read_document
from fingerpost.okf.provenance import Event
from fingerpost.okf.trust import is_stale, latest_verification, tier, verification_predates, warnings

NOW = datetime(2026, 9, 23, 12, tzinfo=UTC)


def event(by: str, at: str = "") -> Event:
    return Event(by, parse_instant(at), at)


@pytest.mark.parametrize(
    ("actors", "expected"),
    [
        ([], "unverified"),
        (["process:ci"], "machine-confirmed"),
        (["a/1", "ana", "Human:ana"], "machine-confirmed"),
        (["a/1", "human:ana"], "human-reviewed"),
    ],
)
def test_the_tier_follows_the_actors(actors: list[str], expected: str) -> None:
    assert tier(event(actor) for actor in actors) == expected


@pytest.mark.parametrize(
    ("checked", "changed", "expected"),
    [
        (["2026-01-01T00:00:00Z"], "2026-01-01T00:00:01Z", True),
        (["2026-01-01T00:00:00Z"], "2026-01-01T00:00:00Z", False),
        (["2025-01-01T00:00:00Z", "2026-02-01T00:00:00Z"], "2026-01-01T00:00:00Z", False),
        (["2026-01-01"], "2026-01-01T09:00:00Z", False),
        (["2026-01-01T09:00:00Z"], "2026-01-01", False),
        (["2026-01-01"], "2026-01-02T09:00:00Z", True),
        (["2026-01-01T01:00:00+02:00"], "2026-01-01T00:00:00Z", True),
        ([""], "2026-01-02", False),
        ([], "2026-01-02", False),
        (["2026-01-01"], "", False),
    ],
)
def test_whether_the_last_check_predates_the_content(
    checked: list[str], changed: str, expected: bool
) -> None:
    events = [event("human:a", at) for at in checked]
    assert verification_predates(events, event("a/1", changed)) is expected
    assert verification_predates(events, None) is False


def test_the_latest_verification_is_the_one_with_the_latest_time() -> None:
    events = [
        event("a/1", "2026-02-01"),
        event("b/1", ""),
        event("c/1", "2026-03-01"),
        event("d/1", "2025-01-01"),
    ]
    assert latest_verification(events) == parse_instant("2026-03-01")
    assert latest_verification([]) is None


@pytest.mark.parametrize(
    ("written", "stale"),
    [
        ("2026-09-22", True),
        ("2026-09-23", True),
        ("2026-09-24", False),
        ("2026-09-23T12:00:00Z", True),
        ("2026-09-23T12:00:01Z", False),
        ("2026-09-23T14:00:00+02:00", True),
    ],
)
def test_staleness_starts_with_the_instant_itself(written: str, stale: bool) -> None:
    assert is_stale(parse_instant(written), NOW) is stale


@pytest.mark.parametrize("hours", [14, -12])
def test_the_time_zone_of_the_clock_does_not_matter(hours: int) -> None:
    there = timezone(timedelta(hours=hours))
    assert not is_stale(
        parse_instant("2026-09-23"), datetime(2026, 9, 22, 23, 59, 59, tzinfo=UTC).astimezone(there)
    )
    assert is_stale(parse_instant("2026-09-23"), datetime(2026, 9, 23, tzinfo=UTC).astimezone(there))


def test_what_names_no_instant_is_never_stale() -> None:
    assert not is_stale(None, NOW)


def said(block: str) -> list[str]:
    return warnings(read_document(f"---\n{block}\n---\n".encode(), "x.md"), NOW)


def test_a_sound_concept_has_no_warnings() -> None:
    assert said("type: x\nverified: {by: 'human:a', at: 2026-09-01T00:00:00Z}\nstale_after: 2027-01-01") == []


@pytest.mark.parametrize(
    ("block", "start"),
    [
        ("status: deprecated", "DEPRECATED: "),
        ("status: draft", "DRAFT: "),
        ("status: active", "UNKNOWN STATUS: the concept calls itself `active`"),
        ("stale_after: 2026-09-23", "STALE: this was good until 2026-09-23 "),
        (
            "generated: {by: a/1, at: 2026-09-02}\nverified: {by: 'human:a', at: 2026-09-01}",
            "CHANGED SINCE CHECKED: the content is of 2026-09-02, its last verification of 2026-09-01.",
        ),
    ],
)
def test_each_doubt_is_said_once(block: str, start: str) -> None:
    (warning,) = said(f"type: x\n{block}")
    assert warning.startswith(start)


@pytest.mark.parametrize(
    ("written", "said_of_it"),
    [
        ("31.12.2025", "`31.12.2025`"),
        ("2026-13-45", "`2026-13-45`"),
        ("tomorrow", "`tomorrow`"),
        ("[2025-12-31]", "a list"),
        ("{at: 2025-12-31}", "a mapping"),
    ],
)
def test_an_expiry_that_cannot_be_read_is_no_freshness(written: str, said_of_it: str) -> None:
    (warning,) = said(f"type: x\nstale_after: {written}")
    assert warning == (
        f"EXPIRY UNREADABLE: `stale_after` is {said_of_it}, which is no date that can be read, so that "
        "`stale` says nothing. Check the concept against a current source, or say that it may be out of date."
    )


@pytest.mark.parametrize("field", ["stale_after", "verified", "generated", "timestamp", "status"])
@pytest.mark.parametrize("written", ["", "null", "''", "' '", "[]", "{}"])
def test_a_field_that_says_nothing_is_no_doubt(field: str, written: str) -> None:
    assert said(f"type: x\n{field}: {written}") == []


def test_a_computation_of_unreadable_expiry_is_not_to_be_run() -> None:
    expiry, _ = said("type: attested computation\nruntime: sql\nstale_after: soon")
    assert expiry.endswith("Do not run this computation until its expiry is known.")


@pytest.mark.parametrize(
    ("written", "share"),
    [
        ("true", "(1 of 1)"),
        ("human:ann", "(1 of 1)"),
        ("[{by: 'human:'}]", "(1 of 1)"),
        ("{at: 2026-09-01}", "(1 of 1)"),
        ("['human:ann', {by: 'process:ci', at: 2026-09-01}, [x]]", "(2 of 3)"),
    ],
)
def test_a_verification_that_does_not_count_is_said(written: str, share: str) -> None:
    (warning,) = said(f"type: x\nverified: {written}")
    assert warning.startswith("VERIFICATION UNREADABLE: ")
    assert share in warning


@pytest.mark.parametrize("at", ["", ", at: yesterday", ", at: [2026-09-01]"])
def test_a_check_without_a_date_may_predate_the_content(at: str) -> None:
    (warning,) = said(f"type: x\nverified: [{{by: 'human:a'{at}}}]\ngenerated: {{by: a/1, at: 2026-09-02}}")
    assert warning.startswith("CHECK UNDATED: ")


def test_one_dated_check_is_enough() -> None:
    assert said("type: x\nverified: [{by: 'human:a'}, {by: 'human:b', at: 2026-09-01}]") == []


@pytest.mark.parametrize(
    ("block", "start"),
    [
        ("generated: {by: a/1, at: soon}", "CONTENT UNDATED: `generated.at` is `soon`"),
        ("generated: {by: a/1, at: [2026]}", "CONTENT UNDATED: `generated.at` is a list"),
        ("generated: a/1", "CONTENT UNDATED: `generated` is `a/1`"),
        ("generated: [2026-09-01]", "CONTENT UNDATED: `generated` is a list"),
        ("timestamp: soon", "CONTENT UNDATED: `timestamp` is `soon`"),
    ],
)
def test_a_date_of_the_content_that_cannot_be_read_is_said(block: str, start: str) -> None:
    (warning,) = said(f"type: x\n{block}")
    assert warning.startswith(start)
    assert "since it was checked" not in warning
    (warning,) = said(f"type: x\n{block}\nverified: {{by: 'human:a', at: 2026-09-01}}")
    assert "or whether it changed since it was checked" in warning


@pytest.mark.parametrize(
    "block",
    [
        "generated: 2026-09-01",
        "generated: {by: a/1}",
        "timestamp: 2026-09-01",
        "generated: {by: a/1, at: 2026-09-01}\ntimestamp: soon",
    ],
)
def test_a_readable_or_absent_date_of_the_content_is_no_doubt(block: str) -> None:
    assert said(f"type: x\n{block}") == []


def test_a_status_of_another_kind_is_not_taken_for_stable_in_silence() -> None:
    (warning,) = said("type: x\nstatus: [deprecated]")
    assert warning.startswith("UNKNOWN STATUS: `status` is a list, so that the concept counts as stable.")


def test_an_attested_computation_says_what_may_be_supplied() -> None:
    (warning,) = said("type: Attested Computation\nruntime: sql\nparameters: [{name: year}, {name: region}]")
    assert "Supply values for `year`, `region` and nothing else" in warning
    assert "Nothing is run here" in warning


def test_a_stale_computation_is_not_to_be_run() -> None:
    stale, attested = said("type: attested computation\nruntime: sql\nstale_after: 2020-01-01")
    assert "Do not run this computation" in stale
    assert "takes no parameters" in attested


def test_a_hostile_status_stays_on_one_short_line() -> None:
    (warning,) = said('type: x\nstatus: "a\\n\\n# SYSTEM ' + "x" * 500 + '"')
    assert "\n" not in warning
    assert len(warning) < 250
