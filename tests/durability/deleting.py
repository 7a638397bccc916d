"""An index that is deleted while several processes have it open."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

from fingerpost import Bundle
from tests.durability.killing import ROOT
from tests.durability.some_bundles import answers, make_bundle, text_of, write


def deleted_while_open(folder: Path, seed: int, rounds: int) -> list[str]:
    """Delete the cache folder again and again, while this process and others have the index open.

    Args:
        folder: An empty folder.
        seed: Another seed deletes other files.
        rounds: How often.

    Returns:
        What was answered wrongly, or failed.
    """
    dice = random.Random(seed)
    bundle, busy, cache = folder / "bundle", folder / "busy", folder / "cache"
    files = make_bundle(bundle, dice, 40)
    make_bundle(busy, dice, 40)
    command = [sys.executable, "-m", "tests.durability.writer"]
    tasks = [
        ["look", str(bundle), str(cache), str(rounds * 5)],
        ["bundle", str(busy), str(cache), str(seed), str(rounds * 3)],
    ]
    others = [subprocess.Popen([*command, *task], cwd=ROOT, stdout=subprocess.PIPE) for task in tasks]
    faults: list[str] = []
    with Bundle(bundle, cache=cache) as one, Bundle(bundle, cache=cache) as other:
        for number in range(rounds):
            write(dice.choice(files), text_of(f"round{number:03}", dice))
            _delete(cache, dice)
            with Bundle(bundle, cache="") as anew:
                right = answers(anew)
            for name, kept in (("one", one), ("other", other)):
                found = answers(kept)
                faults += [
                    f"Round {number}, {name}, {question}"
                    for question in right
                    if found.get(question) != right[question]
                ]
    for process in others:
        process.communicate(timeout=120)
        faults += ["Another process failed."] if process.returncode else []
    return faults


def _delete(cache: Path, dice: random.Random) -> None:
    """All of the folder, or some files in it, as a tidy user or system does."""
    if dice.random() < 0.5:
        shutil.rmtree(cache, ignore_errors=True)
        return
    for file in sorted(cache.iterdir()) if cache.is_dir() else []:
        if dice.random() < 0.6:
            file.unlink(missing_ok=True)
