"""Ways to spoil the file of a kept index."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from fingerpost import Bundle
from tests.durability.some_bundles import answers, make_bundle

PAGE = 4096


def overwrite(file: Path, dice: random.Random) -> None:
    """Bytes at random, somewhere: a few, a page or many pages."""
    size = dice.choice([1, 4, 64, 512, PAGE, 5 * PAGE])
    with file.open("r+b") as opened:
        opened.seek(dice.randrange(max(1, file.stat().st_size - size)))
        opened.write(dice.randbytes(size))


def zero_page(file: Path, dice: random.Random) -> None:
    """A page of zeros, as a disk leaves it that lost a write."""
    with file.open("r+b") as opened:
        opened.seek(dice.randrange(file.stat().st_size // PAGE) * PAGE)
        opened.write(bytes(PAGE))


def swap_pages(file: Path, dice: random.Random) -> None:
    """A page where another one belongs, as a disk leaves it that misplaced a write."""
    data = file.read_bytes()
    one, other = dice.sample(range(len(data) // PAGE), 2)
    with file.open("r+b") as opened:
        opened.seek(one * PAGE)
        opened.write(data[other * PAGE : (other + 1) * PAGE])


def truncate(file: Path, dice: random.Random) -> None:
    """The end is missing."""
    with file.open("r+b") as opened:
        opened.truncate(dice.choice([dice.randrange(file.stat().st_size), 0, PAGE]))


def random_bytes(file: Path, dice: random.Random) -> None:
    """No database at all."""
    file.write_bytes(dice.randbytes(dice.choice([1, 100, 60_000])))


def other_version(file: Path, dice: random.Random) -> None:
    """A file of another version of this package, or of another program."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(
            f"PRAGMA {dice.choice(['user_version', 'application_id'])} = {dice.randrange(1, 999)}"
        )
        connection.commit()


def missing_table(file: Path, dice: random.Random) -> None:
    """A table that every version has is not there."""
    with closing(sqlite3.connect(file)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        connection.execute(f"DROP TABLE {dice.choice(sorted(names))}")
        connection.commit()


Damage = Callable[[Path, random.Random], None]
WAYS: tuple[Damage, ...] = (
    *(overwrite, overwrite, overwrite, overwrite, overwrite, zero_page, swap_pages),
    *(truncate, random_bytes, other_version, missing_table),
)

UNMISTAKABLE = {way.__name__ for way in (truncate, random_bytes, other_version, missing_table)}
"""Damage that SQLite cannot overlook; it keeps no checksums by which it would notice every changed byte."""


@dataclass(frozen=True, slots=True)
class Case:
    """A damage, and what a bundle answers that opens the file, or has it open already.

    Attributes:
        damage: The way it was done.
        was_open: Whether the bundle had the file open.
        wrong: Answers that are other than they should be.
        refused: Answers that are errors.
    """

    damage: str
    was_open: bool
    wrong: tuple[str, ...]
    refused: tuple[str, ...]


def cases(folder: Path, seed: int, count: int) -> Iterator[Case]:
    """Damage the kept index of a bundle in many ways, and ask the bundle each time.

    Args:
        folder: An empty folder.
        seed: Another seed makes other damage.
        count: How many cases.
    """
    dice = random.Random(seed)
    bundle, sound, cache = folder / "bundle", folder / "sound", folder / "cache"
    make_bundle(bundle, dice, 90)
    with Bundle(bundle, cache=sound) as kept:
        right = answers(kept)
    for number in range(count):
        shutil.rmtree(cache, ignore_errors=True)
        shutil.copytree(sound, cache)
        (file,) = cache.glob("*.db")
        damage, was_open = WAYS[number % len(WAYS)], number % 3 == 2
        if not was_open:
            damage(file, dice)
        with Bundle(bundle, cache=cache) as kept:
            if was_open:
                answers(kept)
                damage(file, dice)
            yield Case(damage.__name__, was_open, *differing(right, kept))


def differing(right: dict[str, object], bundle: Bundle) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a bundle answers wrongly, and what it refuses to answer."""
    try:
        found = answers(bundle)
    except Exception as error:  # noqa: BLE001 - none is right
        return (), (f"{type(error).__name__}: {error}",)
    others = [(question, answer) for question, answer in found.items() if answer != right.get(question)]
    refused = [f"{question}: {answer}" for question, answer in others if str(answer).startswith("StoreError")]
    wrong = [
        f"{question}: {answer}"[:400] for question, answer in others if f"{question}: {answer}" not in refused
    ]
    return tuple(wrong), tuple(refused)
