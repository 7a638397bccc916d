"""What an index.md does not list, as the entries that it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from fingerpost.bundle.names import SUFFIX, path_printed_as
from fingerpost.bundle.shapes import ContentsView
from fingerpost.okf.index_edit import IndexEntry

_SAFE_IN_LINK = "!$*+:;=@~-._"


def missing_entries(contents: ContentsView) -> Iterator[IndexEntry]:
    """The entries that the index.md of a folder lacks: folders first, with links that start at the folder.

    Args:
        contents: What lies in the folder.
    """
    for folder in contents["folders"]:
        name = _name(folder["id"].rstrip("/"))
        yield IndexEntry(name, f"{quote(name, _SAFE_IN_LINK)}/", "")
    for concept in contents["concepts"]:
        href = f"{quote(_name(concept['id']), _SAFE_IN_LINK)}{SUFFIX}"
        yield IndexEntry(concept["title"], href, concept["description"])


def _name(id_: str) -> str:
    return path_printed_as(id_).rpartition("/")[2]
