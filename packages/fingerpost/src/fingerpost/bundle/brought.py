"""What a change brings into a bundle: what `validate` would find that was not there, and circles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from fingerpost.bundle.change import Change
from fingerpost.bundle.check import FileCheck
from fingerpost.bundle.check_links import LinkChecker
from fingerpost.bundle.edges import locate
from fingerpost.bundle.names import concept_id
from fingerpost.bundle.reading import MAX_DOCUMENT_BYTES
from fingerpost.bundle.refresh import Reader
from fingerpost.bundle.scanned import field_reference
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.errors import ArgumentError
from fingerpost.okf.document import Document, read_document
from fingerpost.okf.rules import RULES
from fingerpost.okf.trust import SUCCESSOR

_MOST_TOLD = 5
_TOLD_OTHERWISE = frozenset(("OKF509",))  # that it was checked before: every change says so itself


def findings_brought_in(reader: Reader, snapshot: Snapshot, change: Change, now: datetime) -> Iterator[str]:
    """What a check finds in a concept after a change and did not before, a sentence each.

    Args:
        reader: Where files are read.
        snapshot: The bundle.
        change: The change.
        now: The moment that staleness is judged at.
    """
    if not change.is_any or len(change.after) > MAX_DOCUMENT_BYTES:
        return
    files = FileCheck(LinkChecker(reader, snapshot), now)
    found = _faults(files, change.after, change.path)
    if found and change.before is not None:
        found -= _faults(files, change.before, change.path)
    new = list(found.elements())
    yield from new[:_MOST_TOLD]
    if len(new) > _MOST_TOLD:
        yield f"{len(new) - _MOST_TOLD} more faults come with it; `fingerpost validate` lists them."


def _faults(files: FileCheck, data: bytes, path: str) -> Counter[str]:
    """What is wrong with a file, what is merely noted left out."""
    return Counter(
        f"{found.reason} {found.cure or RULES[found.code].cure}"
        for found in files.findings(data, path)
        if RULES[found.code].severity != "note" and found.code not in _TOLD_OTHERWISE
    )


def refuse_circle(reader: Reader, snapshot: Snapshot, change: Change) -> None:
    """Refuse a change by which concepts would replace each other.

    Raises:
        ArgumentError: It does that.
    """
    changed = read_document(change.after, change.path)
    before = read_document(change.before or b"", change.path)
    passed = [change.path]
    successor = _successor(snapshot, changed)
    if successor == _successor(snapshot, before):
        return
    while successor and successor not in passed:
        passed.append(successor)
        successor = _successor(snapshot, reader.documents.read(successor).document)
    if successor == change.path:
        own, *others = map(concept_id, passed)
        way = ", which is replaced by ".join(map(repr, (*others, own)))
        raise ArgumentError(
            f"{own!r} cannot be replaced by {way}; remove `{SUCCESSOR}` from one of them first."
        )


def _successor(snapshot: Snapshot, document: Document) -> str:
    """The path of the concept that replaces another, "" where none does."""
    named = document.frontmatter.values.get(SUCCESSOR)
    if not isinstance(named, str) or not named.strip():
        return ""
    place = locate(snapshot, field_reference(named.strip(), document.path).candidates)
    return place.path if place.kind == "concept" else ""
