"""`Bundle.find`: a question to the catalog, and its answer with the signals of each concept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from fingerpost.bundle.shapes import FindView, HitView
from fingerpost.bundle.snapshot import Header, Snapshot
from fingerpost.catalog.base import Catalog, Hit, Query
from fingerpost.text.suggest import nearest

MAX_LIMIT = 100


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
        "id": header.id,
        "type": header.type,
        "title": header.title,
        "description": header.description,
        "status": header.status,
        "trust": header.trust,
        "stale": header.stale(now),
        "snippet": hit.snippet,
    }
    if header.outdated_check:
        view["verified_before_last_change"] = True
    return view


def _nothing_found(snapshot: Snapshot, query: Query, left_out: int) -> str:
    """What was searched, what the silence proves, and what to try next."""
    parts = [f"None of the {len(snapshot.headers)} concepts of this bundle matches."]
    if snapshot.invalid:
        parts.append(f"{len(snapshot.invalid)} files are no valid concepts and were not searched.")
    if left_out:
        parts.append(f"{left_out} deprecated concepts match: set include_deprecated to true to see them.")
    parts += [_unknown_value(snapshot, name, value) for name, value in query.require]
    parts.append(
        "That shows that nothing in this bundle says it in these words, not that it is untrue. "
        "Try fewer or other words, or call kb_index to browse."
    )
    return " ".join(part for part in parts if part)


def _unknown_value(snapshot: Snapshot, name: str, value: str) -> str:
    known: dict[str, None] = {}
    for header in snapshot.headers.values():
        known.update(dict.fromkeys((header.type,) if name == "type" else header.tags))
    if value.casefold() in {other.casefold() for other in known}:
        return ""
    near = nearest(value, known) or sorted(known)[:12]
    return f"No concept has the {name} {value!r}; there are: {', '.join(near)}." if near else ""
