"""`log.md`: the history of a folder, in groups by date (OKF 0.2 §9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fingerpost.markdown.scan import Scan, scan
from fingerpost.okf.dates import parse_instant
from fingerpost.okf.frontmatter import in_order, open_text
from fingerpost.okf.yaml_problems import LINE_END, shown
from fingerpost.records import Finding

_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BULLET = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?P<text>\S.*)")
_NO_BLOCK = frozenset(("OKF101",))


class _Line(NamedTuple):
    """A line that is neither code nor comment; `level` is 1 to 6 for a heading, whose text it then holds."""

    text: str
    line: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of a log.

    Attributes:
        date: The date above it as YYYY-MM-DD; "" when the heading above it has none.
        text: The entry on one line, what is listed below it included.
        line: Line of the file on which it starts, from 1.
        heading: The second-level heading above it, without markup; where there is none, the nearest of any
            level; "" when there is none at all.
    """

    date: str
    text: str
    line: int
    heading: str = ""


@dataclass(frozen=True, slots=True)
class LogFile:
    """A log as it was read.

    Attributes:
        entries: Its entries, in the order of the file.
        body: The text without frontmatter.
        body_line: Line of the file on which the body starts, from 1.
        scan: Links, headings and the like of the body.
        findings: What is wrong with the file, in the order of the lines.
    """

    entries: tuple[LogEntry, ...]
    body: str
    body_line: int
    scan: Scan
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
    scanned = scan(opened.body, opened.body_line)
    lines = list(_lines(opened.body, opened.body_line, scanned))
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
    return LogFile(_entries(lines), opened.body, opened.body_line, scanned, in_order(findings, own))


def _lines(body: str, first_line: int, scanned: Scan) -> Iterator[_Line]:
    headings = {heading.line: heading for heading in scanned.headings if heading.depth == 0}
    unread: set[int] = set()
    for block in (*scanned.code_blocks, *scanned.comments, *headings.values()):
        line_start = max(body.rfind("\n", 0, block.start), body.rfind("\r", 0, block.start)) + 1
        opens_line = not body[line_start : block.start].strip()
        if opens_line:
            height = len(LINE_END.split(body[block.start : block.end].rstrip()))
            unread.update(range(block.line, block.line + height))
    for number, text in enumerate(LINE_END.split(body), first_line):
        heading = headings.get(number)
        if heading is not None:
            yield _Line(heading.text, number, heading.level)
        elif number not in unread:
            yield _Line(text, number)


def _entries(lines: list[_Line]) -> tuple[LogEntry, ...]:
    found: list[tuple[_Line, int, list[str]]] = []
    group, is_open, after_blank, indent = _Line("", 0), False, False, 0
    for line in lines:
        if line.level:
            group = line if line.level == 2 or group.level != 2 else group
            is_open = False
            continue
        text = line.text.strip()
        bullet = _BULLET.match(line.text)
        lead = len(line.text) - len(line.text.lstrip(" "))
        nested = is_open and (lead >= indent + 2 or line.text[lead:].startswith("\t"))
        if bullet and not nested:
            found.append((group, line.line, [bullet["text"].strip()]))
            is_open, indent = True, lead
        elif text and is_open and (nested or not after_blank):
            found[-1][2].append(text)
        elif text:
            is_open = False
        after_blank = not text
    return tuple(
        LogEntry(_date_of(group), " ".join(parts), number, group.text) for group, number, parts in found
    )


def _date_of(group: _Line) -> str:
    return leading_date(group.text) if group.level == 2 else ""


def _exact_date(text: str) -> str | None:
    return text if _DATE.fullmatch(text) and parse_instant(text) else None


def leading_date(text: str) -> str:
    """The date with which a heading of a log starts, "" if it starts with none."""
    found = _DATE.match(text)
    return found.group() if found and parse_instant(found.group()) else ""


def _undated(heading: _Line) -> Finding:
    date = leading_date(heading.text)
    cure = f"Write the heading as `## {date}`, and what else it says below it." if date else ""
    return Finding("OKF303", heading.line, 1, f"The heading `{shown(heading.text)}` is no ISO date.", cure)
