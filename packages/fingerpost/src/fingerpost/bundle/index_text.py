"""The index of a folder as text: its own index.md with links made into ids, or one made of its concepts."""

from __future__ import annotations

from datetime import datetime
from urllib.parse import quote

from fingerpost.bundle.concept_view import link_view
from fingerpost.bundle.snapshot import INDEX, Directory, Header, Snapshot, folder_id
from fingerpost.markdown.scan import Link
from fingerpost.okf.index_file import IndexFile
from fingerpost.okf.paths import Reference, resolve
from fingerpost.tools.frame import one_line

_SAFE_IN_LINK = "/%!$&'*+:;=@~-._"


def index_text(snapshot: Snapshot, directory: Directory, own: IndexFile | None, now: datetime) -> str:
    """The index of a folder (OKF 0.2 §8).

    Args:
        snapshot: The bundle.
        directory: The folder.
        own: Its index.md, None when it has none.
        now: The moment that staleness is judged at.

    Returns:
        Markdown. Every link to something in the bundle is written from the root, as an id that `kb_read` or
        `kb_index` takes, and carries the signals that a reader must not miss: deprecated, draft, stale.
    """
    if own is None:
        return _synthesised(snapshot, directory, now)
    text, listed = _with_ids(snapshot, own, _join(directory.path, INDEX), now)
    missing = _unlisted(directory, listed)
    if missing.folders or missing.concepts:
        text = f"{text.rstrip()}\n\n# Not listed above\n\n{_entries(snapshot, missing, now)}"
    return text


def signals(header: Header, now: datetime) -> list[str]:
    """What a reader must know before relying on a concept: any status but stable, and staleness."""
    found = [] if header.status == "stable" else [one_line(header.status)]
    return [*found, "stale"] if header.stale(now) else found


def link_to(id_: str) -> str:
    """An id as the destination of a Markdown link: from the root, percent-encoded where a link needs it."""
    encoded = "".join(
        quote(char) if char.isascii() and not char.isalnum() and char not in _SAFE_IN_LINK else char
        for char in id_
    )
    return "/" + encoded.lstrip("/")


def _synthesised(snapshot: Snapshot, directory: Directory, now: datetime) -> str:
    name = directory.path.rpartition("/")[2] or "Index"
    entries = _entries(snapshot, directory, now)
    return (
        f"# {one_line(name)}\n\n{entries}"
        if entries
        else f"# {one_line(name)}\n\nNo concepts lie in this folder.\n"
    )


def _entries(snapshot: Snapshot, directory: Directory, now: datetime) -> str:
    lines = [_folder_entry(snapshot, _join(directory.path, name)) for name in directory.folders]
    lines += [_concept_entry(snapshot.headers[path], now) for path in directory.concepts]
    return "".join(f"{line}\n" for line in lines)


def _folder_entry(snapshot: Snapshot, path: str) -> str:
    count = sum(1 for concept in snapshot.headers if concept.startswith(path + "/"))
    name = one_line(path.rpartition("/")[2])
    return f"* [{name}/]({link_to(folder_id(path))}) - {count} concept{'' if count == 1 else 's'}"


def _concept_entry(header: Header, now: datetime) -> str:
    facts = ", ".join(
        [one_line(header.type), *([one_line(header.status)]), *(["stale"] if header.stale(now) else [])]
    )
    description = f" - {one_line(header.description)}" if header.description else ""
    return f"* [{one_line(header.title)}]({link_to(header.id)}){description} [{facts}]"


def _with_ids(snapshot: Snapshot, own: IndexFile, path: str, now: datetime) -> tuple[str, set[str]]:
    """Rewrite the links of an index.md to ids.

    Returns:
        The text, and the paths and folders that it lists.
    """
    body, pieces = own.body, list[str]()
    listed: set[str] = set()
    position = 0
    edits: list[tuple[int, int, str]] = []
    for link in own.scan.links:
        if link.kind not in ("link", "wiki"):
            continue
        reference = index_reference(link, path)
        if reference.kind != "internal":
            continue
        view = link_view(snapshot, reference, link.target)
        id_ = view.get("id")
        if id_ is None or not view.get("exists"):
            continue
        header = snapshot.by_id.get(id_)
        listed.add(header.path if header else id_)
        target = link_to(id_) + (f"#{quote(reference.anchor)}" if reference.anchor else "")
        written = f"[{one_line(link.text)}]({target})" if link.kind == "wiki" else target
        span = (link.start, link.end) if link.kind == "wiki" else (link.target_start, link.target_end)
        edits.append((*span, written))
        marks = signals(header, now) if header else []
        if marks:
            edits.append((link.end, link.end, f" [{', '.join(marks)}]"))
    for start, end, written in sorted(set(edits)):
        pieces += [body[position:start], written]
        position = end
    return "".join([*pieces, body[position:]]), listed


def index_reference(link: Link, path: str) -> Reference:
    """Where an entry of an index.md points: from its folder and, where that leads nowhere, from the root."""
    reference = resolve(f"/{link.target}" if link.kind == "wiki" else link.target, path)
    if reference.kind != "internal":
        return reference
    from_root = resolve("/" + link.target.lstrip("/"), path)
    candidates = dict.fromkeys((*reference.candidates, *from_root.candidates))
    return Reference("internal", tuple(candidates), reference.anchor)


def _unlisted(directory: Directory, listed: set[str]) -> Directory:
    concepts = tuple(path for path in directory.concepts if path not in listed)
    folders = tuple(
        name
        for name in directory.folders
        if folder_id(_join(directory.path, name)) not in listed
        and not any(entry.startswith(_join(directory.path, name) + "/") for entry in listed)
    )
    return Directory(directory.path, folders, concepts)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
