"""Labels, destinations and titles of links, and the definitions that give a label its destination.

CommonMark 0.31, sections 4.7 and 6.3. Each reader takes a text, an offset and an end, and answers with
offsets, so that nothing is copied on the way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html.entities import html5

LABEL_LIMIT = 999
_PARENTHESES_LIMIT = 32
_PUNCTUATION = r"!-/:-@\[-`{-~"

_ENTITY = r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});"
_ENTITIES = re.compile(_ENTITY)
_ESCAPES = re.compile(rf"\\[{_PUNCTUATION}]|{_ENTITY}")
_BLANKS = re.compile(r"[ \t\n]*+")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.)*+)\]", re.DOTALL)
_ANGLED = re.compile(r"<((?:[^<>\n\\]|\\[^\n])*+)>")
_UNBRACKETED = rf"(?:[^\x00-\x20\x7f()\\]++|\\[{_PUNCTUATION}]|\\)*+"
_BARE = (
    rf"{_UNBRACKETED}(?:\(" * _PARENTHESES_LIMIT + _UNBRACKETED + rf"\){_UNBRACKETED})*+" * _PARENTHESES_LIMIT
)
_TITLE = re.compile(r""""(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)""", re.DOTALL)
_LINE_END = re.compile(r"[ \t]*+(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Definition:
    """A link reference definition, `[label]: destination "title"`.

    Attributes:
        label: The label, normalised for comparison.
        start: Offset of the destination as written.
        end: Offset after it.
        after: Offset of the first character after the definition.
    """

    label: str
    start: int
    end: int
    after: int


def unescape(written: str) -> str:
    """A destination without its backslash escapes and entities.

    Args:
        written: The destination as written; percent-encoding is left as it is.
    """
    if "\\" not in written and "&" not in written:
        return written
    return _ESCAPES.sub(lambda match: _unescaped(match.group()), written)


def decode_entities(written: str) -> str:
    """A text with its entities decoded, those with a closing semicolon only."""
    return _ENTITIES.sub(lambda match: _unescaped(match.group()), written) if "&" in written else written


def _unescaped(escape: str) -> str:
    if escape[0] == "\\":
        return escape[1]
    if escape[1] != "#":
        return html5.get(escape[1:], escape)
    code = int(escape[3:-1], 16) if escape[2] in "xX" else int(escape[2:-1])
    is_character = 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_character else "\ufffd"


def normalise_label(label: str) -> str:
    """A link label in the form in which labels are compared: case folded, white space as single blanks."""
    return " ".join(label.split()).casefold()


def skip_blanks(text: str, start: int, end: int) -> int:
    """The offset of the first character that is no blank, tab or line break."""
    match = _BLANKS.match(text, start, end)
    return match.end() if match else start


def read_label(text: str, start: int, end: int) -> tuple[str, int] | None:
    """Read a link label at its opening bracket.

    Returns:
        What stands between the brackets, and the offset after the closing one; None when there is no label.
    """
    match = _LABEL.match(text, start, min(end, start + LABEL_LIMIT + 2))
    return (match.group(1), match.end()) if match else None


def read_destination(text: str, start: int, end: int) -> tuple[int, int, int] | None:
    """Read a link destination, in angle brackets or bare with balanced parentheses.

    Returns:
        Start and end of the destination, and the offset after it including a closing angle bracket. A bare
        one may be empty, and ends before a parenthesis that has no partner. None when an angle bracket is not
        closed.
    """
    if start < end and text[start] == "<":
        match = _ANGLED.match(text, start, end)
        return (match.start(1), match.end(1), match.end()) if match else None
    match = _bare().match(text, start, end)
    after = match.end() if match else start
    return start, after, after


@cache
def _bare() -> re.Pattern[str]:
    # Most texts do without this pattern, which takes long to compile.
    return re.compile(_BARE)


def read_tail(text: str, start: int, end: int) -> tuple[int, int, int] | None:
    """Read the `(destination "title")` of an inline link at its opening parenthesis.

    Returns:
        Start and end of the destination, and the offset after the closing parenthesis; None if it is none.
    """
    destination = read_destination(text, skip_blanks(text, start + 1, end), end)
    if not destination:
        return None
    target_start, target_end, after = destination
    offset = skip_blanks(text, after, end)
    if offset > after and (title := _TITLE.match(text, offset, end)):
        offset = skip_blanks(text, title.end(), end)
    closed = offset < end and text[offset] == ")"
    return (target_start, target_end, offset + 1) if closed else None


def read_definition(text: str, start: int, end: int) -> Definition | None:
    """Read a link reference definition at its opening bracket.

    Args:
        text: The text of a paragraph, in which no line is blank.
        start: Offset of the bracket.
        end: Offset after the paragraph.
    """
    label = read_label(text, start, end)
    if not label or not text.startswith(":", label[1], end) or not label[0].strip():
        return None
    destination = read_destination(text, skip_blanks(text, label[1] + 1, end), end)
    if not destination:
        return None
    target_start, target_end, after = destination
    if after == target_start:
        return None
    offset = skip_blanks(text, after, end)
    line_end = None
    if offset > after and (title := _TITLE.match(text, offset, end)):
        line_end = _LINE_END.match(text, title.end(), end)
    line_end = line_end or _LINE_END.match(text, after, end)
    if not line_end:
        return None
    return Definition(normalise_label(label[0]), target_start, target_end, line_end.end())
