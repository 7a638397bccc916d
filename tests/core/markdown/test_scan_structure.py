"""Headings and their anchors, code blocks, footnotes and comments, with their offsets."""

import pytest
from markdown_it import MarkdownIt

from fingerpost.markdown.scan import CodeBlock, Comment, Footnote, Heading, plain, scan


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# H", [(1, "H")]),
        ("###### H ##", [(6, "H")]),
        ("####### H", []),
        ("#H", []),
        ("#", [(1, "")]),
        ("# #", [(1, "")]),
        ("# H#", [(1, "H#")]),
        ("# H \\#", [(1, "H #")]),
        ("   # H", [(1, "H")]),
        ("    # H", []),
        ("text\n# H", [(1, "H")]),
        ("H\n=", [(1, "H")]),
        ("H\nI\n---", [(2, "H I")]),
        ("H\n- - -", []),
        ("- H\n---", []),
        ("> H\n===", []),
        ("[a]: b\nH\n===", [(1, "H")]),
        ("[a]: b\n===", []),
        ("```\n# H\n```", []),
        ("> # H\n- # I", [(1, "H"), (1, "I")]),
        ("# *a* **b** ***c*** `d_` _e_", [(1, "a b c d_ e")]),
        ("# snake_case_name and __init__", [(1, "snake_case_name and init")]),
        ("# 2 * 3 * 4", [(1, "2 * 3 * 4")]),
        ("# a*b*c **d", [(1, "abc **d")]),
        ("# *a **b***", [(1, "a b")]),
        ("# [a *b*](c) ![i](j) <b>d</b> <https://e>", [(1, "a b  d https://e")]),
        ("# [a][r] [[w|x]] [^1]\n\n[r]: u", [(1, "a x")]),
        ("# [a](b c.md) <img src=d>e", [(1, "[a](b c.md) e")]),
        ("# a &amp; b &copy; \\*c\\*", [(1, "a & b © *c*")]),
        ("# `` a`b `` ` `", [(1, "a`b  ")]),
    ],
)
def test_a_heading_has_its_level_and_its_text_without_markup(text: str, found: list[tuple[int, str]]) -> None:
    assert [(heading.level, heading.text) for heading in scan(text).headings] == [
        (level, shown.strip()) for level, shown in found
    ]


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("Common query patterns", "common-query-patterns"),
        ("What's new? (v0.2)", "whats-new-v02"),
        ("a - b", "a---b"),
        ("snake_case", "snake_case"),
        ("Überblick & Ziele", "überblick--ziele"),
        ("日本語 の 見出し。", "日本語-の-見出し"),
        ("हिन्दी", "हिन्दी"),
        ("`code` & *more*", "code--more"),
        ("🎉 Party", "-party"),
    ],
)
def test_an_anchor_follows_the_rules_of_github(heading: str, slug: str) -> None:
    assert [found.slug for found in scan(f"# {heading}").headings] == [slug]


def test_repeated_headings_get_numbered_anchors_that_collide_with_no_other() -> None:
    text = "# A\n# A\n# A-1\n# a\n# A 1\n"
    assert [heading.slug for heading in scan(text).headings] == ["a", "a-1", "a-1-1", "a-2", "a-1-2"]


def test_the_offsets_of_headings_cut_sections_out() -> None:
    text = "intro\n\n# One #\nfirst\n\nTwo\n---\nsecond\n\n> # Quoted\n"
    headings = scan(text, first_line=5).headings
    assert headings == (
        Heading(1, "One", "one", 7, 14, 7, 0),
        Heading(2, "Two", "two", 22, 29, 10, 0),
        Heading(1, "Quoted", "quoted", 40, 48, 14, 1),
    )
    assert text[headings[0].end : headings[1].start] == "\nfirst\n\n"
    assert text[headings[1].start : headings[1].end] == "Two\n---"


