"""Where a link or an id leads within a snapshot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from fingerpost.bundle.header import CONCEPT
from fingerpost.bundle.names import INDEX, LOG, SUFFIX, concept_id, folder_id
from fingerpost.bundle.shapes import NeighboursView
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.okf.paths import Reference, portable_key, same_key

_MOST_LEADING_FOLDERS = 8
_MOST_CHECKED = 200

Kind = Literal["concept", "invalid", "folder", "log", "file", "missing"]
Manner = Literal["exact", "candidate", "unicode", "case", "none"]


@dataclass(frozen=True, slots=True)
class Place:
    """Something in the bundle, or nothing.

    Attributes:
        kind: What is there; "invalid" is a Markdown file that is no concept, or could not be read.
        path: Its path; for "missing" the path that was asked for.
        manner: How it was found: as written, by a later candidate (decoded, with .md, as a folder), in
            another Unicode form or letter case, or not at all.
    """

    kind: Kind
    path: str
    manner: Manner = "exact"

    @property
    def exists(self) -> bool:
        """Whether something is there."""
        return self.kind != "missing"


def locate(snapshot: Snapshot, candidates: Iterable[str]) -> Place:
    """Find what a link or an id leads to.

    Args:
        snapshot: The bundle.
        candidates: Paths to try, best first.

    Returns:
        The first candidate that exists as spelt, a file before a folder of that name; else the one thing
        whose path differs from a candidate in Unicode form alone, else in letter case alone; else "missing"
        with the first candidate.
    """
    tried = list(candidates)
    folder: Place | None = None
    for position, candidate in enumerate(tried):
        kind = _kind(snapshot, candidate)
        if kind is None:
            continue
        place = _place(kind, candidate.rstrip("/"), "candidate" if position else "exact")
        if kind != "folder" or candidate.endswith(("/", INDEX)):
            return place
        folder = folder or place
    if folder is not None:
        return folder
    return _respelt(snapshot, [candidate.rstrip("/") for candidate in tried])


def _respelt(snapshot: Snapshot, paths: list[str]) -> Place:
    """The one thing whose path differs from one of these in Unicode form, else in letter case, alone."""
    for path in paths:
        spellings = snapshot.spelt_like(path)
        same = [spelling for spelling in spellings if same_key(spelling) == same_key(path)]
        if len(same) == 1:
            return _place(_kind(snapshot, same[0]) or "file", same[0], "unicode")
        if len(spellings) == 1:
            return _place(_kind(snapshot, spellings[0]) or "file", spellings[0], "case")
    return Place("missing", paths[0] if paths else "", "none")


def without_leading_folders(snapshot: Snapshot, reference: Reference) -> Place | None:
    """What a missing link most likely means: what stands at the same path without its first folders.

    Links of a bundle that lies in a bigger repository are often written from the root of the repository.
    """
    for candidate in reference.candidates:
        parts = candidate.split("/")
        for start in range(1, min(len(parts), _MOST_LEADING_FOLDERS + 1)):
            place = locate(snapshot, ("/".join(parts[start:]),))
            if place.kind == "concept" or (place.kind == "folder" and place.path):
                return place
    return None


def backlinks_of(snapshot: Snapshot, path: str) -> list[str]:
    """The ids of the other concepts that link to a path, sorted."""
    sources = snapshot.view.sources(portable_key(path))
    return sorted(
        concept_id(source) for source in sources if source != path and _points_to(snapshot, source, path)
    )


def links_of(snapshot: Snapshot, path: str) -> list[str]:
    """The ids of the concepts and folders that a concept links to, in its order, as far as they exist."""
    places = (locate(snapshot, candidates) for candidates in snapshot.candidates(path))
    ids = {
        concept_id(place.path) if place.kind == "concept" else folder_id(place.path): None
        for place in places
        if place.kind in ("concept", "folder") and place.path != path
    }
    return list(ids)


def neighbours_of(snapshot: Snapshot, path: str) -> NeighboursView:
    """What the concept at a path links to and is linked from.

    Of very many backlinks it is not looked whether each leads to this very concept, or by its spelling might.
    """
    sources = [source for source in snapshot.view.sources(portable_key(path)) if source != path]
    is_crowd = len(sources) > _MOST_CHECKED
    backlinks = sorted(map(concept_id, sources)) if is_crowd else backlinks_of(snapshot, path)
    return {"links": links_of(snapshot, path), "backlinks": backlinks}


def _points_to(snapshot: Snapshot, source: str, path: str) -> bool:
    """Whether a link or a path field of the concept `source` leads to a path."""
    wanted = portable_key(path)
    return any(
        locate(snapshot, candidates).path == path
        for candidates in snapshot.candidates(source)
        if any(portable_key(candidate) == wanted for candidate in candidates)
    )


def _place(kind: Kind, path: str, manner: Manner) -> Place:
    if kind == "folder" and path.rpartition("/")[2] == INDEX:
        path = path.rpartition("/")[0]
    return Place(kind, path, manner)


def _kind(snapshot: Snapshot, path: str) -> Kind | None:
    if path.endswith("/"):
        return "folder" if snapshot.has_folder(path.rstrip("/")) else None
    kind = snapshot.kind(path)
    if kind == CONCEPT:
        return "concept"
    if kind:
        name = path.rpartition("/")[2]
        if name == INDEX:
            return "folder"
        if name == LOG:
            return "log"
        return "invalid" if name.endswith(SUFFIX) else "file"
    folder, _, name = path.rpartition("/")
    return "folder" if snapshot.has_folder(folder if name == INDEX else path) else None
