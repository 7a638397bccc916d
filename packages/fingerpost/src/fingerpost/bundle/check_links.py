"""Links, path-valued fields, anchors and footnotes that lead nowhere or where they should not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from fingerpost.bundle.edges import Place, locate, without_leading_folders
from fingerpost.bundle.index_text import index_reference
from fingerpost.bundle.lookup import suggestions
from fingerpost.bundle.refresh import Reader
from fingerpost.bundle.scanned import ScannedDocument, field_reference, field_references
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.errors import KnowledgeNotFoundError, StoreError
from fingerpost.markdown.scan import Heading, Link, Scan
from fingerpost.okf.document import Document
from fingerpost.okf.paths import Reference, resolve
from fingerpost.okf.trust import SUCCESSOR
from fingerpost.records import Finding
from fingerpost.text.suggest import did_you_mean

_CUSTOM_ANCHOR = re.compile(
    r"""(?:\b(?:id|name)\s{0,9}=\s{0,9}["']?|\{#)([^\s"'<>{}]{1,200})""", re.IGNORECASE
)
_NAMED_BY_ANYTHING = ("resource", "sources")
_TOP_OF_THE_PAGE = frozenset(("", "top"))


class LinkChecker:
    """Checks links against one snapshot; remembers the anchors of the files that it has read."""

    def __init__(self, reader: Reader, snapshot: Snapshot) -> None:
        self._reader = reader
        self._snapshot = snapshot
        self._anchors: dict[str, frozenset[str]] = {}

    def link_findings(self, scan: Scan, body: str, path: str) -> Iterator[Finding]:
        """Findings about the links of a concept or a log (OKF601 to OKF605, OKF608)."""
        own: frozenset[str] | None = None
        for link in scan.links:
            if link.kind == "wiki":
                yield _wiki_link(link)
                continue
            reference = resolve(link.target, path)
            if reference.kind == "anchor":
                own = _anchors(scan.headings, body) if own is None else own
                yield from _anchor(link, reference.anchor, own)
            else:
                yield from self._link(link, reference)

    def index_findings(self, scan: Scan, path: str) -> Iterator[Finding]:
        """Findings about the entries of an index.md, which may also be written from the root."""
        for link in scan.links:
            if link.kind == "wiki":
                yield _wiki_link(link)
            else:
                yield from self._link(link, index_reference(link, path))

    def field_findings(self, document: Document, path: str) -> Iterator[Finding]:
        """Findings about path-valued fields (OKF602, OKF604, OKF606, OKF608).

        `resource` and `sources` may also hold a name or a scope in words (§5.1), so that what is missing
        there is reported only when it is written as a path.
        """
        fields = {item.field: item for item in document.path_fields}
        for name, reference in field_references(document, path):
            field = fields[name]
            place = locate(self._snapshot, reference.candidates)
            shown = f"The field {name} holds {field.value[:200]!r}, which"
            if reference.kind == "leaves_root":
                yield Finding("OKF602", field.line, field.column, f"{shown} leads outside the bundle.")
            elif reference.kind == "unsafe":
                yield Finding(
                    "OKF608", field.line, field.column, f"{shown} uses a scheme that can run something."
                )
            elif reference.kind != "internal":
                continue
            elif place.manner in ("case", "unicode"):
                yield Finding("OKF604", field.line, field.column, f"{shown} is spelt {place.path!r}.")
            elif not place.exists and not (
                name.startswith(_NAMED_BY_ANYTHING) and _may_be_a_name(field.value)
            ):
                yield Finding(
                    "OKF606", field.line, field.column, f"{shown} is neither below its folder nor the root."
                )

    def successor_findings(self, document: Document, path: str) -> Iterator[Finding]:
        """Findings about `superseded_by`, which readers of a deprecated concept are sent to (OKF606)."""
        successor = document.frontmatter.values.get(SUCCESSOR)
        if not isinstance(successor, str) or not successor.strip():
            return
        reference = field_reference(successor.strip(), path)
        if reference.kind == "external" or locate(self._snapshot, reference.candidates).kind == "concept":
            return
        place = document.frontmatter.position(SUCCESSOR)
        likely = suggestions(self._snapshot, successor.strip())
        near = did_you_mean([f"/{id_}" for id_ in likely if not id_.endswith("/")])
        told = f"The field {SUCCESSOR} holds {successor[:200]!r}, which names no concept. {near}".rstrip()
        yield Finding("OKF606", *place, told)

    def footnote_findings(self, scanned: ScannedDocument) -> Iterator[Finding]:
        """Findings about footnote references that neither a definition nor a source answers (§5.1)."""
        defined = {note.label.casefold() for note in scanned.scan.footnote_definitions}
        defined |= {source.id.casefold() for source in scanned.document.sources if source.id}
        for note in scanned.scan.footnote_references:
            if note.label.casefold() not in defined:
                yield Finding(
                    "OKF607", note.line, note.column, f"Nothing defines the footnote [^{note.label[:100]}]."
                )

    def _link(self, link: Link, reference: Reference) -> Iterable[Finding]:
        subject = f"The {'image' if link.kind == 'image' else 'link'} {link.target[:200]!r}"
        if reference.kind == "unsafe" and not _is_inline_image(link):
            yield Finding(
                "OKF608", link.line, link.column, f"{subject} uses a scheme that can run something."
            )
        elif reference.kind == "leaves_root":
            yield Finding("OKF602", link.line, link.column, f"{subject} leads outside the bundle.")
        elif reference.kind == "internal":
            yield from self._internal(link, reference, subject)

    def _internal(self, link: Link, reference: Reference, subject: str) -> Iterable[Finding]:
        place = locate(self._snapshot, reference.candidates)
        if not place.exists:
            meant = without_leading_folders(self._snapshot, reference)
            hint = f" Perhaps /{meant.path} is meant." if meant is not None else ""
            yield Finding("OKF601", link.line, link.column, f"{subject} leads to nothing.{hint}")
        elif place.manner in ("case", "unicode"):
            yield Finding(
                "OKF604", link.line, link.column, f"{subject} leads to {place.path!r}, spelt otherwise."
            )
        elif reference.anchor and place.kind == "concept":
            known = self._anchors_of(place)
            if known is not None:
                yield from _anchor(link, reference.anchor, known)

    def _anchors_of(self, place: Place) -> frozenset[str] | None:
        """The anchors of a concept, or None when it cannot be read any more."""
        if place.path not in self._anchors:
            try:
                target = self._reader.documents.read(place.path)
            except (KnowledgeNotFoundError, StoreError):
                return None
            self._anchors[place.path] = _anchors(target.scan.headings, target.document.body)
        return self._anchors[place.path]


def _wiki_link(link: Link) -> Finding:
    return Finding("OKF603", link.line, link.column, f"[[{link.target[:200]}]] is a wiki link.")


def _anchor(link: Link, anchor: str, known: frozenset[str]) -> Iterator[Finding]:
    spellings = {anchor, unquote(anchor), anchor.casefold(), unquote(anchor).casefold()}
    if not spellings & (known | _TOP_OF_THE_PAGE):
        yield Finding(
            "OKF605", link.line, link.column, f"There is no heading for the anchor #{anchor[:200]}."
        )


def _anchors(headings: Iterable[Heading], body: str) -> frozenset[str]:
    """The anchors of a text: those of its headings, and those that it sets itself (`<a id="x">`, `{#x}`)."""
    return frozenset((*(heading.slug for heading in headings), *_CUSTOM_ANCHOR.findall(body)))


def _may_be_a_name(value: str) -> bool:
    """Whether it may name no file: `sales/orders` has no suffix, and no dot or slash at its start."""
    return not value.startswith(("/", "./", "../")) and "." not in value.rpartition("/")[2]


def _is_inline_image(link: Link) -> bool:
    return link.kind == "image" and link.target.lower().startswith("data:image/")
