"""Indexes and logs as they are written."""

import pytest

from fingerpost.okf.index_file import read_index
from fingerpost.okf.log_file import LogEntry, read_log


def test_the_root_index_may_declare_its_version() -> None:
    index = read_index(b'\xef\xbb\xbf---\nokf_version: "0.2"\n---\n# Concepts\n* [A](a.md) - b\n', "index.md")
    assert (index.okf_version, index.body_line) == ("0.2", 4)
    assert index.body == "# Concepts\n* [A](a.md) - b\n"
    assert [found.code for found in index.findings] == ["OKF501"]


def test_an_index_without_frontmatter_is_whole() -> None:
    index = read_index(b"# A\n* [A](a.md)\n\n---\n\nmore", "sub/index.md")
    assert (index.body, index.body_line, index.findings) == ("# A\n* [A](a.md)\n\n---\n\nmore", 1, ())


@pytest.mark.parametrize(
    ("block", "path", "version", "found"),
    [
        ("okf_version: 0.1", "index.md", "0.1", []),
        ('okf_version: "9.9"', "index.md", "9.9", [("OKF515", 2, 1)]),
        ("okf_version: [a]", "index.md", "", [("OKF515", 2, 1)]),
        ("okf_version: '0.2'\ntitle: x\ntags: [y]", "index.md", "0.2", [("OKF301", 3, 1)]),
        ("title: x", "sub/index.md", "", [("OKF301", 1, 1)]),
        ("okf_version: '0.2'", "sub/index.md", "", [("OKF301", 1, 1)]),
        ("title: [x", "index.md", "", [("OKF103", 2, 8)]),
        ("title: [x", "sub/index.md", "", [("OKF301", 1, 1), ("OKF103", 2, 8)]),
        ("title: a: b", "index.md", "", [("OKF301", 2, 1), ("OKF104", 2, 8)]),
    ],
)
def test_index_frontmatter_is_judged_and_never_in_the_body(
    block: str, path: str, version: str, found: list[tuple[str, int, int]]
) -> None:
    index = read_index(f"---\n{block}\n---\n# A\n".encode(), path)
    assert (index.body, index.okf_version) == ("# A\n", version)
    assert [(finding.code, finding.line, finding.column) for finding in index.findings] == found


@pytest.mark.parametrize("body", ["", "* [A](a.md)\n", "```\n# A\n```\n", "<!--\n# A\n-->\n", "#hash\n"])
def test_an_index_without_any_heading_is_reported(body: str) -> None:
    assert [found.code for found in read_index(body.encode(), "index.md").findings] == ["OKF302"]


@pytest.mark.parametrize(
    "body", ["# A\n", "Title\n=====\n* a\n", "Title\n---\n", "text\n\n   ### A ###\n", "#\n"]
)
def test_headings_of_every_form_count(body: str) -> None:
    assert read_index(body.encode(), "index.md").findings == ()


def test_an_unclosed_index_keeps_its_whole_text() -> None:
    index = read_index(b"---\nokf_version: x\n# A\n", "index.md")
    assert index.body == "---\nokf_version: x\n# A\n"
    assert [found.code for found in index.findings] == ["OKF102"]


LOG = """# History

## 2026-07-01

- **Update**: first line
  goes on
  * with a detail

  and a paragraph
- second
lazily on

Prose that is no entry.

## 2026-06-30 ##
1. third
```
## not a heading
- not an entry
```
### Aside
+ fourth
"""


def test_a_log_is_read_in_dated_entries() -> None:
    log = read_log(LOG.encode(), "log.md")
    assert log.findings == ()
    assert log.entries == (
        LogEntry(
            "2026-07-01", "**Update**: first line goes on * with a detail and a paragraph", 5, "2026-07-01"
        ),
        LogEntry("2026-07-01", "second lazily on", 10, "2026-07-01"),
        LogEntry("2026-06-30", "third", 16, "2026-06-30"),
        LogEntry("2026-06-30", "fourth", 22, "2026-06-30"),
    )


