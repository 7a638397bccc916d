"""An entry is added to a log below its day, and no other byte changes."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.errors import ConceptError
from fingerpost.okf.log_edit import add_entry
from fingerpost.okf.log_file import read_log

DAY = datetime.date(2026, 7, 15)
TITLE = "# History\n\nAn intro.\n\n"


def test_a_new_log() -> None:
    expected = b"# Log\n\n## 2026-07-15\n\n* **Update**: Added a concept.\n"
    assert add_entry(None, " Added a\nconcept. ", DAY, "Update") == expected
    assert add_entry(b" \n", "Added a concept.", DAY, "**Update**:") == expected
    assert read_log(expected, "log.md").findings == ()


CASES = [
    # below the heading of the day, in the manner of its entries
    ("## 2026-07-15\n\n* old\n", "## 2026-07-15\n\n* NEW\n* old\n"),
    ("## 2026-07-15\n- old\n- older\n", "## 2026-07-15\n- NEW\n- old\n- older\n"),
    ("## 2026-07-15\n\n  + old\n", "## 2026-07-15\n\n  + NEW\n  + old\n"),
    ("## 2026-07-15\n\n* old\n\n* older\n", "## 2026-07-15\n\n* NEW\n\n* old\n\n* older\n"),
    ("## 2026-07-15\n\n1. old\n", "## 2026-07-15\n\n* NEW\n1. old\n"),
    ("## 2026-07-15\n\nWords.\n\n* old\n", "## 2026-07-15\n\nWords.\n\n* NEW\n* old\n"),
    ("## 2026-07-15\n\nWords.\n", "## 2026-07-15\n\nWords.\n\n* NEW\n"),
    ("## 2026-07-15", "## 2026-07-15\n\n* NEW\n"),
    ("## 2026-07-15\n## 2026-07-14\n- x", "## 2026-07-15\n\n- NEW\n\n## 2026-07-14\n- x"),
    ("2026-07-15\n---\n* old\n", "2026-07-15\n---\n* NEW\n* old\n"),
    ("## 2026-07-15 (Wed)\n* old\n", "## 2026-07-15 (Wed)\n* NEW\n* old\n"),
    ("## 2026-07-15 b\n* b\n## 2026-07-15\n* a\n", "## 2026-07-15 b\n* b\n## 2026-07-15\n* NEW\n* a\n"),
    # last in the day where the log or the times of the day run from old to new
    ("## 2026-07-15\n* 09:00 a\n* 10:30 b\n  c\n", "## 2026-07-15\n* 09:00 a\n* 10:30 b\n  c\n* NEW\n"),
    ("## 2026-07-15\n* 10:30 a\n* 09:00 b\n", "## 2026-07-15\n* NEW\n* 10:30 a\n* 09:00 b\n"),
    ("## 2026-07-14\n- a\n\n## 2026-07-15\n- b", "## 2026-07-14\n- a\n\n## 2026-07-15\n- b\n- NEW\n"),
    # a new heading where the order wants it
    ("## 2026-07-14\n\n- old\n", "## 2026-07-15\n\n- NEW\n\n## 2026-07-14\n\n- old\n"),
    ("## 2026-07-14\n- old\n", "## 2026-07-15\n- NEW\n\n## 2026-07-14\n- old\n"),
    ("# T\n## 2026-07-14\n- old\n", "# T\n\n## 2026-07-15\n- NEW\n\n## 2026-07-14\n- old\n"),
    (
        "## 2026-07-16\n* c\n\n## 2026-07-14\n* a\n",
        "## 2026-07-16\n* c\n\n## 2026-07-15\n* NEW\n\n## 2026-07-14\n* a\n",
    ),
    (
        "## 2026-07-17\n* d\n\n## 2026-07-16\n* c",
        "## 2026-07-17\n* d\n\n## 2026-07-16\n* c\n\n## 2026-07-15\n* NEW\n",
    ),
    (
        "## 2026-07-13\n* a\n\n## 2026-07-14\n* b\n",
        "## 2026-07-13\n* a\n\n## 2026-07-14\n* b\n\n## 2026-07-15\n* NEW\n",
    ),
    (
        "## 2026-07-13\n* a\n\n## 2026-07-16\n* b\n",
        "## 2026-07-13\n* a\n\n## 2026-07-15\n* NEW\n\n## 2026-07-16\n* b\n",
    ),
    (
        "## 2026-07-13\n* a\n\n## 2026-07-14\n* b\n\n# End\n",
        "## 2026-07-13\n* a\n\n## 2026-07-14\n* b\n\n## 2026-07-15\n* NEW\n\n# End\n",
    ),
    # without dates, below all that stands there
    ("", "## 2026-07-15\n\n* NEW\n"),
    ("### Start\n* a\n", "### Start\n* a\n\n## 2026-07-15\n\n* NEW\n"),
    # what looks like a heading or a bullet and is none
    (
        "```\n## 2026-07-15\n* no\n```\n\n## 2026-07-14\n- old\n",
        "```\n## 2026-07-15\n* no\n```\n\n## 2026-07-15\n- NEW\n\n## 2026-07-14\n- old\n",
    ),
    (
        "<!--\n## 2026-07-15\n-->\n\n## 2026-07-14\n- old\n",
        "<!--\n## 2026-07-15\n-->\n\n## 2026-07-15\n- NEW\n\n## 2026-07-14\n- old\n",
    ),
    ("> ## 2026-07-15\n", "> ## 2026-07-15\n\n## 2026-07-15\n\n* NEW\n"),
    ("## 2026-07-15\n```\n- no\n```\n- old\n", "## 2026-07-15\n```\n- no\n```\n- NEW\n- old\n"),
]  # fmt: skip


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("before", ["", TITLE, "\ufeff---\ntype: Log\n---\n\n"])
@pytest.mark.parametrize(("old", "new"), CASES)
def test_the_place_of_an_entry(old: str, new: str, before: str, line_end: str) -> None:
    if f"{before}{old}".count("\n") == 0 or not f"{before}{old}".strip("\ufeff"):
        line_end = "\n"  # nothing tells of another
    if not old and "intro" not in before:
        before = TITLE
    data, expected = (f"{before}{text}".replace("\n", line_end).encode() for text in (old, new))
    if not old:  # the blank line at the end stays there
        expected = f"{TITLE}{new}".rstrip("\n").replace("\n", line_end).encode() + line_end.encode() * 2
    assert add_entry(data, "NEW", DAY) == expected


@pytest.mark.parametrize(
    ("entry", "written"),
    [
        ("# no heading", r"\# no heading"),
        ("- no\n- list", r"\- no - list"),
        ("* no", r"\* no"),
        ("**bold** stays", "**bold** stays"),
        ("[a](b.md) stays", "[a](b.md) stays"),
        ("1. no", r"1\. no"),
        ("2026 was", "2026 was"),
        ("> no", r"\> no"),
        ("---", r"\---"),
        ("* * *", r"\* * *"),
        ("```sh", r"\```sh"),
        ("`code` stays", "`code` stays"),
        ("~~~", r"\~~~"),
        ("a <!-- b", r"a \<!-- b"),
        ("<!-- b -->", r"\<!-- b -->"),
        ("<div>", r"\<div>"),
        ("<https://x.example> stays", "<https://x.example> stays"),
        ("[a]: b", r"\[a]: b"),
        ("a\r\n\r\n## 2020-01-01\x85b\u2028c", "a ## 2020-01-01 b c"),
        ("a\x00\x1b\u202eb", "ab"),
    ],
)
def test_an_entry_is_one_line_of_text(entry: str, written: str) -> None:
    data = b"## 2026-07-15\n* old\n"
    assert add_entry(data, entry, DAY) == f"## 2026-07-15\n* {written}\n* old\n".encode()
    new = add_entry(None, entry, DAY, "Note # 1:")
    assert [each.text for each in read_log(new, "log.md").entries] == [f"**Note # 1**: {plain(written)}"]


def plain(written: str) -> str:
    """The entry behind other text, where only a comment has to be escaped."""
    return written if "<!--" in written else written.replace("\\", "")


@settings(max_examples=300, deadline=None)
@given(st.text(), st.text(max_size=10))
def test_any_entry_is_read_back_or_refused(entry: str, kind: str) -> None:
    data = b"# T\n\n## 2026-07-14\n* a\n\n```\ncode\n```\n"
    try:
        new = add_entry(data, entry, DAY, kind)
    except ConceptError:
        return
    assert [each.date for each in read_log(new, "log.md").entries] == ["2026-07-15", "2026-07-14"]
    assert read_log(new, "log.md").findings == ()


def test_ordinary_words_are_never_refused() -> None:
    for entry in ("x", "a: b", "[x](y)", "<b>", "&amp;", "\\", "***", "__a__", "|a|b|", "$1", "ü", "👩"):
        assert b"2026-07-15" in add_entry(b"# T\n", entry, DAY)


def test_the_public_logs_take_an_entry_and_lose_nothing(corpus: Path) -> None:
    logs = [path.read_bytes() for path in sorted(corpus.rglob("log.md"))]
    assert len(logs) == 13
    for data in logs:
        for day in (DAY, datetime.date(2026, 7, 1), datetime.date(2030, 1, 1), datetime.date(2000, 1, 1)):
            new = add_entry(data, "An entry.", day, "Update")
            added = len(new) - len(data)
            assert any(
                new[:at] + new[at + added :] == data for at in range(len(data) + 1) if new[:at] == data[:at]
            )
            entries = read_log(new, "log.md").entries
            assert [each.text for each in entries if each.date == day.isoformat()].count(
                "**Update**: An entry."
            ) == 1
            again = add_entry(new, "Another entry.", day)
            assert len(again) < len(new) + 40


@pytest.mark.parametrize(
    ("data", "entry", "said"),
    [
        (b"\xff\xfe#\x00", "x", "UTF-16"),
        (b"# T\x00\n", "x", "NUL bytes"),
        (b"# T\n\n\xe9\n", "x", "Line 3, column 1: The byte E9 is not UTF-8"),
        (b"# T\n", " \n\x00", "The entry is empty"),
        (b"# T\n\n```\nopen\n", "x", "would not be read as one of 2026-07-15"),
        (b"# T\n\n<!-- open\n", "x", "would not be read as one of 2026-07-15"),
        (b"# T\n", "\ud800", "half of a character"),
    ],
)
def test_what_is_refused(data: bytes, entry: str, said: str) -> None:
    with pytest.raises(ConceptError, match=said):
        add_entry(data, entry, DAY)


def test_a_time_of_day_does_not_matter() -> None:
    moment = datetime.datetime(2026, 7, 15, 23, 59, tzinfo=datetime.UTC)
    assert add_entry(None, "x", moment) == add_entry(None, "x", DAY)
