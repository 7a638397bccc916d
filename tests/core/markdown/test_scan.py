"""Which brackets are links and where they lead: one line a rule of CommonMark 0.31, chapters 4 and 6."""

import pytest

from fingerpost.markdown.scan import Link, leading_targets, scan

FENCED = "````\n```\n[x](no.md)\n```\n````\n[y](yes.md)"


def targets(text: str) -> list[str]:
    links = scan(text).links
    assert leading_targets(text) == [link.target for link in links if link.kind not in ("image", "wiki")]
    return [f"{link.kind} {link.target}" for link in links]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a](b.md)", ["link b.md"]),
        ("[a]( b.md )", ["link b.md"]),
        ("[a](\n b.md\n 'T'\n)", ["link b.md"]),
        ('[a](b "T")', ["link b"]),
        ("[a](b (T))", ["link b"]),
        ('[a](b"T")', ['link b"T"']),
        ('[a](b "T" x)', []),
        ("[a] (b)", []),
        ("[a]()", ["link "]),
        ("[](b)", ["link b"]),
        ("[a](b c)", []),
        ("[a](<b c>)", ["link b c"]),
        ("[a](<b\nc>)", []),
        ("[a](<b>c)", []),
        ("[a](<b\\>c>)", ["link b>c"]),
        ("[a](b(c)d)", ["link b(c)d"]),
        ("[a](b(c)", []),
        ("[a](b\\(c)", ["link b(c"]),
        ("[a](b(c(d))e)", ["link b(c(d))e"]),
        (f"[a]({'(' * 32}{')' * 32})", [f"link {'(' * 32}{')' * 32}"]),
        (f"[a]({'(' * 33}{')' * 33})", []),
        ("[a](b%20c)", ["link b%20c"]),
        ("[a](b&amp;c&#35;d&#x41;)", ["link b&c#dA"]),
        ("[a](b&copy)", ["link b&copy"]),
        ("[a](b&nothing;)", ["link b&nothing;"]),
        ("[a](b&#0;)", ["link b\ufffd"]),
        ("[a](b\\c\\*)", ["link b\\c*"]),
        ("[a](javascript&colon;x)", ["link javascript:x"]),
        ("[a\\](b)", []),
        ("\\[a](b)", []),
        ("\\\\[a](b)", ["link b"]),
        ("[a](b", []),
        ("[a [b] c](d)", ["link d"]),
        ("[a](b)[c](d)", ["link b", "link d"]),
        ("text [a](#b) text", ["link #b"]),
    ],
)
def test_inline_links(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a [b](c) d](e)", ["link c"]),
        ("[a [b [c](d) e](f) g](h)", ["link d"]),
        ("[![i](j)](k)", ["link k", "image j"]),
        ("![i [a](b)](j)", ["image j"]),
        ("![a](b 'T')", ["image b"]),
        ("\\![a](b)", ["link b"]),
        ("!\\[a](b)", []),
        ("![a]", []),
        ("[a <https://x> b](c)", ["link c", "autolink https://x"]),
        ("[a `](b)`](c)", ["link c"]),
        ("[a <b c='](d)'>](e)", ["link e"]),
        ("[a <https://x?](b)>](c)", ["link c", "autolink https://x?](b)"]),
    ],
)
def test_what_may_nest_in_what(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a][b]\n\n[b]: c", ["link c"]),
        ("[b][]\n\n[b]: c", ["link c"]),
        ("[b]\n\n[b]: c", ["link c"]),
        ("![a][b]\n\n[b]: c", ["image c"]),
        ("[B  ß]\n\n[b SS]: c", ["link c"]),
        ("[b\nd]\n\n[b d]: c", ["link c"]),
        ("[b]: c\n[b]: d\n\n[b]", ["link c"]),
        ("[a][b]\n\n[a]: c", []),
        ("[b] [a]\n\n[b]: c\n[a]: d", ["link c", "link d"]),
        ("[b](no link)\n\n[b]: c", ["link c"]),
        ("[b]\n\n[b]: <c d> 'T'", ["link c d"]),
        ("[b]\n\n[b]: <>", ["link "]),
        ("[b]\n\n[b]:", []),
        ("[b]\n\n[b]:\n  c\n  'T\n  U'", ["link c"]),
        ("[b]\n\n[b]: c 'T' x", []),
        ("[b]\n\n[b]: c\n'T' x", ["link c"]),
        ("[b]\n\ntext\n[b]: c", []),
        ("[b]\n\n# H\n[b]: c\ntext", ["link c"]),
        ("[b]: c\n===\n[b]", ["link c"]),
        ("> [b]: c\n\n- [b]", ["link c"]),
        ("[b]\n\n    [b]: c", []),
        ("[ ]\n\n[ ]: c", []),
        ("[a\\]b]\n\n[a\\]b]: c", ["link c"]),
        (f"[{'b' * 999}]\n\n[{'b' * 999}]: c", ["link c"]),
        (f"[{'b' * 1000}]\n\n[{'b' * 1000}]: c", []),
        ("[b]\n\n```\n[b]: c\n```", []),
    ],
)
def test_reference_links(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<https://e.com/a?b=c&amp;d>", ["autolink https://e.com/a?b=c&amp;d"]),
        ("<a.b@c.de>", ["autolink mailto:a.b@c.de"]),
        ("<MAILTO:x>", ["autolink MAILTO:x"]),
        ("<https://e.com/a b>", []),
        ("<m:x>", []),
        ("<a@b_c>", []),
        ("https://e.com and www.e.com and a@b.c", []),
        ('<a href="x.md">x</a>', ["html x.md"]),
        ("<A class=k HREF='x&amp;y'>x</A>", ["html x&y"]),
        ("<a href=x.md>", ["html x.md"]),
        ("<a title=' href=no' href=yes>", ["html yes"]),
        ("<a data-href=x>", []),
        ("<abbr href=x>", []),
        ('a <img src="x.png"> b', ["image x.png"]),
        ("<IMG alt=' src=no' SRC = 'a&amp;b'>", ["image a&b"]),
        ("<img src='a\\_b'>", ["image a\\_b"]),
        ("<img\nsrc=x.png\n/>", ["image x.png"]),
        ("<img data-src=x><img href=x><image src=x><a src=x>", []),
        ("<div>\n<img src=x>\n</div>", ["image x"]),
        ("[<img src=x>](y.md)", ["link y.md", "image x"]),
        ("`<img src=x>` <!-- <img src=x> -->", []),
        ("# <img src=x> Title", ["image x"]),
        ("<div>\n<a\n href='x.md'>x</a>\n</div>", ["html x.md"]),
        ("<script>\n'<a href=no>'\n</script>\n<p><a href=yes>", ["html yes"]),
        ("<div>\n[a](b)\n</div>\n\n[c](d)", ["link d"]),
        ("<div>\n\n[a](b)\n</div>", ["link b"]),
        ("<b>[a](b)</b>", ["link b"]),
        ("<b x='[a](b)'>", []),
        ("<b x='[a](b)", ["link b"]),
        ("x <? [a](b) ?> [c](d)", ["link d"]),
        ("x <!D [a](b)> [c](d)", ["link d"]),
        ("x <![CDATA[ [a](b) ]]> [c](d)", ["link d"]),
        ("x <!-- [a](b) --> [c](d)", ["link d"]),
        ("x <!--> [c](d) -->", ["link d"]),
        ("x <!---> [c](d) -->", ["link d"]),
        ("x <!-- [c](d)", ["link d"]),
        ("<!-- [a](b)\n\n[c](d) -->\n[e](f)", ["link f"]),
        ("text\n<unknown>\n[a](b)", ["link b"]),
        ("<unknown>\n[a](b)", []),
    ],
)
def test_autolinks_and_raw_html(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (FENCED, ["link yes.md"]),
        ("~~~ `x`\n[x](no)\n~~~\n[y](yes)", ["link yes"]),
        ("``` a`b\n[x](yes)", ["link yes"]),
        ("```\n[x](no)", []),
        ("- ```\n  [x](no)\n\n[y](yes)", ["link yes"]),
        ("> ```\n> [x](no)\n[y](yes)", ["link yes"]),
        ("    [x](no)\n\n[y](yes)", ["link yes"]),
        ("text\n    [x](yes)", ["link yes"]),
        ("- a\n\n      [x](no)", []),
        ("- a\n\n  [x](yes)", ["link yes"]),
        ("`[x](no)` [y](yes)", ["link yes"]),
        ("`` a ` [x](no) `` [y](yes)", ["link yes"]),
        ("``` [x](yes) ``", ["link yes"]),
        ("\\`[x](yes)`", ["link yes"]),
        ("`a\\` [x](yes)", ["link yes"]),
        ("`a\n[x](no)`", []),
        ("`a\n\n[x](yes)`", ["link yes"]),
        ("> `a\n> [x](no)`", []),
    ],
)
def test_code_holds_no_links(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("> [a\n> b](c)", ["link c"]),
        ("> [a\nb](c)", ["link c"]),
        ("> [a\n# b](c)", []),
        ("> > [a\n> b](c)", ["link c"]),
        (">\t[a](b)", ["link b"]),
        (">     [a](no)", []),
        ("1. [a\n   b](c)", ["link c"]),
        ("1. [a\nb](c)", ["link c"]),
        ("text [a\n2. b](c)", ["link c"]),
        ("text [a\n1. b](c)", []),
        ("text [a\n- b](c)", []),
        ("text [a\n-\nb](c)", []),
        ("text [a\n*\nb](c)", ["link c"]),
        ("text [a\n***\nb](c)", []),
        ("text [a\n#b](c)", ["link c"]),
        ("text [a\n\nb](c)", []),
        ("-\n\n  [a](b)\n\n      [c](no)", ["link b"]),
        ("- a\n - [b](c)\n  - [d](e)\n   - [f](g)\n    - [h](i)", ["link c", "link e", "link g", "link i"]),
        ("-\t\t[a](no)", []),
        ("- - [a](b)", ["link b"]),
        ("1)     [a](no)", []),
        ("1234567890)     [a](b)", ["link b"]),
        ("- a\n\n  \t [b](c)", ["link c"]),
        ("[a](b)\n---\n[c](d)", ["link b", "link d"]),
        ("# [a](b) #", ["link b"]),
    ],
)
def test_links_do_not_cross_the_edges_of_blocks(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("|a|b|\n|-|-|\n|[x](y)|[z](w)|", ["link y", "link w"]),
        ("[x](y)|b\n:-|-:\nc|d", ["link y"]),
        ("|a|b|\n|-|-|\n|[x|y](z)|", []),
        ("|a|\n|-|\n|[x\\|y](z\\|w)|", ["link z|w"]),
        ("|a|\n|-|\n|b|[x](left-out)|", []),
        ("|a|\n|-|-|\n|[x](y|z)|", ["link y|z"]),
        ("|a|\n|-|\n|`[x](no)`|", []),
        ("|a|b|\n|-|-|\n`|[x](y)|`", ["link y"]),
        ("|a|\n|-|\n> [x\n> y](z)", ["link z"]),
        ("[x](y)\n|a|\n|-|\n|[b](c)|\n\n[d](e)", ["link y", "link c", "link e"]),
    ],
)
def test_table_cells_hold_links_of_their_own(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[[refunds]]", [("wiki", "refunds", "refunds")]),
        ("[[a/b|alias]]", [("wiki", "a/b", "alias")]),
        ("[[ a b # c | d ]]", [("wiki", "a b # c", "d")]),
        ("![[embed.png]]", [("wiki", "embed.png", "embed.png")]),
        ("[[t\\|x]]", [("wiki", "t", "x")]),
        ("|a|\n|-|\n|[[t\\|x]]|", [("wiki", "t", "x")]),
        ("[[]] [[ ]] [[|x]] [[a\nb]]", []),
        ("[[a]](b)", [("link", "b", "[a]")]),
        ("[[a](b)]", [("link", "b", "a")]),
        ("[[a]]\n\n[a]: b", [("link", "b", "a")]),
        ("[x [[a]] y](b)", [("link", "b", "x [[a]] y")]),
        ("[[a] b]", []),
        ("[[a `]]` b]]", []),
        ("\\[[a]]", []),
        ("`[[a]]`", []),
        ("[[[a]]]", [("wiki", "a", "a")]),
    ],
)
def test_wiki_links_take_only_brackets_that_no_markdown_link_uses(
    text: str, found: list[tuple[str, str, str]]
) -> None:
    assert [(link.kind, link.target, link.text) for link in scan(text).links] == found