def test_other_second_level_headings_are_reported_and_their_entries_kept() -> None:
    text = b"## 2026-13-45\n* a\n## 2026-07-01T10:00:00Z\n* b\n## Unreleased\n* c\n\n2026-07-02\n---\n* d\n"
    log = read_log(text, "log.md")
    assert [(found.code, found.line) for found in log.findings] == [
        ("OKF303", 1),
        ("OKF303", 3),
        ("OKF303", 5),
    ]
    entries = [(entry.date, entry.text) for entry in log.entries]
    assert entries == [("", "a"), ("2026-07-01", "b"), ("", "c"), ("2026-07-02", "d")]


def test_an_entry_names_the_heading_that_it_belongs_to() -> None:
    text = (
        b"- a\n# Log\n- b\n### 2026-06-01\n- c\n"
        b"## *Last* week\n- d\n### Fixes\n- e\n## 2026-07-01: release\n- f\n"
    )
    entries = [(entry.date, entry.heading, entry.text) for entry in read_log(text, "log.md").entries]
    assert entries == [
        ("", "", "a"),
        ("", "Log", "b"),
        ("", "2026-06-01", "c"),
        ("", "Last week", "d"),
        ("", "Last week", "e"),
        ("2026-07-01", "2026-07-01: release", "f"),
    ]


def test_a_heading_with_a_date_and_more_is_cured_with_that_date() -> None:
    found = read_log(b"## 2026-07-01: release\n- a\n## Soon\n- b\n", "log.md").findings
    assert [(finding.code, finding.cure) for finding in found] == [
        ("OKF303", "Write the heading as `## 2026-07-01`, and what else it says below it."),
        ("OKF303", ""),
    ]


def test_the_order_of_dates_is_left_to_the_author() -> None:
    log = read_log(b"## 2026-01-01\n* a\n## 2026-02-01\n* b\n## 2026-01-01\n* c\n", "log.md")
    assert log.findings == ()
    assert [entry.date for entry in log.entries] == ["2026-01-01", "2026-02-01", "2026-01-01"]


def test_log_frontmatter_is_a_note_and_no_part_of_the_body() -> None:
    log = read_log(b"---\ntype: Log\n---\n\n## 2026-07-01\n- a\n", "sub/log.md")
    assert [found.code for found in log.findings] == ["OKF518"]
    assert (log.body, log.body_line) == ("\n## 2026-07-01\n- a\n", 4)
    assert log.entries == (LogEntry("2026-07-01", "a", 6, "2026-07-01"),)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Log\n\n- 2026-07-07 made\n", [("OKF303", 3)]),
        ("| date | what |\n|---|---|\n", [("OKF303", 1)]),
        ("# Log\n", []),
        ("", []),
    ],
)
def test_a_log_with_text_and_no_date_at_all_is_reported(text: str, found: list[tuple[str, int]]) -> None:
    assert [(finding.code, finding.line) for finding in read_log(text.encode(), "log.md").findings] == found


def test_what_stands_in_code_and_comments_is_no_entry_and_no_heading() -> None:
    code = "~~~ md\r\n## no\r\n- no\r\n~~\r\n~~~~"
    comments = "<!-- x\r\n- no\r\n-->\r\n\r\n<!-- y -->"
    text = f"## 2026-07-01\r\n- a\r\n\r\n{code}\r\n{comments}\r\n- b\r\n``` a`b\r\n\r\n## 2026-06-30\r\n- c"
    log = read_log(text.encode(), "log.md")
    assert log.findings == ()
    assert log.entries == (
        LogEntry("2026-07-01", "a", 2, "2026-07-01"),
        LogEntry("2026-07-01", "b ``` a`b", 14, "2026-07-01"),
        LogEntry("2026-06-30", "c", 18, "2026-06-30"),
    )


def test_entries_of_an_indented_list_are_entries_of_their_own() -> None:
    log = read_log(b"## 2026-07-15\n\n  * a\n    * b\n  * c\nd  e\n", "log.md")
    assert [entry.text for entry in log.entries] == ["a * b", "c d  e"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_code_holds_no_entries_whatever_ends_its_lines(line_end: str) -> None:
    text = "## 2026-07-15\n```\n- no\n```\n- yes\n".replace("\n", line_end)
    assert [entry.text for entry in read_log(text.encode(), "log.md").entries] == ["yes"]
