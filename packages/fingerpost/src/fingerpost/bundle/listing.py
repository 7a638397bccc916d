"""What an index.md does not list, as the entries that it lacks."""

from __future__ import annotations

from collections.abc import Iterator

from fingerpost.bundle.index_text import in_link
from fingerpost.bundle.names import SUFFIX, path_printed_as
from fingerpost.bundle.shapes import ContentsView
from fingerpost.bundle.silence import counted
from fingerpost.okf.index_edit import IndexEntry

_DEPRECATED = "deprecated"
_MOST_NAMED = 5


def missing_entries(contents: ContentsView) -> Iterator[IndexEntry]:
    """The entries that the index.md of a folder lacks: folders first, with links that start at the folder.

    Only what stays true in a file is written there: no counts of concepts, and no deprecated ones.

    Args:
        contents: What lies in the folder.
    """
    for folder in contents["folders"]:
        name = _name(folder["id"].rstrip("/"))
        yield IndexEntry(name, f"{in_link(name)}/", "")
    for concept in contents["concepts"]:
        if concept["status"] != _DEPRECATED:
            href = f"{in_link(_name(concept['id']))}{SUFFIX}"
            yield IndexEntry(concept["title"], href, concept["description"])


def left_out(contents: ContentsView) -> Iterator[str]:
    """What is to be said of the concepts that are not listed.

    Args:
        contents: What lies in the folder.
    """
    ids = [concept["id"] for concept in contents["concepts"] if concept["status"] == _DEPRECATED]
    if ids:
        more = ", ..." if len(ids) > _MOST_NAMED else ""
        named = ", ".join(ids[:_MOST_NAMED])
        yield f"{counted(len(ids), 'deprecated concept')} not added: {named}{more}."


def _name(id_: str) -> str:
    return path_printed_as(id_).rpartition("/")[2]
