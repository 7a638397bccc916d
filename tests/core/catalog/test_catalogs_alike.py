"""The persisted catalog answers like the reference: random documents, updates and questions."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fingerpost.catalog import searching
from fingerpost.catalog.base import Among, AtMost, Catalog, Condition, Entry, Query
from fingerpost.catalog.building import Limits
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.persisted import PersistedCatalog

WORDS = (
    "refund refunds policy policies margin shop shops bike bikes bicycle liquidity lager haus hausverwaltung "
    "verwaltung kundendaten kunden daten datenbank bank banks perfume musk must white v2 1002 ab the what is "
    "مراكش مراكس مدرسة المدرسة أحمد 退款政策 退款 政策 東京都 café cafe kündigung kuendigung straße strasse "
    "orderId order"
).split()


class Chance(random.Random):
    """Random documents, updates and questions."""

    def text(self, most: int) -> str:
        return " ".join(self.choice(WORDS) for _ in range(self.randint(0, most)))

    def entry(self) -> Entry:
        number = self.randint(0, 40)
        return Entry(
            id=f"d{number}",
            header=() if self.random() < 0.1 else tuple(self.text(4) for _ in range(self.randint(1, 3))),
            body=self.text(25),
            facets={"tag": tuple(self.choices("abc", k=self.randint(0, 2))), "type": (self.choice("xyz"),)},
            ordered={"due": self.randint(-3, 3)} if self.random() < 0.6 else {},
            edges=tuple(f"e{self.randint(0, 5)}" for _ in range(self.randint(0, 2))),
            card=f"card {self.random()}",
            details=f"details {number}",
        )

    def condition(self) -> Condition:
        if self.random() < 0.3:
            return AtMost("due", self.randint(-4, 4), self.random() < 0.6)
        values = tuple(self.choices("abcxyz", k=self.randint(1, 3)))
        return Among(self.choice(["tag", "type"]), values, self.random() < 0.7)

    def misspelt(self, word: str) -> str:
        place = self.randrange(max(1, len(word) - 1))
        before, here, after = word[:place], word[place : place + 2], word[place + 2 :]
        return before + self.choice([here[:1], here[::-1], "x" + here, "q" + here[1:]]) + after

    def query(self) -> Query:
        words = [self.choice(WORDS) for _ in range(self.choice([0, 1, 1, 2, 2, 3, 4]))]
        return Query(
            " ".join(self.misspelt(word) if self.random() < 0.3 else word for word in words),
            tuple(self.condition() for _ in range(self.choice([0, 0, 0, 1, 2]))),
            tuple(self.condition() for _ in range(self.choice([0, 0, 1]))),
            limit=self.choice([1, 2, 3, 5, 20, 100]),
            offset=self.choice([0, 0, 0, 1, 3, 7]),
            explain=self.random() < 0.5,
        )

    def limits(self) -> Limits:
        return Limits(
            small=self.choice([0, 2, 64]),
            headers=self.choice([0, 5, 2000]),
            waiting=1000,
            recent=self.choice([0, 3, 10]),
            memory=self.choice([1, 3000, 10**8]),
            segments=self.choice([1, 2, 6]),
            dead=self.choice([0, 30, 90]),
        )


def assert_alike(reference: Catalog, persisted: Catalog, chance: Chance) -> None:
    with reference.reading() as right, persisted.reading() as view:
        for _ in range(20):
            query = chance.query()
            assert view.search(query) == right.search(query), query
        condition = chance.condition()
        assert list(view.listing()) == list(right.listing())
        assert list(view.listing((condition,), after="d2", limit=3)) == list(
            right.listing((condition,), after="d2", limit=3)
        )
        assert view.count((condition,)) == right.count((condition,))
        assert view.notes() == right.notes()
        for facet in ("tag", "type"):
            assert list(view.values(facet)) == list(right.values(facet))
        for edge in range(6):
            assert view.sources(f"e{edge}") == right.sources(f"e{edge}")
        for number in range(12):
            assert view.card(f"d{number}") == right.card(f"d{number}")
            assert view.details(f"d{number}") == right.details(f"d{number}")


@pytest.mark.parametrize("is_in_file", [True, False], ids=["file", "memory"])
@pytest.mark.parametrize("seed", range(40))
def test_answers_are_the_same_after_every_update(
    seed: int, is_in_file: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Chance(seed)
    if seed % 2:  # so that the ways of many documents are taken with a few
        monkeypatch.setattr(searching, "_FEW", 0)
        monkeypatch.setattr(searching, "_FEW_IDS", 0)
    reference = MemoryCatalog()
    seen: list[tuple[int, int]] = []
    with PersistedCatalog(tmp_path / "index.db" if is_in_file else None, chance.limits()) as persisted:
        for _ in range(chance.randint(1, 6)):
            with reference.reading() as right, persisted.reading() as view:
                seen.append((right.generation, view.generation))
            since = (None, None) if chance.random() < 0.6 else chance.choice(seen)
            put = [chance.entry() for _ in range(chance.choice([0, 1, 3, 10, 20]))]
            remove = [f"d{chance.randint(0, 20)}" for _ in range(chance.choice([0, 0, 2, 5]))]
            notes = {
                f"n{chance.randint(0, 3)}": chance.choice(["", "x"]) for _ in range(chance.choice([0, 1]))
            }
            left = persisted.update(put, remove, notes, since=since[1])
            assert left == reference.update(put, remove, notes, since=since[0])
            assert_alike(reference, persisted, chance)


def test_many_documents_are_ranked_alike() -> None:
    chance = Chance(7)
    entries = [
        Entry(f"{number}", (chance.text(5),), chance.text(60), {"tag": (chance.choice("abc"),)})
        for number in range(1500)
    ]
    reference = MemoryCatalog()
    reference.update(entries)
    with PersistedCatalog.open(None) as persisted:
        persisted.update(entries)
        with reference.reading() as right, persisted.reading() as view:
            for _ in range(60):
                query = chance.query()
                assert view.search(query) == right.search(query), query
