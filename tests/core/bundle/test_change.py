"""What a change shows of itself."""

from __future__ import annotations

import pytest

from fingerpost.bundle.change import Change, check_size
from fingerpost.errors import ArgumentError

HEAD = "--- a/x.md\n+++ b/x.md\n"


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
        ("a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
        ("a\rb\r", "a\rc\r", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
        ("a\u2028\x0c\x85b\nc\n", "a\u2028\x0c\x85b\nd\n", "@@ -1,2 +1,2 @@\n a\u2028\x0c\x85b\n-c\n+d\n"),
        ("a\n\n", "a\n", "@@ -1,2 +1 @@\n a\n-\n"),
        ("a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"),
    ],
)
def test_a_line_is_what_an_editor_takes_for_one(before: str, after: str, lines: str) -> None:
    assert Change("x.md", before.encode(), after.encode()).diff == HEAD + lines


def test_what_is_no_change_shows_nothing() -> None:
    assert Change("x.md", b"a", b"a").diff == ""


def test_what_is_read_may_be_written_and_no_more() -> None:
    check_size(Change("x.md", None, b"x" * 8_388_608))
    with pytest.raises(ArgumentError, match=r"would have 8,388,609 bytes"):
        check_size(Change("x.md", None, b"x" * 8_388_609))
