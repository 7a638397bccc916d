"""Cures in a file what has one cure and changes no meaning; values and body are read as before.

OKF501  the byte-order mark goes              OKF103  a tab after a colon becomes a blank
OKF502  blanks behind the fences go           OKF104  a value with a colon gets the quotes it is read with
OKF102  a closing ... becomes ---             and a last line without a line end gets one, which is no rule
"""

from __future__ import annotations

import re

from fingerpost.okf.frontmatter import OpenedText, decode, in_order, open_text, split
from fingerpost.okf.lines import Lines
from fingerpost.okf.yaml_problems import LINE_END
from fingerpost.okf.yaml_repair import mended
from fingerpost.records import Finding

CURED = frozenset(("OKF102", "OKF103", "OKF104", "OKF501", "OKF502"))
"""The rules whose breaches are cured, where the frontmatter can be read in spite of them."""

_BLANKS = re.compile("[ \t]*")
_MOST_ROUNDS = 4  # one cure may let another be seen


def formatted(data: bytes) -> tuple[bytes, tuple[Finding, ...]]:
    """Cure a file.

    Args:
        data: The bytes of a concept, an index.md or a log.md.

    Returns:
        The bytes of the cured file, and what was cured, at its place in `data`. A line end that was missing
        at the end is told by a finding with the code "", for no rule asks for it. A file that cannot be read
        is returned as it is, and so is one that needs no cure; formatting twice changes nothing more.
    """
    found: list[Finding] = []
    current = data
    for _ in range(_MOST_ROUNDS):
        changed, cured = _once(current)
        if changed == current:
            break
        current = changed
        found += cured
    return current, in_order(found)


def _once(data: bytes) -> tuple[bytes, list[Finding]]:
    opened = open_text(data)
    if not data.strip() or not _is_read(opened):
        return data, []
    text = decode(data)[0]
    cured = [each for each in opened.findings if each.code in CURED]
    changed = _with_block_cured(text, cured) if opened.frontmatter is not None else text
    if changed and changed[-1] not in "\r\n":
        ended = LINE_END.search(changed)
        reason = "The last line has no line end, so what is added below it would join it."
        lines = Lines(text)
        last = len(lines.starts)
        cured.append(Finding("", last, len(text) - lines.starts[-1] + 1, reason, "End the line."))
        changed += ended[0] if ended else "\n"
    written = changed.encode()
    return (written, cured) if _reads_alike(opened, open_text(written)) else (data, [])


def _is_read(opened: OpenedText) -> bool:
    codes = {found.code for found in opened.findings}
    if "OKF107" in codes or (opened.has_block and opened.frontmatter is None):
        return False
    return opened.frontmatter is not None or "OKF102" not in codes


def _with_block_cured(text: str, found: list[Finding]) -> str:
    cut = split(text)
    if cut.block is None:
        return text
    opening, closing = LINE_END.search(text), LINE_END.search(text, cut.body_offset - 2)
    block = mended(cut.block) or cut.block
    tabs = [each for each in found if each.code == "OKF103"]
    for each in sorted(tabs, key=lambda tab: tab.column, reverse=True):
        block = _without_tab(block, each.line - cut.block_line, each.column - 1)
    first_end = opening[0] if opening else "\n"
    last_end = closing[0] if closing and closing.end() <= cut.body_offset else ""
    return f"---{first_end}{block}---{last_end}{cut.body}"


def _without_tab(block: str, line: int, column: int) -> str:
    """The YAML with one blank in the place of a tab and of all blanks around it."""
    offset = Lines(block).place(line) + column
    start = len(block[:offset].rstrip(" \t"))
    blanks = _BLANKS.match(block, start)
    end = blanks.end() if blanks else offset
    is_last = block[end : end + 1] in ("", "\r", "\n")
    return f"{block[:start]}{'' if is_last else ' '}{block[end:]}"


def _reads_alike(before: OpenedText, after: OpenedText) -> bool:
    values, others = (each.frontmatter.values if each.frontmatter else None for each in (before, after))
    bodies = (before.body, after.body)
    return values == others and bodies[1] in (bodies[0], *(bodies[0] + end for end in ("\n", "\r\n", "\r")))
