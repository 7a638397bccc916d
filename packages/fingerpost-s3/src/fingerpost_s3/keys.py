"""Which of the objects below a prefix are files of a store, and what is said of the others."""

from __future__ import annotations

from collections.abc import Iterable

from fingerpost import DocumentStore, KnowledgePathError
from fingerpost.stores import Remarks, Skipped, is_hidden
from fingerpost_s3.listing import Object
from fingerpost_s3.place import Place

_UNREADABLE = "OKF404"


def files_and_remarks(
    place: Place, objects: Iterable[Object]
) -> tuple[list[tuple[str, str]], tuple[Skipped, ...]]:
    """The paths of the files with their signatures, and what lies there beside them.

    Objects without content whose keys end in a slash stand for folders, and are passed over.

    Args:
        place: Where the objects were listed.
        objects: The objects.
    """
    files: list[tuple[str, str]] = []
    hidden: dict[str, set[str]] = {}
    remarks = Remarks()
    for key, signature, size in objects:
        path = key.removeprefix(place.start)
        if not size and (not path or path.endswith("/")):
            continue
        if oddity := _oddity(path):
            folder, _, name = path.rpartition("/")
            remarks.skip(folder, name, _UNREADABLE, oddity, path)
        elif is_hidden(path):
            folder, name = _hidden_part(path)
            hidden.setdefault(folder, set()).add(name)
        else:
            files.append((path, signature))
    for folder, names in hidden.items():
        remarks.hide(folder, names)
    return files, remarks.summed_up()


def _oddity(path: str) -> str:
    """Why the rest of a key is no path, "" when it is one."""
    if path.endswith("/"):
        return "its key ends in a slash like that of a folder, and it has content"
    if path.startswith("/") or "//" in path:
        return "its key holds two slashes in a row, which cannot be part of a path"
    try:
        is_path = DocumentStore.normalise(path) == path
    except KnowledgePathError:
        is_path = False
    if is_path:
        return ""
    if "\\" in path:
        return "its key holds a backslash, which cannot be part of a path"
    return "its key holds a segment '.' or '..', or a NUL, which cannot be part of a path"


def _hidden_part(path: str) -> tuple[str, str]:
    """The folder and the name of the first hidden segment: a hidden folder counts once, whatever it holds."""
    start = 0 if path.startswith(".") else path.index("/.") + 1
    return path[: max(start - 1, 0)], path[start:].partition("/")[0]
