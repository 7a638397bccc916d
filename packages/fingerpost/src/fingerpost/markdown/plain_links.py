"""Finds the links of a text that spells them plainly, without a look at its blocks.

Most bodies have links of one spelling alone, `[text](target)` on one line, and fenced code at the left edge.
Then it is enough to leave out the code and to see that each line with a link is text, wherever it stands.
What may be anything else is declined: HTML, escapes, definitions, cells of tables, brackets within brackets.
"""

from __future__ import annotations

import re

from fingerpost.markdown.destinations import unescape

_FENCE = "\n```"
# As in `inlines`, where a bracket that is followed by anything else is looked at more closely.
_BRACKETS = re.compile(r"\[[^\[\]\n]*+\](?:\(([^\x00-\x20\x7f()\\<]++)\)|(?![(:]))")
# Where a line begins that is no indented code, whatever stands above it.
_TEXT_LINE = re.compile(r" {0,3}+(?:(?:[-+*>]|#{1,6}|[0-9]{1,9}[.)]) )*+[^\s>]")
_GONE = "\0"  # stands for code; no destination holds it


def plain_targets(text: str) -> list[str] | None:
    r"""The targets of the links of a text, images and wiki links left out.

    Args:
        text: The text, with `\n` as its only line break.

    Returns:
        What `scan.leading_targets` answers, or None when the blocks have to be read for that.
    """
    if "`" in text:
        text = _without_spans(_without_fenced(text))
    if "`" in text or "<" in text or "\\" in text or ("~" in text and "~~~" in text):
        return None
    targets: list[str] = []
    start = text.find("[")
    while start >= 0:
        brackets = _BRACKETS.match(text, start)
        if brackets is None:
            return None
        target: str | None = brackets[1]
        if target is not None:
            if not _is_text(text, start):
                return None
            if text[start - 1 : start] != "!":
                targets.append(unescape(target))
        start = text.find("[", brackets.end())
    return targets


def _without_fenced(text: str) -> str:
    """A text without fenced code; it stays as it is when a fence has to be looked at more closely."""
    pieces = (f"\n{text}" if text.startswith("```") else text).split(_FENCE)
    is_plain = (
        len(pieces) % 2 == 1
        and not any("```" in code or "`" in code.partition("\n")[0] for code in pieces[1::2])
        and not any(after.partition("\n")[0].strip(" \t") for after in pieces[2::2])
    )
    return "\n".join(pieces[::2]) if is_plain else text


def _without_spans(text: str) -> str:
    """A text without its code spans, each on one line; it stays as it is when there are others."""
    pieces = text.split("`")
    code = "".join(pieces[1::2])
    is_plain = len(pieces) % 2 == 1 and "" not in pieces[1:-1] and "\n" not in code and "|" not in code
    return _GONE.join(pieces[::2]) if is_plain else text


def _is_text(text: str, place: int) -> bool:
    """Whether what stands at a place is text of its line, and not code or the cell of a table."""
    start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
    line = text[start:end] if end >= 0 else text[start:]
    return "|" not in line and "\t" not in line and _TEXT_LINE.match(line) is not None
