"""Documents whose bodies come later: they get no segment of their own, and leave nothing behind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fingerpost.catalog.base import CatalogBusyError, Entry
from fingerpost.catalog.building import Limits
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.catalog.asked import entry, found, without_segment

LIMITS = Limits(small=2, headers=5, recent=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index.db"


def segments(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        return connection.execute("SELECT count(*) FROM segment").fetchone()[0]


def headers(count: int) -> list[Entry]:
    return [entry(f"{number}", "margin") for number in range(count)]


def whole(entries: Iterable[Entry]) -> list[Entry]:
    return [each._replace(body="of the profit") for each in entries]


@pytest.mark.parametrize("count", [3, 5])
def test_headers_are_written_without_a_segment_and_found(path: Path, count: int) -> None:
    with PersistedCatalog(path, LIMITS) as catalog:
        catalog.update(headers(count))
        assert (without_segment(path), segments(path)) == (count, 0)
        assert found(catalog, "margin") == [f"{number}" for number in range(count)]


def test_more_than_the_limit_get_a_segment(path: Path) -> None:
    with PersistedCatalog(path, LIMITS) as catalog:
        catalog.update(headers(6))
        assert (without_segment(path), segments(path)) == (0, 1)
        assert len(found(catalog, "margin")) == 6


def test_fewer_headers_than_small_updates_may_have_are_no_error(path: Path) -> None:
    with PersistedCatalog(path, Limits(small=4, headers=1)) as catalog:
        catalog.update(headers(6))
        assert (without_segment(path), segments(path)) == (0, 1)


@pytest.mark.parametrize("place", [0, 2, 3])
def test_one_body_among_them_makes_a_build_of_it(path: Path, place: int) -> None:
    entries = headers(4)
    entries[place : place + 1] = whole(entries[place : place + 1])
    with PersistedCatalog(path, LIMITS) as catalog:
        catalog.update(entries)
        assert (without_segment(path), segments(path)) == (0, 1)
        assert found(catalog, "profit") == [f"{place}"]


def test_their_bodies_leave_nothing_of_them_behind(path: Path) -> None:
    with PersistedCatalog(path, LIMITS) as catalog, PersistedCatalog.open(path) as other:
        catalog.update(headers(5))
        assert len(found(other, "margin")) == 5
        catalog.update(whole(headers(4)))
        assert (without_segment(path), segments(path)) == (1, 1)
        catalog.update([entry("new", "profit")])
        for each in (catalog, other):
            assert sorted(found(each, "margin")) == ["0", "1", "2", "3", "4"]
            assert found(each, "profit") == ["new", "0", "1", "2", "3"]


def test_they_get_a_segment_where_their_bodies_never_come(path: Path) -> None:
    with PersistedCatalog(path, LIMITS) as catalog:
        catalog.update(headers(4))
        catalog.update([entry("a", "margin")])
        assert without_segment(path) == 5
        catalog.update([entry("b", "margin")])
        assert (without_segment(path), segments(path)) == (0, 1)
        assert len(found(catalog, "margin")) == 6


def test_documents_with_a_body_count_apart(path: Path) -> None:
    with PersistedCatalog(path, LIMITS) as catalog:
        catalog.update(headers(3))
        for id_ in "abc":
            catalog.update(whole([entry(id_, "margin")]))
        assert without_segment(path) == 6  # three of each kind
        catalog.update(whole([entry("d", "margin")]))
        assert without_segment(path) == 0


@pytest.mark.parametrize("waiting", [0, 4, 9])
def test_too_many_for_a_time_when_somebody_else_builds_are_refused_in_a_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch, waiting: int
) -> None:
    monkeypatch.setattr("fingerpost.catalog.updating.PATIENCE", 0.01)
    limits = replace(LIMITS, waiting=waiting)
    with PersistedCatalog(path, LIMITS) as one, PersistedCatalog(path, limits) as other:

        def while_it_builds() -> Iterator[Entry]:
            yield from whole(headers(3))
            other.update(headers(5))  # no more than it may
            with pytest.raises(CatalogBusyError, match="Somebody else is building"):
                other.update(headers(11))
            yield entry("last", "margin", "of profit")

        one.update(while_it_builds())
        assert sorted(found(other, "margin")) == ["0", "1", "2", "3", "4", "last"]
