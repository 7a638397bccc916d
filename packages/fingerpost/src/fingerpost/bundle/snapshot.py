"""What is known of a bundle at one moment: a view of the catalog, in the bundle's own terms.

Nothing is loaded ahead: each question is looked up, so that a bundle of any size opens at once and takes no
memory. All answers of one snapshot come from one state that existed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType

from fingerpost.bundle.entries import (
    FOLDER,
    IN,
    KIND,
    LABEL,
    NAME,
    SPELLING,
    folder_path,
    folder_value,
    written_references,
)
from fingerpost.bundle.header import CONCEPT, INVALID, Header, header_of, read_card
from fingerpost.bundle.names import PROPOSALS, SUFFIX, concept_id, folder_id, path_printed_as
from fingerpost.bundle.reading import Progress
from fingerpost.bundle.scanned import reference_again
from fingerpost.catalog.base import Among, Query, View
from fingerpost.okf.paths import portable_key
from fingerpost.stores.base import Skipped

_UNREADABLE = ("OKF404", "OKF405")
_CONCEPTS = Among(KIND, (CONCEPT,))


@dataclass(frozen=True, slots=True)
class Directory:
    """A folder of the bundle: names of its sub-folders and paths of its concepts, both sorted."""

    path: str
    folders: tuple[str, ...]
    concepts: tuple[str, ...]


class Snapshot:
    """The state of a bundle.

    Args:
        view: The catalog at that moment.
        skipped: What the store could not list or read.
        trouble: Why the last refresh failed, "" when it did not.
        unread: How many concepts are found by their header alone, since their text is still to be read.
        counts: How many files there are of some kinds; what else is counted is added.
    """

    def __init__(
        self,
        view: View,
        skipped: tuple[Skipped, ...] = (),
        trouble: str = "",
        unread: int = 0,
        counts: dict[str, int] | None = None,
    ) -> None:
        self.view = view
        self.skipped = skipped
        self.trouble = trouble
        self.unread = unread
        self._counts = {} if counts is None else counts
        self._kinds: dict[str, str] = {}
        self._headers: dict[str, Header] = {}

    def kind(self, path: str) -> str:
        """What the file at a path is, as in `bundle.header`; "" when there is none."""
        if path not in self._kinds:
            text = self.view.card(path)
            card = read_card(text) if text is not None else [""]
            self._kinds[path] = card[0]
            if card[0] == CONCEPT:
                self._headers[path] = header_of(path, card)
        return self._kinds[path]

    def header(self, path: str) -> Header | None:
        """The header of the concept at a path, None when there is none."""
        return self._headers[path] if self.kind(path) == CONCEPT else None

    def concepts(self, below: str = "") -> Iterator[Header]:
        """The headers of the concepts in a folder and the folders below it, in order of path."""
        where = (Among(FOLDER, (folder_value(below),)),) if below else ()
        for path, card in self.view.listing((_CONCEPTS, *where)):
            yield header_of(path, read_card(card))

    def concept_paths(self, below: str) -> Iterator[str]:
        """The paths of the concepts in a folder and the folders below it, sorted."""
        where = (Among(FOLDER, (folder_value(below),)),) if below else ()
        return (path for path, _ in self.view.listing((_CONCEPTS, *where)))

    @property
    def concept_count(self) -> int:
        """How many concepts there are."""
        return self._count(CONCEPT)

    @property
    def invalid_count(self) -> int:
        """How many Markdown files should be concepts and are none."""
        return self._count(INVALID)

    def _count(self, kind: str) -> int:
        if kind not in self._counts:
            self._counts[kind] = self.view.count((Among(KIND, (kind,)),))
        return self._counts[kind]

    @property
    def unreadable(self) -> list[Skipped]:
        """The files and folders that could not be read, or are too large."""
        return [item for item in self.skipped if item.code in _UNREADABLE]

    def count_below(self, folder: str) -> int:
        """How many concepts lie in a folder, not the root, and the folders below it."""
        return self.view.count((_CONCEPTS, Among(FOLDER, (folder_value(folder),))))

    def invalid_in(self, folder: str) -> list[str]:
        """The paths of the invalid files that lie directly in a folder."""
        return [path for path, _ in self.view.listing((Among(KIND, (INVALID,)), Among(IN, (folder,))))]

    def files(self) -> Iterator[str]:
        """The paths of all files, sorted."""
        return (path for path, _ in self.view.listing())

    def has_folder(self, path: str) -> bool:
        """Whether there is a folder; each holds a file at some depth, and the root is always there."""
        value = folder_value(path)
        return not path or next(self.view.values(FOLDER, value), None) == value

    def folders(self) -> Iterator[str]:
        """The paths of all folders but the root."""
        return map(folder_path, self.view.values(FOLDER))

    def directory(self, path: str) -> Directory:
        """What lies directly in a folder."""
        start = f"{path}\0"
        found = (value.removeprefix(start) for value in self.view.values(FOLDER, start))
        names = tuple(name for name in found if path or name != PROPOSALS or self.count_below(name))
        here = self.view.listing((_CONCEPTS, Among(IN, (path,))))
        return Directory(path, names, tuple(file for file, _ in here))

    def spelt_like(self, path: str) -> list[str]:
        """The files and folders that a path may mean, Unicode form and letter case apart; sorted."""
        key = portable_key(path)
        found = {other for other, _ in self.view.listing((Among(SPELLING, (key,)),))}
        found.update(value.partition("\0")[2] for value in self.view.values(SPELLING, f"{key}\0"))
        if self.kind(key) or (key and self.has_folder(key)):
            found.add(key)
        return sorted(found)

    def concepts_named(self, name: str) -> list[str]:
        """The paths of the concepts whose file has a name; sorted."""
        return [path for path, _ in self.view.listing((_CONCEPTS, Among(NAME, (name,))))]

    def concept_with_id(self, id_: str) -> Header | None:
        """The concept of a printed id."""
        path = f"{path_printed_as(id_)}{SUFFIX}"
        return self.header(path) if concept_id(path) == id_ else None

    def folder_with_id(self, id_: str) -> str | None:
        """The path of the folder of a printed id, such as `policies/`."""
        path = path_printed_as(id_.removesuffix("/"))
        return path if folder_id(path) == id_ and self.has_folder(path) else None

    def found_by(self, text: str, limit: int) -> Iterator[Header]:
        """The concepts that a search for a text finds, best first."""
        for hit in self.view.search(Query(text, limit=limit)).hits:
            yield header_of(hit.id, read_card(hit.card))

    def labels(self, facet: str) -> list[str]:
        """The types or tags that concepts have, as written."""
        return list(self.view.values(LABEL[facet]))

    def candidates(self, path: str) -> Iterator[tuple[str, ...]]:
        """The paths that each link and path field of a concept may lead to, best first."""
        for written in written_references(self.view.details(path) or ""):
            yield reference_again(written, path).candidates


class Opened:
    """A snapshot for the length of a `with` block.

    Args:
        open_: Opens the snapshot, with what is to be left at the end.
        progress: What to call while that takes long.
    """

    __slots__ = ("_open", "_progress", "_reading")

    def __init__(
        self,
        open_: Callable[[Progress | None], tuple[AbstractContextManager[View], Snapshot]],
        progress: Progress | None,
    ) -> None:
        self._open = open_
        self._progress = progress

    def __enter__(self) -> Snapshot:
        self._reading, snapshot = self._open(self._progress)
        return snapshot

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reading.__exit__(kind, error, trace)
