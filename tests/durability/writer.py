"""A process that writes until it is killed, and says after each update that it is done.

python -m tests.durability.writer catalog FILE SEED STEPS
python -m tests.durability.writer bundle FOLDER CACHE SEED STEPS
    python -m tests.durability.writer look FOLDER CACHE STEPS
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from pathlib import Path

from fingerpost.catalog.persisted import PersistedCatalog
from tests.durability.history import LIMITS, History, version_of
from tests.durability.some_bundles import text_of, write


def say(number: int) -> None:
    """Acknowledge an update; what was written to a pipe outlives the process."""
    os.write(1, b"%d\n" % number)


def write_catalog(file: Path, seed: int, steps: int) -> None:
    """Go on with a history from where the file ends."""
    say(-1)
    history = History(seed)
    with PersistedCatalog(file, LIMITS) as catalog:
        with catalog.reading() as view:
            first = version_of(view) + 1
        for number in range(first, first + steps):
            history.step(number).apply(catalog)
            say(number)


def write_bundle(folder: Path, cache: Path, seed: int, steps: int) -> None:
    """Edit a bundle and look at it, in turn."""
    from fingerpost import Bundle

    dice = random.Random(seed)
    say(-1)
    with Bundle(folder, cache=cache) as bundle:
        for number in range(steps):
            bundle.find("refund")
            say(number)
            edit_some(folder, dice, f"e{seed % 1000:03}n{number:03}")
            if dice.random() < 0.3:
                bundle.wait(10)


def look_at_bundle(folder: Path, cache: Path, steps: int) -> None:
    """Ask a bundle again and again, and say each time how much is found in it."""
    from fingerpost import Bundle

    with Bundle(folder, cache=cache) as bundle:
        for _ in range(steps):
            bundle.find("refund")
            bundle.wait(60)
            say(bundle.find("refund")["total"])


def edit_some(folder: Path, dice: random.Random, marker: str) -> None:
    """Change a few files, or many."""
    files = sorted(folder.rglob("*.md"))
    for file in dice.sample(files, min(len(files), dice.choice([1, 2, 5, 5, 90]))):
        write(file, text_of(marker, dice))
    match dice.randrange(6):
        case 0:
            dice.choice(files).unlink(missing_ok=True)
        case 1:
            write(folder / f"new{dice.randrange(20)}" / f"{marker}.md", text_of(marker, dice))
        case 2:
            chosen = dice.choice(files)
            if chosen.exists():
                chosen.rename(chosen.with_name(f"moved-{marker}.md"))
        case 3 if len(files) > 200:
            shutil.rmtree(dice.choice(files).parent)
        case _:
            pass


def main(arguments: list[str]) -> None:
    match arguments:
        case ["catalog", file, seed, steps]:
            write_catalog(Path(file), int(seed), int(steps))
        case ["bundle", folder, cache, seed, steps]:
            write_bundle(Path(folder), Path(cache), int(seed), int(steps))
        case ["look", folder, cache, steps]:
            look_at_bundle(Path(folder), Path(cache), int(steps))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
