"""Concepts as records of a knowledge base, and how a model is told of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from fingerpost.bundle.names import folder_id, path_printed_as
from fingerpost.bundle.shapes import (
    ConceptView,
    ContentsView,
    FolderEntryView,
    HeaderView,
    HitView,
    LinkView,
    NeighboursView,
)
from fingerpost.bundle.silence import counted
from fingerpost.records import Record
from fingerpost.tools.frame import one_line
from fingerpost.tools.pages import pages

_INDEX_CHARS = 4_000  # of a page of an index.md
_FIRST = 10
_FLAGS = {
    "expiry_unreadable": "expiry unreadable",
    "verified_before_last_change": "verified before its last change",
}
_SIGNALS = frozenset(("title", "kind", "status", "trust", "stale"))


def hit_record(hit: HitView, neighbours: NeighboursView | None) -> Record:
    """A concept that was found or is listed; its text is what it says in short.

    Args:
        hit: What is known of it.
        neighbours: What it links to and is linked from, None where that is not known.
    """
    snippet = hit["snippet"] if hit["snippet"] != hit["description"] else ""
    text = " ".join(f"{hit['description']} {snippet}".split())
    flags = {flag: True for flag in _FLAGS if flag in hit}
    return {"text": text, "metadata": {**_header(hit), **flags, **_first_neighbours(neighbours)}}


def entry_record(header: HeaderView, neighbours: NeighboursView | None) -> Record:
    """A concept that a folder holds; the arguments are those of `hit_record`."""
    return hit_record(cast("HitView", {**header, "snippet": ""}), neighbours)


def concept_record(view: ConceptView) -> Record:
    """A whole concept."""
    metadata = {
        **_header(view),
        **{
            name: view[name] for name in ("description", "tags", "warnings", "links", "backlinks", "revision")
        },
        "extra": view["extra"],
    }
    return {"text": view["body"], "metadata": metadata}


def folder_record(folder: FolderEntryView) -> Record:
    """A folder within another."""
    count = folder["concepts"]
    metadata = {"id": folder["id"], "kind": "folder", "concepts": count}
    return {"text": counted(count, "concept"), "metadata": metadata}


def index_records(view: ContentsView) -> Iterator[Record]:
    """The index.md of a folder as it was written, in pages."""
    text = view["index"]
    spans = pages(text, _INDEX_CHARS) if text.strip() else []
    for number, (start, end) in enumerate(spans, start=1):
        metadata: dict[str, Any] = {"id": view["id"], "kind": "index", "source": _index_file(view["id"])}
        if len(spans) > 1:
            metadata |= {"page": number, "pages": len(spans)}
        if number == len(spans) and view["marks"]:
            metadata["marks"] = view["marks"]
        yield {"text": text[start:end], "metadata": metadata}


def is_own(row: Record) -> bool:
    """Whether a record is one of those that are made here."""
    metadata: Mapping[str, Any] = row.get("metadata") or {}
    return _is_concept(metadata) or metadata.get("kind") in _TOLD


def told(row: Record) -> str:
    """What a model is told of a record of a bundle beside its id."""
    metadata = cast("Mapping[str, Any]", row["metadata"])
    if not _is_concept(metadata):
        return _TOLD[metadata["kind"]](row["text"], metadata)
    head = f"{one_line(metadata['title'])} ({', '.join(_signals(metadata))})"
    if "revision" not in metadata:
        return f"{head}: {row['text']}" if row["text"] else head
    about = [*metadata["warnings"], *_told_links(metadata), f"Revision: {metadata['revision']}"]
    return "\n".join([head, *about, "", row["text"]])


def _header(view: HeaderView) -> dict[str, Any]:
    return {
        "id": view["id"],
        "title": view["title"],
        "kind": view["type"],
        "type": view["type"],
        "path": folder_id(path_printed_as(view["id"]).rpartition("/")[0]),
        "status": view["status"],
        "trust": view["trust"],
        "stale": view["stale"],
        "source": f"{path_printed_as(view['id'])}.md",
    }


def _first_neighbours(neighbours: NeighboursView | None) -> dict[str, Any]:
    if neighbours is None:
        return {}
    backlinks = neighbours["backlinks"]
    return {
        "links": [{"id": id_, "exists": True} for id_ in neighbours["links"]],
        "backlinks": {"count": len(backlinks), "first": backlinks[:_FIRST]},
    }


def _index_file(id_: str) -> str:
    return f"{path_printed_as(id_.strip('/'))}/index.md".lstrip("/")


def _is_concept(metadata: Mapping[str, Any]) -> bool:
    """Whether this is of a concept, whose type may be any word, "index" and "folder" too."""
    return metadata.keys() >= _SIGNALS


def _told_folder(text: str, _metadata: Mapping[str, Any]) -> str:
    return f"{text}."


def _told_index(text: str, metadata: Mapping[str, Any]) -> str:
    page = f", page {metadata['page']} of {metadata['pages']}" if "page" in metadata else ""
    marks = "; ".join(f"{id_} is {', '.join(told)}" for id_, told in metadata.get("marks", {}).items())
    parts = [f"{metadata['source']}{page}; its links start at this folder:", text.strip("\n")]
    return "\n".join([*parts, f"(Of these, {marks}.)"] if marks else parts)


_TOLD: Mapping[str, Callable[[str, Mapping[str, Any]], str]] = {
    "index": _told_index,
    "folder": _told_folder,
}


def _signals(metadata: Mapping[str, Any]) -> Iterator[str]:
    """What a reader must know before relying on a concept, and how it is connected."""
    yield one_line(metadata["kind"])
    if metadata["status"] != "stable":
        yield one_line(metadata["status"]).upper()
    yield metadata["trust"]
    if metadata["stale"]:
        yield "STALE"
    yield from (said for flag, said in _FLAGS.items() if flag in metadata)
    if "backlinks" in metadata and "revision" not in metadata:
        yield f"links to {len(metadata['links'])}, linked from {metadata['backlinks']['count']}"


def _told_links(metadata: Mapping[str, Any]) -> Iterator[str]:
    links = cast("Sequence[LinkView]", metadata["links"])
    backlinks = metadata["backlinks"]
    if links:
        yield f"Links to: {', '.join(map(_told_link, links))}"
    if backlinks["count"]:
        more = backlinks["count"] - len(backlinks["first"])
        yield f"Linked from: {', '.join(backlinks['first'])}" + (f" and {more} more" if more else "")


def _told_link(link: LinkView) -> str:
    if "url" in link:
        return link["url"]
    target = link.get("id") or link.get("file", "")
    if "file" in link:
        return f"{target} (a file beside the concepts)"
    anchor = f"#{link['anchor']}" if "anchor" in link else ""
    return f"{target}{anchor}" + ("" if link.get("exists") else " (missing)")
