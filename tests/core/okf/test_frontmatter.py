"""Fences, encodings and line endings."""

import pytest

from fingerpost.okf.frontmatter import decode, open_text, split


def codes(text: str) -> list[str]:
    return [found.code for found in split(text).findings]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_block_and_body_are_cut_exactly_with_every_line_ending(end: str) -> None:
    text = end.join(["---", "type: Policy", "a: 1", "---", "# Body", "---", "more", "---", ""])
    cut = split(text)
    assert cut.block == f"type: Policy{end}a: 1{end}"
    assert cut.body == end.join(["# Body", "---", "more", "---", ""])
    assert (cut.block_line, cut.body_line) == (2, 5)
    assert text[cut.body_offset :] == cut.body
    assert cut.findings == ()


def test_a_file_that_ends_with_the_closing_fence_has_an_empty_body() -> None:
    cut = split("---\ntype: x\n---")
    assert (cut.block, cut.body, cut.body_offset, cut.body_line) == ("type: x\n", "", 15, 3)


def test_an_empty_block_is_a_block() -> None:
    assert split("---\n---\nbody").block == ""


def test_blanks_after_the_fences_are_tolerated_and_reported() -> None:
    cut = split("--- \ntype: x\n---\t \nbody")
    assert (cut.block, cut.body) == ("type: x\n", "body")
    assert [(found.code, found.line, found.column) for found in cut.findings] == [
        ("OKF502", 1, 4),
        ("OKF502", 3, 4),
    ]


def test_hyphens_that_are_indented_or_followed_by_text_do_not_close() -> None:
    cut = split("---\ntext: |\n  ---\n  more\n---x: y\n----\n---\nbody")
    assert cut.block == "text: |\n  ---\n  more\n---x: y\n----\n"
    assert cut.body == "body"


def test_dots_end_the_block_and_are_reported() -> None:
    cut = split("---\ntype: x\n...\nbody\n\n---\nmore")
    assert (cut.block, cut.body, cut.body_line) == ("type: x\n", "body\n\n---\nmore", 4)
    assert [(found.code, found.line) for found in cut.findings] == [("OKF102", 3)]
    assert "..." in cut.findings[0].reason


def test_dots_right_before_the_closing_fence_are_plain_yaml() -> None:
    opened = open_text(b"---\ntype: x\n...\n---\nbody")
    assert opened.frontmatter is not None
    assert opened.frontmatter.values == {"type": "x"}
    assert (opened.body, opened.findings) == ("body", ())


def test_an_unclosed_block_leaves_the_whole_text_as_body() -> None:
    text = "---\ntype: x\nbody"
    cut = split(text)
    assert (cut.block, cut.body, cut.body_line, cut.body_offset) == (None, text, 1, 0)
    assert [(found.code, found.line, found.column) for found in cut.findings] == [("OKF102", 1, 1)]


def test_a_horizontal_rule_at_the_start_is_named() -> None:
    cut = split("---\n\nExample!")
    assert [found.code for found in cut.findings] == ["OKF102"]
    assert "horizontal rule" in cut.findings[0].reason
    assert cut.body == "---\n\nExample!"


def test_prose_between_two_rules_stays_in_the_body() -> None:
    data = b"---\n\nExample!\n\n---\n\nmore"
    opened = open_text(data)
    assert (opened.body, opened.body_line) == (data.decode(), 1)
    assert [found.code for found in opened.findings] == ["OKF105"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "empty"),
        ("# Title\n", "no frontmatter"),
        ("\n\n---\ntype: x\n---\n", "line 3"),
        (" ---\ntype: x\n---\n", "U+0020"),
        ("\ufeff---\ntype: x\n---\n", "U+FEFF"),
        ("\u200b---\ntype: x\n---\n", "U+200B"),
        ("---x\ntype: x\n---\n", "more than the three hyphens"),
        ("----\ntype: x\n---\n", "more than the three hyphens"),
        ("+++\ntype = 'x'\n+++\n", "TOML"),
    ],
)
def test_what_stands_in_place_of_the_opening_fence_is_named(text: str, named: str) -> None:
    cut = split(text)
    assert [found.code for found in cut.findings] == ["OKF101"]
    assert named in cut.findings[0].reason
    assert cut.body == text


def test_one_byte_order_mark_is_stripped_and_reported() -> None:
    opened = open_text(b"\xef\xbb\xbf---\ntype: Policy\n---\nx")
    assert opened.frontmatter is not None
    assert opened.frontmatter.values == {"type": "Policy"}
    assert opened.body == "x"
    assert [found.code for found in opened.findings] == ["OKF501"]


def test_the_first_bad_byte_is_located_in_characters() -> None:
    text, findings = decode("---\ntype: x\n---\nüä".encode() + b"\xff\xfe ok")
    assert [(found.code, found.line, found.column) for found in findings] == [("OKF107", 4, 3)]
    assert "FF" in findings[0].reason
    assert text == "---\ntype: x\n---\nüä\ufffd\ufffd ok"


def test_utf_16_is_named() -> None:
    _, findings = decode("---\ntype: x\n".encode("utf-16"))
    assert [(found.code, found.line, found.column) for found in findings] == [("OKF107", 1, 1)]
    assert "UTF-16" in findings[0].reason


def test_the_places_of_plainly_spelt_fields_are_found_once_they_are_asked_for() -> None:
    frontmatter = open_text(b"---\na: b\nc:\n  - 'd'\n---\n").frontmatter
    assert frontmatter is not None
    assert frontmatter.values == {"a": "b", "c": ["d"]}
    assert frontmatter.positions == {("a",): (2, 1), ("c",): (3, 1), ("c", 0): (4, 5)}
    assert frontmatter.quoted == {("c", 0)}
    assert frontmatter.position("c", 1) == (3, 1)
    assert frontmatter == open_text(b"---\r\na: b\r\nc:\r\n  - 'd'\r\n---\r\n").frontmatter
