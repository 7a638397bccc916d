"""From what a model sends as an id to the thing it means."""

from __future__ import annotations

import re

from fingerpost.bundle.edges import Place, locate
from fingerpost.bundle.snapshot import SUFFIX, Snapshot, concept_id, folder_id
from fingerpost.errors import KnowledgeNotFoundError, KnowledgePathError
from fingerpost.okf.paths import resolve
from fingerpost.text.suggest import nearest

_MARKDOWN_LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)>]*?)>?\s*\)")
_MOST_SUGGESTIONS = 5
_WRAPPING = " \t\r\n\"'`“”‘’<>[]"


def clean(given: str) -> tuple[str, str]:
    """Take an id out of what surrounds it: brackets, quotes, a Markdown link, a leading slash, an anchor.

    Args:
        given: What was sent.

    Returns:
        The id and the anchor, each possibly "".
    """
    link = _MARKDOWN_LINK.fullmatch(given.strip())
    text = (link[1] if link else given).strip(_WRAPPING)
    id_, _, anchor = text.partition("#")
    return id_.strip().lstrip("/"), anchor.strip()


def find_place(snapshot: Snapshot, given: str, *, prefer_folder: bool = False) -> tuple[Place, str]:
    """Find what an id means.

    Args:
        snapshot: The bundle.
        given: A concept id, a path, or a link as it stands in a body, however it is wrapped.
        prefer_folder: Whether a folder wins over a concept of the same name.

    Returns:
        The place, and the anchor that came with the id. A relative link whose `../` leaves the root is looked
        up without it, and a bare name by the one path that ends with it.

    Raises:
        KnowledgePathError: If it is a web address or can be no path of a bundle.
        KnowledgeNotFoundError: If nothing fits; the sentence offers the nearest ids.
    """
    exact = given.strip().lstrip("/")
    if exact in snapshot.by_id and not prefer_folder:
        return Place("concept", snapshot.by_id[exact].path), ""
    id_, anchor = clean(given)
    if not id_:
        return Place("folder", ""), anchor
    reference = resolve(id_, "")
    if reference.kind in ("external", "unsafe"):
        raise KnowledgePathError(
            f"{id_!r} is not an id of this bundle; only what the bundle holds can be read."
        )
    candidates = reference.candidates
    if prefer_folder:
        candidates = (*(f"{path.rstrip('/')}/" for path in candidates), *candidates)
    place = locate(snapshot, candidates)
    if not place.exists:
        place = _by_ending(snapshot, id_)
    if not place.exists:
        raise KnowledgeNotFoundError(_not_found(snapshot, id_, leaves_root=reference.kind == "leaves_root"))
    return place, anchor


def _by_ending(snapshot: Snapshot, id_: str) -> Place:
    """A link copied out of a body, or a bare name: the one concept whose path ends with it."""
    ending = re.sub(r"^(?:\.{0,2}/)+", "", id_)
    tail = resolve(ending, "")
    place = locate(snapshot, tail.candidates) if tail.candidates else Place("missing", id_, "none")
    if place.exists or not tail.candidates:
        return place
    wanted = {f"/{candidate}" for candidate in tail.candidates if candidate.endswith(SUFFIX)}
    found = [path for path in snapshot.headers if any(path.endswith(candidate) for candidate in wanted)]
    return Place("concept", found[0], "candidate") if len(found) == 1 else Place("missing", id_, "none")


def _not_found(snapshot: Snapshot, id_: str, *, leaves_root: bool) -> str:
    start = f"{id_!r} points outside this bundle" if leaves_root else f"There is no {id_!r} in this bundle"
    near = suggestions(snapshot, id_)
    if near:
        return f"{start}. Did you mean: {', '.join(near)}?"
    return f"{start}. Call kb_index to see what there is, or kb_find to search."


def suggestions(snapshot: Snapshot, id_: str) -> list[str]:
    """The ids that are nearest to one that does not exist, by path, by last segment and by title."""
    choices: dict[str, dict[str, None]] = {}
    for header in snapshot.headers.values():
        for spelling in (header.id, header.id.rpartition("/")[2], header.title):
            choices.setdefault(spelling, {})[header.id] = None
    for path in snapshot.directories:
        if path:
            choices.setdefault(path, {})[folder_id(path)] = None
    wanted = concept_id(id_).strip("/")
    near = nearest(wanted, choices) or nearest(wanted.rpartition("/")[2], choices)
    return list(dict.fromkeys(found for choice in near for found in choices[choice]))[:_MOST_SUGGESTIONS]
