"""A concept as it is answered: fields, signals, body, and links that lead somewhere."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from fingerpost.bundle.documents import Documents
from fingerpost.bundle.edges import Place, backlinks_of, locate, without_leading_folders
from fingerpost.bundle.header import Header
from fingerpost.bundle.lookup import Meant
from fingerpost.bundle.names import concept_id, folder_id
from fingerpost.bundle.scanned import ScannedDocument, field_references, no_concept
from fingerpost.bundle.shapes import BacklinksView, ConceptView, LinkView
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.errors import ConceptError
from fingerpost.markdown.scan import Link
from fingerpost.markdown.sections import find_heading, find_section
from fingerpost.okf.document import Document
from fingerpost.okf.paths import Reference
from fingerpost.okf.trust import warnings
from fingerpost.okf.unseen import unseen_warning

FIRST_BACKLINKS = 10
_MOST_WARNED = 5


def read_concept(documents: Documents, snapshot: Snapshot, place: Place) -> tuple[ScannedDocument, Header]:
    """The file of a concept, and its header as it is now.

    Args:
        documents: The files of the bundle.
        snapshot: The bundle.
        place: Where the concept is.

    Raises:
        ConceptError: It is a folder, a file beside the concepts, or no valid concept.
        StoreError: It cannot be read.
    """
    if place.kind == "folder":
        raise ConceptError(f"{folder_id(place.path)!r} is a folder: call kb_index with this path.")
    if place.kind == "file":
        raise ConceptError(
            f"{place.path!r} is a file beside the concepts and cannot be read; only concepts can."
        )
    kept = snapshot.header(place.path)
    scanned = documents.read(place.path, kept.revision if kept else "")
    if scanned.header is None:
        raise no_concept(scanned.document)
    return scanned, scanned.header


def read_view(
    documents: Documents, snapshot: Snapshot, meant: Meant, section: str, now: datetime
) -> ConceptView:
    """What an id means, as it is answered; see `Bundle.read`.

    Args:
        documents: The files of the bundle.
        snapshot: The bundle.
        meant: What is to be read.
        section: Heading of the part wanted, "" for what the anchor of the id names, or the whole.
        now: The moment that staleness is judged at.
    """
    if meant.place.kind == "log":
        return log_view(snapshot, documents.read(meant.place.path), meant.place.path)
    scanned, header = read_concept(documents, snapshot, meant.place)
    if not section and find_heading(scanned.scan.headings, meant.anchor) is not None:
        section = meant.anchor
    view = concept_view(snapshot, scanned, header, backlinks_of(snapshot, header.path), section, now)
    if meant.doubt:
        view["warnings"].insert(0, meant.doubt)
    return view


def links_view(documents: Documents, snapshot: Snapshot, place: Place) -> list[LinkView]:
    """The links of a concept or a log.md: those of its body, then those of its path-valued fields."""
    is_log = place.kind == "log"
    scanned = documents.read(place.path) if is_log else read_concept(documents, snapshot, place)[0]
    in_body, _ = body_links(snapshot, scanned, 0, len(scanned.document.body) + 1)
    return [*in_body, *field_links(snapshot, scanned.document, place.path)]


def concept_view(
    snapshot: Snapshot,
    scanned: ScannedDocument,
    header: Header,
    backlinks: list[str],
    section: str,
    now: datetime,
) -> ConceptView:
    """Build the answer to `Bundle.read`.

    Args:
        snapshot: The bundle.
        scanned: The concept's file.
        header: The concept's header.
        backlinks: Ids of the concepts that link to it.
        section: Heading of the part wanted, "" for the whole body.
        now: The moment that staleness is judged at.

    Returns:
        The concept; with a section, the body and the links are those of the section.

    Raises:
        KnowledgeNotFoundError: If there is no such section.
    """
    document = scanned.document
    start, end, title = find_section(scanned.scan.headings, len(document.body), section)
    links, left = body_links(snapshot, scanned, start, end)
    view: ConceptView = {
        **header.view(now),
        "tags": list(header.tags),
        "warnings": [
            *warnings(document, now),
            *filter(
                None,
                [unseen_warning(f"{document.title}\n{document.description}\n{document.body}", scanned.scan)],
            ),
            *left,
        ],
        "extra": cast(dict[str, Any], dict(document.extra)),
        "body": document.body[start:end].strip("\r\n"),
        "links": [*links, *field_links(snapshot, document, header.path)],
        "backlinks": BacklinksView(count=len(backlinks), first=backlinks[:FIRST_BACKLINKS]),
        "revision": scanned.revision,
    }
    if title:
        view["section"] = title
    return view


def log_view(snapshot: Snapshot, scanned: ScannedDocument, path: str) -> ConceptView:
    """A log.md in the shape of a concept, for a link that leads to it."""
    links, left = body_links(snapshot, scanned, 0, len(scanned.document.body) + 1)
    return {
        "id": place_view(Place("log", path)).get("id", path),
        "type": "Log",
        "title": f"History of {folder_id(path.rpartition('/')[0])}",
        "description": "What changed in this folder and when; not a concept.",
        "status": "stable",
        "trust": "unverified",
        "stale": False,
        "tags": [],
        "warnings": left,
        "extra": {},
        "body": scanned.document.body.strip("\r\n"),
        "links": links,
        "backlinks": {"count": 0, "first": []},
        "revision": scanned.revision,
    }


def body_links(
    snapshot: Snapshot, scanned: ScannedDocument, start: int, end: int
) -> tuple[list[LinkView], list[str]]:
    """The links between two offsets of a body.

    Returns:
        The links in reading order without repeats, and warnings about those that leave the bundle.
    """
    views: dict[tuple[str, str], LinkView] = {}
    left: list[str] = []
    seen: set[str] = set()
    for link, reference in scanned.links:
        if not start <= link.start < end or reference.kind == "anchor" or link.target in seen:
            continue
        seen.add(link.target)
        if reference.kind in ("leaves_root", "unsafe"):
            left.append(left_out_warning(link, reference))
            continue
        view = link_view(snapshot, reference, link.target)
        views.setdefault(
            (view.get("id") or view.get("file") or view.get("url") or "", view.get("anchor", "")), view
        )
    warned = list(dict.fromkeys(left))
    if len(warned) > _MOST_WARNED:
        warned[_MOST_WARNED:] = [f"{len(warned) - _MOST_WARNED} more links were left out for such reasons."]
    return list(views.values()), warned


def field_links(snapshot: Snapshot, document: Document, path: str) -> list[LinkView]:
    """The path-valued fields as links, each with the name of its field."""
    views: list[LinkView] = []
    for name, reference in field_references(document, path):
        if reference.kind == "internal":
            view = link_view(snapshot, reference, "")
            view["field"] = name
            views.append(view)
    return views


def left_out_warning(link: Link, reference: Reference) -> str:
    """The sentence about a link that is not handed on."""
    if reference.kind == "unsafe":
        return f"A link of this concept was left out because its scheme is not safe: {link.target[:200]!r}."
    return f"A link of this concept was left out because it leads outside the bundle: {link.target[:200]!r}."


def link_view(snapshot: Snapshot, reference: Reference, target: str) -> LinkView:
    """A link as it is answered.

    Args:
        snapshot: The bundle.
        reference: What the link points to.
        target: The address of an external link.
    """
    if reference.kind == "external":
        return {"url": target, "external": True}
    place = locate(snapshot, reference.candidates)
    view = place_view(place)
    if not place.exists:
        meant = without_leading_folders(snapshot, reference)
        if meant is not None:
            view["did_you_mean"] = place_view(meant).get("id", "")
    if reference.anchor and place.kind == "concept":
        view["anchor"] = reference.anchor
    return view


def place_view(place: Place) -> LinkView:
    """Something in the bundle as a link that `kb_read` or `kb_index` takes."""
    if place.kind == "folder":
        return {"id": folder_id(place.path), "dir": True, "exists": True}
    if place.kind == "log":
        return {"id": place.path.replace(",", "%2C"), "exists": True}
    if place.kind == "file":
        return {"file": place.path, "exists": True}
    view: LinkView = {"id": concept_id(place.path), "exists": place.exists}
    if place.kind == "invalid":
        view["invalid"] = True
    return view
