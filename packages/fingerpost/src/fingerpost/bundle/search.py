"""`Bundle.find`: a question to the catalog, and its answer with the signals of each concept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from fingerpost.bundle.shapes import FindView, HitView
from fingerpost.bundle.snapshot import Header, Snapshot
from fingerpost.catalog.base import Catalog, Hit, Query
from fingerpost.text.cutting import cut
from fingerpost.text.suggest import nearest

MAX_LIMIT = 100
_TITLE_CHARS, _DESCRIPTION_CHARS = 200, 400


def find(
    snapshot: Snapshot,
    catalog: Catalog,
    *,
    text: str,
    type_: str,
    tags: Sequence[str],
    include_deprecated: bool,
    limit: int,
    offset: int,
    now: datetime,
) -> FindView:
    """Search the concepts of a snapshot; see `Bundle.find`."""
    required = [("type", type_)] if type_ else []
    query = Query(
        text=text,
        require=(*required, *(("tag", tag) for tag in tags)),
        leave_out=() if include_deprecated else (("status", "deprecated"),),
        limit=max(1, min(MAX_LIMIT, limit)),
        offset=max(0, offset),
    )
    hits = catalog.search(query)
    view: FindView = {
        "results": [
            _hit_view(snapshot.headers[hit.id], hit, now) for hit in hits.hits if hit.id in snapshot.headers
        ],
        "total": hits.total,
        "skipped_invalid": len(snapshot.invalid),
        "left_out_deprecated": hits.left_out,
    }
    if hits.corrected:
        view["corrected"] = {word: list(spellings) for word, spellings in hits.corrected.items()}
    if not hits.total:
        view["message"] = _nothing_found(snapshot, query, hits.left_out)
    return view


def _hit_view(header: Header, hit: Hit, now: datetime) -> HitView:
    view: HitView = {
        **header.view(now),
        "title": shortened(header.title, _TITLE_CHARS),
        "description": shortened(header.description, _DESCRIPTION_CHARS),
        "snippet": hit.snippet,
    }
    if header.outdated_check:
        view["verified_before_last_change"] = True
    if header.expiry_unreadable:
        view["expiry_unreadable"] = True
    return view


def shortened(text: str, limit: int) -> str:
    """A text, cut at a blank and marked with "…" when it is longer than a listing has room for."""
    return text if len(text) <= limit else f"{cut(text, limit - 1, at=' ')}…"


def _nothing_found(snapshot: Snapshot, query: Query, left_out: int) -> str:
    """What was searched, what the silence proves, and what to try next."""
    unread = sum(item.count for item in snapshot.skipped if item.code in ("OKF404", "OKF405"))
    searched = len(snapshot.headers)
    parts = [f"{_counted(searched, 'concept')} of this bundle {_was(searched)} searched, and none matches."]
    if snapshot.invalid:
        count = len(snapshot.invalid)
        parts.append(f"{_counted(count, 'file')} {_was(count)} not searched: no valid concept.")
    if unread:
        parts.append(f"{_counted(unread, 'file')} {_was(unread)} not searched: not readable.")
    if left_out:
        found = f"{_counted(left_out, 'deprecated concept')} match" + ("es" if left_out == 1 else "")
        parts.append(f"{found}: set include_deprecated to true to see what is retired.")
    parts += [_unknown_value(snapshot, name, value) for name, value in query.require]
    if snapshot.invalid or unread or left_out or snapshot.trouble:
        parts.append("So this does not show that the bundle says nothing of it.")
    else:
        parts.append("So nothing in this bundle says it in these words; that does not make it untrue.")
    parts.append("Try fewer or other words, or call kb_index to browse.")
    return " ".join(part for part in parts if part)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _unknown_value(snapshot: Snapshot, name: str, value: str) -> str:
    known: dict[str, None] = {}
    for header in snapshot.headers.values():
        known.update(dict.fromkeys((header.type,) if name == "type" else header.tags))
    if value.casefold() in {other.casefold() for other in known}:
        return ""
    near = nearest(value, known) or sorted(known)[:12]
    return f"No concept has the {name} {value!r}; there are: {', '.join(near)}." if near else ""
