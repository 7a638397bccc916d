"""The plain text of inline Markdown, and the anchors that headings get from it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from fingerpost.markdown.destinations import decode_entities
from fingerpost.markdown.found import Content
from fingerpost.markdown.inlines import Found, scan_inline

_MARKUP = re.compile(r"[\\`*_\[\]<>&\n]")
_EMPHASIS = re.compile(r"\*++|_++")
_NOT_IN_SLUGS = re.compile(r"[^\w -]")


@dataclass(slots=True)
class _Delimiters:
    character: str
    count: int
    opens: bool
    closes: bool
    written: int


def plain_text(content: Content, definitions: Mapping[str, tuple[int, int]]) -> str:
    """What a reader sees of inline content: no emphasis marks, escapes, destinations, HTML tags or images.

    Args:
        content: The content.
        definitions: Link reference definitions, as in `scan_inline`.
    """
    text = content.text
    if not _MARKUP.search(text, content.start, content.end):
        return text[content.start : content.end]
    cuts = sorted(
        cut for found in scan_inline(content, definitions, markup=True) for cut in _cuts(text, found)
    )
    parts: list[str | _Delimiters] = []
    offset = content.start
    for start, end, shown in cuts:
        if start >= offset:
            parts += _text_parts(content, offset, start)
            parts.append(shown)
            offset = end
    parts += _text_parts(content, offset, content.end)
    _match_emphasis([part for part in parts if isinstance(part, _Delimiters)])
    shown_parts = [part if isinstance(part, str) else part.character * part.count for part in parts]
    return re.sub(r"[ \t]*\n[ \t]*", " ", "".join(shown_parts)).strip(" \t\n")


def _cuts(text: str, found: Found) -> list[tuple[int, int, str]]:
    if found.kind.startswith("unlinked"):
        return []
    if found.kind in ("link", "wiki"):
        return [(found.start, found.text_start, ""), (found.text_end, found.end, "")]
    shown = text[found.text_start : found.text_end] if found.kind in ("code", "escape", "autolink") else ""
    if found.kind == "code":
        shown = shown.replace("\n", " ")
        if shown[0] == shown[-1] == " " and shown.strip(" "):
            shown = shown[1:-1]
    return [(found.start, found.end, shown)]


def _text_parts(content: Content, start: int, end: int) -> list[str | _Delimiters]:
    text = content.text
    parts: list[str | _Delimiters] = []
    offset = start
    for run in _EMPHASIS.finditer(text, start, end):
        before = text[run.start() - 1] if run.start() > content.start else " "
        after = text[run.end()] if run.end() < content.end else " "
        parts.append(decode_entities(text[offset : run.start()]))
        parts.append(_delimiters(run.group(), before, after))
        offset = run.end()
    parts.append(decode_entities(text[offset:end]))
    return parts


def _delimiters(run: str, before: str, after: str) -> _Delimiters:
    left = not after.isspace() and (not _is_punctuation(after) or before.isspace() or _is_punctuation(before))
    right = not before.isspace() and (
        not _is_punctuation(before) or after.isspace() or _is_punctuation(after)
    )
    opens, closes = left, right
    if run[0] == "_":
        opens = left and (not right or _is_punctuation(before))
        closes = right and (not left or _is_punctuation(after))
    return _Delimiters(run[0], len(run), opens, closes, len(run))


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _match_emphasis(delimiters: list[_Delimiters]) -> None:
    # Takes the delimiters that make emphasis off their counts. What found no opener never will.
    openers: list[_Delimiters] = []
    bottoms: dict[tuple[str, bool, int], int] = {}
    for closer in delimiters:
        while closer.closes and closer.count:
            kind = (closer.character, closer.opens, closer.written % 3)
            height = _opener_height(openers, closer, bottoms.get(kind, 0))
            if height < 0:
                bottoms[kind] = len(openers)
                break
            opener = openers[height]
            del openers[height + 1 :]
            used = 2 if opener.count > 1 and closer.count > 1 else 1
            opener.count -= used
            closer.count -= used
            if not opener.count:
                openers.pop()
            bottoms = {kind: min(bottom, len(openers)) for kind, bottom in bottoms.items()}
        if closer.opens and closer.count:
            openers.append(closer)


def _opener_height(openers: list[_Delimiters], closer: _Delimiters, bottom: int) -> int:
    for height in range(len(openers) - 1, bottom - 1, -1):
        opener = openers[height]
        if opener.character == closer.character:
            ambiguous = (opener.closes or closer.opens) and (opener.written + closer.written) % 3 == 0
            if not ambiguous or (opener.written % 3 == 0 and closer.written % 3 == 0):
                return height
    return -1


class Slugs:
    """Gives each heading of one document its anchor by GitHub's rules, numbering the repeated ones."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, text: str) -> str:
        """The anchor of the next heading.

        Args:
            text: The heading's plain text.
        """
        base = slug = slug_of(text)
        if base not in self._counts:
            self._counts[base] = 0
            return base
        count = self._counts.get(base, 0)
        while slug in self._counts:
            count += 1
            slug = f"{base}-{count}"
        self._counts[base] = count
        self._counts[slug] = self._counts.get(slug, 0) if slug != base else count
        return slug


def slug_of(text: str) -> str:
    """The anchor of a heading that is the first of its text: lower case, hyphens for blanks, no punctuation.

    Args:
        text: The heading's plain text.
    """
    lowered = text.lower()
    if not lowered.replace(" ", "").isalnum():
        lowered = _NOT_IN_SLUGS.sub(_kept, lowered)
    return lowered.replace(" ", "-")


def _kept(found: re.Match[str]) -> str:
    # Combining marks and connectors are part of words, which `\w` does not know.
    character = found.group()
    category = unicodedata.category(character)
    return character if category[0] == "M" or category == "Pc" else ""
