"""Text made to slow a scanner down takes time in proportion to its length; each hangs a naive scanner."""

import time

import pytest

from fingerpost.markdown.scan import scan

SECONDS = 20.0
MEGABYTE = 1_000_000


def filled(piece: str, before: str = "", size: int = 400_000) -> str:
    return before + piece * (size // len(piece))


HOSTILE = {
    "runs of backticks of all lengths": "".join("`" * length + " " for length in range(1, 1400)),
    "runs of backticks ever shorter": "".join("`" * length + " " for length in range(1400, 0, -1)),
    "2,000 backticks": "`" * 2000,
    "wiki opener and blanks": "[[" + " " * MEGABYTE,
    "wiki openers with bars": filled("[[ a | b "),
    "opening brackets": "[" * MEGABYTE,
    "opening and closing brackets with a definition": "[a]: b\n\n" + "[" * 500_000 + "]" * 500_000,
    "tails without brackets": filled("]("),
    "links never closed": filled("[a]("),
    "links with parentheses": filled("[a](" + "(" * 30),
    "paths with blanks": filled("[a](b c.md) "),
    "paths with blanks never closed": filled("[a](b c "),
    "paths of blanks alone": filled("[a](b" + " " * 450 + "c)"),
    "paths of blanks and quotes": filled("[a](b" + ' "' * 240 + "c)"),
    "paths with blanks and parentheses": filled("[a](b " + "(c)" * 499),
    "titles never closed": filled('[a](b "'),
    "angled destinations never closed": filled("[a](<b"),
    "images in images": "![" * 250_000 + "](a)" * 125_000,
    "links in links": "[" * 250_000 + "](a)" * 250_000,
    "labels too long": filled("[" + "a" * 1200 + "]", "[a]: b\n\n"),
    "a row of pipes": "|" * MEGABYTE,
    "table rows": filled("|a|b|\n", "|a|b|\n|-|-|\n"),
    "table delimiters": filled("|a|\n|-|-|\n"),
    "emphasis": "*_" * 100_000,
    "emphasis in a heading": "# " + "*a _b " * 100_000,
    "emphasis of odd lengths in a heading": "# " + "a**b_c* " * 100_000,
    "angle brackets": "<" * MEGABYTE,
    "comments never closed": filled("a <!-- "),
    "CDATA never closed": filled("a<![CDATA["),
    "instructions never closed": filled("a<?"),
    "declarations never closed": filled("a<!A "),
    "attributes never closed": filled("x<a b='<a c=\""),
    "attributes in a tag never closed": "x<a" + " a" * 500_000,
    "scripts never closed": filled("<script>", "<div>\n"),
    "domains": "<a@" + "a." * 500_000,
    "quotes in one line": ">" * 10_000,
    "quotes in many lines": (">" * 1000 + "\n") * 1000,
    "blank lines in deep lists": "- " * 1000 + "a\n" + "\n" * 500_000,
    "blank lines in deep lists in a quote": "> " + "- " * 1000 + "a\n" + ">\n" * 300_000,
    "deep lists": "".join(" " * (2 * depth) + "- a\n" for depth in range(1000)),
    "list markers in one line": "- " * 500_000 + "a",
    "definitions": "".join(f"[l{number}]: /u{number}\n" for number in range(100_000)),
    "definitions with titles never closed": filled('[a]: b\n"c\n'),
    "fences": filled("```x\n````\n"),
    "indented blank lines": filled("    \n", "    a\n"),
    "a closing sequence": "# " + " #" * 500_000,
    "headings that collide": "".join(f"# a\n# a-{number}\n" for number in range(40_000)),
    "carriage returns": "\r" * MEGABYTE,
    "tabs": "\t" * MEGABYTE + "a",
    "footnotes": filled("[^a"),
    "brackets with code never closed": filled("[`a` "),
    "code in brackets never closed": "[" + "`a`" * 130_000,
    "code never closed in brackets": filled("[a `b](c) "),
    "tables of two lines": filled("|a|\n|-|-|\n\n"),
    "table rows with links": filled("|[a](b)|c|\n", "|a|b|\n|-|-|\n"),
    "indented lines": filled(" a\n"),
    "items with links": filled("- [a](b)\n"),
    "items and fences": filled("- a\n```\n"),
    "blanks in a heading": "# " + " " * 400_000 + "#",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_scanned_in_linear_time(name: str) -> None:
    started = time.perf_counter()
    scanned = scan(HOSTILE[name])
    assert time.perf_counter() - started < SECONDS
    assert all(link.end <= len(HOSTILE[name]) for link in scanned.links)
