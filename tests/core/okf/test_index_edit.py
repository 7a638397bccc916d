"""An index gets the entries that it lacks, at the end of its list, and no other byte changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.errors import ConceptError
from fingerpost.markdown.scan import scan
from fingerpost.okf.frontmatter import open_text
from fingerpost.okf.index_edit import IndexEntry, with_entries
from fingerpost.okf.index_file import read_index

ADDED = "* [A](a.md) - First.\n* [B](sub/)\n"
A, B = ("A", "a.md", "First."), IndexEntry("B", "sub/")


def test_a_new_index() -> None:
    assert with_entries(None, [A, B]) == b"# Contents\n\n* [A](a.md) - First.\n* [B](sub/)\n"
    assert with_entries(None, [A], "Rules") == b"# Rules\n\n* [A](a.md) - First.\n"
    assert with_entries(None, []) == b"# Contents\n"
    assert read_index(with_entries(None, [A]), "index.md").findings == ()


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("head", ["", '---\nokf_version: "0.2" # c\n---\n\n', "\ufeff# T\n\n"])
@pytest.mark.parametrize(
    ("old", "heading", "new"),
    [
        ("# X\n\n* [Z](z.md)\n", "", f"# X\n\n* [Z](z.md)\n{ADDED}"),
        ("# X\n\n- [Z](z.md)", "", f"# X\n\n- [Z](z.md)\n{ADDED.replace('*', '-')}"),
        (
            "# X\n\n- [Z](z.md)\n  - [Y](y.md)\n  y\n\n", "",
            f"# X\n\n- [Z](z.md)\n  - [Y](y.md)\n  y\n{ADDED.replace('*', '-')}\n",
        ),
        ("# X\n\nWords.\n", "", f"# X\n\nWords.\n\n{ADDED}"),
        ("# X\n* [Z](z.md)\n# Y\n", "x", f"# X\n* [Z](z.md)\n{ADDED}\n# Y\n"),
        ("# X\n\n## Y\n\n* [Z](z.md)\n", "X", f"# X\n\n{ADDED}\n## Y\n\n* [Z](z.md)\n"),
        ("# X\n\n* [Z](z.md)\n", "New", f"# X\n\n* [Z](z.md)\n\n# New\n\n{ADDED}"),
        (
            "# X\n\n* [Q](/q.md)\n\n[B]: sub/index.md\n\n[B]\n", "",
            "# X\n\n* [Q](/q.md)\n\n[B]: sub/index.md\n\n[B]\n\n* [A](a.md) - First.\n",
        ),
        ("# X\n\n* [Q](./a) and [S](sub)\n", "", "# X\n\n* [Q](./a) and [S](sub)\n"),
    ],
)  # fmt: skip
def test_what_is_lacking_goes_to_the_end_of_the_list(
    old: str, heading: str, new: str, head: str, line_end: str
) -> None:
    data, expected = (f"{head}{text}".replace("\n", line_end).encode() for text in (old, new))
    assert with_entries(data, [A, B], heading) == expected
    assert with_entries(expected, [A, B], heading) == expected


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (("a [b] `c`", "a.md", ""), r"* [a \[b\] \`c\`](a.md)"),
        (("a\n# b", "two words (1).md", "c\n* d"), "* [a # b](two%20words%20%281%29.md) - c * d"),
        (("", "größe.md", "a <!-- b"), r"* [größe.md](größe.md) - a \<!-- b"),
        (("W", "https://x.example/y", ""), "* [W](https://x.example/y)"),
        (("U", "../up.md", ""), "* [U](../up.md)"),
    ],
)
def test_an_entry_is_one_line_and_one_link(entry: tuple[str, str, str], line: str) -> None:
    assert with_entries(b"# T\n", [entry, entry]) == f"# T\n\n{line}\n".encode()


def test_an_absolute_and_a_relative_path_may_be_two_places() -> None:
    assert with_entries(b"* [A](/a.md)\n", [A]) == b"* [A](/a.md)\n* [A](a.md) - First.\n"


@settings(max_examples=300, deadline=None)
@given(st.text(), st.text(min_size=1), st.text())
def test_any_entry_is_a_link_or_refused(title: str, href: str, description: str) -> None:
    try:
        new = with_entries(b"# T\n", [(title, href, description)])
    except ConceptError:
        return
    found = scan(open_text(new).body)
    assert [heading.text for heading in found.headings] == ["T"]
    assert found.links
    assert with_entries(new, [(title, href, description)]) == new


def test_the_public_indexes_take_an_entry_and_lose_nothing(corpus: Path) -> None:
    for path in sorted(corpus.rglob("index.md")):
        data = path.read_bytes()
        new = with_entries(data, [("New", "x-new-file.md", "What it is.")])
        assert new.replace(b"\n* [New](x-new-file.md) - What it is.", b"", 1).replace(
            b"\n- [New](x-new-file.md) - What it is.", b"", 1
        ) in (data, data[:-1] + b"\n\n", data.rstrip(b"\n") + b"\n\n", data.rstrip(b"\n"))
        assert read_index(new, "index.md").okf_version == read_index(data, "index.md").okf_version


@pytest.mark.parametrize(
    ("data", "entry", "said"),
    [
        (b"\xff", A, "is not UTF-8"),
        (b"# T\n", ("A", " ", ""), "leads nowhere"),
        (b"# T\n", ("A", "#anchor", ""), "leads nowhere"),
        (b"# T\n\n```\nopen\n", A, "would not be read as a link"),
        (b"# T\n\n<!-- open\n", A, "would not be read as a link"),
        (b"# T\n", ("\ud800", "a.md", ""), "half of a character"),
    ],
)
def test_what_is_refused(data: bytes, entry: tuple[str, str, str], said: str) -> None:
    with pytest.raises(ConceptError, match=said):
        with_entries(data, [entry])
