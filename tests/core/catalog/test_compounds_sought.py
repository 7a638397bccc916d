"""Compounds are looked for no longer than is bearable, whatever words a text is made of."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from fingerpost.catalog import spellings
from fingerpost.catalog.base import Catalog, Query
from fingerpost.catalog.building import Limits
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.persisted import PersistedCatalog
from fingerpost.catalog.spellings import wider_spellings
from tests.core.catalog.asked import entry, filled, found

ROUND = [f"{first}{last}" for first, last in product(("bank", "data", "time", "work", "port"), repeat=2)]


class Counted(MemoryCatalog):
    """A catalog that counts how often it is asked for the forms of a word."""

    asked = 0

    def forms(self, word: str) -> list[str]:
        """See `spellings.Words.forms`."""
        self.asked += 1
        return list(super().forms(word))


def test_words_made_to_be_cut_in_many_ways_are_given_up() -> None:
    known = ["".join(letters) for size in (3, 4, 5) for letters in product("an", repeat=size)]
    hostile = [f"haus{''.join(letters)}{'an' * 20}" for letters in product("an", repeat=8)]
    catalog = Counted()
    filled(catalog, entry("a", "haus"), entry("b", "text", " ".join([*known, *hostile])))
    assert len(hostile) == 256
    wider_spellings("haus", catalog)
    assert catalog.asked < 21_000


@pytest.mark.parametrize("most", [0, 1, 5, 20, 21, 40, 100])
def test_what_is_given_up_does_not_depend_on_words_that_have_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(spellings, "_MOST_PIECES", most)
    limits = Limits(small=0, headers=0, dead=100, segments=100)
    catalogs: list[Catalog] = [MemoryCatalog(), PersistedCatalog(tmp_path / "index.db", limits)]
    for catalog in catalogs:
        singles = [entry(word, word) for word in ("bank", "data", "time", "work", "port")]
        filled(catalog, *singles, *(entry(word, word) for word in ROUND))
        catalog.update(remove=ROUND[::2])
    answers = [
        [found(catalog, f"{word} missing", limit=100) for word in ("bank", "data", "time")]
        for catalog in catalogs
    ]
    assert answers[0] == answers[1]
    with catalogs[1].reading() as view:
        assert (view.search(Query("bank missing")).total > 1) == (most > 0)
    catalogs[1].close()
