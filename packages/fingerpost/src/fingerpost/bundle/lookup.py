"""From what a model sends as an id to the thing it means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from urllib.parse import unquote

from fingerpost.bundle.edges import Place, locate
from fingerpost.bundle.header import Header
from fingerpost.bundle.names import SUFFIX, concept_id, folder_id
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.errors import ArgumentError, KnowledgeNotFoundError, KnowledgePathError, StoreError
from fingerpost.markdown.scan import scan
from fingerpost.okf.paths import Reference, resolve
from fingerpost.text.suggest import did_you_mean, nearest

_MOST_CHARS = 4_096
_MOST_SUGGESTIONS = 5
_MOST_COMPARED, _MOST_LIKELY = 2_000, 100
_WRAPPING = " \t\r\n\"'`“”‘’<>[]"
_CLIMBING = re.compile(r"(?:\.{0,2}/)+")


@dataclass(frozen=True, slots=True)
class Meant:
    """What an id means.

    Attributes:
        place: The thing itself.
        anchor: The anchor that came with the id, "" when none did.
        doubt: A sentence when something else may have been meant, "" otherwise.
    """

    place: Place
    anchor: str = ""
    doubt: str = ""


def find_place(snapshot: Snapshot, given: str, *, prefer_folder: bool = False) -> Meant:
    """Find what an id means.

    Args:
        snapshot: The bundle.
        given: A concept id, a path, or a link as it stands in a body or an index, however it is wrapped.
        prefer_folder: Whether a folder wins over a concept of the same name.

    Returns:
        What it means. What is spelt as printed, or as a path of the bundle, is that and nothing else. A
        relative link is looked up from the root, and failing that by the one path that ends with it.

    Raises:
        ArgumentError: If it is no text.
        KnowledgePathError: If it is a web address, leads outside the bundle, or can be no path.
        KnowledgeNotFoundError: If nothing fits; the sentence offers the nearest ids.
        StoreError: If it lies where the store cannot be read now.
    """
    if not isinstance(given, str):  # pyright: ignore[reportUnnecessaryIsInstance] - a caller may err
        raise ArgumentError(f"An id is a text, and {given!r} is none.")
    if len(given) > _MOST_CHARS:
        raise KnowledgePathError(
            f"An id has at most {_MOST_CHARS:,} characters, and this has {len(given):,}."
        )
    place = _as_printed(snapshot, given, prefer_folder=prefer_folder)
    if place is not None:
        return Meant(place, doubt=_doubt(snapshot, place, given.strip()))
    id_ = _unwrapped(given)
    if not id_.strip("/"):
        return Meant(Place("folder", ""))
    reference = resolve(id_, "")
    if reference.kind in ("external", "unsafe"):
        raise KnowledgePathError(
            f"{id_!r} is not an id of this bundle; only what the bundle holds can be read."
        )
    if reference.kind == "anchor":
        raise KnowledgeNotFoundError(
            f"{id_!r} names a section and no concept; put the id of the concept before it."
        )
    place = _from_root(snapshot, reference, prefer_folder=prefer_folder)
    if place.exists:
        return Meant(place, reference.anchor, _doubt(snapshot, place, id_))
    place = _by_ending(snapshot, id_)
    if place.exists:
        named = concept_id(place.path) if place.kind == "concept" else folder_id(place.path)
        return Meant(place, reference.anchor, f"There is no {id_!r}; {named} was read, which may be meant.")
    if reference.kind == "leaves_root":
        raise KnowledgePathError(_with_hint(snapshot, id_, f"{id_!r} points outside this bundle"))
    for item in snapshot.unreadable:
        if any(f"{candidate}/".startswith(f"{item.path}/") for candidate in reference.candidates):
            raise StoreError(f"{id_!r} cannot be looked up now. {item.reason}")
    raise KnowledgeNotFoundError(_with_hint(snapshot, id_, f"There is no {id_!r} in this bundle"))


def _as_printed(snapshot: Snapshot, given: str, *, prefer_folder: bool) -> Place | None:
    """What is spelt exactly as tools print it, or exactly as its path."""
    for text in dict.fromkeys(_spellings(given)):
        header = snapshot.concept_with_id(text)
        folder = snapshot.folder_with_id(text) or snapshot.folder_with_id(f"{text}/")
        if folder and (prefer_folder or header is None):
            return Place("folder", folder)
        if header is not None:
            return Place("concept", header.path)
        for path in (text, f"{text}{SUFFIX}"):
            if snapshot.header(path) is not None:
                return Place("concept", path)
    return None


def _spellings(given: str) -> Iterator[str]:
    """The readings of an id, best first: a link from the root is percent-encoded, an id is not."""
    for text in (given, given.strip()):
        if text.startswith("/"):
            yield unquote(text[1:])
            yield text[1:]
        yield text


def _unwrapped(given: str) -> str:
    """An id without what surrounds it: quotes, brackets, or the Markdown link that it stands in."""
    if "](" in given:
        links = [link for link in scan(given.strip()).links if link.kind == "link"]
        if links:
            return links[0].target
    return given.strip(_WRAPPING)


def _from_root(snapshot: Snapshot, reference: Reference, *, prefer_folder: bool) -> Place:
    candidates = reference.candidates
    if prefer_folder:
        candidates = (*(f"{path.rstrip('/')}/" for path in candidates), *candidates)
    return locate(snapshot, candidates)


def _by_ending(snapshot: Snapshot, id_: str) -> Place:
    """A link copied out of a body, or a bare name: the one concept or folder whose path ends with it."""
    if id_.startswith("/"):
        return Place("missing", id_, "none")
    climbed = _CLIMBING.match(id_)
    tail = resolve(id_[climbed.end() :] if climbed else id_, "")
    found = _ending_with(snapshot, tail)
    if len(found) == 1:
        return Place("concept", found[0], "candidate")
    if climbed and not found and tail.candidates:
        return locate(snapshot, tail.candidates)
    return Place("missing", id_, "none")


def _ending_with(snapshot: Snapshot, tail: Reference) -> list[str]:
    wanted = [candidate for candidate in tail.candidates if candidate.endswith(SUFFIX)]
    found = {path for ending in wanted for path in _paths_ending(snapshot, ending)}
    return sorted(found)


def _paths_ending(snapshot: Snapshot, ending: str) -> Iterator[str]:
    named = snapshot.concepts_named(ending.rpartition("/")[2])
    return (path for path in named if path == ending or path.endswith(f"/{ending}"))


def _doubt(snapshot: Snapshot, place: Place, id_: str) -> str:
    """A link that is written relative to a folder may mean a concept there; that is said and not guessed."""
    if snapshot.concept_with_id(id_) is not None:
        return ""
    if place.kind != "concept" or id_.startswith("/") or not id_.partition("#")[0].endswith(SUFFIX):
        return ""
    others = [path for path in _paths_ending(snapshot, place.path) if path != place.path]
    if not others:
        return ""
    named = ", ".join(concept_id(path) for path in sorted(others)[:_MOST_SUGGESTIONS])
    return f"{id_!r} was read from the top of the bundle; as a link of another concept it may mean {named}."


def _with_hint(snapshot: Snapshot, id_: str, sentence: str) -> str:
    advice = (
        did_you_mean(suggestions(snapshot, id_))
        or "Call kb_index to see what there is, or kb_find to search."
    )
    return f"{sentence}. {advice}"


def suggestions(snapshot: Snapshot, id_: str) -> list[str]:
    """The ids that are nearest to one that does not exist, by path, by last segment and by title."""
    choices: dict[str, dict[str, None]] = {}
    for header in _like(snapshot, id_):
        for spelling in (header.id, header.id.rpartition("/")[2], header.title):
            choices.setdefault(spelling, {})[header.id] = None
    for path in islice(snapshot.folders(), _MOST_COMPARED):
        choices.setdefault(path, {})[folder_id(path)] = None
    wanted = concept_id(_CLIMBING.sub("", id_, count=1)).strip("/")
    near = nearest(wanted, choices) or nearest(wanted.rpartition("/")[2], choices)
    return list(dict.fromkeys(found for choice in near for found in choices[choice]))[:_MOST_SUGGESTIONS]


def _like(snapshot: Snapshot, id_: str) -> Iterator[Header]:
    """The concepts to compare an id with: all of a small bundle, those that a search finds of a large one."""
    if snapshot.concept_count <= _MOST_COMPARED:
        return snapshot.concepts()
    return snapshot.found_by(id_, _MOST_LIKELY)
