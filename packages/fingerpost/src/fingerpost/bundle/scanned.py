"""A Markdown file read, with its links and headings, and the header that is kept of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from fingerpost.bundle.snapshot import Header, concept_id
from fingerpost.markdown.scan import Link, Scan, scan
from fingerpost.okf.document import Document, looks_like_path, read_document
from fingerpost.okf.paths import Reference, resolve
from fingerpost.okf.trust import expiry_is_unreadable, tier, verification_predates


@dataclass(frozen=True, slots=True)
class ScannedDocument:
    """One Markdown file.

    Attributes:
        document: The file as text and fields.
        scan: Links, headings and the like of its body; offsets count within `document.body`.
        links: The links that lead somewhere, images and wiki links left out, and what each points to.
        header: What is kept in memory, None when the file is no concept.
        revision: Content hash, 16 hexadecimal digits; equal bytes have equal revisions.
    """

    document: Document
    scan: Scan
    links: tuple[tuple[Link, Reference], ...]
    header: Header | None
    revision: str


def scan_document(data: bytes, path: str) -> ScannedDocument:
    """Read a Markdown file.

    Args:
        data: Its bytes; any are accepted.
        path: Its bundle-relative path.

    Returns:
        The file read.
    """
    document = read_document(data, path)
    scanned = scan(document.body, document.body_line)
    leading = [link for link in scanned.links if link.kind not in ("image", "wiki")]
    targets = {link.target: resolve(link.target, path) for link in leading}
    links = tuple((link, targets[link.target]) for link in leading)
    header = _header(document, targets.values(), path) if document.is_concept else None
    return ScannedDocument(document, scanned, links, header, hashlib.sha256(data).hexdigest()[:16])


def _header(document: Document, links: Iterable[Reference], path: str) -> Header:
    fields = [reference for _, reference in field_references(document, path)]
    return Header(
        path=path,
        id=concept_id(path),
        type=document.type,
        title=document.display_title,
        description=document.description,
        status=document.status,
        tags=document.tags,
        trust=tier(document.verified),
        outdated_check=verification_predates(document.verified, document.generated),
        stale_after=document.stale_after.value if document.stale_after else None,
        expiry_unreadable=expiry_is_unreadable(document),
        references=tuple(reference for reference in (*links, *fields) if reference.kind == "internal"),
        findings=document.findings,
    )


def field_references(document: Document, path: str) -> list[tuple[str, Reference]]:
    """The path-valued fields of a concept (OKF 0.2 §6.2) and where they point.

    The specification does not say where a bare relative path starts; it is tried from the file, then from the
    root.

    Args:
        document: The concept.
        path: Its path.

    Returns:
        Pairs of a field name, such as "sources[0].resource", and its reference.
    """
    found: list[tuple[str, Reference]] = []
    for item in document.path_fields:
        if not looks_like_path(item.value):
            continue
        reference = resolve(item.value, path)
        if reference.kind == "internal" and not item.value.startswith(("/", "./", "../")):
            from_root = resolve("/" + item.value, path)
            both = dict.fromkeys((*reference.candidates, *from_root.candidates))
            reference = Reference("internal", tuple(both), reference.anchor)
        found.append((item.field, reference))
    return found
