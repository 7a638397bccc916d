"""What is kept within a budget."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from weakref import WeakSet

import pytest

from fingerpost.catalog import epoch
from fingerpost.catalog.building import Limits
from fingerpost.catalog.kept import Kept
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.catalog.asked import entry, found


def test_what_was_asked_for_lately_stays_and_the_rest_goes() -> None:
    kept = Kept[str, int](100)
    for number, key in enumerate("abcd"):
        kept.keep(key, number, 25)  # a and b are the older half by now
    assert kept.get("a") == 0  # so that c and d are
    kept.keep("e", 4, 25)
    assert [kept.get(key) for key in "abe"] == [0, None, 4]
    assert kept.get("c") == 2


def test_no_more_is_kept_than_the_budget() -> None:
    kept = Kept[int, int](100)
    for number in range(50):
        kept.keep(number, number, 10)
    assert [kept.get(number) for number in range(45, 50)] == [45, 46, 47, 48, 49]
    assert sum(kept.get(number) is not None for number in range(50)) <= 10


def test_what_is_kept_again_counts_once_and_what_is_large_is_not_kept() -> None:
    kept = Kept[str, int](100)
    kept.keep("before", 7, 20)
    for number in range(9):
        kept.keep("a", number, 20)
    kept.keep("large", 1, 51)
    assert [kept.get(key) for key in ("a", "before", "large")] == [8, 7, None]


class Thing:
    """Something that takes room."""

    def __init__(self, size: int) -> None:
        self.size = size


@pytest.mark.parametrize("sizes", [(10, 30, 90) * 100, (10,) * 100 + (90,) * 50])
def test_what_leaves_takes_room_until_it_is_gone(sizes: Sequence[int]) -> None:
    kept = Kept[int, Thing](1000)
    alive = WeakSet[Thing]()
    for number, size in enumerate(sizes):
        thing = Thing(size)
        alive.add(thing)
        kept.keep(number, thing, size)
        del thing
        assert sum(each.size for each in alive) <= 1000


class Key(str):
    """A key that gives another thread its turn in the middle of a look-up, as a switch of threads would."""

    __slots__ = ("looks", "turn")

    def __hash__(self) -> int:
        self.looks -= 1
        if self.looks == 0:
            self.turn()
        return super().__hash__()


@pytest.mark.parametrize("looks", [1, 2, 3, 4, 5])
def test_what_leaves_while_it_is_looked_up_is_found_or_not(looks: int) -> None:
    kept = Kept[str, int](100)
    key = Key("a")
    key.looks, key.turn = 0, lambda: [kept.keep(f"x{number}", number, 25) for number in range(4)]
    kept.keep(key, 1, 25)
    kept.keep("b", 2, 25)
    kept.keep("c", 3, 25)  # "a" and "b" are the older half now
    key.looks = looks
    assert kept.get(key) in (1, None)


@pytest.mark.parametrize("looks", [1, 2, 3])
def test_what_others_keep_meanwhile_counts(looks: int) -> None:
    kept = Kept[str, Thing](1000)
    alive = WeakSet[Thing]()

    def fill(start: int) -> None:
        for number in range(start, start + 19):
            thing = Thing(25)
            alive.add(thing)
            kept.keep(str(number), thing, 25)

    key = Key("a")
    key.looks, key.turn = looks, lambda: fill(0)
    kept.keep(key, Thing(25), 25)
    fill(100)
    fill(200)
    assert len(alive) * 25 <= 1000


def test_what_is_worked_out_for_a_state_is_bounded_and_the_oldest_goes_first() -> None:
    known: dict[int, str] = {}
    for number in range(150):
        epoch.remember(known, number, "x")
    assert list(known) == list(range(50, 150))


def test_words_that_nothing_has_take_room_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epoch, "_FAMILY_BYTES", 60_000)
    kept: set[Kept[str, object]] = set()
    keep = Kept[str, object].keep

    def noted(self: Kept[str, object], key: str, value: object, size: int) -> None:
        if not value:
            kept.add(self)
        keep(self, key, value, size)

    monkeypatch.setattr(Kept, "keep", noted)
    with PersistedCatalog(tmp_path / "index.db", Limits(small=0, headers=0)) as catalog:
        catalog.update([entry("a", "margin")])
        for number in range(300):
            found(catalog, f"unknown{number}")
    (families,) = kept
    assert 50 < sum(families.get(f"unknown{number}") is not None for number in range(300)) < 250


def test_what_was_kept_under_some_keys_is_got_at_once_from_both_halves() -> None:
    kept: Kept[int, str] = Kept(20)
    kept.keep(1, "older", 6)
    kept.keep(2, "newer", 6)
    assert kept.known([2, 3, 1]) == {2: "newer", 1: "older"}
