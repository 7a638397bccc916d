"""How blocks begin and end: the patterns of CommonMark 0.31, chapter 4, and of GitHub's tables.

Each function looks at one line, from an offset to its end. All patterns are linear: none backtracks.
"""

from __future__ import annotations

import re

_HTML_BLOCK_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|"
    "dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|"
    "hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|"
    "section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_ATTRIBUTE = (
    r"[ \t\n]++[A-Za-z_:][A-Za-z0-9_.:-]*+(?:[ \t\n]*+=[ \t\n]*+(?:[^ \t\n\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?+"
)
OPEN_TAG = rf"<[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+[ \t\n]*+/?>"
CLOSE_TAG = r"</[A-Za-z][A-Za-z0-9-]*+[ \t\n]*+>"

BLANKS = re.compile(r"[ \t]*+")
BLANK_LINE_END = re.compile(r"[ \t]*+\Z")
ATX_HEADING = re.compile(r"(#{1,6})(?=[ \t]|\Z)")
SETEXT_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+\Z")
_BREAK_MARKS = re.compile(r"(?:\*[* \t]*+|-[- \t]*+|_[_ \t]*+)")
FENCE = re.compile(r"(?:(`{3,}+)([^`\n]*+)|(~{3,}+)([^\n]*+))\Z")
BULLET = re.compile(r"[-+*](?=[ \t]|\Z)")
ORDERED = re.compile(r"([0-9]{1,9}+)[.)](?=[ \t]|\Z)")
FOOTNOTE = re.compile(r"\[\^([^\s\[\]\^][^\s\[\]]{0,998}+)\]:")
TABLE_DELIMITERS = re.compile(r"\|?+[ \t]*+:?+-++:?+[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*+\|?+[ \t]*+\Z")

_HTML_STARTS = tuple(
    (re.compile(start, re.IGNORECASE), re.compile(end, re.IGNORECASE) if end else None)
    for start, end in (
        (r"<(?:script|pre|style|textarea)(?=[ \t>]|\Z)", r"</(?:script|pre|style|textarea)>"),
        (r"<!--", r"-->"),
        (r"<\?", r"\?>"),
        (r"<![A-Z]", r">"),
        (r"<!\[CDATA\[", r"\]\]>"),
        (rf"</?(?:{_HTML_BLOCK_NAMES})(?=[ \t>]|/>|\Z)", ""),
    )
)
_HTML_LONE_TAG = re.compile(rf"(?:{OPEN_TAG}|{CLOSE_TAG})[ \t]*+\Z")


def html_block(text: str, start: int, end: int, *, lone_tag: bool) -> tuple[bool, re.Pattern[str] | None]:
    """Whether a line opens an HTML block.

    Args:
        text: The text.
        start: Offset of the `<`.
        end: Offset of the line's end.
        lone_tag: Whether any complete tag alone on its line counts, as it does unless a paragraph is open.

    Returns:
        Whether it does, and the pattern that ends the block; None when a blank line ends it.
    """
    for opening, closing in _HTML_STARTS:
        if opening.match(text, start, end):
            return True, closing
    return lone_tag and _HTML_LONE_TAG.match(text, start, end) is not None, None


def break_end(text: str, start: int, end: int) -> int:
    """The offset after a run of one mark and blanks: a thematic break if it fills its line."""
    match = _BREAK_MARKS.match(text, start, end)
    return match.end() if match else start


def atx_content(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch of an ATX heading's inline content, from the offset after its opening number signs."""
    written = text[start:end].rstrip(" \t")
    without_closing = written.rstrip("#")
    if without_closing[-1:] in ("", " ", "\t"):
        written = without_closing.rstrip(" \t")
    offset = start + len(written) - len(written.lstrip(" \t"))
    return min(offset, start + len(written)), start + len(written)


def table_cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The cells of a table row, blanks and all: what stands between pipes that are not escaped."""
    start, end = trimmed(text, start, end)
    cells: list[tuple[int, int]] = []
    escaped = False
    for piece in text[start:end].split("|"):
        after = start + len(piece)
        cells.append((cells.pop()[0] if escaped else start, after))
        escaped = piece.endswith("\\")
        start = after + 1
    if cells[0][0] == cells[0][1]:
        del cells[0]
    if cells and cells[-1][0] == cells[-1][1]:
        del cells[-1]
    return cells


def cell_pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The pieces of a table cell: the backslash before a pipe belongs to the table, not to the content."""
    pieces: list[tuple[int, int]] = []
    pipe = text.find("\\|", start, end)
    while pipe >= 0:
        pieces.append((start, pipe))
        start = pipe + 1
        pipe = text.find("\\|", start, end)
    pieces.append((start, end))
    return pieces


def may_hold_links(text: str, start: int, end: int) -> bool:
    """Whether a stretch of text has any character without which there is no link, footnote or comment."""
    stretch = text[start:end]  # looking in a slice is faster than a search between offsets
    return "]" in stretch or "<" in stretch


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of text without the blanks and tabs at its ends."""
    written = text[start:end]
    start += len(written) - len(written.lstrip(" \t"))
    return start, max(start, start + len(written.strip(" \t")))
