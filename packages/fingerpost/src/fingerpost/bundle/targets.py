"""Where in a bundle something is to be written: from what is asked for to the path of a file."""

from __future__ import annotations

import re
from collections.abc import Callable

from fingerpost.bundle.folders import folder_at
from fingerpost.bundle.lookup import find_place
from fingerpost.bundle.names import SUFFIX, is_reserved, path_printed_as
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.errors import KnowledgeNotFoundError, KnowledgePathError
from fingerpost.okf.slug import numbered, slug
from fingerpost.stores.base import writable_path

_ODD = re.compile(
    r'[#?%<>:"|*\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]'
    r"|(?:^|/) | (?:$|/)"
)


def meant_concept(snapshot: Snapshot, id_: str) -> tuple[str, bool]:
    """The path that an id means, and whether something lies there; nothing is guessed.

    Raises:
        KnowledgePathError: It can be no concept.
    """
    try:
        meant = find_place(snapshot, id_)
    except KnowledgeNotFoundError:
        return _new_path(id_), False
    if meant.anchor:
        raise KnowledgePathError(f"{id_!r} names a section; give the id of the concept without '#'.")
    if meant.doubt:
        raise KnowledgePathError(f"{id_!r} is not exact enough to be written. {meant.doubt}")
    if meant.place.kind in ("concept", "invalid"):
        return meant.place.path, True
    if meant.place.kind == "folder" and not id_.endswith("/"):
        return _new_path(id_), False
    raise KnowledgePathError(f"{id_!r} is no concept and cannot be written as one; give another id.")


def _new_path(id_: str) -> str:
    path = f"{_usable(id_, id_.strip().removeprefix('/').removesuffix(SUFFIX))}{SUFFIX}"
    if is_reserved(path.lower()):
        raise KnowledgePathError(f"{id_!r} is a reserved name and can be no concept; give another id.")
    return path


def new_folder(snapshot: Snapshot, folder: str) -> str:
    """The path of a folder that something new is to lie in, which need not be there yet; "" for the top.

    Raises:
        KnowledgePathError: It can be no folder.
    """
    if not folder.strip("/ "):
        return ""
    try:
        return folder_at(snapshot, folder)
    except KnowledgeNotFoundError:
        path = _usable(folder, folder.strip("/"))
    if snapshot.kind(path):
        raise KnowledgePathError(f"{folder!r} is a file and can be no folder; give another one.")
    return path


def _usable(given: str, printed: str) -> str:
    """The path that is printed so, where it is one that a file may get."""
    path = writable_path(path_printed_as(printed))
    if odd := _ODD.search(path):
        raise KnowledgePathError(f"{given!r} has {odd[0]!r} in it, which links cannot have; leave it out.")
    return path


def free_path(snapshot: Snapshot, folder: str, title: str) -> str:
    """A path in a folder that nothing has, in whatever spelling."""
    start = f"{folder}/" if folder else ""
    stem = slug(title)

    def named(number: int) -> str:
        return f"{start}{stem if number == 1 else numbered(stem, number)}"

    def is_free(number: int) -> bool:
        name = named(number)
        return not snapshot.spelt_like(f"{name}{SUFFIX}") and not snapshot.spelt_like(name)

    return f"{named(_first(is_free))}{SUFFIX}"


def _first(is_free: Callable[[int], bool]) -> int:
    """A number that is free and follows one that is not; among ten thousand, a few are looked at."""
    free = 1
    while not is_free(free):
        free *= 2
    taken = free // 2
    while free - taken > 1:
        between = (free + taken) // 2
        taken, free = (taken, between) if is_free(between) else (between, free)
    return free