def test_a_fenced_block_has_its_info_and_its_code() -> None:
    text = "# Computation\n\n~~~~ sql x=1 \nSELECT 1\n~~~\n  done\n~~~~~ \ntext"
    (block,) = scan(text).code_blocks
    assert block == CodeBlock(True, "sql x=1", "SELECT 1\n~~~\n  done\n", 15, 55, 3)
    assert text[block.start : block.end].startswith("~~~~ sql")
    assert text[block.end :] == "\ntext"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```\n```", [""]),
        ("```\na\n\n", ["a\n\n"]),
        ("  ```\n   a\n b\n  ```", [" a\nb\n"]),
        ("- ```\n  a\n    b\n\n  ```\n", ["a\n  b\n\n"]),
        ("- ```\n\ta\n  ```", ["  a\n"]),
        ("> ```\n> a\n>  b\nc", ["a\n b\n"]),
        ("```\na\n    ```\n```", ["a\n    ```\n"]),
        ("    a\n\n      b\n   \nc", ["a\n\n  b\n"]),
        ("\ta\n\t\tb", ["a\n\tb\n"]),
        ("-     a\n\n       b", ["a\n\n b\n"]),
        ("text\n    no code", []),
        ("``` a`b\n", []),
    ],
)
def test_code_is_given_without_the_indentation_of_its_block(text: str, code: list[str]) -> None:
    assert [block.code for block in scan(text).code_blocks] == code


def test_footnotes_are_references_and_definitions_and_never_links() -> None:
    text = "See [^src-1] and\n[^2](x.md).\n\n[^src-1]: From\n    [a](b.md),\nlazily.\n[^3]: https://e.com\n"
    scanned = scan(text)
    assert scanned.footnote_references == (Footnote("src-1", 4, 12, 1, 5),)
    assert scanned.footnote_definitions == (Footnote("src-1", 30, 67, 4, 1), Footnote("3", 68, 87, 7, 1))
    assert [(link.target, link.text) for link in scanned.links] == [("x.md", "^2"), ("b.md", "a")]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("[^1]", ["1"]),
        ("![^1]", ["1"]),
        ("[a [^1] b](c)", ["1"]),
        ("[a][^1]", ["1"]),
        ("`[^1]` \\[^2] [^3\\]", []),
        ("![a [^1]](b)", []),
        ("[^a b] [^] [^[c]]", []),
        ("[^1]\n\n[^1]: https://e.com", ["1"]),
    ],
)
def test_what_is_a_footnote_reference(text: str, labels: list[str]) -> None:
    assert [note.label for note in scan(text).footnote_references] == labels


def test_the_further_paragraphs_of_a_footnote_are_text_not_code() -> None:
    scanned = scan("[^1]: one\n\n    two [a](b)\n\nthree")
    assert [link.target for link in scanned.links] == ["b"]
    assert scanned.code_blocks == ()
    assert [(note.start, note.end) for note in scanned.footnote_definitions] == [(0, 25)]


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("a <!-- b --> c", ["<!-- b -->"]),
        ("<!-- a\n\nb --> c\n\n<!-- d -->", ["<!-- a\n\nb -->", "<!-- d -->"]),
        ("<!-- never\n\nclosed", ["<!-- never\n\nclosed"]),
        ("text <!-- never closed", []),
        ("<div>\n<!-- a -->\n</div>", ["<!-- a -->"]),
        ("`<!-- a -->`", []),
        ("<script>\n'<!-- a -->'\n</script>", []),
        ("a <!--> b -->", ["<!-->"]),
    ],
)
def test_comments_have_their_offsets(text: str, comments: list[str]) -> None:
    assert [text[found.start : found.end] for found in scan(text).comments] == comments


def test_a_comment_has_its_line() -> None:
    assert scan("a\n\n<!-- b -->", first_line=3).comments == (Comment(3, 13, 5),)


def test_the_text_of_a_link_can_be_stripped_of_its_markup() -> None:
    (link,) = scan("[**Orders** `t`\n  daily](x.md)").links
    assert link.text == "**Orders** `t` daily"
    assert plain(link.text) == "Orders t daily"


def test_the_header_of_a_table_may_follow_the_text_of_a_paragraph() -> None:
    text = "before\n[a](b)|c\n-|-\n[d](e)|f\n"
    assert [(link.target, text[link.start : link.end]) for link in scan(text).links] == [
        ("b", "[a](b)"),
        ("e", "[d](e)"),
    ]


def test_emphasis_of_a_heading_ends_and_begins_beside_punctuation_as_it_does_for_a_reader() -> None:
    text = '# a*"b"*\n# _(c)_.\n# "*d*"\n'
    expected = ['a*"b"*', "(c).", '"d"']
    assert [heading.text for heading in scan(text).headings] == expected
    tokens = MarkdownIt("commonmark").parse(text)
    children = [token.children or [] for token in tokens if token.type == "inline"]
    assert ["".join(child.content for child in row) for row in children] == expected
