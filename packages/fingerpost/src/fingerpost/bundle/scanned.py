"""A Markdown file read, with its links and headings, and the header that is kept of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from fingerpost.bundle.header import Header
from fingerpost.bundle.names import concept_id
from fingerpost.errors import ConceptError
from fingerpost.markdown.scan import Link, Scan, leading_targets, scan
from fingerpost.okf.document import Document, Gist, looks_like_path, read_document
from fingerpost.okf.paths import Reference, resolve
from fingerpost.okf.rules import diagnose
from fingerpost.okf.trust import expiry_is_unreadable, tier, verification_predates

_FIELD = "\0"  # what a path field starts with among the targets of links, none of which can


@dataclass(frozen=True, slots=True)
class ScannedDocument:
    """One Markdown file.

    Attributes:
        document: The file as text and fields.
        scan: Links, headings and the like of its body; offsets count within `document.body`.
        links: The links that lead somewhere, images and wiki links left out, and what each points to.
        header: What is kept in the catalog, None when the file is no concept.
        revision: Content hash, 16 hexadecimal digits; equal bytes have equal revisions.
    """

    document: Document
    scan: Scan
    links: tuple[tuple[Link, Reference], ...]
    header: Header | None
    revision: str

    def references(self, path: str) -> dict[str, Reference]:
        """What the links and path fields of the file at `path` point to within the bundle.

        Returns:
            References by what `reference_again` takes.
        """
        return _internal(
            {link.target: reference for link, reference in self.links}, self.document.path_values, path
        )


def no_concept(document: Document, what: str = "This file is no valid concept.") -> ConceptError:
    """The sentence about a file that is no concept, whatever was to be done with it."""
    first = min(document.findings, key=lambda finding: finding.code)
    return ConceptError(f"{what} {diagnose(document.path, first)}")


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
    revision = revision_of(data)
    header = header_of_document(document, path, revision) if document.is_concept else None
    return ScannedDocument(document, scanned, links, header, revision)


def references_of(body: str, path_values: Iterable[str], path: str) -> dict[str, Reference]:
    """What `ScannedDocument.references` answers, for a file that was not scanned; that takes half as long.

    Args:
        body: The text of the file.
        path_values: Its `Document.path_values`.
        path: Its path.
    """
    targets = dict.fromkeys(leading_targets(body))
    return _internal({target: resolve(target, path) for target in targets}, path_values, path)


def _internal(links: dict[str, Reference], path_values: Iterable[str], path: str) -> dict[str, Reference]:
    """Those of the references of a file that point into the bundle, its path fields after its links."""
    fields = {
        f"{_FIELD}{value}": field_reference(value, path) for value in path_values if looks_like_path(value)
    }
    return {written: item for written, item in (links | fields).items() if item.kind == "internal"}


def revision_of(data: bytes) -> str:
    """The content hash of a file, 16 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:16]


def header_of_document(document: Document | Gist, path: str, revision: str) -> Header:
    """The header of a concept; its body is not looked at.

    Args:
        document: The concept.
        path: Its path.
        revision: The content hash of its file.
    """
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
        revision=revision,
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
    return [
        (item.field, field_reference(item.value, path))
        for item in document.path_fields
        if looks_like_path(item.value)
    ]


def field_reference(value: str, path: str) -> Reference:
    """Where the value of a path field of the file at `path` points."""
    reference = resolve(value, path)
    if reference.kind != "internal" or value.startswith(("/", "./", "../")):
        return reference
    from_root = resolve("/" + value, path)
    both = dict.fromkeys((*reference.candidates, *from_root.candidates))
    return Reference("internal", tuple(both), reference.anchor)


def reference_again(written: str, path: str) -> Reference:
    """A reference of the file at `path` from what it was written as, as in `ScannedDocument.references`."""
    if written.startswith(_FIELD):
        return field_reference(written.removeprefix(_FIELD), path)
    return resolve(written, path)
