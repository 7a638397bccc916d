"""Dates in every form that bundles have."""

from datetime import UTC, datetime

import pytest

from fingerpost.okf.dates import Instant, parse_instant


@pytest.mark.parametrize(
    ("text", "value", "form"),
    [
        ("2026-09-23", datetime(2026, 9, 23, tzinfo=UTC), "date"),
        ("2026-06-25T09:00:00Z", datetime(2026, 6, 25, 9, tzinfo=UTC), "datetime"),
        ("2026-06-25t09:00:00z", datetime(2026, 6, 25, 9, tzinfo=UTC), "datetime"),
        ("2026-06-25T09:00Z", datetime(2026, 6, 25, 9, tzinfo=UTC), "datetime"),
        ("2026-06-25 09:00:00 +00:00", datetime(2026, 6, 25, 9, tzinfo=UTC), "datetime"),
        ("2026-06-25T00:30:00+09:00", datetime(2026, 6, 24, 15, 30, tzinfo=UTC), "datetime"),
        ("2026-06-25T22:00:00-0330", datetime(2026, 6, 26, 1, 30, tzinfo=UTC), "datetime"),
        ("2026-06-25T09:00:00+02", datetime(2026, 6, 25, 7, tzinfo=UTC), "datetime"),
        ("2026-06-25T09:00:00.25Z", datetime(2026, 6, 25, 9, 0, 0, 250_000, tzinfo=UTC), "datetime"),
        (
            "2001-12-15T02:59:43.123456789Z",
            datetime(2001, 12, 15, 2, 59, 43, 123_456, tzinfo=UTC),
            "datetime",
        ),
        ("2026-06-25T09:00:00", datetime(2026, 6, 25, 9, tzinfo=UTC), "naive"),
        ("2026-06-25 09:00", datetime(2026, 6, 25, 9, tzinfo=UTC), "naive"),
        ("2016-12-31T23:59:60Z", datetime(2017, 1, 1, tzinfo=UTC), "datetime"),
        (" 2024-02-29 ", datetime(2024, 2, 29, tzinfo=UTC), "date"),
    ],
)
def test_instants_are_read_in_utc(text: str, value: datetime, form: str) -> None:
    instant = parse_instant(text)
    assert instant is not None
    assert (instant.value, instant.form) == (value, form)


@pytest.mark.parametrize(
    "text",
    [
        "", "soon", "2026-13-45", "2025-02-29", "0000-01-01", "2026-1-5", "20260105", "2026-06-25T24:00:00Z",
        "10:30",
        "2026-06-25T09:61:00Z", "2026-06-25T09:00:61Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:60Z",
        "2026-06-25T09:00:00+25:00", "2026-06-25T09:00:00+01:75", "9" * 5000, "٢٠٢٦-٠١-٠١",
        "2026-06-25T", "2026-06-25x",
    ],
)  # fmt: skip
def test_what_is_no_date_is_none(text: str) -> None:
    assert parse_instant(text) is None


def test_an_instant_is_written_as_the_format_asks() -> None:
    assert str(Instant(datetime(2026, 6, 25, 9, tzinfo=UTC), "datetime")) == "2026-06-25T09:00:00Z"
    assert str(Instant(datetime(2026, 6, 25, tzinfo=UTC), "date")) == "2026-06-25"
