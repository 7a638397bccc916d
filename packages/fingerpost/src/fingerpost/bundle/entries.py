"""What the catalog gets to know of each file of a bundle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from fingerpost.bundle.header import CONCEPT, FILE, INVALID, UNREADABLE, Header
from fingerpost.catalog.base import Entry
from fingerpost.catalog.documents import texts_as_json
from fingerpost.okf.paths import Reference, portable_key

KIND, TYPE, TAG, STATUS, TRUST = "kind", "type", "tag", "status", "trust"
LABEL = {TYPE: "type label", TAG: "tag label"}
IN, FOLDER, NAME, SPELLING, UNREAD = "in", "folder", "name", "spelling", "unread"
STALE_AFTER = "stale after"
HEADER_FIELDS = ("title", "id", "tags", "type", "description")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def header_entry(header: Header) -> Entry:
    """The entry of a concept whose text has not been looked through, so that its header alone finds it."""
    return Entry(
        id=header.path,
        header=(header.title, header.id, " ".join(header.tags), header.type, header.description),
        facets={
            **_place(header.path),
            KIND: (CONCEPT,),
            TYPE: (header.type.casefold(),),
            TAG: tuple(dict.fromkeys(tag.casefold() for tag in header.tags)),
            LABEL[TYPE]: (header.type,),
            LABEL[TAG]: tuple(dict.fromkeys(header.tags)),
            STATUS: (header.status.casefold(),),
            TRUST: (header.trust,),
            UNREAD: ("body",),
        },
        ordered={STALE_AFTER: moment(header.stale_after)} if header.stale_after else {},
        card=header.card(),
    )


def whole_entry(known: Entry, references: Mapping[str, Reference], body: str) -> Entry:
    """The entry of a concept whose text has been looked through.

    Args:
        known: Its entry by its header.
        references: What its links and path fields point to, by how they are written.
        body: Its text.
    """
    candidates = [path for reference in references.values() for path in reference.candidates]
    return Entry(
        id=known.id,
        header=known.header,
        body=body,
        facets={**known.facets, UNREAD: ()},
        ordered=known.ordered,
        edges=tuple(dict.fromkeys(map(portable_key, candidates))),
        card=known.card,
        details=texts_as_json(references) if references else "",
    )


def invalid_entry(path: str, revision: str) -> Entry:
    """The entry of a Markdown file that should be a concept and is none."""
    return Entry(id=path, facets={**_place(path), KIND: (INVALID,)}, card=json.dumps([INVALID, revision]))


def unreadable_entry(path: str, code: str, reason: str) -> Entry:
    """The entry of a Markdown file that could not be read, and has never been."""
    card = json.dumps([UNREADABLE, "", code, reason], ensure_ascii=False)
    return Entry(id=path, facets={**_place(path), KIND: (UNREADABLE,)}, card=card)


def file_entry(path: str) -> Entry:
    """The entry of a file that is no concept and need not be one."""
    return Entry(id=path, facets={**_place(path), KIND: (FILE,)}, card=f'["{FILE}",""]')


def written_references(details: str) -> list[str]:
    """How the links and path fields of a concept are written, from the details of its entry."""
    return json.loads(details) if details else []


def moment(of: datetime) -> int:
    """A time as the number that it is compared by: microseconds since 1970."""
    return (of - _EPOCH) // timedelta(microseconds=1)


def folder_value(path: str) -> str:
    """A folder as a value of the facet `FOLDER`, in which the folders of one parent stand together."""
    parent, _, name = path.rpartition("/")
    return f"{parent}\0{name}"


def folder_path(value: str) -> str:
    """The folder that a value of the facet `FOLDER` stands for."""
    parent, _, name = value.partition("\0")
    return f"{parent}/{name}" if parent else name


def _place(path: str) -> dict[str, tuple[str, ...]]:
    """Where a file lies, and under which other spellings it and its folders are found."""
    parent, _, name = path.rpartition("/")
    inside, folders, other_spellings = _place_of_folder(parent)
    key = portable_key(path)
    return {
        IN: inside,
        FOLDER: folders,
        NAME: (name,),
        SPELLING: other_spellings if key == path else (key, *other_spellings),
    }


@lru_cache(256)
def _place_of_folder(path: str) -> tuple[tuple[str], tuple[str, ...], tuple[str, ...]]:
    """The same of what lies in a folder, as far as it is up to the folder."""
    folders = list(_folders_above(path))
    spellings = [f"{key}\0{each}" for each in folders if (key := portable_key(each)) != each]
    return (path,), tuple(map(folder_value, folders)), tuple(spellings)


def _folders_above(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
