"""From the bytes of a file to its frontmatter and its body (OKF 0.2 §4)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, cast

from fingerpost.okf.yaml_plain import is_unclosed, read_plain
from fingerpost.okf.yaml_problems import LINE_END, Path, field_name
from fingerpost.okf.yaml_repair import read_mended
from fingerpost.okf.yaml_text import Position, Tree, Value
from fingerpost.records import Finding

__all__ = [
    "Frontmatter",
    "OpenedText",
    "Path",
    "Position",
    "Split",
    "Value",
    "decode",
    "in_order",
    "open_text",
    "parse",
    "split",
]

_OPENING = re.compile("---([ \t]*)(?:\r\n|\n|\r|\\Z)")
_CLOSING = "(---|\\.\\.\\.)([ \t]*)(?:\r\n|\n|\r|\\Z)"
_CLOSING_BELOW_LF = re.compile(f"\n{_CLOSING}")  # looked for much faster than the other
_CLOSING_BELOW_ANY = re.compile(f"[\r\n]{_CLOSING}")
_FIRST_LINE = re.compile("[^\r\n]*")
_PLACE = attrgetter("line", "column", "code")
_INVISIBLE = "\ufeff\u200b\u200c\u200d\u2060\u00a0 \t\r\n"
_TAB_AFTER_COLON = re.compile(
    r"""(?:"[^"]{0,200}+"|'[^']{0,200}+'|[^"'](?:[^:\t]|:(?![ \t]|$)){0,200}+):[ ]*+\t"""
)
_NOTHING = Tree(None, {}, frozenset(), ())


class Split(NamedTuple):
    """A text cut into frontmatter and body.

    Attributes:
        block: The YAML between the fences, or None when there is no closed block.
        block_line: Line on which the block starts, from 1.
        body: Everything after the closing fence, as it is; the whole text when there is no closed block.
        body_line: Line on which the body starts, from 1.
        body_offset: Offset of the body's first character in the text.
        findings: What is wrong with the fences: OKF101, OKF102, OKF502.
    """

    block: str | None
    block_line: int
    body: str
    body_line: int
    body_offset: int
    findings: tuple[Finding, ...]


class Frontmatter:
    """The mapping in a frontmatter block.

    Attributes:
        values: The fields. Scalars are source text, whatever they look like; only a plain null is None.
            Aliased values are shared, so treat all of it as read-only.
    """

    __slots__ = ("_tree", "_written", "values")

    def __init__(self, tree: Tree = _NOTHING) -> None:
        """Take what was read.

        Args:
            tree: A mapping, or nothing at all.
        """
        self.values = cast("dict[str, Value]", tree.value or {})
        self._tree: Tree | None = tree
        self._written = ("", 0)

    @classmethod
    def of_values(cls, values: dict[str, Value], block: str, first_line: int) -> Frontmatter:
        """The same, when the places are still to be found; few ever ask for them.

        Args:
            values: The fields.
            block: The YAML that they stand in.
            first_line: Line of the file on which it starts, from 1.
        """
        made = cls.__new__(cls)
        made.values, made._tree, made._written = values, None, (block, first_line)
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frontmatter) and self._places == other._places

    def __hash__(self) -> int:
        return hash(tuple(self.values))

    @property
    def positions(self) -> Mapping[Path, Position]:
        """Path of every key and list entry -> its line and column in the file."""
        return self._places.positions

    @property
    def quoted(self) -> frozenset[Path]:
        """Paths of the values that are quoted, block text or tagged, so certainly meant as text."""
        return self._places.quoted

    @property
    def _places(self) -> Tree:
        if self._tree is None:
            self._tree = read_mended(*self._written)[0] or _NOTHING
        return self._tree

    def position(self, *path: str | int) -> Position:
        """Line and column of a key or list entry, or of the nearest thing around it."""
        for end in range(len(path), 0, -1):
            found = self.positions.get(path[:end])
            if found is not None:
                return found
        return 1, 1


class OpenedText(NamedTuple):
    """A file that is decoded, cut and read as far as it can be.

    Attributes:
        frontmatter: The fields, or None when there is no block, or none that can be read.
        has_block: Whether there is a frontmatter block, readable or not.
        body: The text after the block, or the whole text when there is none.
        body_line: Line on which the body starts, from 1.
        body_offset: Offset of the body's first character in the decoded text.
        findings: What is wrong with encoding, fences and YAML.
    """

    frontmatter: Frontmatter | None
    has_block: bool
    body: str
    body_line: int
    body_offset: int
    findings: tuple[Finding, ...]


