"""Writes a new concept: frontmatter that every reader takes for what it is, and a body (OKF 0.2 §4)."""

from __future__ import annotations

from collections.abc import Mapping

from fingerpost.errors import ConceptError
from fingerpost.okf.edit_body import body_text, refuse_frontmatter
from fingerpost.okf.editable import encoded
from fingerpost.okf.frontmatter import open_text
from fingerpost.okf.yaml_problems import field_name
from fingerpost.okf.yaml_text import Value
from fingerpost.okf.yaml_write import block, check_writable


def compose(fields: Mapping[str, Value], body: str) -> bytes:
    """Write a new concept.

    Texts are quoted where they need it alone. A list of texts stands in brackets, a mapping and a list of
    mappings on the lines below their key. Lines end with LF, the last one too.

    Args:
        fields: The fields, in the order in which they are to stand.
        body: The body, in Markdown. Blank lines around it do not count.

    Returns:
        The bytes of the file.

    Raises:
        ConceptError: A field cannot be written, or the body begins with frontmatter of its own.
    """
    refuse_frontmatter(body)
    for key, value in fields.items():
        check_writable(key, field_name((key,)))
        check_writable(value, field_name((key,)))
    lines = [line for key, value in fields.items() for line in block(key, value, 0)]
    content = body_text(body)
    below = ["", content] if content else []
    written = encoded("\n".join(["---", *lines, "---", *below, ""]))
    _check(written, dict(fields), content)
    return written


def _check(written: bytes, fields: dict[str, Value], body: str) -> None:
    """Hold what was written against what it has to say."""
    opened = open_text(written)
    read = opened.frontmatter.values if opened.frontmatter is not None else None
    if read == fields and body_text(opened.body) == body:
        return
    wrong = [key for key, value in fields.items() if read is None or read.get(key) != value]
    reason = next((f"{found.reason} " for found in opened.findings), "")
    name = field_name((max(wrong, key=lambda key: len(str(fields[key]))),)) if wrong else "body"
    raise ConceptError(
        f"The concept cannot be written: `{name}` would not be read as it is given. {reason}Make it shorter."
    )
