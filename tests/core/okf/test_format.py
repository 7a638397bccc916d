"""What has one cure is cured, and everything is read as before."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings

from fingerpost.okf.format import CURED, formatted
from fingerpost.okf.frontmatter import open_text
from tests.core.okf.test_any_bytes import FILES
from tests.core.okf.written import random_file, values_of


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        ("\ufeff---\ntype: x\n---\n", "---\ntype: x\n---\n", ["OKF501"]),
        ("---  \ntype: x\n---\t\nbody\n", "---\ntype: x\n---\nbody\n", ["OKF502", "OKF502"]),
        ("---\ntype: x\n... \nbody\n", "---\ntype: x\n---\nbody\n", ["OKF102", "OKF502"]),
        ("---\nt: a: b # c\n---\n", "---\nt: 'a: b' # c\n---\n", ["OKF104"]),
        (
            "---\nt: it's: a\n  more\nu: d: e\n---\n",
            "---\nt: 'it''s: a\n  more'\nu: 'd: e'\n---\n",
            ["OKF104", "OKF104"],
        ),
        ("\ufeff", "", ["OKF501"]),
        ("---\nt:\tx\n---\n", "---\nt: x\n---\n", ["OKF103"]),
        ("---\nt: \t x\t# c\nu:\t\n---\n", "---\nt: x\t# c\nu:\n---\n", ["OKF103", "OKF103"]),
        ("---\nt: {a:\tb, c:\td}\n---\n", "---\nt: {a: b, c: d}\n---\n", ["OKF103", "OKF103"]),
        ("---\nt:\ta: b\n---\n", "---\nt: 'a: b'\n---\n", ["OKF103", "OKF104"]),
        ("---\ntype: x\n---", "---\ntype: x\n---\n", [""]),
        ("---\ntype: x\n---\nbody", "---\ntype: x\n---\nbody\n", [""]),
        ("---\ntype: x\n...", "---\ntype: x\n---\n", ["OKF102", ""]),
        ("\ufeff# Index\n\n* [a](a.md)", "# Index\n\n* [a](a.md)\n", ["OKF501", ""]),
    ],
)  # fmt: skip
def test_cures(before: str, after: str, codes: list[str], line_end: str) -> None:
    data, expected = (text.replace("\n", line_end).encode() for text in (before, after))
    new, found = formatted(data)
    assert new == expected
    assert [each.code for each in found] == codes
    assert formatted(new) == (new, ())
    if "---" in before:
        assert values_of(new) == values_of(data)


def test_a_cure_is_told_at_its_place() -> None:
    _, found = formatted(b"---\ntype: x\nt:\ta: b\n---\nend")
    assert [(each.code, each.line, each.column) for each in found] == [
        ("OKF103", 3, 3),
        ("OKF104", 3, 4),
        ("", 5, 4),
    ]
    assert all(each.reason for each in found)


@pytest.mark.parametrize(
    "data",
    [
        b"", b" \n\n", b"# fine\n", b"---\ntype: x\n---\n", b"\xef\xbb\xbf---\ntype: [\n---\n", b"\xff",
        b"a\xff", b"\xef\xbb\xbf---\ntype: x\nno end", b"--- \n- a\n---\n", "\ufefftext".encode("utf-16"),
        b"---\na: 1\na: 2\n---\n", b"---\nverified: {by: x}\n---\n", b"---\ntags: a, b\n---\n",
        b"---\nd: |\n  a:\tb\n---\n",
    ],
)  # fmt: skip
def test_what_needs_no_cure_or_has_none_stays(data: bytes) -> None:
    assert formatted(data) == (data, ())


def test_the_public_bundles_are_read_as_before(corpus: Path) -> None:
    cured: Counter[str] = Counter()
    for path in sorted(corpus.rglob("*.md")):
        data = path.read_bytes()
        new, found = formatted(data)
        assert formatted(new) == (new, ())
        before, after = open_text(data), open_text(new)
        assert after.frontmatter == before.frontmatter or {each.code for each in found} >= {"OKF104"}
        assert (after.frontmatter is None) == (before.frontmatter is None)
        if before.frontmatter is not None and after.frontmatter is not None:
            assert after.frontmatter.values == before.frontmatter.values
            assert not CURED & {each.code for each in after.findings}
        assert after.body.rstrip("\n") == before.body.rstrip("\n")
        cured.update(each.code for each in found)
    assert cured["OKF104"] == 35


@settings(max_examples=300, deadline=None)
@given(FILES)
def test_any_bytes_are_read_as_before(data: bytes) -> None:
    new, _ = formatted(data)
    assert formatted(new) == (new, ())
    before, after = open_text(data), open_text(new)
    assert (before.frontmatter and before.frontmatter.values) == (
        after.frontmatter and after.frontmatter.values
    )
    assert before.body == after.body or before.body == after.body.rstrip("\r\n")


def test_good_files_stay_as_they_are() -> None:
    rng = random.Random(5)
    for _ in range(300):
        data = random_file(rng)[0].removeprefix(b"\xef\xbb\xbf") + b"\n"
        assert formatted(data) == (data, ())
