"""Whatever the bytes, reading gives a result whose findings point into the file."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.okf.document import Document, read_document, read_gist
from fingerpost.okf.frontmatter import decode, parse
from fingerpost.okf.index_file import read_index
from fingerpost.okf.log_file import read_log
from fingerpost.okf.rules import RULES
from fingerpost.okf.trust import tier
from fingerpost.records import Finding

PIECES = st.sampled_from(
    ["---", "...", "type: ", "type", "Policy", "title", "tags", "verified", "sources", "by", "at", "human:a",
     "a/1", ": ", ":", "- ", "[", "]", "{", "}", ",", "&a ", "*a", "'", '"', "|", ">", "#", " ", "  ", "\t",
     "\n", "\n", "\r\n", "\r", "\x00", "\x85", "\u2028", "\ufeff", "ü", "2026-01-01", "null", "~", "!x ",
     "? ", "%", "@", "`", "\\", "## ", "<!--", "-->", "```", "* "]
)  # fmt: skip
MARKUP = st.lists(PIECES, max_size=40).map("".join)
FILES = st.one_of(
    st.binary(max_size=200),
    MARKUP.map(str.encode),
    MARKUP.map(lambda block: f"---\n{block}\n---\nbody\n".encode()),
)
NAMES = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
TEXTS = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co"), exclude_characters="\u2028\u2029\ufeff")
)


def assert_places_exist(text: str, findings: tuple[Finding, ...]) -> None:
    lines = re.split("\r\n|\n|\r", text)
    for found in findings:
        assert found.code in RULES
        assert 0 <= found.line <= len(lines)
        assert found.column >= 0
        if found.line:
            assert found.column <= len(lines[found.line - 1]) + 1
    places = [(found.line, found.column) for found in findings]
    assert places == sorted(places)


@settings(max_examples=300, deadline=None)
@given(FILES)
def test_any_bytes_make_a_document(data: bytes) -> None:
    document = read_document(data, "a/b.md")
    text = decode(data)[0]
    assert text[document.body_offset :] == document.body
    assert document.body_line == 1 + len(re.findall("\r\n|\n|\r", text[: document.body_offset]))
    assert_places_exist(text, document.findings)
    assert json.loads(json.dumps(document.extra)) == document.extra
    assert document.is_concept == bool(document.type)
    assert tier(document.verified) == "unverified" or b"verified" in data


@settings(max_examples=150, deadline=None)
@given(FILES, st.sampled_from(["index.md", "sub/index.md"]))
def test_any_bytes_make_an_index_and_a_log(data: bytes, path: str) -> None:
    text = decode(data)[0]
    index, log = read_index(data, path), read_log(data, "log.md")
    assert_places_exist(text, index.findings)
    assert_places_exist(text, log.findings)
    assert text.endswith(index.body)
    assert text.endswith(log.body)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["type: x", "a: [b, c]", "d: |", "  e", "- f", "g: 'h", "  i'", "", "---", "...", "# j"]
        ),
        max_size=12,
    )
)
def test_line_endings_and_a_byte_order_mark_change_nothing(lines: list[str]) -> None:
    def seen(data: bytes) -> tuple[object, ...]:
        document = read_document(data, "x.md")
        found = [finding for finding in document.findings if finding.code != "OKF501"]
        body = document.body.replace("\r\n", "\n").replace("\r", "\n")
        return document.frontmatter.values, document.frontmatter.positions, body, document.body_line, found

    text = "\n".join(["---", *lines])
    plain = seen(text.encode())
    assert seen(b"\xef\xbb\xbf" + text.encode()) == plain
    assert seen(text.replace("\n", "\r\n").encode()) == plain
    assert seen(text.replace("\n", "\r").encode()) == plain


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(NAMES, st.one_of(TEXTS, st.lists(TEXTS, max_size=3)), max_size=5))
def test_texts_come_back_as_they_were(values: dict[str, str | list[str]]) -> None:
    frontmatter, findings = parse(
        "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items()), 2
    )
    assert findings == ()
    assert frontmatter is not None
    assert frontmatter.values == values
    assert list(frontmatter.positions)[:1] == [(key,) for key in values][:1]


@settings(max_examples=150, deadline=None)
@given(
    NAMES,
    st.lists(st.sampled_from(["a", "b: c", "it's", '"so"', "d:", "e:f", "g #"]), min_size=2, max_size=5),
)
def test_a_plain_text_with_colons_comes_back_whole(name: str, parts: list[str]) -> None:
    text = "x: " + " ".join(parts)
    frontmatter, findings = parse(f"type: y\n{name}z: {text}\nlast: w\n", 2)
    assert frontmatter is not None
    assert frontmatter.values == {"type": "y", f"{name}z": text.partition(" #")[0], "last": "w"}
    assert [(found.code, found.line, found.column) for found in findings] == [("OKF104", 3, len(name) + 4)]


@pytest.mark.parametrize("broken", ["type: [", "a: \x00", "\ufffe", "type: x\n\ud800"])
def test_text_that_no_file_can_hold_is_refused_without_an_exception(broken: str) -> None:
    frontmatter, findings = parse(broken, 2)
    assert frontmatter is None
    assert [found.code for found in findings] == ["OKF103"]


@settings(max_examples=300, deadline=None)
@given(FILES)
def test_a_gist_holds_what_the_document_does(data: bytes) -> None:
    document, gist = read_document(data, "a/b.md"), read_gist(data, "a/b.md")
    for attribute in (*gist._fields, "display_title", "path_values"):
        assert getattr(gist, attribute) == getattr(document, attribute)


def test_a_document_is_a_value() -> None:
    data = b"---\ntype: x\n---\n"
    assert isinstance(read_document(data, "x.md"), Document)
    assert read_document(data, "x.md") == read_document(data, "x.md")
