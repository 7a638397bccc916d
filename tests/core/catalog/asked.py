"""What the tests of catalogs have in common."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from fingerpost.catalog.base import Among, Catalog, Condition, Entry, Hits, Query


def entry(id_: str, title: str = "", body: str = "", edges: tuple[str, ...] = (), **facets: str) -> Entry:
    """An entry whose facets are given as words."""
    split = {name: tuple(value.split()) for name, value in facets.items()}
    return Entry(id_, (title, id_), body, split, {}, edges)


def filled(catalog: Catalog, *entries: Entry) -> Catalog:
    """The catalog with some entries put into it."""
    catalog.update(entries)
    return catalog


def search(
    catalog: Catalog,
    text: str,
    require: Iterable[Condition] = (),
    leave_out: Iterable[Condition] = (),
    *,
    limit: int = 20,
    offset: int = 0,
    explain: bool = False,
) -> Hits:
    """Search in a view of its own."""
    with catalog.reading() as view:
        return view.search(Query(text, tuple(require), tuple(leave_out), limit, offset, explain))


def found(
    catalog: Catalog, text: str, require: Iterable[Condition] = (), *, limit: int = 20, offset: int = 0
) -> list[str]:
    """The ids of the hits."""
    return [hit.id for hit in search(catalog, text, require, limit=limit, offset=offset).hits]


def listed(catalog: Catalog, *conditions: Condition) -> list[str]:
    """The ids of the documents that meet some conditions."""
    with catalog.reading() as view:
        return [id_ for id_, _ in view.listing(conditions)]


def tagged(*values: str, holds: bool = True) -> Among:
    """The condition on the facet "tag"."""
    return Among("tag", values, holds)


def without_segment(path: Path) -> int:
    """How many documents of an index have no segment yet."""
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT count(*) FROM recent").fetchone()[0]