def decode(data: bytes) -> tuple[str, tuple[Finding, ...]]:
    """Decode a file as UTF-8.

    Args:
        data: The bytes of the file.

    Returns:
        The text without its byte-order mark, each bad byte replaced by U+FFFD; and OKF501 for a byte-order
        mark, OKF107 for the first bad byte.
    """
    findings: list[Finding] = []
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
        findings.append(Finding("OKF501", 1, 1, "The file starts with a byte-order mark (EF BB BF)."))
    try:
        return data.decode("utf-8"), tuple(findings)
    except UnicodeDecodeError as error:
        line, column = _place(data[: error.start].decode("utf-8"), 1)
        reason = f"The byte {data[error.start]:02X} is not UTF-8."
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            reason = "The file is UTF-16, not UTF-8."
        findings.append(Finding("OKF107", line, column, reason))
        return data.decode("utf-8", "replace"), tuple(findings)


def split(text: str) -> Split:
    """Cut a text into its frontmatter block and its body.

    The block opens with `---` on line 1 and closes at the next line that is `---` from its first column;
    blanks and tabs after the hyphens are tolerated (OKF502). A line `...` also ends the block, since no YAML
    can go on after it, and is reported (OKF102), unless `---` follows with nothing between. Lines end with
    LF, CRLF or CR.

    Args:
        text: The whole text of a file, without a byte-order mark.

    Returns:
        The cut.
    """
    if text.startswith("---\n"):
        # As nearly every file is: found without a pattern, and nothing to say of it.
        end = text.find("\n---", 3)
        is_plain = end > 0 and text.startswith("\n", end + 4)
        if is_plain and text.find("\n...", 3, end) < 0 and text.find("\r", 3, end) < 0:
            block, after = text[4 : end + 1], end + 5
            return Split(block, 2, text[after:], 3 + block.count("\n"), after, ())
    opening = _OPENING.match(text)
    if opening is None:
        return Split(None, 1, text, 1, 0, (Finding("OKF101", 1, 1, _why_missing(text)),))
    findings: list[Finding] = []
    if opening[1]:
        findings.append(Finding("OKF502", 1, 4, "Blanks follow the opening ---."))
    pattern = _CLOSING_BELOW_ANY if "\r" in text else _CLOSING_BELOW_LF
    closing = pattern.search(text, opening.end() - 1) if opening.end() < len(text) else None
    if closing is not None and closing[1] == "...":
        closing = _after_dots(text, closing)
    if closing is None:
        return Split(
            None, 1, text, 1, 0, (*findings, Finding("OKF102", 1, 1, _why_unclosed(text, opening.end())))
        )
    block = text[opening.end() : closing.start(1)]
    closing_line = 2 + _line_ends(block)
    if closing[1] == "...":
        reason = "The frontmatter is closed by a line ..., and only a line --- closes it."
        findings.append(Finding("OKF102", closing_line, 1, reason))
    if closing[2]:
        findings.append(Finding("OKF502", closing_line, 4, f"Blanks follow the closing {closing[1]}."))
    ended = closing.end() > closing.end(2)
    body_line = closing_line + 1 if ended else closing_line
    return Split(block, 2, text[closing.end() :], body_line, closing.end(), tuple(findings))


def parse(block: str, first_line: int) -> tuple[Frontmatter | None, tuple[Finding, ...]]:
    """Read the YAML of a frontmatter block.

    Args:
        block: The text between the fences.
        first_line: Line of the file on which it starts, from 1.

    Returns:
        The fields, or None when the block is no mapping that can be read; and what is wrong with it: OKF103
        to OKF106 and OKF108. An empty block is an empty mapping. Unquoted values with a colon and a blank are
        read as if quoted (OKF104).
    """
    tree, findings = read_mended(block, first_line)
    return _as_mapping(tree, findings, block, first_line)


