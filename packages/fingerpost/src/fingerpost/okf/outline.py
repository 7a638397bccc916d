"""The lines of a Markdown text that are neither code nor comment, and its headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from fingerpost.okf.yaml_problems import LINE_END

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_COMMENT = re.compile(r" {0,3}<!--")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_NO_PARAGRAPH = re.compile(r"[ \t]*(?:[-*+>|#]|[0-9]+[.)]|$)| {4}|\t")


class OutlineLine(NamedTuple):
    """A line of prose.

    Attributes:
        text: The line without its line break; of a heading, its text.
        line: Its number in the file, from 1.
        level: 1 to 6 for a heading, 0 for any other line.
    """

    text: str
    line: int
    level: int = 0


def outline(text: str, first_line: int) -> list[OutlineLine]:
    """The lines of a text outside of fenced code and comments, headings told apart.

    Args:
        text: Markdown, without frontmatter.
        first_line: Number of its first line in the file, from 1.

    Returns:
        The lines in their order. A heading that is underlined stands on the line of its text.
    """
    found: list[OutlineLine] = []
    for number, line in _prose(text, first_line):
        if not line:
            found.append(OutlineLine(line, number))
            continue
        heading = _HEADING.match(line)
        underline = _UNDERLINE.match(line)
        before = found[-1] if found else None
        if heading:
            found.append(OutlineLine(_heading_text(heading[2] or ""), number, len(heading[1])))
        elif underline and before and before.line == number - 1 and _is_paragraph(before):
            found[-1] = OutlineLine(before.text.strip(), before.line, 1 if underline[1][0] == "=" else 2)
        else:
            found.append(OutlineLine(line, number))
    return found


def _prose(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    closing = ""
    for index, line in enumerate(LINE_END.split(text)):
        fence = _FENCE.match(line) if line else None
        if closing == "-->":
            closing = "" if "-->" in line else closing
        elif closing:
            if fence and fence[1].startswith(closing) and not fence[2].strip():
                closing = ""
        elif fence and not (fence[1][0] == "`" and "`" in fence[2]):
            closing = fence[1]
        elif line and _COMMENT.match(line):
            closing = "" if "-->" in line else "-->"
        else:
            yield first_line + index, line


def _heading_text(written: str) -> str:
    """The text without the hashes that may close a heading."""
    text = written.strip()
    bare = text.rstrip("#")
    return bare.rstrip() if bare != text and (not bare or bare[-1] in " \t") else text


def _is_paragraph(line: OutlineLine) -> bool:
    return line.level == 0 and _NO_PARAGRAPH.match(line.text) is None
