"""The quick look for plainly spelt links: what it takes, it finds as a whole scan does."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fingerpost.markdown.plain_links import plain_targets
from fingerpost.markdown.scan import leading_targets, scan
from fingerpost.okf.frontmatter import open_text

_PIECES = [
    *["[a](b.md)", "[c d](../e.md#f)", "text ", "\n", "\n", "\n\n", "* ", "1. ", "`code`", "# ", "> "] * 3,
    *["\n```\n", "\n```sql\n", "```", "````", "\n   ```\n", "``", "`", "~~~", "\n~~~\n", "[", "]", "(", ")"],
    *[
        "![i](j.png)",
        "[x]",
        "[x]: y\n",
        "[^1]",
        "[^1]: note\n",
        "[[w]]",
        "[a\nb](c)",
        "[a](b c)",
        '[a](b "t")',
    ],
    *[
        "|",
        "| a | b |\n| --- | --- |\n",
        "<b>",
        "<!-- ",
        " -->",
        "<http://a.b>",
        "\\",
        "\t",
        "    ",
        "  ",
        " ",
    ],
    *["-", "- ", "+", "10) ", ">", "---\n", "===\n", ":", "!", "&amp;", "[`a`](`b`)", "`[a`](b)", "\0", "#"],
]
TEXTS = st.lists(st.sampled_from(_PIECES), max_size=14).map("".join)


def whole(text: str) -> list[str]:
    return [link.target for link in scan(text).links if link.kind not in ("image", "wiki")]


@settings(max_examples=1500, deadline=None)
@given(TEXTS)
@example("-\t\t[a](b)\n")
@example(">-     [a](b)\n")
@example("- a\n\n      [a](b)\n")
@example("| a |\n| - |\n| x | [a](b) |\n")
@example("| a | b |\n| - | - |\n| `a | [x](y)` |\n")
@example("`a\n[x](y) b`\n")
@example("```\n[a](b)\n   ```\n[c](d)\n```\n[e](f)\n```\n")
@example("~~~\n```\n~~~\n[x](y)\n```\n")
@example("[a](b`c`d)\n")
@example("![a](b)[c](d)\n")
def test_what_is_taken_is_found_as_by_a_whole_scan(text: str) -> None:
    found = plain_targets(text)
    if found is not None:
        assert found == whole(text)


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("", []),
        ("See [a](b.md), ![i](j) and [c](d.md#e).\n\n* [f](g&amp;h.md)\n", ["b.md", "d.md#e", "g&h.md"]),
        ("```sql\n[a](b)\n```\n\n# The `[x](y)` of [c](d)\n\n> - 1. [e](f)\n", ["d", "f"]),
        ("```\n[a](b)\n```", []),
        ("| a | b |\n| --- | --- |\n| `c` | d |\n\n   [e](f) and [g], [h][i]", ["f"]),
        ("[a](b)", ["b"]),
    ],
)
def test_plain_links_are_found_outside_code(text: str, targets: list[str]) -> None:
    assert plain_targets(text) == targets == whole(text)


@pytest.mark.parametrize(
    "text",
    [
        "[a](b)\n\n<b>", "a\\b [c](d)", "~~~\n[a](b)\n~~~", "[a]: b\n", "[a](b c)", "[[a]](b)", "[a\nb](c)",
        "| [a](b) |\n", "    [a](b)\n", "\t[a](b)", "-     [a](b)", ">[a](b)", "``a`` [b](c)", "a ` [b](c)",
        "```\n[a](b)", "`a\nb` [c](d)", "  ```\n[a](b)\n  ```",
    ],
)  # fmt: skip
def test_what_may_be_anything_else_is_declined(text: str) -> None:
    assert plain_targets(text) is None
    assert leading_targets(text) == whole(text)


def test_the_links_of_the_public_bundles_are_found_as_by_a_whole_scan(corpus: Path) -> None:
    bodies = [open_text(path.read_bytes()).body for path in corpus.rglob("*.md")]
    taken = [body for body in bodies if "\r" not in body and plain_targets(body) is not None]
    assert [plain_targets(body) for body in taken] == [whole(body) for body in taken]
    assert len(taken) > 0.7 * len(bodies)
