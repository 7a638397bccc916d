r"""Text of a bundle as it may be printed: nothing in it drives a terminal, hides, or forges a line.

What does so is shown as an escape, such as \x1b or \u202e. Joiners that emoji and the spelling of a language
need stay, and so do marks of direction where something is written from right to left.
"""

from __future__ import annotations

import re

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_LINE_BREAKS = "\n\t"
_UNSEEN = (
    "\u00ad\u180e\u200b-\u200d\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_DIRECTION_MARKS = "\u061c\u200e\u200f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_VISIBLE = f"[^\\s{_CONTROLS}{_UNSEEN}]"
_VISIBLE_NOT_ASCII = f"[^\\s\x00-\x7f{_CONTROLS}{_UNSEEN}]"
# The spelling of Persian and the Indic scripts, joined emoji, and the flags that are spelt with tags.
_NEEDED = (
    f"(?P<needed>(?<={_VISIBLE_NOT_ASCII})[\u200c\u200d](?={_VISIBLE})"
    f"|(?<={_VISIBLE})[\u200c\u200d](?={_VISIBLE_NOT_ASCII})"
    "|(?<=\U0001f3f4)[\U000e0061-\U000e007a]{5}\U000e007f)"
)
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_UNIT = re.compile("....")


def _escaped_are(characters: str) -> re.Pattern[str]:
    return re.compile(f"{_NEEDED}|(?<=[{_SELECTORS}])[{_SELECTORS}]|[{characters}]")


_IN_TEXT = _escaped_are(_CONTROLS + _UNSEEN)
_IN_LINE = _escaped_are(_CONTROLS + _UNSEEN + _LINE_BREAKS)
_IN_TEXT_LEFT_TO_RIGHT = _escaped_are(_CONTROLS + _UNSEEN + _DIRECTION_MARKS)
_IN_LINE_LEFT_TO_RIGHT = _escaped_are(_CONTROLS + _UNSEEN + _DIRECTION_MARKS + _LINE_BREAKS)


def visible_text(text: str) -> str:
    """A text of several lines, with all that would not be seen as an escape; line ends are LF."""
    text = text.replace("\r\n", "\n")
    return (_IN_TEXT if _RIGHT_TO_LEFT.search(text) else _IN_TEXT_LEFT_TO_RIGHT).sub(_escape, text)


def visible_line(text: str) -> str:
    """A text that is a part of one line: as `visible_text`, with line breaks and tabs as escapes too."""
    return (_IN_LINE if _RIGHT_TO_LEFT.search(text) else _IN_LINE_LEFT_TO_RIGHT).sub(_escape, text)


def visible_json(document: str) -> str:
    """A JSON document that says the same, with all that would not be seen as JSON's own escapes."""
    return _IN_TEXT_LEFT_TO_RIGHT.sub(_escape_in_json, document)


def _escape(found: re.Match[str]) -> str:
    return found["needed"] or found[0].encode("unicode_escape").decode("ascii")


def _escape_in_json(found: re.Match[str]) -> str:
    return found["needed"] or _UNIT.sub(r"\\u\g<0>", found[0].encode("utf-16-be").hex())
