"""Any text as inline Markdown: one line that is nothing but the text of a paragraph or a list item."""

from __future__ import annotations

import re

_UNSEEN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
# What starts a block: a heading, a list, a quote, a rule, a fence, a definition, HTML.
_STARTS = re.compile(
    r"#{1,6}(?= |$)|[-+*](?= |$)|(?:\*[ ]*){3,}$|(?:-[ ]*){3,}$|(?:_[ ]*){3,}$|=+$|>|`{3,}|~{3,}"
    r"|\[(?=[^\]]*\]:)|<(?=[!?/]|[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|$))"
)
_NUMBERED = re.compile(r"^([0-9]{1,9})(?=[.)](?: |$))")
_COMMENT = re.compile("<(?=!--)")


def inline_text(text: str, *, starts: bool = True) -> str:
    """Fold a text into one line that starts no block of Markdown wherever it is put.

    Inline markup stays. What would start a heading, a list, a quote, code, a rule or HTML at the start of the
    line is escaped, and so is what would start a comment anywhere, which would hide what follows.

    Args:
        text: The text.
        starts: Whether it starts a line; behind other text, fewer characters have to be escaped.
    """
    line = _COMMENT.sub(r"\\<", " ".join(_UNSEEN.sub("", text).split()))
    if not starts:
        return line
    line = _NUMBERED.sub(r"\1\\", line)
    return f"\\{line}" if _STARTS.match(line) else line
