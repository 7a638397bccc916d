"""The folders of a bundle: what lies in one, and what the whole bundle holds."""

from __future__ import annotations

from datetime import datetime

from fingerpost.bundle.documents import Documents
from fingerpost.bundle.edges import Place
from fingerpost.bundle.entries import LABEL, NAME, TYPE
from fingerpost.bundle.index_text import index_text, listed_in, not_listed_files, signals, unlisted
from fingerpost.bundle.lookup import find_place
from fingerpost.bundle.names import INDEX, LOG, concept_id, folder_id
from fingerpost.bundle.shapes import ContentsView, HeaderView, LogEntryView, OverviewView
from fingerpost.bundle.snapshot import Directory, Snapshot
from fingerpost.catalog.base import Among
from fingerpost.errors import KnowledgeNotFoundError, StoreError
from fingerpost.okf.index_file import IndexFile, read_index
from fingerpost.okf.log_file import read_log
from fingerpost.tools.frame import one_line


def folder_at(snapshot: Snapshot, path: str) -> str:
    """The path of the folder that a filter names, "" for the root.

    Raises:
        KnowledgeNotFoundError: There is none; the sentence offers the nearest.
    """
    place = find_place(snapshot, path, prefer_folder=True).place if path.strip() else Place("folder", "")
    if place.kind != "folder":
        near = folder_id(place.path.rpartition("/")[0])
        raise KnowledgeNotFoundError(f"{place.path!r} is no folder; it lies in the folder {near!r}.")
    return place.path


def own_index(documents: Documents, snapshot: Snapshot, folder: str) -> tuple[IndexFile | None, str]:
    """The index.md of a folder, or None with a sentence that says why it could not be read, "" without one.

    Args:
        documents: The files of the bundle.
        snapshot: The bundle.
        folder: The path of the folder.
    """
    path = f"{folder}/{INDEX}" if folder else INDEX
    if not snapshot.kind(path):
        return None, ""
    try:
        return read_index(documents.read_bytes(path), path), ""
    except KnowledgeNotFoundError:
        return None, ""
    except StoreError as error:
        return None, f"The index.md of this folder could not be read. {one_line(str(error))}"


def index_of(documents: Documents, snapshot: Snapshot, path: str, now: datetime) -> str:
    """The whole index of a folder; see `Bundle.index`."""
    place = find_place(snapshot, path, prefer_folder=True).place
    if place.kind != "folder":
        raise KnowledgeNotFoundError(
            f"{concept_id(place.path)!r} is a concept, not a folder: read it with kb_read."
            if place.kind == "concept"
            else f"{place.path!r} is not a folder."
        )
    own, problem = own_index(documents, snapshot, place.path)
    text = index_text(snapshot, snapshot.directory(place.path), own, now)
    return f"{text}\n({problem})\n" if problem else text


def log_of(documents: Documents, snapshot: Snapshot, path: str) -> list[LogEntryView]:
    """The history that a folder's log.md tells; see `Bundle.log`."""
    place = find_place(snapshot, path, prefer_folder=True).place
    file = place.path if place.kind == "log" else f"{place.path}/{LOG}".lstrip("/")
    if not snapshot.kind(file):
        return []
    entries = read_log(documents.read_bytes(file), file).entries
    return [{"date": entry.date, "heading": entry.heading, "text": entry.text} for entry in entries]


def contents(
    documents: Documents, snapshot: Snapshot, path: str, limit: int, offset: int, now: datetime
) -> ContentsView:
    """What lies directly in a folder; see `Bundle.contents`.

    Args:
        documents: The files of the bundle.
        snapshot: The bundle.
        path: The folder, or a concept, of which the contents are itself.
        limit: The most folders and concepts.
        offset: How many of them to pass over.
        now: The moment that staleness is judged at.
    """
    place = find_place(snapshot, path, prefer_folder=True).place
    if place.kind not in ("folder", "concept"):
        raise KnowledgeNotFoundError(f"{place.path!r} is not a folder.")
    if place.kind == "concept":
        own, problem, here = None, "", Directory(place.path, (), (place.path,))
    else:
        own, problem = own_index(documents, snapshot, place.path)
        here = snapshot.directory(place.path)
    listed = listed_in(snapshot, own, place.path) if own is not None else set[str]()
    if own is not None:
        here = unlisted(snapshot, here, listed)
    folders = here.folders[offset : offset + limit]
    start = max(0, offset - len(here.folders))
    concepts = here.concepts[start : start + limit - len(folders)]
    view: ContentsView = {
        "id": concept_id(place.path) if place.kind == "concept" else folder_id(place.path),
        "index": own.body if own is not None else "",
        "marks": _marks(snapshot, listed, now),
        "folders": [
            {"id": folder_id(path), "concepts": snapshot.count_below(path)}
            for path in (f"{place.path}/{name}".lstrip("/") for name in folders)
        ],
        "concepts": _headers(snapshot, concepts, now),
        "total": len(here.folders) + len(here.concepts),
        "not_shown": not_listed_files(snapshot, here),
    }
    if problem:
        view["problem"] = problem
    return view


def _headers(snapshot: Snapshot, paths: tuple[str, ...], now: datetime) -> list[HeaderView]:
    headers = (snapshot.header(path) for path in paths)
    return [header.view(now) for header in headers if header is not None]


def _marks(snapshot: Snapshot, listed: set[str], now: datetime) -> dict[str, list[str]]:
    """What a reader must not miss of the concepts that an index.md lists, by id."""
    headers = (snapshot.header(path) for path in sorted(listed))
    marks = {header.id: signals(header, now) for header in headers if header is not None}
    return {id_: told for id_, told in marks.items() if told}


def overview(documents: Documents, snapshot: Snapshot) -> OverviewView:
    """What a bundle holds; see `Bundle.overview`.

    Args:
        documents: The files of the bundle.
        snapshot: The bundle.
    """
    own, _ = own_index(documents, snapshot, "")
    count = snapshot.view.count
    types = {label: count((Among(LABEL[TYPE], (label,)),)) for label in snapshot.labels(TYPE)}
    return {
        "okf_version": own.okf_version if own is not None else "",
        "concepts": snapshot.concept_count,
        "types": dict(sorted(types.items(), key=lambda each: (-each[1], each[0]))),
        "folders": {folder_id(name): snapshot.count_below(name) for name in snapshot.directory("").folders},
        "reserved": {name: count((Among(NAME, (name,)),)) for name in (INDEX, LOG)},
        "skipped": snapshot.invalid_count + sum(item.count for item in snapshot.unreadable),
    }
