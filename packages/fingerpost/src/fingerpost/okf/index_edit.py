"""Adds the entries that an `index.md` lacks and leaves every other byte of it alone (OKF 0.2 §8)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote

from fingerpost.errors import ConceptError
from fingerpost.markdown.scan import scan
from fingerpost.markdown.sections import find_heading
from fingerpost.okf.editable import decoded, encoded
from fingerpost.okf.frontmatter import open_text
from fingerpost.okf.inline import inline_text
from fingerpost.okf.paths import resolve
from fingerpost.okf.yaml_problems import LINE_END

_HEADING = "Contents"
_BULLET = re.compile(r"(?P<lead> {0,3}[-*+][ \t]+)\S.*")
_BRACKETS = re.compile(r"[\\\[\]`]")
_NOT_IN_LINKS = re.compile(r"[\x00-\x20\x7f-\xa0<>()\[\]\\\u2028\u2029]")
_FOLDERS = "a/b/c/d/e/f/g/h"  # so that `..` may lead somewhere
_INDEX = re.compile(r"(?:^|/)index(?:\.md)?$")


class IndexEntry(NamedTuple):
    """A line of a listing.

    Attributes:
        title: The title.
        href: Where it leads, as it is to be written: relative to the index.md, or from the root with a slash.
        description: One sentence, or "".
    """

    title: str
    href: str
    description: str = ""


def with_entries(
    data: bytes | None, entries: Iterable[IndexEntry | tuple[str, str, str]], heading: str = ""
) -> bytes:
    """Add the entries that an index.md lacks.

    An entry is there already when any link of the index leads where it does. What is new goes at the end of
    the section or of the file, with the bullets of the list there.

    Args:
        data: The bytes of the index.md; None for a new one.
        entries: Title, target and description of each.
        heading: The heading to put them below, by slug or words in any letter case; one that is not there is
            made at the end. "" for the end of the file.

    Returns:
        The bytes of the index.md; `data` itself when it lacks nothing.

    Raises:
        ConceptError: The file is no text, an entry leads nowhere, or would not be read as one.
    """
    text = "" if data is None else decoded(data)
    opened = open_text(data or b"")
    listed = {key for link in scan(opened.body).links for key in _keys(link.target)}
    new: list[IndexEntry] = []
    for entry in (IndexEntry(*entry) for entry in entries):
        keys = _keys(entry.href)
        if not keys:
            raise ConceptError(
                f"The entry {inline_text(entry.title)!r} leads nowhere: give the path of its file."
            )
        if listed.isdisjoint(keys):
            listed |= keys
            new.append(entry)
    if data is not None and not new:
        return data
    ended = LINE_END.search(text)
    line_end = ended[0] if ended else "\n"
    body = opened.body if opened.has_block else text
    changed = text[: len(text) - len(body)] + _with_lines(
        body, new, inline_text(heading.strip().lstrip("#")), line_end
    )
    written = encoded(changed) if data is None else data[: len(data) - len(text.encode())] + encoded(changed)
    _check(written, new)
    return written


def _with_lines(body: str, entries: list[IndexEntry], heading: str, line_end: str) -> str:
    """A body with entries at the end of a section."""
    headings = scan(body).headings
    found = find_heading(headings, heading) if heading else None
    below = (each.start for each in headings if each.depth == 0 and found and each.start > found.start)
    end = next(below, len(body))
    last = len(body[:end].rstrip())
    line = LINE_END.search(body, last)
    offset = line.start() if line else len(body)
    makes_heading = not body.strip() or (heading and found is None)
    bullet = "" if makes_heading else _last_bullet(body[:offset])
    lead = bullet or "* "
    lines = [f"{lead}{_written(entry)}" for entry in entries]
    if makes_heading:
        lines = [f"# {heading or _HEADING}", *([""] if lines else []), *lines]
    apart = "" if not body[:offset].strip() else line_end if bullet else line_end * 2
    rest = body[offset:]
    if not rest:
        rest = line_end
    elif rest.strip() and len(LINE_END.findall(rest[: len(rest) - len(rest.lstrip())])) < 2:
        rest = line_end + rest
    return body[:offset] + apart + line_end.join(lines) + rest


def _last_bullet(text: str) -> str:
    """The bullet of the list that a text ends with, with the blanks around it; "" where it ends otherwise."""
    leads: list[str] = []
    for line in reversed(LINE_END.split(text)):
        bullet = _BULLET.match(line)
        if bullet:
            leads.append(bullet["lead"])
        elif not line.strip():
            break
    return min(leads, key=lambda lead: len(lead) - len(lead.lstrip()), default="")


def _written(entry: IndexEntry) -> str:
    title = _BRACKETS.sub(r"\\\g<0>", inline_text(entry.title, starts=False)) or entry.href
    href = _NOT_IN_LINKS.sub(lambda found: quote(found[0], safe=""), entry.href.strip())
    description = inline_text(entry.description, starts=False)
    return f"[{title}]({href})" + (f" - {description}" if description else "")


def _keys(href: str) -> set[str]:
    """What the targets that lead to one place have in common."""
    target = href.strip()
    reference = resolve(target, f"{_FOLDERS}/index.md")
    if reference.kind != "internal":
        return {target} if target and reference.kind != "anchor" else set()
    root = "/" if target.startswith("/") else ""
    return {root + _INDEX.sub("", path.rstrip("/")).removesuffix(".md") for path in reference.candidates}


def _check(written: bytes, entries: list[IndexEntry]) -> None:
    """Make sure that each entry is read as a link to where it leads."""
    links = [link for link in scan(open_text(written).body).links if link.kind == "link"]
    listed = {key for link in links for key in _keys(link.target)}
    lacking = [entry for entry in entries if listed.isdisjoint(_keys(entry.href))]
    if lacking:
        raise ConceptError(
            f"The entry {inline_text(lacking[0].title)!r} was not added: it would not be read as a link. "
            "Close the code blocks and the comments of the index.md, or add it by hand."
        )
