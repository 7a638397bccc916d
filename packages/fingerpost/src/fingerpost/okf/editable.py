"""A file that can be changed byte by byte, or why it cannot."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from fingerpost.errors import ConceptError
from fingerpost.okf.frontmatter import decode, open_text, split
from fingerpost.okf.rules import RULES
from fingerpost.okf.yaml_problems import LINE_END
from fingerpost.okf.yaml_text import Value
from fingerpost.records import Finding

_NO_CODE = Finding("OKF101", 1, 1, "The file has no frontmatter that can be read.")


class Editable(NamedTuple):
    """A file with frontmatter that can be read.

    Attributes:
        text: The file, without a byte-order mark.
        mark: The byte-order mark, or nothing.
        block_start: Offset of the frontmatter's first line below the opening fence.
        block_end: Offset of the closing fence.
        body_offset: Offset of the body.
        line_end: What ends the first line.
        values: The fields.
        findings: What is wrong with encoding, fences and YAML.
    """

    text: str
    mark: bytes
    block_start: int
    block_end: int
    body_offset: int
    line_end: str
    values: dict[str, Value]
    findings: tuple[Finding, ...]

    @property
    def block(self) -> str:
        """The YAML between the fences."""
        return self.text[self.block_start : self.block_end]

    @property
    def body(self) -> str:
        """What stands below the frontmatter."""
        return self.text[self.body_offset :]

    def with_block(self, block: str) -> bytes:
        """The file with other YAML between its fences."""
        return self._encoded(self.text[: self.block_start] + block + self.text[self.block_end :])

    def with_body(self, body: str) -> bytes:
        """The file with another body."""
        return self._encoded(self.text[: self.body_offset] + body)

    def _encoded(self, text: str) -> bytes:
        return self.mark + encoded(text)


def open_editable(data: bytes) -> Editable:
    """Open a file to change it.

    Args:
        data: The bytes of the file.

    Raises:
        ConceptError: It is not UTF-8, or has no frontmatter that can be read; the message says where, and
            what to do.
    """
    text = decoded(data)
    opened = open_text(data)
    cut = split(text)
    if opened.frontmatter is None or cut.block is None:
        told = [found for found in opened.findings if found.code < "OKF2"]
        raise ConceptError(f"The file cannot be changed. {said(min(told, key=_by_code, default=_NO_CODE))}")
    fence = LINE_END.search(text)
    start = fence.end() if fence else len(text)
    return Editable(
        text=text,
        mark=codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b"",
        block_start=start,
        block_end=start + len(cut.block),
        body_offset=cut.body_offset,
        line_end=fence[0] if fence else "\n",
        values=opened.frontmatter.values,
        findings=opened.findings,
    )


def decoded(data: bytes) -> str:
    """The text of a file, without a byte-order mark.

    Args:
        data: The bytes of the file.

    Raises:
        ConceptError: It is not UTF-8.
    """
    text, findings = decode(data)
    undecodable = [found for found in findings if found.code == "OKF107"]
    if undecodable:
        raise ConceptError(f"The file cannot be changed. {said(undecodable[0])}")
    return text


def encoded(text: str) -> bytes:
    """A text as UTF-8.

    Args:
        text: The text.

    Raises:
        ConceptError: It holds half a character.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        half = f"U+{ord(text[error.start]):04X}"
        raise ConceptError(
            f"The text holds {half}, half of a character, which no file can hold: remove it."
        ) from None


def said(finding: Finding) -> str:
    """A finding in words: where, what, and what to do."""
    cure = finding.cure or RULES[finding.code].cure
    return f"Line {finding.line}, column {finding.column}: {finding.reason} {cure}"


def _by_code(finding: Finding) -> str:
    return finding.code