def test_a_link_says_exactly_where_it_stands() -> None:
    text = 'one\r\n> two [a\r\n> b](<c d> "T") end'
    (link,) = scan(text, first_line=10).links
    assert link == Link("link", "c d", "a b", 11, 30, 21, 24, 11, 7)
    assert text[link.start : link.end] == '[a\r\n> b](<c d> "T")'
    assert text[link.target_start : link.target_end] == "c d"


def test_a_link_by_reference_names_the_destination_in_its_definition() -> None:
    text = "[a][b]\n\n> [b]: c\\_d 'T'\n"
    (link,) = scan(text).links
    assert (link.target, text[link.target_start : link.target_end]) == ("c_d", "c\\_d")
    assert (link.start, link.end, link.line, link.column) == (0, 6, 1, 1)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_line_end_ends_a_line(line_end: str) -> None:
    text = line_end.join(["# H", "", "- a", "", "[x](y)", "```", "[no](no)", "```", "|[z](w)|", "|-|", ""])
    scanned = scan(text)
    assert [(link.target, link.line, link.column) for link in scanned.links] == [("y", 5, 1), ("w", 9, 2)]
    assert [text[link.start : link.end] for link in scanned.links] == ["[x](y)", "[z](w)"]


def test_other_white_space_ends_no_line() -> None:
    text = "a\u2028[x](y)\x0b[z](w)\x0c\u0085[v](u)"
    assert [(link.target, link.line) for link in scan(text).links] == [("y", 1), ("w", 1), ("u", 1)]


def test_what_is_no_link_for_its_blanks_is_kept_apart_with_its_place() -> None:
    scanned = scan("a ![b *c*](d e.png 'f')\n\n[g](h\x01i.md)", first_line=3)
    assert scanned.links == ()
    (found,) = scanned.unlinked
    assert (found.kind, found.target, found.text) == ("image", "d e.png", "b *c*")
    assert (found.start, found.end, found.line, found.column) == (2, 23, 3, 3)
    assert (found.target_start, found.target_end) == (11, 18)
