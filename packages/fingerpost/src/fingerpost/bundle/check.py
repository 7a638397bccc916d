"""Everything wrong with a bundle: what the files say of themselves, and what only the whole shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from fingerpost.bundle.check_links import LinkChecker
from fingerpost.bundle.check_names import name_findings
from fingerpost.bundle.names import INDEX, LOG, SUFFIX
from fingerpost.bundle.reading import MAX_DOCUMENT_BYTES, Progress, unusable_code, with_progress
from fingerpost.bundle.refresh import Reader
from fingerpost.bundle.scanned import ScannedDocument, scan_document
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.okf.document import Document, date_text
from fingerpost.okf.frontmatter import decode
from fingerpost.okf.index_file import read_index
from fingerpost.okf.log_file import read_log
from fingerpost.okf.rules import diagnose
from fingerpost.okf.trust import latest_verification
from fingerpost.okf.unseen import hidden_characters, hidden_markup
from fingerpost.records import Diagnostic, Finding
from fingerpost.stores.base import failure_sentence


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of a whole bundle brought to light.

    Attributes:
        diagnostics: Diagnostics by path, line and column.
        documents: How many Markdown files there are, index.md and log.md among them.
        declared: The okf_version of the root index.md, as written; "" when there is none.
        forms: Which text of the specification concepts follow: "july" and "august" for their dates,
            "timestamp" for that key of 0.1 without `generated`, "generated" for that key.
    """

    diagnostics: tuple[Diagnostic, ...]
    documents: int
    declared: str
    forms: frozenset[str]


def check(reader: Reader, snapshot: Snapshot, now: datetime, progress: Progress | None = None) -> Checked:
    """Hold a bundle to all rules.

    Args:
        reader: Where files are read.
        snapshot: The bundle.
        now: The moment that staleness is judged at.
        progress: Called before each file.
    """
    found = list(_of_the_whole(reader, snapshot))
    documents = [path for path in snapshot.files() if path.endswith(SUFFIX)]
    skipped = {item.path for item in snapshot.skipped}
    files = FileCheck(LinkChecker(reader, snapshot), now)
    for path in with_progress(documents, progress):
        try:
            data = reader.store.read_bytes(path, MAX_DOCUMENT_BYTES)
        except Exception as error:  # noqa: BLE001 - one file that cannot be read must not sink the rest
            if path not in skipped:
                found.append((path, Finding(unusable_code(error), 0, 0, failure_sentence(error))))
            continue
        found += [(path, finding) for finding in files.findings(data, path)]
    diagnostics = dict.fromkeys(diagnose(path, finding) for path, finding in found)
    in_order = sorted(diagnostics, key=lambda item: (item.path, item.line, item.column, item.code))
    return Checked(tuple(in_order), len(documents), files.declared, frozenset(files.forms))


def _of_the_whole(reader: Reader, snapshot: Snapshot) -> Iterator[tuple[str, Finding]]:
    """Findings that no single Markdown file is to blame for."""
    for item in snapshot.skipped:
        yield item.path, Finding(item.code, 0, 0, item.reason)
    if snapshot.trouble and not any(item.code == "OKF404" for item in snapshot.skipped):
        yield "", Finding("OKF404", 0, 0, snapshot.trouble)
    if not snapshot.concept_count:
        yield "", Finding("OKF407", 0, 0, f"There is no concept in {reader.store.identity}.")
    yield from name_findings(snapshot)


class FileCheck:
    """Checks one file after the other, and gathers which text of the specification they follow.

    Args:
        links: Checks their links.
        now: The moment that staleness is judged at.
    """

    def __init__(self, links: LinkChecker, now: datetime) -> None:
        self._links = links
        self._now = now
        self.declared = ""
        self.forms: set[str] = set()

    def findings(self, data: bytes, path: str) -> Iterator[Finding]:
        """Everything wrong with a Markdown file."""
        name = path.rpartition("/")[2]
        of_this_kind = {INDEX: self._index, LOG: self._log}.get(name, self._concept)
        yield from of_this_kind(data, path)
        yield from hidden_characters(decode(data)[0])

    def _index(self, data: bytes, path: str) -> Iterator[Finding]:
        index = read_index(data, path)
        self.declared = self.declared or index.okf_version
        scanned = index.scan
        yield from index.findings
        yield from self._links.index_findings(scanned, path)
        yield from hidden_markup(scanned, index.body, index.body_line)

    def _log(self, data: bytes, path: str) -> Iterator[Finding]:
        log = read_log(data, path)
        scanned = log.scan
        yield from log.findings
        yield from self._links.link_findings(scanned, log.body, path)
        yield from hidden_markup(scanned, log.body, log.body_line)

    def _concept(self, data: bytes, path: str) -> Iterator[Finding]:
        scanned = scan_document(data, path)
        document = scanned.document
        self._note_forms(document)
        yield from document.findings
        yield from self._links.link_findings(scanned.scan, document.body, path)
        yield from self._links.field_findings(document, path)
        yield from self._links.successor_findings(document, path)
        yield from self._links.footnote_findings(scanned)
        yield from _computation_findings(scanned)
        yield from hidden_markup(scanned.scan, document.body, document.body_line)
        if document.is_concept:
            yield from self._currency_findings(scanned)
            yield from _missing_words(document)

    def _note_forms(self, document: Document) -> None:
        fields = document.frontmatter.values
        form = date_text(document)
        if form:
            self.forms.add(form)
        if fields.get("generated") is not None:
            self.forms.add("generated")
        elif fields.get("timestamp") is not None:
            self.forms.add("timestamp")

    def _currency_findings(self, scanned: ScannedDocument) -> Iterator[Finding]:
        """Whether a concept is past its date, or was changed after its last check."""
        document, header = scanned.document, scanned.header
        if header is None or header.status == "deprecated":
            return
        if document.stale_after is not None and header.stale(self._now):
            place = document.frontmatter.position("stale_after")
            yield Finding("OKF516", *place, f"The concept is stale since {document.stale_after}.")
        if header.outdated_check and document.generated is not None:
            checked, changed = latest_verification(document.verified), document.generated.at
            place = document.frontmatter.position("verified")
            yield Finding(
                "OKF509", *place, f"The last verification is of {checked}, the content of {changed}."
            )


def _missing_words(document: Document) -> Iterator[Finding]:
    for key in ("title", "description"):
        if not document.frontmatter.values.get(key):
            place = document.frontmatter.position(key)
            yield Finding("OKF514", *place, f"The concept has no {key}.")


def _computation_findings(scanned: ScannedDocument) -> Iterable[Finding]:
    """A computation is held once: in a file, or in one block under # Computation (§10.3)."""
    document = scanned.document
    if document.attested is None:
        return
    headings = scanned.scan.headings
    start = next((heading for heading in headings if heading.text.casefold() == "computation"), None)
    count = 0
    if start is not None:
        below = (
            other.start for other in headings if other.start > start.start and other.level <= start.level
        )
        end = next(below, len(document.body))
        blocks = [block for block in scanned.scan.code_blocks if start.start < block.start < end]
        count = sum(block.fenced for block in blocks) or len(blocks)
    line = start.line if start else 1
    if document.attested.computation and count:
        yield Finding(
            "OKF512", line, 1, "The computation stands both in a file and in a block under # Computation."
        )
    elif not document.attested.computation and count == 0:
        yield Finding(
            "OKF512", line, 1, "There is neither a computation file nor a block under # Computation."
        )
    elif not document.attested.computation and count > 1:
        yield Finding(
            "OKF512", line, 1, f"There are {count} blocks under # Computation, and only one can count."
        )
