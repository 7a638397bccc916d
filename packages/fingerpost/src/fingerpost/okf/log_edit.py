"""Adds entries to a `log.md` and leaves every other byte of it alone (OKF 0.2 §9)."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

from fingerpost.errors import ConceptError
from fingerpost.markdown.scan import Heading
from fingerpost.okf.editable import decoded, encoded
from fingerpost.okf.inline import inline_text
from fingerpost.okf.lines import Lines
from fingerpost.okf.log_file import LogEntry, LogFile, leading_date, read_log
from fingerpost.okf.yaml_problems import LINE_END

_TITLE = "Log"
_BULLET = re.compile(r" {0,3}[-*+][ \t]+")
_TIME = re.compile(r"\W{0,3}([0-2][0-9]:[0-5][0-9])\b")
_DAY_LEVEL = 2


class _Group(NamedTuple):
    """A heading with a date, and what stands below it; offsets are those of whole lines."""

    heading: Heading
    date: str
    start: int
    end: int
    entries: tuple[LogEntry, ...]


def add_entry(data: bytes | None, entry: str, date: datetime.date, kind: str = "") -> bytes:
    """Add an entry to a log, below the heading of its day.

    The heading is made where there is none: before the first one that is older, or, in a log that runs from
    old to new, before the first one that is younger; at the end of a log without dates. The entry comes first
    in its day; last in a log that runs from old to new, and where the entries of the day begin with times
    that do.

    Args:
        data: The bytes of the log; None for a new one.
        entry: What happened; brought to one line, on which inline markup stays.
        date: The day.
        kind: What kind of change it was, such as "Update"; it is put before the entry in bold.

    Returns:
        The bytes of the log.

    Raises:
        ConceptError: The file is no text, or the entry says nothing or would not be read as one.
    """
    words = _words(entry, kind)
    day = datetime.date(date.year, date.month, date.day).isoformat()
    text = "" if data is None else decoded(data)
    if "\x00" in text:
        raise ConceptError(
            "The log cannot be changed: it holds NUL bytes, so it is no text. Replace the file."
        )
    if data is None or not text.strip():
        return encoded(f"# {_TITLE}\n\n## {day}\n\n* {words}\n")
    log = read_log(data, "log.md")
    offset, added = _Editor(text, log).place(day, words)
    changed = encoded(text[:offset] + added + text[offset:])
    written = data[: len(data) - len(text.encode())] + changed
    _check(log, read_log(written, "log.md"), day, words)
    return written


def _words(entry: str, kind: str) -> str:
    name = inline_text(kind.replace("*", "")).rstrip(": ")
    words = inline_text(entry, starts=not name)
    if not words:
        raise ConceptError("The entry is empty: say in one sentence what has changed.")
    return f"**{name}**: {words}" if name else words


class _Editor:
    """Finds the place of an entry in a log that has text."""

    def __init__(self, text: str, log: LogFile) -> None:
        self._text = text
        self._lines = Lines(text)
        ended = LINE_END.search(text)
        self._end = ended[0] if ended else "\n"
        self._log = log
        self._headings = [heading for heading in log.scan.headings if heading.depth == 0]
        self._groups = [
            self._group(heading, date) for heading in self._headings if (date := leading_date(heading.text))
        ]
        dates = [group.date for group in self._groups]
        self._rises = bool(dates) and dates[0] < dates[-1]

    def place(self, day: str, words: str) -> tuple[int, str]:
        """Where to put what."""
        same = [group for group in self._groups if group.date == day and group.heading.level == _DAY_LEVEL]
        same.sort(key=lambda group: group.heading.text != day)
        if not same:
            return self._new_day(day, words)
        group = same[0]
        if not group.entries:
            return self._below(group.end, f"{self._gap(group)}{self._bullet(())}{words}")
        line = f"{self._bullet(group.entries)}{words}"
        apart = self._end if self._is_loose(group) else ""
        if self._rises or _times_rise(group.entries):
            return self._below(group.end, f"{apart}{line}")
        return self._start(group.entries[0].line), f"{line}{self._end}{apart}"

    def _new_day(self, day: str, words: str) -> tuple[int, str]:
        gap = self._gap(self._groups[0]) if self._groups else self._end
        lines = f"## {day}{self._end}{gap}{self._bullet(())}{words}"
        for group in self._groups:
            if group.date > day if self._rises else group.date < day:
                before = "" if group.start == 0 or self._is_blank(group.start - 1) else self._end
                return group.start, f"{before}{lines}{self._end}{self._end}"
        return self._below(self._groups[-1].end if self._groups else len(self._text), f"{self._end}{lines}")

    def _below(self, end: int, lines: str) -> tuple[int, str]:
        """Put lines below the last line with text before an offset, and a blank line before what follows."""
        last = len(self._text[:end].rstrip())
        line = LINE_END.search(self._text, last)
        offset = line.start() if line else len(self._text)
        rest = self._text[offset:]
        if not rest:
            return offset, f"{self._end}{lines}{self._end}"
        has_blank = len(LINE_END.findall(rest[: len(rest) - len(rest.lstrip())])) > 1
        return offset, f"{self._end}{lines}{'' if has_blank or not rest.strip() else self._end}"

    def _group(self, heading: Heading, date: str) -> _Group:
        following = (
            other for other in self._headings if other.start > heading.start and other.level <= heading.level
        )
        after = next(following, None)
        end = self._start(after.line) if after is not None else len(self._text)
        last_line = after.line if after is not None else len(self._lines.starts) + 1
        entries = tuple(entry for entry in self._log.entries if heading.line < entry.line < last_line)
        return _Group(heading, date, self._start(heading.line), end, entries)

    def _start(self, line: int) -> int:
        return self._lines.place(line - 1)

    def _is_blank(self, offset: int) -> bool:
        start = self._lines.start(offset)
        return not self._text[start : self._lines.after(offset)].strip()

    def _gap(self, group: _Group) -> str:
        """A blank line, if one stands below this heading or if the heading stands alone."""
        below = self._lines.after(self._start(group.heading.line))
        has_text = bool(self._text[below : group.end].strip())
        return self._end if not has_text or self._is_blank(below) or not group.entries else ""

    def _bullet(self, entries: tuple[LogEntry, ...]) -> str:
        """The bullet of the first of these entries, or else of the log, with the blanks around it."""
        for entry in (*entries[:1], *self._log.entries):
            bullet = _BULLET.match(self._text, self._start(entry.line))
            if bullet:
                return bullet[0]
        return "* "

    def _is_loose(self, group: _Group) -> bool:
        """Whether blank lines stand between the entries of a day."""
        return len(group.entries) > 1 and self._is_blank(self._start(group.entries[1].line) - 1)


def _times_rise(entries: tuple[LogEntry, ...]) -> bool:
    times = [found[1] for entry in entries if (found := _TIME.match(entry.text))]
    return len(times) == len(entries) and len(times) > 1 and times == sorted(times) and times[0] < times[-1]


def _check(before: LogFile, after: LogFile, day: str, words: str) -> None:
    """Make sure that the log says what it said, and the new entry."""
    old, new = ([(entry.date, entry.text, entry.heading) for entry in log.entries] for log in (before, after))
    added = next((index for index in range(len(new)) if [*new[:index], *new[index + 1 :]] == old), None)
    if added is None or new[added][:2] != (day, words):
        raise ConceptError(
            f"The entry was not added: it would not be read as one of {day}. Close the code blocks and the "
            "comments of the log, or add it by hand."
        )
