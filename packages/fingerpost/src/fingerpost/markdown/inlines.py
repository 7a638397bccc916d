"""Links and footnote references in a stretch of inline content (CommonMark 0.31, chapter 6).

Code spans, autolinks and raw HTML bind before brackets; brackets that make no Markdown link may make a
footnote reference or a wiki link. Time is linear in the content: what has once not been found is not looked
for again.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_left
from collections.abc import Mapping
from typing import Literal, NamedTuple

from fingerpost.markdown.block_starts import CLOSE_TAG, OPEN_TAG, trimmed
from fingerpost.markdown.destinations import LABEL_LIMIT, normalise_label, read_label, read_tail
from fingerpost.markdown.found import Content

FoundKind = Literal[
    "link", "image", "autolink", "wiki", "html", "html_image", "unlinked", "unlinked_image",
    "footnote", "comment", "code", "tag", "escape",
]  # fmt: skip

_TOKEN = re.compile(r"[\\`\[\]<]")
_CODE = r"`[^`]++`(?!`)"
# Brackets and code spans of the plainest spelling are one token each: brackets with or without a destination.
_TAIL = r"\](?:\(([^\x00-\x20\x7f()\\<]++)\)|(?!\())"
_PLAIN_TOKEN = re.compile(rf"\[((?:[^\\`\[\]<]++|{_CODE})*+){_TAIL}|{_CODE}|\[|\]|`|<|\\")
# Where brackets are all there is; it is looked for much faster than the other.
_PLAIN_BRACKETS = re.compile(rf"\[(?:([^\[\]]*+){_TAIL}|)")
_BRACKETS, _LINK = 1, 2
_ESCAPABLE = frozenset(string.punctuation)
_BLANK = re.compile(r"[ \t]")
_BACKTICKS = re.compile(r"`++")
_URI = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}+:[^<>\x00-\x20\x7f]*+)>")
_DOMAIN_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL = re.compile(rf"<([A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]++@{_DOMAIN_LABEL}(?:\.{_DOMAIN_LABEL})*+)>")
_TAG = re.compile(rf"{OPEN_TAG}|{CLOSE_TAG}")
_LINK_TAG = re.compile(r"<(?:(a)|img)[ \t\n]", re.IGNORECASE)
_DECLARATION = re.compile(r"<![A-Za-z]")
_VALUE = r"[ \t\n]*+=[ \t\n]*+(?:\"([^\"]*+)\"|'([^']*+)'|([^ \t\n\"'=<>`]++))|\"[^\"]*+\"|'[^']*+'"
_HREF = re.compile(rf"[ \t\n]href{_VALUE}", re.IGNORECASE)
_SRC = re.compile(rf"[ \t\n]src{_VALUE}", re.IGNORECASE)
_HTML_BLOCK_TOKEN = re.compile(r"<!--|<(?:a|img)[ \t\n]|<(script|style|textarea)(?=[ \t\n>])", re.IGNORECASE)
_FAILED_TAIL = re.compile(r"\([ \t]*+([^\s()<](?:[^()\n]|\([^()\n]{0,99}+\)){0,499}+)\)")
_TITLE_AT_END = re.compile(r"(?<![ \t])[ \t]++(?:\"[^\"]*+\"|'[^']*+')?[ \t]*+\Z")
_FOOTNOTE_LABEL = re.compile(r"\^[^\s\[\]\^][^\s\[\]]{0,998}+")


class Found(NamedTuple):
    """One thing found in a stretch of inline content; offsets are those of the content's text.

    Attributes:
        kind: What it is.
        start: Offset of its first character.
        end: Offset after its last character.
        text_start: Offset of what it shows.
        text_end: Offset after what it shows.
        target_start: Offset of its destination; in the scanned text for a link by reference.
        target_end: Offset after its destination.
        by_reference: Whether the destination lies in a definition elsewhere.
    """

    kind: FoundKind
    start: int
    end: int
    text_start: int = 0
    text_end: int = 0
    target_start: int = 0
    target_end: int = 0
    by_reference: bool = False


class _Opener(NamedTuple):
    is_image: bool
    start: int
    inside: int
    mark: int


def scan_inline(
    content: Content, definitions: Mapping[str, tuple[int, int]], *, markup: bool = False
) -> list[Found]:
    """Find links and footnote references in inline content.

    Args:
        content: The content.
        definitions: Normalised label of link reference definitions, with start and end of the destination.
        markup: Whether to answer with code spans, escapes and all HTML tags, too.

    Returns:
        What was found, in no particular order.
    """
    found = None if markup or definitions else _scan_plain(content)
    return _Scanner(content, definitions, markup=markup).scan() if found is None else found


def _scan_plain(content: Content) -> list[Found] | None:
    """What is found in content whose only markup is plain brackets and code spans; None for any other."""
    text, offset = content.text, content.start
    stretch = text[offset : content.end]
    mixed = "`" in stretch or "<" in stretch or "\\" in stretch
    found: list[Found] = []
    for token in (_PLAIN_TOKEN if mixed else _PLAIN_BRACKETS).finditer(text, offset, content.end):
        start, end = token.span()
        if token.lastindex == _LINK:
            is_image = start > offset and text[start - 1] == "!"
            target = token.start(_LINK)
            kind = "image" if is_image else "link"
            found.append(Found(kind, start - is_image, end, start + 1, target - 2, target, end - 1))
        elif token.lastindex == _BRACKETS:
            if _FOOTNOTE_LABEL.fullmatch(text, start + 1, end - 1):
                found.append(Found("footnote", start, end, start + 2, end - 1))
        elif end - start == 1 and text[start] != "]":
            return None
        offset = end
    return found


def scan_html(content: Content) -> list[Found]:
    """Find links and comments in an HTML block.

    Args:
        content: The HTML.

    Returns:
        What was found, in order.
    """
    text, end = content.text, content.end
    found: list[Found] = []
    offset = content.start
    while token := _HTML_BLOCK_TOKEN.search(text, offset, end):
        start = token.start()
        offset = token.end()
        if token.group() == "<!--":
            closing = text.find("-->", start + 2, end)
            offset = closing + 3 if closing >= 0 else end
            found.append(Found("comment", start, offset))
        elif token.group(1):
            closing_tag = re.compile(f"</{token.group(1)}", re.IGNORECASE).search(text, offset, end)
            offset = closing_tag.start() if closing_tag else end
        elif tag := _TAG.match(text, start, end):
            offset = tag.end()
            found += _html_links(text, start, offset)
    return found


def _html_links(text: str, start: int, end: int) -> list[Found]:
    """The link that an HTML tag makes, if it is an `<a href>` or an `<img src>`."""
    tag = _LINK_TAG.match(text, start, end)
    if tag is None:
        return []
    attributes = _HREF if tag[1] else _SRC
    for match in attributes.finditer(text, tag.end() - 1, end):
        if match.lastindex:
            kind = "html" if tag[1] else "html_image"
            return [Found(kind, start, end, start, start, *match.span(match.lastindex))]
    return []


class _Scanner:
    def __init__(self, content: Content, definitions: Mapping[str, tuple[int, int]], *, markup: bool) -> None:
        self._text = content.text
        self._start = content.start
        self._end = content.end
        self._definitions = definitions
        self._markup = markup
        self._found: list[Found] = []
        self._openers: list[_Opener] = []
        self._inactive = 0  # openers below this height of the stack can make no link, for a link follows them
        self._last_bracket = -1
        self._last_opaque = -1
        self._last_failed = (-1, -1)
        self._backticks: dict[int, list[int]] | None = None
        self._missing: set[str] = set()

    def scan(self) -> list[Found]:
        text, end = self._text, self._end
        offset = self._start
        while token := _TOKEN.search(text, offset, end):
            start = token.start()
            character = text[start]
            if character == "]":
                offset = self._close_bracket(start)
            elif character == "[":
                is_image = start > offset and text[start - 1] == "!"
                offset = start + 1
                self._last_bracket = start - is_image
                self._openers.append(_Opener(is_image, self._last_bracket, offset, len(self._found)))
            elif character == "<":
                offset = self._read_angle(start)
            elif character == "`":
                offset = self._read_code(start)
            else:
                offset = self._read_escape(start)
        return self._found

    def _read_escape(self, start: int) -> int:
        end = start + 2
        if end > self._end or self._text[start + 1] not in _ESCAPABLE:
            return start + 1
        if self._markup:
            self._found.append(Found("escape", start, end, start + 1, end))
        return end

    def _read_code(self, start: int) -> int:
        run = _BACKTICKS.match(self._text, start, self._end)
        inside = run.end() if run else start + 1
        if self._backticks is None:
            self._backticks = {}
            for run in _BACKTICKS.finditer(self._text, self._start, self._end):
                self._backticks.setdefault(run.end() - run.start(), []).append(run.start())
        runs = self._backticks.get(inside - start, [])
        closing = bisect_left(runs, inside)
        if closing == len(runs):
            return inside
        end = runs[closing] + inside - start
        return self._opaque("code", start, end, inside, runs[closing])

    def _opaque(self, kind: FoundKind, start: int, end: int, text_start: int = 0, text_end: int = 0) -> int:
        self._last_opaque = start
        if self._markup or kind == "comment":
            self._found.append(Found(kind, start, end, text_start, text_end))
        return end

    def _read_angle(self, start: int) -> int:
        text, end = self._text, self._end
        following = text[start + 1 : start + 2]
        if following in ("!", "?"):
            return self._read_declaration(start)
        link = _URI.match(text, start, end) or _EMAIL.match(text, start, end)
        if link:
            self._last_opaque = start
            self._found.append(Found("autolink", start, link.end(), *link.span(1), *link.span(1)))
            return link.end()
        tag = _TAG.match(text, start, end)
        if not tag:
            return start + 1
        self._last_opaque = start
        links = _html_links(text, start, tag.end())
        self._found += links
        return tag.end() if links else self._opaque("tag", start, tag.end())

    def _read_declaration(self, start: int) -> int:
        text = self._text
        if text.startswith("<!--", start, self._end):
            return self._read_until("-->", "comment", start)
        if text.startswith("<?", start, self._end):
            return self._read_until("?>", "tag", start)
        if text.startswith("<![CDATA[", start, self._end):
            return self._read_until("]]>", "tag", start)
        if _DECLARATION.match(text, start, self._end):
            return self._read_until(">", "tag", start)
        return start + 1

    def _read_until(self, closing: str, kind: FoundKind, start: int) -> int:
        offset = -1 if closing in self._missing else self._text.find(closing, start + 2, self._end)
        if offset < 0:
            self._missing.add(closing)
            return start + 1
        return self._opaque(kind, start, offset + len(closing))

    def _close_bracket(self, at: int) -> int:
        if not self._openers:
            return at + 1
        opener = self._openers.pop()
        height = len(self._openers)
        inactive = height < self._inactive and not opener.is_image
        self._inactive = min(self._inactive, height)
        if inactive:
            return at + 1
        tail = self._inline_tail(at) or self._reference_tail(opener, at)
        if not tail:
            self._read_target_with_blanks(opener, at)
            self._read_unlinked_brackets(opener, at)
            return at + 1
        target_start, target_end, end, by_reference = tail
        if opener.is_image:
            del self._found[opener.mark :]
        else:
            self._inactive = height
            self._found[opener.mark :] = [
                inner for inner in self._found[opener.mark :] if inner.kind != "wiki"
            ]
        self._found.append(
            Found(
                "image" if opener.is_image else "link",
                opener.start,
                end,
                opener.inside,
                at,
                target_start,
                target_end,
                by_reference,
            )
        )
        return end

    def _inline_tail(self, at: int) -> tuple[int, int, int, bool] | None:
        if not self._text.startswith("(", at + 1, self._end):
            return None
        tail = read_tail(self._text, at + 1, self._end)
        return (*tail, False) if tail else None

    def _reference_tail(self, opener: _Opener, at: int) -> tuple[int, int, int, bool] | None:
        if not self._definitions:
            return None
        label: str | None = None
        end = at + 1
        if self._text.startswith("[", end, self._end):
            following = read_label(self._text, end, self._end)
            if following and (following[0].strip() or not following[0]):
                label, end = following
        if not label:
            if self._last_bracket > opener.start or at - opener.inside > LABEL_LIMIT:
                return None
            label = self._text[opener.inside : at]
        target = self._definitions.get(normalise_label(label))
        return (*target, end, True) if target else None

    def _read_target_with_blanks(self, opener: _Opener, at: int) -> None:
        if not self._text.startswith("(", at + 1, self._end) or self._text[opener.inside] == "^":
            return
        tail = _FAILED_TAIL.match(self._text, at + 1, self._end)
        if tail is None:
            return
        start, end = tail.span(1)
        title = _TITLE_AT_END.search(tail[1])
        end = start + title.start() if title else end
        if _BLANK.search(self._text, start, end):
            kind = "unlinked_image" if opener.is_image else "unlinked"
            self._found.append(Found(kind, opener.start, tail.end(), opener.inside, at, start, end))

    def _read_unlinked_brackets(self, opener: _Opener, at: int) -> None:
        # Brackets that make no Markdown link: a footnote reference, one pair of a wiki link, or text.
        text = self._text
        inside = opener.inside
        if self._last_bracket == opener.start:
            if _FOOTNOTE_LABEL.fullmatch(text, inside, at):
                self._found.append(Found("footnote", inside - 1, at + 1, inside + 1, at))
            elif not opener.is_image:
                self._last_failed = (opener.start, at)
            return
        if (
            self._last_failed != (inside, at - 1)
            or self._last_bracket != inside
            or self._last_opaque > inside
        ):
            return
        start, end = inside + 1, at - 1
        bar = text.find("|", start, end)
        target_end = bar if bar >= 0 else end
        if bar > start and text[bar - 1] == "\\":
            target_end -= 1
        target = trimmed(text, start, target_end)
        if target[0] < target[1] and text.find("\n", start, end) < 0:
            shown = trimmed(text, bar + 1, end) if bar >= 0 else target
            self._found.append(Found("wiki", opener.start, at + 1, *shown, *target))
