"""The same links, headings and code as markdown-it-py finds in the public bundles and in random text.

Left out of the comparison, for markdown-it-py does not know them: wiki links, footnotes, links in raw HTML.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference

from fingerpost.markdown.destinations import decode_entities, unescape
from fingerpost.markdown.scan import Scan, scan
from fingerpost.okf.frontmatter import split

_WRITTEN = r"""
[a](b) [a] [b] [x]: [x]:y [X][] [t][x] ![i](j) ![ [ ] ( ) ]( ` `` ``` ~~~ > - * + 1. 2) # ##
=== --- *** _ ** <http://a> <a@b.c> <a> </a> <div> </div> <pre> </pre> <!-- --> <? ?>
<![CDATA[ ]]> < <u\tv> \ \[ \] \` "t" 't' (t) " a foo | |a|[b](c)| |-|-| |-| \| :-: &amp;
&#35; &copy é ! [b]:<c\td>'e' : (a(b)c) ](<c>)
"""
PIECES = tuple(piece.replace("\\t", " ") for piece in _WRITTEN.split())
HTML = ("<a href='q&amp;'>", "<img src='q&amp;'>", "](a b.md)")
SPACES = (" ", "  ", "    ", "\t", "\n", "\n", "\n", "\n", "\n\n", "\r\n", "\r")
# Where cmark, too, answers otherwise than markdown-it-py.
DISPUTED = re.compile(
    r"\]:[^\n]*\n[^\n]*(?:[ \t>]{4}|\t|\d[.)]|[-+*][ \t]*(?:\n|\Z)|<)"  # below a definition
    r"|\(\s*(?:\n|\Z)"  # a tail that the end of its block cuts off
    r"|\]\[[^\]]*\["  # brackets in a label
    r"|--->"  # a comment that ends in three hyphens
    r"|\[[^\n]*!\[[^\n]*\["  # a link in an image in a link
)


def reader() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"maxNesting": 100_000}).enable("table")
    footnote = re.compile(r"\[\^[^\s\[\]]+\]:")

    def reference_unless_footnote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if footnote.match(state.src, state.bMarks[start] + state.tShift[start]):
            return False
        return reference(state, start, end, silent)

    def as_written(url: str) -> str:
        return url

    def allow(url: str) -> bool:
        return True

    markdown.normalizeLink = as_written
    markdown.validateLink = allow
    markdown.block.ruler.at("reference", reference_unless_footnote)
    return markdown


READER = reader()
Links = list[tuple[str, str]]


def links_of_markdown_it(text: str) -> Links:
    found: Links = []
    for token in READER.parse(text):
        for child in token.children or ():
            if child.type == "link_open":
                found.append(("autolink" if child.markup == "autolink" else "link", str(child.attrs["href"])))
            elif child.type == "image":
                found.append(("image", str(child.attrs["src"])))
    return found


def structure_of_markdown_it(text: str) -> tuple[list[tuple[int, str]], list[str]]:
    tokens = READER.parse(text)
    headings = [
        (int(token.tag[1]), shown(inline.children or ()))
        for token, inline in pairwise(tokens)
        if token.type == "heading_open"
    ]
    return headings, [token.content for token in tokens if token.type in ("fence", "code_block")]


def shown(children: Sequence[Any]) -> str:
    breaks = ("softbreak", "hardbreak")
    text = ("text", "text_special", "code_inline")
    return "".join(
        " " if child.type in breaks else child.content * (child.type in text) for child in children
    )


def links_of_scan(scanned: Scan, text: str) -> Links:
    return [
        (link.kind, link.target)
        for link in scanned.links
        if link.kind in ("link", "autolink") or (link.kind == "image" and text[link.start] == "!")
    ]


def test_every_body_of_the_public_bundles_has_the_same_links_headings_and_code(corpus: Path) -> None:
    files = sorted(corpus.rglob("*.md"))
    links = 0
    for file in files:
        body = split(file.read_bytes().decode("utf-8", "replace")).body
        scanned = scan(body)
        links += len(scanned.links)
        assert links_of_scan(scanned, body) == links_of_markdown_it(body), file
        structure = [(heading.level, heading.text) for heading in scanned.headings]
        assert (structure, [block.code for block in scanned.code_blocks]) == structure_of_markdown_it(body), (
            file
        )
    assert len(files) == 739
    assert links > 3500


@given(st.lists(st.sampled_from((*PIECES, *SPACES)), max_size=30).map("".join))
@example("[a](b\n> c)\n\n- [x]\n\n[x]: y")
@example("> [a\nb](c)\n2. [d](e)\n   1. [f](g)")
@settings(max_examples=300, derandomize=True, deadline=None)
def test_random_text_has_the_same_links_as_in_markdown_it(text: str) -> None:
    assume(not DISPUTED.search(text.replace("\r\n", "\n").replace("\r", "\n")))
    assert links_of_scan(scan(text), text) == links_of_markdown_it(text)


@given(
    st.one_of(
        st.text(max_size=60),
        st.text(alphabet="[]()<>`!\\|-\n \t:^ab&;\"'#*\r", max_size=60),
        st.lists(st.sampled_from((*PIECES, *SPACES, "[[w|x]]", "[^1]", "[^1]: ", *HTML)), max_size=30).map(
            "".join
        ),
    )
)
@settings(max_examples=300, derandomize=True, deadline=None)
def test_offsets_of_any_text_are_in_range_and_right(text: str) -> None:
    scanned = scan(text)
    assert scan(text) == scanned
    for link in scanned.links:
        assert 0 <= link.start <= link.target_start <= link.target_end <= len(text) or link.kind in (
            "link",
            "image",
        )
        assert 0 <= link.start < link.end <= len(text)
        written = text[link.target_start : link.target_end]
        if link.kind == "html" or (link.kind == "image" and text[link.start] == "<"):
            assert link.target == decode_entities(written)
        elif link.kind in ("link", "image"):
            assert link.target in (unescape(written), unescape(written.replace("\\|", "|")))
        elif link.kind == "autolink":
            assert link.target.removeprefix("mailto:") == written.removeprefix("mailto:")
        line_start = max(text.rfind("\n", 0, link.start), text.rfind("\r", 0, link.start)) + 1
        assert link.column == link.start - line_start + 1
    for link in scanned.unlinked:
        assert 0 <= link.start < link.target_start < link.target_end < link.end <= len(text)
        assert text[link.start] in "[!"
        assert {" ", "\t"} & set(text[link.target_start : link.target_end])
    for note in (*scanned.footnote_references, *scanned.footnote_definitions):
        assert text[note.start : note.end].startswith(f"[^{note.label}]")
    for heading in scanned.headings:
        assert 0 <= heading.start <= heading.end <= len(text)
    for comment in scanned.comments:
        assert text.startswith("<!--", comment.start)
        assert comment.start < comment.end <= len(text)
