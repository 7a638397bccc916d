"""Dates and times as bundles write them (OKF 0.2 §5), in either of its two texts."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Literal, NamedTuple

InstantForm = Literal["datetime", "date", "naive"]

_INSTANT = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
    r"(?P<time>(?:[Tt]|[ ]{1,3})(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,12}))?)?"
    r"(?P<offset>[ ]?(?:[Zz]|(?P<sign>[+-])(?P<hours>[0-9]{2})(?::?(?P<minutes>[0-9]{2}))?))?)?"
)
_USUAL = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


class Instant(NamedTuple):
    """A point in time.

    Attributes:
        value: The time in UTC. A bare date is the start of its day in UTC; a time without an offset counts as
            UTC.
        form: How it was written: "datetime" with an offset (the August text), "date" alone (the July text),
            or "naive", a time without an offset.
    """

    value: datetime
    form: InstantForm

    def __str__(self) -> str:
        return self.value.date().isoformat() if self.form == "date" else self.in_full

    @property
    def in_full(self) -> str:
        """The instant as a time in UTC, such as "2026-01-31T00:00:00Z", also when it is a bare date."""
        return self.value.replace(tzinfo=None).isoformat() + "Z"


def parse_instant(text: str) -> Instant | None:
    """Read an ISO 8601 date, or date and time.

    Seconds, their fraction and the offset may be absent, and a blank may stand for the T. A leap second
    (`:60`) is the start of the next minute.

    Args:
        text: The text as it stands in the bundle, without quotes.

    Returns:
        The instant, or None for anything else and for dates that do not exist.
    """
    if _USUAL.fullmatch(text):
        try:
            return Instant(datetime.fromisoformat(text), "datetime")
        except ValueError:  # as for a leap second, which the standard library does not know
            pass
    found = _INSTANT.fullmatch(text.strip()) if len(text) < 64 else None
    if found is None:
        return None
    second = int(found["second"] or 0)
    microsecond = int(((found["fraction"] or "") + "000000")[:6])
    try:
        local = datetime(
            int(found["year"]),
            int(found["month"]),
            int(found["day"]),
            int(found["hour"] or 0),
            int(found["minute"] or 0),
            59 if second == 60 else second,
            0 if second == 60 else microsecond,
            tzinfo=_zone(found),
        )
        value = (local + timedelta(seconds=1 if second == 60 else 0)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    if found["time"] is None:
        return Instant(value, "date")
    return Instant(value, "datetime" if found["offset"] else "naive")


def _zone(found: re.Match[str]) -> timezone:
    if found["sign"] is None:
        return UTC
    minutes = int(found["minutes"] or 0)
    if minutes > 59:
        raise ValueError("an offset has at most 59 minutes")
    offset = timedelta(hours=int(found["hours"]), minutes=minutes)
    return timezone(-offset if found["sign"] == "-" else offset)
