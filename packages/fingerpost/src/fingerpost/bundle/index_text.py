"""The index of a folder as text: its own index.md with links made into ids, or one made of its concepts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import quote

from fingerpost.bundle.edges import Place, locate, without_leading_folders
from fingerpost.bundle.header import Header
from fingerpost.bundle.names import INDEX, SUFFIX
from fingerpost.bundle.silence import counted
from fingerpost.bundle.snapshot import Directory, Snapshot
from fingerpost.markdown.scan import Link
from fingerpost.okf.index_file import IndexFile
from fingerpost.okf.paths import Reference, resolve
from fingerpost.okf.unseen import unseen_warning
from fingerpost.tools.frame import one_line

_SAFE_IN_LINK = frozenset("/!$*+:;=@~-._")
_MARKS = {"missing": ["missing"], "invalid": ["no valid concept"], "file": ["not a concept"]}
_DESCRIPTION_CHARS = 400
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def index_text(snapshot: Snapshot, directory: Directory, own: IndexFile | None, now: datetime) -> str:
    """The index of a folder (OKF 0.2 §8).

    Args:
        snapshot: The bundle.
        directory: The folder.
        own: Its index.md, None when it has none.
        now: The moment that staleness is judged at.

    Returns:
        Markdown. Every link to something in the bundle is written from the root, so that `kb_read` or
        `kb_index` takes it, and carries the signals that a reader must not miss: deprecated, draft, stale,
        missing. What an index.md does not list follows, and what could not be listed is counted.
    """
    if own is None:
        return _synthesised(snapshot, directory, now) + _invalid_here(snapshot, directory)
    text, listed = _with_ids(snapshot, own, _join(directory.path, INDEX), now)
    missing = unlisted(snapshot, directory, listed)
    if missing.folders or missing.concepts:
        text = f"{text.rstrip()}\n\n# Not listed above\n\n{_entries(snapshot, missing, now)}"
    warning = unseen_warning(own.body, own.scan)
    return text + _invalid_here(snapshot, directory) + (f"\n({warning})\n" if warning else "")


def signals(header: Header, now: datetime) -> list[str]:
    """What a reader must know before relying on a concept: any status but stable, and staleness."""
    status = [] if header.status == "stable" else [one_line(header.status)]
    return status + _expiry(header, now)


def _expiry(header: Header, now: datetime) -> list[str]:
    if header.expiry_unreadable:
        return ["expiry unreadable"]
    return ["stale"] if header.stale(now) else []


def link_to(place: Place) -> str:
    """Something in the bundle as the destination of a Markdown link: from the root, percent-encoded."""
    path = place.path
    if place.kind in ("concept", "invalid") and not path.removesuffix(SUFFIX).endswith(SUFFIX):
        path = path.removesuffix(SUFFIX)
    return f"/{in_link(path)}/" if place.kind == "folder" and path else f"/{in_link(path)}"


def in_link(path: str) -> str:
    """A path as it stands in a Markdown link: letters of any script as they are, and the rest encoded."""
    return "".join(char if _is_plain(char) else quote(char) for char in path)


def _is_plain(char: str) -> bool:
    """Whether a character can stand in a link as it is, and be seen there."""
    if char.isascii():
        return char.isalnum() or char in _SAFE_IN_LINK
    return not char.isspace() and unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp", "Zs")


def _synthesised(snapshot: Snapshot, directory: Directory, now: datetime) -> str:
    name = one_line(directory.path.rpartition("/")[2] or "Index")
    entries = _entries(snapshot, directory, now)
    return f"# {name}\n\n{entries or 'No concepts lie in this folder.' + chr(10)}"


def _entries(snapshot: Snapshot, directory: Directory, now: datetime) -> str:
    lines = [_folder_entry(snapshot, _join(directory.path, name)) for name in directory.folders]
    headers = (snapshot.header(path) for path in directory.concepts)
    lines += [_concept_entry(header, now) for header in headers if header is not None]
    return "".join(f"{line}\n" for line in lines)


def _folder_entry(snapshot: Snapshot, path: str) -> str:
    count = snapshot.count_below(path)
    name = one_line(path.rpartition("/")[2])
    return f"* [{name}/]({link_to(Place('folder', path))}) - {counted(count, 'concept')}"


def _concept_entry(header: Header, now: datetime) -> str:
    facts = [one_line(header.type), one_line(header.status), *_expiry(header, now)]
    description = f" - {one_line(header.description, _DESCRIPTION_CHARS)}" if header.description else ""
    link = link_to(Place("concept", header.path))
    return f"* [{one_line(header.title)}]({link}){description} [{', '.join(facts)}]"


def listed_in(snapshot: Snapshot, own: IndexFile, folder: str) -> set[str]:
    """The paths of the concepts that an index.md lists, and of the folders with a slash behind.

    Args:
        snapshot: The bundle.
        own: The index.md.
        folder: The path of its folder.
    """
    return {
        path
        for _, reference in _entries_of(own, _join(folder, INDEX))
        if (path := _listed(snapshot, reference, locate(snapshot, reference.candidates)))
    }


def _entries_of(own: IndexFile, path: str) -> Iterator[tuple[Link, Reference]]:
    """The links of an index.md that lead into the bundle."""
    for link in own.scan.links:
        reference = index_reference(link, path)
        if link.kind in ("link", "wiki", "html") and reference.kind == "internal":
            yield link, reference


def _listed(snapshot: Snapshot, reference: Reference, place: Place) -> str:
    """What an entry of an index.md counts as listing, "" for nothing that there is."""
    if place.exists:
        return f"{place.path}/" if place.kind == "folder" else place.path
    meant = without_leading_folders(snapshot, reference)
    return meant.path if meant is not None else ""


def _with_ids(snapshot: Snapshot, own: IndexFile, path: str, now: datetime) -> tuple[str, set[str]]:
    """Rewrite the links of an index.md.

    Returns:
        The text, and the paths of the concepts and folders that it lists.
    """
    listed: set[str] = set()
    edits: set[tuple[int, int, str]] = set()
    for link, reference in _entries_of(own, path):
        place = locate(snapshot, reference.candidates)
        listed.add(_listed(snapshot, reference, place))
        marks = _marks(snapshot, place, now)
        meant = None if place.exists else without_leading_folders(snapshot, reference)
        if meant is not None:
            marks = [f"missing, perhaps {link_to(meant)}"]
        target = link_to(place) + (f"#{quote(reference.anchor)}" if reference.anchor else "")
        if link.kind == "wiki":
            edits.add((link.start, link.end, f"[{one_line(link.text)}]({target})"))
        else:
            edits.add((link.target_start, link.target_end, target))
        if marks:
            apart = " " if link.kind == "html" or own.body[link.end : link.end + 1] in ("(", "[", ":") else ""
            edits.add((link.end, link.end, f" [{', '.join(marks)}]{apart}"))
    pieces: list[str] = []
    position = 0
    for start, end, written in sorted(edits):
        pieces += [own.body[position:start], written]
        position = end
    return _CONTROLS.sub("", "".join([*pieces, own.body[position:]])), listed


def _marks(snapshot: Snapshot, place: Place, now: datetime) -> list[str]:
    header = snapshot.header(place.path) if place.kind == "concept" else None
    if header is not None:
        return signals(header, now)
    return _MARKS.get(place.kind, [])


def index_reference(link: Link, path: str) -> Reference:
    """Where an entry of an index.md points: from its folder and, where that leads nowhere, from the root."""
    reference = resolve(f"/{link.target}" if link.kind == "wiki" else link.target, path)
    if reference.kind != "internal":
        return reference
    from_root = resolve("/" + link.target.lstrip("/"), path)
    candidates = dict.fromkeys((*reference.candidates, *from_root.candidates))
    return Reference("internal", tuple(candidates), reference.anchor)


def unlisted(snapshot: Snapshot, directory: Directory, listed: set[str]) -> Directory:
    """The part of a folder that an index.md does not list: no link leads to it, or to all concepts within."""
    concepts = tuple(path for path in directory.concepts if path not in listed)
    folders = tuple(
        name
        for name in directory.folders
        if f"{_join(directory.path, name)}/" not in listed
        and not _all_listed(snapshot, _join(directory.path, name), listed)
    )
    return Directory(directory.path, folders, concepts)


def _all_listed(snapshot: Snapshot, folder: str, listed: set[str]) -> bool:
    count = 0
    for count, path in enumerate(snapshot.concept_paths(folder), start=1):  # noqa: B007 - it outlives the loop
        if path not in listed:
            return False
    return count > 0


def not_listed_files(snapshot: Snapshot, directory: Directory) -> int:
    """How many files of a folder should be concepts and are none that is valid, or could not be read."""
    unread = {item.path for item in snapshot.skipped if item.code in ("OKF404", "OKF405")}
    here = {path for path in unread if path.endswith(SUFFIX) and path.rpartition("/")[0] == directory.path}
    here.update(snapshot.invalid_in(directory.path))
    return sum(1 for path in here if snapshot.header(path) is None)


def _invalid_here(snapshot: Snapshot, directory: Directory) -> str:
    """A closing line that counts the files of a folder that are no valid concepts, "" when there are none."""
    count = not_listed_files(snapshot, directory)
    if not count:
        return ""
    what = "1 file of this folder is not listed: no valid concept"
    if count > 1:
        what = f"{count} files of this folder are not listed: no valid concepts"
    return f"\n({what}, or not readable.)\n"


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
