"""The body is changed below a frontmatter that stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingerpost.errors import ConceptError, KnowledgeNotFoundError
from fingerpost.markdown.scan import scan
from fingerpost.okf.edit_body import append_to_body, replace_body
from fingerpost.okf.frontmatter import open_text
from tests.core.okf.written import concepts_with_fields

HEAD = b"---\ntype: x # c\n---\n"


def test_the_body_of_a_concept_put_back_is_the_file(corpus: Path) -> None:
    for data in concepts_with_fields(corpus):
        body = open_text(data).body
        assert replace_body(data, body) == data
        assert replace_body(data, body.strip("\r\n")) == data
        assert replace_body(replace_body(data, "# Other\n\ntext"), body) == data or not body.strip()


def test_what_is_added_to_a_section_stands_apart_and_changes_nothing_else(corpus: Path) -> None:
    for data in concepts_with_fields(corpus)[::3]:
        body = open_text(data).body
        for heading in [found for found in scan(body).headings if found.depth == 0]:
            new = append_to_body(data, "ADDED\n\nq", heading.slug)
            head, _, tail = open_text(new).body.partition("\n\nADDED\n\nq")
            assert head + tail == body
            assert not head.endswith("\n")
            assert tail.startswith("\n\n") or not tail.strip()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"\nold\n", "new", b"\nnew\n"),
        (b"\n\nold", "\n# New\n\nnew\n\n", b"\n\n# New\n\nnew"),
        (b"old\n\n\n", "a\r\nb\rc", b"a\nb\nc\n\n\n"),
        (b"", "new", b"\nnew\n"),
        (b"\nold\n", " \n", b""),
        (b"old", "---\n\nrule, not fence", b"---\n\nrule, not fence"),
    ],
)
def test_a_body_is_replaced_within_its_blank_lines(old: bytes, new: str, expected: bytes) -> None:
    assert replace_body(HEAD + old, new) == HEAD + expected


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_end_as_in_the_file(line_end: str) -> None:
    data = "---\ntype: x\n---\n\n# A\n\na\n\n# B\n\nb".replace("\n", line_end).encode()
    expected = "---\ntype: x\n---\n\n# A\n\na\n\nc\nd\n\n# B\n\nb".replace("\n", line_end).encode()
    assert append_to_body(data, "c\nd\n", "a") == expected
    assert replace_body(data, "c\nd") == "---\ntype: x\n---\n\nc\nd".replace("\n", line_end).encode()


@pytest.mark.parametrize(
    ("old", "section", "expected"),
    [
        (b"\nold\n", "", b"\nold\n\nnew\n"),
        (b"old  ", "", b"old  \n\nnew"),
        (b"old\n\n\n", "", b"old\n\nnew\n\n\n"),
        (b"", "", b"\nnew\n"),
        (b"# A\na\n# B\nb\n", "A", b"# A\na\n\nnew\n\n# B\nb\n"),
        (b"# A\n## C\nc\n\n# B\n", "## a", b"# A\n## C\nc\n\nnew\n\n# B\n"),
        (b"# A\n\n\n\nB\n===\n", "a", b"# A\n\nnew\n\n\n\nB\n===\n"),
        (b"# A\n```\n# B\n```\n", "A", b"# A\n```\n# B\n```\n\nnew\n"),
    ],
)
def test_a_text_is_added_after_one_blank_line(old: bytes, section: str, expected: bytes) -> None:
    assert append_to_body(HEAD + old, "new", section) == HEAD + expected


def test_a_closing_fence_without_a_line_end_gets_one() -> None:
    assert replace_body(b"---\ntype: x\n---", "new") == b"---\ntype: x\n---\n\nnew\n"
    assert append_to_body(b"---\r\ntype: x\r\n---", "new") == b"---\r\ntype: x\r\n---\r\n\r\nnew\r\n"


@pytest.mark.parametrize(
    "body", ["---\ntype: y\n---\nx", "\n\n---\ntype: [\n---\n", "\ufeff---\r\na: b\r\n---"]
)
def test_no_second_frontmatter_is_written(body: str) -> None:
    for change in (replace_body, append_to_body):
        with pytest.raises(ConceptError, match="begins with a frontmatter block"):
            change(HEAD, body)


def test_a_file_whose_frontmatter_cannot_be_read_is_not_written() -> None:
    for data in (b"---\ntype: [\n---\nx", b"no frontmatter", b"---\ntype: x\n---\n\xff"):
        with pytest.raises(ConceptError, match="The file cannot be changed"):
            replace_body(data, "new")
        with pytest.raises(ConceptError, match="The file cannot be changed"):
            append_to_body(data, "new")


@pytest.mark.parametrize("open_end", [b"```\ncode\n", b"<!-- comment\n"])
def test_nothing_is_added_where_it_would_be_no_text(open_end: bytes) -> None:
    with pytest.raises(ConceptError, match="on line 3 of the body is not closed"):
        append_to_body(HEAD + b"a\n\n" + open_end, "new")


@pytest.mark.parametrize(("text", "what"), [("```\ncode", "code block"), ("<!-- comment", "comment")])
def test_nothing_is_added_that_would_take_in_what_follows(text: str, what: str) -> None:
    data = HEAD + b"# A\n\na\n\n# B\n\nb\n"
    with pytest.raises(ConceptError, match=f"leaves a {what} open"):
        append_to_body(data, text, "A")
    assert append_to_body(data, text, "B").endswith(f"b\n\n{text}\n".encode())
    assert append_to_body(data, "```\ncode\n```", "A").count(b"```") == 2


def test_a_section_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(KnowledgeNotFoundError, match=r"no section 'C'\. Sections: A, B\."):
        append_to_body(HEAD + b"# A\n# B\n", "new", "C")
    with pytest.raises(ConceptError, match="no text to be added"):
        append_to_body(HEAD + b"# A\n", " \n")
    with pytest.raises(ConceptError, match="half of a character"):
        replace_body(HEAD, "\ud800")
