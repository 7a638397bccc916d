"""Short cuts change nothing: a text is scanned as if every line and every bracket were read by itself."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fingerpost.markdown import blocks, inlines
from fingerpost.markdown.found import Content
from fingerpost.markdown.open_blocks import OpenBlocks
from fingerpost.markdown.scan import Scan, scan
from tests.core.markdown.test_scan_against_markdown_it import HTML, PIECES, SPACES

_WRITTEN = """
text line@# T@## T `x` [l](m)@# T ##@- item@- [i](j)@* **b** `c`@+ <u@1. one@3. three@12) [x](y)@  more [a](b)
@    code@  - sub@```@```py@````@ ```@| a | b |@|---|--|@|-|@| [a](b) | c \\| d |@> quote@> - q@[^n]: note
@[l]: /u@[l]: /v "t"@: term@:--@---@===@<div>@<!-- c -->@`a` b@[a `b](c` d](e)@[x][l] [^n] [[w]]@![i](j)
@\\[a](b)@2026 was a year@2026. Year@**bold** [x](y)@*em* [x](y)@é [ü](ä)@@
"""
LINES = tuple(line for line in _WRITTEN.replace("\n", "").split("@"))
ENDS = ("\n", "\n", "\n", "\n\n", "\n \n", "\r\n", "\n\n\n", "\n  ", "\n    ", "\n> ", "\n- ")


def scanned_the_long_way(text: str) -> Scan:
    def decline_line(_state: OpenBlocks, _position: int) -> int:
        return 0

    def decline_content(_content: Content) -> None:
        return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "read_whole", decline_line)
        patch.setattr(inlines, "_scan_plain", decline_content)
        return scan(text)


@settings(max_examples=1500, deadline=None)
@given(
    st.one_of(
        st.lists(st.tuples(st.sampled_from(LINES), st.sampled_from(ENDS)).map("".join), max_size=12).map(
            "".join
        ),
        st.lists(
            st.sampled_from((*PIECES, *SPACES, *HTML, "[[w|x]]", "[^1]", "[^1]: ", "`c`", "[d](e)")),
            max_size=30,
        ).map("".join),
    )
)
@example("- a\n\n      b\n# c\n")
@example("> a\nb\n\n- c\n\n  d [e](f)\n")
@example("a\n2. b\n- c\n2. [d](e)\n\n   f\n")
@example("| a |\n|---|\n| [b](c) |\nd [e](f)\n\n| a |\n| - | - |\n")
@example("- \n\n  a\n-\n\n  b\n")
@example("- a\n```\n[b](c)\n```\n    ```\n[d](e)\n")
@example("[^a]: b\n\n    c\n\nd\n")
@example("> - a\n\n>   # b\n")
@example("> `a\n  b`\n> ===\n")
@example("- a\n\nb\n\n  # c\n")
@example("- a\n| b [c |\n|---|\n| d](e) |\n")
@example("```\na\n````\n[b](c)\n```\n")
@example("```\na\n``` \n[b](c)\n```\n")
@example("a | b\n:-|-\n[c | d](e)\n")
@example("[a](b) c!")
def test_a_text_is_scanned_as_line_by_line(text: str) -> None:
    assert scan(text) == scanned_the_long_way(text)


def test_most_blocks_need_no_line_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "# Title\n\nProse with a [link](a.md) and `code`.\nMore of it.\n\n- one\n- [two](b.md)\n  goes on\n\n"
        "1. three\n2. four\n\n| a | b |\n|---|---|\n| c | [d](e.md) |\n\n```sql\nSELECT [1](x)\n```\n## End"
    )

    def refuse(_reader: object) -> None:
        raise AssertionError("a line was read by itself")

    expected = scanned_the_long_way(text)
    monkeypatch.setattr(blocks._Reader, "_read_line", refuse)  # pyright: ignore[reportPrivateUsage]
    assert scan(text) == expected
    assert [link.target for link in expected.links] == ["a.md", "b.md", "e.md"]