def open_text(data: bytes, *, quietly: bool = False) -> OpenedText:
    """Decode a file, cut it and read its frontmatter.

    Args:
        data: The bytes of the file, whatever they are.
        quietly: Whether findings are of no use, so that some need not be looked for.

    Returns:
        What was read. When the block turns out to be prose, line 1 is a horizontal rule, not a fence, and the
        body is the whole text.
    """
    text, undecodable = decode(data)
    cut = split(text)
    if cut.block is None:
        return OpenedText(None, False, text, 1, 0, (*undecodable, *cut.findings))
    values = read_plain(cut.block)
    if values is not None:
        frontmatter = Frontmatter.of_values(values, cut.block, cut.block_line)
        findings = undecodable + cut.findings
        return OpenedText(frontmatter, True, cut.body, cut.body_line, cut.body_offset, findings)
    if quietly and is_unclosed(cut.block):
        return OpenedText(None, True, cut.body, cut.body_line, cut.body_offset, ())
    tree, problems = read_mended(cut.block, cut.block_line)
    frontmatter, problems = _as_mapping(tree, problems, cut.block, cut.block_line)
    findings = (*undecodable, *cut.findings, *problems)
    if tree is not None and isinstance(tree.value, str):
        return OpenedText(None, False, text, 1, 0, findings)
    return OpenedText(frontmatter, True, cut.body, cut.body_line, cut.body_offset, findings)


def in_order(*findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings of several origins in the order of their places."""
    return tuple(sorted(chain(*findings), key=_PLACE))


def _as_mapping(
    tree: Tree | None, findings: tuple[Finding, ...], block: str, first_line: int
) -> tuple[Frontmatter | None, tuple[Finding, ...]]:
    if tree is None:
        return None, findings
    if tree.value is not None and not isinstance(tree.value, dict):
        kind = "a list" if isinstance(tree.value, list) else "a text"
        found = Finding(
            "OKF105", first_line, 1, f"The frontmatter is {kind}, not a mapping of keys to values."
        )
        return None, (*findings, found)
    if "\t" in block:
        findings = (*findings, *_tabs_after_colons(block, first_line, tree))
    return Frontmatter(tree), findings


def _after_dots(text: str, dots: re.Match[str]) -> re.Match[str]:
    """The fence that really closes when a line `...` comes first: a `---` right below it, else the dots."""
    following = _CLOSING_BELOW_ANY.search(text, dots.end() - 1)
    if following is not None and following[1] == "---" and not text[dots.end() : following.start(1)].strip():
        return following
    return dots


def _why_missing(text: str) -> str:
    first = _FIRST_LINE.match(text)
    line = first.group() if first else ""
    stripped = text.lstrip(_INVISIBLE)
    if not text.strip():
        return "The file is empty."
    if _OPENING.match(stripped):
        before = text[: len(text) - len(stripped)]
        number = 1 + _line_ends(before)
        if number > 1:
            return f"The line --- that opens the frontmatter is line {number}, and it has to be line 1."
        codes = " ".join(f"U+{ord(character):04X}" for character in before[:3])
        return f"The --- on line 1 is not at its start: {codes} stands before it."
    if line.startswith("---"):
        return "Line 1 has more than the three hyphens that open the frontmatter."
    if line.startswith("+++"):
        return "Line 1 opens TOML frontmatter (+++), and the format has YAML frontmatter (---)."
    return "Line 1 is not ---, so the file has no frontmatter."


def _why_unclosed(text: str, opened: int) -> str:
    reason = "Line 1 opens a frontmatter block, and no later line is --- alone to close it"
    below = _FIRST_LINE.match(text, opened)
    if below is not None and not below.group().strip():
        return f"{reason}; if line 1 is meant as a horizontal rule, write it as ***."
    return f"{reason}."


def _tabs_after_colons(block: str, first_line: int, tree: Tree) -> list[Finding]:
    """Tabs that separate a value from its key, which YAML allows and its most used reader refuses."""
    lines = LINE_END.split(block)
    found: list[Finding] = []
    for path, (line, column) in tree.positions.items():
        is_key = isinstance(path[-1], str)
        separated = _TAB_AFTER_COLON.match(lines[line - first_line], column - 1) if is_key else None
        if separated:
            reason = f"A tab follows the colon of `{field_name(path)}`, which many YAML readers refuse."
            found.append(Finding("OKF103", line, separated.end(), reason, "Replace the tab by a blank."))
    return found


def _line_ends(text: str) -> int:
    return sum(1 for _ in LINE_END.finditer(text)) if "\r" in text else text.count("\n")


def _place(before: str, first_line: int) -> Position:
    """Line and column of the character that follows this text."""
    last_end = max(before.rfind("\n"), before.rfind("\r"))
    return first_line + _line_ends(before), len(before) - last_end
