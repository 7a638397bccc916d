"""An index that begins as a copy of another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingerpost.catalog.base import Entry
from fingerpost.catalog.copying import begin_as_copy
from fingerpost.catalog.persisted import PersistedCatalog


def entry(id_: str, text: str) -> Entry:
    return Entry(id=id_, header=(text,), body="", card=id_)


def ids(catalog: PersistedCatalog) -> list[str]:
    with catalog.reading() as view:
        return sorted(id_ for id_, _ in view.listing())


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "source.db"
    with PersistedCatalog.open(path) as catalog:
        catalog.update([entry("a", "apple"), entry("b", "berry")], notes={"n": "1"})
    return path


def test_a_copy_holds_the_same_and_goes_its_own_way(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "copy.db"
    with PersistedCatalog.open(source) as first:
        first.update([entry("c", "cherry")])  # what stands in the log alone is copied too
        assert begin_as_copy(path, source, "copied") is True
        with PersistedCatalog.open(path) as second:
            assert ids(second) == ["a", "b", "c"]
            with first.reading() as one, second.reading() as other:
                assert one.origin != other.origin
                assert other.generation >= other.origin > one.generation
                assert dict(one.notes()) == {"n": "1"}
                assert dict(other.notes()) == {"n": "1", "copied": "1"}
                known = one.generation
            second.update([entry("d", "date")], ["a"])
            first.update([entry("e", "elder")])
            assert (ids(first), ids(second)) == (["a", "b", "c", "e"], ["b", "c", "d"])
            left = second.update([entry("x", "x")], since=known)
            assert left == {"x"}, "what was worked out from the other one is refused"
    assert [file.name for file in tmp_path.glob("*.copy*")] == []


def test_what_is_there_stays_and_what_is_no_index_is_not_copied(source: Path, tmp_path: Path) -> None:
    there, damaged, path = tmp_path / "there.db", tmp_path / "damaged.db", tmp_path / "copy.db"
    with PersistedCatalog.open(there) as catalog:
        catalog.update([entry("z", "z")])
    assert begin_as_copy(there, source, "copied") is False
    with PersistedCatalog.open(there) as catalog:
        assert ids(catalog) == ["z"]
    damaged.write_bytes(b"nonsense" * 1000)
    assert begin_as_copy(path, damaged, "copied") is False
    damaged.write_bytes(b"")
    assert begin_as_copy(path, damaged, "copied") is False
    assert begin_as_copy(path, tmp_path / "none.db", "copied") is False
    assert not path.exists()
    assert not (tmp_path / "none.db").exists()
