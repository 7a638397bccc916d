"""`log.md`: the history of a folder, in groups by date (OKF 0.2 §9)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fingerpost.okf.dates import parse_instant
from fingerpost.okf.frontmatter import in_order, open_text
from fingerpost.okf.outline import OutlineLine, outline
from fingerpost.okf.yaml_problems import shown
from fingerpost.records import Finding

_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BULLET = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?P<text>\S.*)")
_NO_BLOCK = frozenset(("OKF101",))


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a log.

    Attributes:
        date: The date above it as YYYY-MM-DD; "" when the heading above it has none.
        text: The entry on one line, what is listed below it included.
        line: Line of the file on which it starts, from 1.
    """

    date: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class LogFile:
    """A log as it was read.

    Attributes:
        entries: Its entries, in the order of the file.
        body: The text without frontmatter.
        body_line: Line of the file on which the body starts, from 1.
        findings: What is wrong with the file, in the order of the lines.
    """

    entries: tuple[LogEntry, ...]
    body: str
    body_line: int
    findings: tuple[Finding, ...]


def read_log(data: bytes, path: str) -> LogFile:
    """Read a `log.md`.

    Args:
        data: The bytes of the file, whatever they are.
        path: Its bundle-relative path, for the messages.

    Returns:
        The log. Entries below a heading that is no date are read all the same, and the heading is reported
        (OKF303), as is a log that has text and no date at all. The order of the dates is left to the author.
    """
    opened = open_text(data)
    lines = outline(opened.body, opened.body_line)
    own: list[Finding] = []
    if opened.has_block:
        own.append(Finding("OKF518", 1, 1, f"{path} has frontmatter."))
    headings = [line for line in lines if line.level == 2]
    own += [_undated(heading) for heading in headings if _exact_date(heading.text) is None]
    content = next((line for line in lines if line.level == 0 and line.text.strip()), None)
    if not headings and content is not None:
        own.append(
            Finding("OKF303", content.line, 0, "The log has no heading with a date above its entries.")
        )
    findings = (found for found in opened.findings if found.code not in _NO_BLOCK)
    return LogFile(_entries(lines), opened.body, opened.body_line, in_order(findings, own))


def _entries(lines: list[OutlineLine]) -> tuple[LogEntry, ...]:
    found: list[tuple[str, int, list[str]]] = []
    date, is_open, after_blank = "", False, False
    for line in lines:
        if line.level:
            date = _leading_date(line.text) if line.level == 2 else date
            is_open = False
            continue
        text = line.text.strip()
        bullet = _BULLET.match(line.text)
        nested = is_open and line.text.startswith(("  ", "\t"))
        if bullet and not nested:
            found.append((date, line.line, [bullet["text"].strip()]))
            is_open = True
        elif text and is_open and (nested or not after_blank):
            found[-1][2].append(text)
        elif text:
            is_open = False
        after_blank = not text
    return tuple(LogEntry(date, " ".join(parts), number) for date, number, parts in found)


def _exact_date(text: str) -> str | None:
    return text if _DATE.fullmatch(text) and parse_instant(text) else None


def _leading_date(text: str) -> str:
    """The date with which a heading starts, "" if it starts with none."""
    found = _DATE.match(text)
    return found.group() if found and parse_instant(found.group()) else ""


def _undated(heading: OutlineLine) -> Finding:
    return Finding("OKF303", heading.line, 1, f"The heading `{shown(heading.text)}` is no ISO date.")
