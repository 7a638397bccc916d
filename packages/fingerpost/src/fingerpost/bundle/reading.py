"""Reading files of a bundle into entries for the catalog."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from fingerpost.bundle.entries import file_entry, header_entry, invalid_entry, unreadable_entry, whole_entry
from fingerpost.bundle.header import read_card
from fingerpost.bundle.names import SUFFIX, is_reserved
from fingerpost.bundle.scanned import header_of_document, references_of, revision_of
from fingerpost.bundle.waiting_texts import WaitingTexts
from fingerpost.catalog.base import Entry
from fingerpost.errors import KnowledgeNotFoundError, TooLargeError
from fingerpost.okf.document import read_gist
from fingerpost.stores.base import DocumentStore, Skipped, failure_sentence

Progress = Callable[[int, int], None]
"""Called with the number of files done and the number of all files."""

CardOf = Callable[[str], str | None]
"""Gives the card that the catalog has at a path, None where it has none."""

MAX_DOCUMENT_BYTES = 8 * 1024 * 1024
"""Markdown files above this size are diagnostics, not concepts."""


@dataclass
class Outcome:
    """What came of reading some files, beside their entries; filled while the entries are taken.

    Attributes:
        unreadable: Markdown files that could not be read, by path.
        vanished: Files that were gone when they were to be read.
    """

    unreadable: dict[str, Skipped] = field(default_factory=dict[str, Skipped])
    vanished: set[str] = field(default_factory=set[str])


def read_entries(
    store: DocumentStore,
    paths: Iterable[str],
    card_of: CardOf | None,
    outcome: Outcome,
    *,
    whole: bool,
    texts: WaitingTexts | None = None,
) -> Iterator[Entry]:
    """Read files.

    Args:
        store: Where they lie.
        paths: Their paths.
        card_of: What the catalog holds; files whose content it has are passed over. None to read all anew,
            and to leave as it is what cannot be read.
        outcome: Where it is noted what could not be read.
        whole: Whether the text is looked through for words and links, or the headers alone are read.
        texts: Where texts are kept that are not looked through.

    Yields:
        The entries of those that are new or have changed.
    """
    others: deque[str] = deque()  # files that were passed on the way to the next that is read
    for path, data in store.read_many(_to_be_read(paths, others), MAX_DOCUMENT_BYTES):
        yield from _entries_of_others(others, card_of)
        known = card_of(path) if card_of is not None else None
        if isinstance(data, KnowledgeNotFoundError):
            outcome.vanished.add(path)
        elif isinstance(data, Exception):
            outcome.unreadable[path] = Skipped(path, unusable_code(data), failure_sentence(data))
            if card_of is not None and known is None:
                yield unreadable_entry(path, unusable_code(data), failure_sentence(data))
        elif known is None or read_card(known)[1] != revision_of(data):
            yield entry_of(data, path, whole=whole, texts=texts)
    yield from _entries_of_others(others, card_of)


def _to_be_read(paths: Iterable[str], others: deque[str]) -> Iterator[str]:
    for path in paths:
        if may_be_concept(path):
            yield path
        else:
            others.append(path)


def _entries_of_others(others: deque[str], card_of: CardOf | None) -> Iterator[Entry]:
    while others:
        path = others.popleft()
        if card_of is None or card_of(path) is None:
            yield file_entry(path)


def entry_of(data: bytes, path: str, *, whole: bool, texts: WaitingTexts | None = None) -> Entry:
    """The entry of a Markdown file.

    Args:
        data: Its bytes.
        path: Its path.
        whole: Whether the text is looked through for words and links.
        texts: Where the text is kept that is not looked through.
    """
    gist, revision = read_gist(data, path), revision_of(data)
    if not gist.is_concept:
        return invalid_entry(path, revision)
    by_header = header_entry(header_of_document(gist, path, revision))
    if whole:
        return whole_entry(by_header, references_of(gist.body, gist.path_values, path), gist.body)
    if texts is not None:
        texts.keep(by_header, gist)
    return by_header


def may_be_concept(path: str) -> bool:
    """Whether a file is one that has to be a concept: any Markdown file but index.md and log.md."""
    return path.endswith(SUFFIX) and not is_reserved(path)


def unusable_code(error: Exception) -> str:
    """The rule that a file falls under which could not be read."""
    return "OKF405" if isinstance(error, TooLargeError) else "OKF404"


def with_progress(paths: list[str], progress: Progress | None) -> Iterator[str]:
    """The paths of files that are about to be read, one after the other, with word of how far that is.

    Args:
        paths: The paths.
        progress: Called before each.
    """
    for done, path in enumerate(paths):
        if progress is not None:
            progress(done, len(paths))
        yield path
