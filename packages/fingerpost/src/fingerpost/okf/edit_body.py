"""Changes the body of a concept in its file; the frontmatter stays as it is, and the only one."""

from __future__ import annotations

import re

from fingerpost.errors import ConceptError
from fingerpost.markdown.scan import scan
from fingerpost.markdown.sections import find_section
from fingerpost.okf.editable import Editable, open_editable
from fingerpost.okf.frontmatter import open_text
from fingerpost.okf.yaml_problems import LINE_END

_LEADING = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_TWO_ENDS = re.compile(r"[ \t]*(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")


def replace_body(data: bytes, body: str) -> bytes:
    """Give a concept another body.

    The blank lines between the frontmatter and the body, and the line end of the last line, stay as the file
    has them, and lines end as its first line does.

    Args:
        data: The bytes of the file.
        body: The new body, in Markdown. Blank lines around it do not count.

    Returns:
        The bytes of the changed file; `data` itself when it has this body already.

    Raises:
        ConceptError: The file cannot be changed, or the body begins with frontmatter.
    """
    opened = open_editable(data)
    refuse_frontmatter(body)
    old, new = opened.body, body_text(body)
    if new == body_text(old):
        return data
    before = _LEADING.match(old)
    leading = before[0] if before and old.strip() else opened.line_end
    content = old.rstrip("\r\n")
    trailing = old[len(content) :] if old.strip() else opened.line_end
    if not new:
        leading = trailing = ""
    written = leading + new.replace("\n", opened.line_end) + trailing
    return _written(opened, written)


def append_to_body(data: bytes, text: str, section: str = "") -> bytes:
    """Add a text at the end of a body, or at the end of one of its sections.

    One blank line goes before it, and one after it where a section follows. Lines end as the first line of
    the file does.

    Args:
        data: The bytes of the file.
        text: The text, in Markdown. Blank lines around it do not count.
        section: Heading of the section, by slug or words in any letter case; "" for the end of the body.

    Returns:
        The bytes of the changed file.

    Raises:
        ConceptError: The file cannot be changed, there is no text, or it would not stand on its own there.
        KnowledgeNotFoundError: There is no such section; the message names those that there are.
    """
    opened = open_editable(data)
    refuse_frontmatter(text)
    added = body_text(text).replace("\n", opened.line_end)
    if not added.strip():
        raise ConceptError("There is no text to be added: give at least one word.")
    body, end = opened.body, opened.line_end
    if not body.strip():
        return _written(opened, end + added + end)
    place = find_section(scan(body).headings, len(body), section)
    part = body[: place.end]
    last = len(part.rstrip())
    line = LINE_END.search(part, last)
    last = line.start() if line else len(part)
    rest = body[last:]
    gap = end if rest.strip() and not _TWO_ENDS.match(rest) else ""
    offset = last + 2 * len(end)
    written = f"{body[:last]}{end}{end}{added}{gap}{rest}"
    _refuse_within(written, offset)
    _refuse_around(written, offset + len(added))
    return _written(opened, written)


def body_text(body: str) -> str:
    """A body in the form in which two are compared: lines end with LF, no mark or blank lines around it."""
    lines = LINE_END.sub("\n", body.removeprefix("\ufeff"))
    leading = _LEADING.match(lines)
    return lines[leading.end() if leading else 0 :].rstrip("\n")


def refuse_frontmatter(body: str) -> None:
    """Refuse a body that would bring a second frontmatter into the file.

    Args:
        body: The body.

    Raises:
        ConceptError: It begins with a frontmatter block.
    """
    if open_text(body.lstrip("\ufeff \t\r\n").encode("utf-8", "replace")).has_block:
        raise ConceptError(
            "The body begins with a frontmatter block (---), and a file has one: leave it out of the body, "
            "and give its fields as fields."
        )


def _refuse_within(body: str, offset: int) -> None:
    """Refuse to add what would become a part of code or of a comment above it."""
    scanned = scan(body)
    for what, blocks in (("code block", scanned.code_blocks), ("comment", scanned.comments)):
        around = next((block for block in blocks if block.start < offset < block.end), None)
        if around is not None:
            raise ConceptError(
                f"The text was not added: the {what} on line {around.line} of the body is not closed, so the "
                f"text would be a part of it. Close the {what} first."
            )


def _refuse_around(body: str, end: int) -> None:
    """Refuse a text that leaves code or a comment open, of which what follows it would become a part."""
    if not body[end:].strip():
        return
    scanned = scan(body)
    for kind, blocks in (("code block", scanned.code_blocks), ("comment", scanned.comments)):
        if any(block.start < end < block.end for block in blocks):
            raise ConceptError(
                f"The text was not added: it leaves a {kind} open, so that what follows would be a part of "
                f"it. Close the {kind}."
            )


def _written(opened: Editable, body: str) -> bytes:
    """The file with its new body, once it has been read again."""
    if body and opened.body_offset and opened.text[opened.body_offset - 1] not in "\r\n":
        body = opened.line_end + body
    written = opened.with_body(body)
    read = open_text(written)
    if read.frontmatter is None or read.frontmatter.values != opened.values:
        raise ConceptError(
            "The body was not changed: the frontmatter would no longer be read. Close it with ---."
        )
    return written
