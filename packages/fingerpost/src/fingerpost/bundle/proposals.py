"""Changes that are put aside in a bundle until a person accepts them: one JSON file each, below `proposals/`.

They are no Markdown files, so that nothing in them is ever found, read or linked as knowledge.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from typing import Any, cast

from fingerpost.bundle.bundle import Bundle
from fingerpost.bundle.change import Change, check_size
from fingerpost.bundle.drafts import Stamp, check_proposed
from fingerpost.bundle.given_text import is_person
from fingerpost.bundle.names import PROPOSALS, SUFFIX, concept_id, is_reserved
from fingerpost.bundle.reading import MAX_DOCUMENT_BYTES
from fingerpost.bundle.scanned import revision_of
from fingerpost.errors import ConceptError, ConflictError, KnowledgeError, KnowledgeNotFoundError
from fingerpost.stores.base import DocumentStore

_SUFFIX = ".json"
_HALVES = re.compile("[\ud800-\udfff]")
_KEYS = ("path", "revision", "by", "at", "text")
_MOST_BYTES = 6 * MAX_DOCUMENT_BYTES + 65_536  # every character escaped, and what is said of it


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that somebody proposes.

    Attributes:
        name: What it is called.
        path: The file that it is about.
        revision: The revision that the file had; "" for a file that was not there.
        by: Who proposes it.
        at: When, as a text.
        text: What the file is to hold.
    """

    name: str
    path: str
    revision: str
    by: str
    at: str
    text: str

    def change(self, store: DocumentStore) -> Change:
        """The change that it stands for.

        Raises:
            ConflictError: The file is not what it was when this was proposed.
            KnowledgeError: It cannot be read, or nothing like that is ever written.
        """
        before = _read(store, self.path)
        after = self.text.encode()
        now = "" if before is None else revision_of(before)
        if before != after and now != self.revision:
            raise ConflictError(
                f"{concept_id(self.path)!r} was changed since {self.name!r} was proposed; reject it, and "
                "have it proposed anew."
            )
        change = Change(self.path, before, after)
        if not is_reserved(self.path.lower()):
            check_proposed(change)
        return change


def proposed(bundle: Bundle, change: Change, stamp: Stamp) -> Change:
    """The change that puts another one aside, with a note where others wait that it rules out."""
    stem = change.path.rpartition("/")[2].removesuffix(SUFFIX)
    while len(stem.encode()) > 200:
        stem = stem[:-1]
    path = f"{PROPOSALS}/{stamp.at_text[:10]}-{stem}-{os.urandom(4).hex()}{_SUFFIX}"
    values = {
        "path": change.path,
        "revision": "" if change.before is None else revision_of(change.before),
        "by": stamp.by,
        "at": stamp.at_text,
        "text": change.after.decode(),
    }
    text = json.dumps(values, ensure_ascii=False, indent=2)
    rivals = [each.name for each in proposals(bundle)[0] if each.path == change.path]
    told = f"Of the proposals for {change.id!r} only one can be accepted; there is also {', '.join(rivals)}."
    return Change(path, None, f"{text}\n".encode(), (*change.notes, told) if rivals else change.notes)


def is_proposal(path: str) -> bool:
    """Whether a file is a proposal."""
    return path.startswith(f"{PROPOSALS}/") and path.endswith(_SUFFIX)


def name_of(path: str) -> str:
    """What the proposal at a path is called."""
    return path.removeprefix(f"{PROPOSALS}/").removesuffix(_SUFFIX)


def proposals(bundle: Bundle) -> tuple[list[Proposal], dict[str, KnowledgeError]]:
    """The proposals of a bundle, the oldest first, and why others cannot be read, by name.

    Raises:
        StoreError: They cannot be listed.
    """
    found: list[Proposal] = []
    unreadable: dict[str, KnowledgeError] = {}
    for path in filter(is_proposal, bundle.store.list(PROPOSALS)):
        try:
            found.append(proposal(bundle, name_of(path)))
        except KnowledgeNotFoundError:
            continue  # somebody has decided on it meanwhile
        except KnowledgeError as error:
            unreadable[name_of(path)] = error
    return sorted(found, key=lambda each: (each.at, each.name)), unreadable


def proposal(bundle: Bundle, name: str) -> Proposal:
    """The proposal of a name.

    Raises:
        KnowledgeNotFoundError: There is none.
        ConceptError: It is none.
    """
    path, data = stored(bundle, name)
    try:
        values: Any = json.loads(data)
        fields = [values[key] for key in _KEYS]
    except (ValueError, TypeError, LookupError, RecursionError):
        fields = []
    is_one = bool(fields) and all(map(_is_text, fields)) and fields[0].endswith(SUFFIX)
    if not is_one or is_person(fields[_KEYS.index("by")]):
        raise ConceptError(f"{path!r} is no proposal that can be read; look at it, and reject it.")
    return Proposal(name_of(path), *cast("list[str]", fields))


def _is_text(value: object) -> bool:
    """Whether a value is a text that a file can hold, without half a character in it."""
    return isinstance(value, str) and not _HALVES.search(value)


def accept(bundle: Bundle, name: str) -> Change:
    """Make the change that was proposed, and put the proposal away.

    Raises:
        ConflictError: The file was changed meanwhile; nothing was written.
        KnowledgeError: It cannot be written; nothing was.
    """
    change = proposal(bundle, name).change(bundle.store)
    check_size(change)
    bundle.store.swap_bytes(change.path, change.before, change.after)
    bundle.reader.pace.hurry()
    reject(bundle, name)
    return change


def reject(bundle: Bundle, name: str) -> None:
    """Put a proposal away.

    Raises:
        KnowledgeNotFoundError: There is none.
        KnowledgeError: It cannot be removed.
    """
    path, data = stored(bundle, name)
    bundle.store.swap_bytes(path, data, None)
    bundle.reader.pace.hurry()


def stored(bundle: Bundle, name: str) -> tuple[str, bytes]:
    """Where the proposal of a name lies, and what is stored there.

    Raises:
        KnowledgeNotFoundError: There is none.
        StoreError: It cannot be read.
    """
    path = DocumentStore.normalise(f"{PROPOSALS}/{name_of(name)}{_SUFFIX}")
    data = _read(bundle.store, path, _MOST_BYTES)
    if data is None:
        raise KnowledgeNotFoundError(f"There is no proposal {name!r}; list those that there are.")
    return path, data


def _read(store: DocumentStore, path: str, most: int = MAX_DOCUMENT_BYTES) -> bytes | None:
    try:
        return store.read_bytes(path, most)
    except KnowledgeNotFoundError:
        return None
