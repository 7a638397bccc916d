"""What happens to an index on a disk that is full or may only be read, in a process with mounts of its own.

    unshare --map-root-user --mount python -m tests.durability.no_room SCENARIO FOLDER [SIZE]

It prints what it saw as JSON. The mounts are gone when it ends.
"""

from __future__ import annotations

import json
import logging
import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fingerpost import Bundle, StoreError
from fingerpost.catalog.persisted import PersistedCatalog
from tests.durability.history import LIMITS, History, differences, integrity, version_of
from tests.durability.some_bundles import answers, make_bundle, text_of, write

ROOT = Path(__file__).resolve().parents[2]
MODULE = "tests.durability.no_room"
LARGE = "60m"


def why_not() -> str:
    """Why no disk can be mounted here, "" when one can be."""
    if not shutil.which("unshare") or not sys.platform.startswith("linux"):
        return "a small disk needs unshare, which Linux has"
    tried = subprocess.run(
        [*_alone(), "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False
    )
    return "" if tried.returncode == 0 else "this process may not mount a disk of its own"


def _alone() -> list[str]:
    return ["unshare", "--map-root-user", "--mount"]


def seen_in(scenario: str, folder: Path, *further: str, alone: bool = True) -> dict[str, Any]:
    """Play a scenario in a process, with mounts of its own when it is alone, and return what it saw."""
    command = [*(_alone() if alone else []), sys.executable, "-m", MODULE, scenario, str(folder), *further]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{scenario} did not end, with {further}.") from None
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def _mount(place: Path, options: str) -> None:
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(place)], check=True)


def _change_mount(place: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True)


# Scenarios: each returns what it saw.


def full_disk(folder: Path, size: str) -> dict[str, Any]:
    """A catalog whose disk of so many KB runs full, and has room again later."""
    _mount(folder / "disk", f"size={size}k")
    seen = _fill(folder / "disk" / "catalog.db")
    _change_mount(folder / "disk", f"size={LARGE}")
    return seen | {"later": seen_in("go_on", folder / "disk", alone=False)}


def file_limit(folder: Path) -> dict[str, Any]:
    """A catalog whose file may not grow further, for the same reason to SQLite as a failing disk."""
    folder.mkdir(exist_ok=True)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, most))
    seen = _fill(folder / "catalog.db")
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return seen | {"later": seen_in("go_on", folder, alone=False)}


def _fill(file: Path) -> dict[str, Any]:
    """Write until that is refused, and look at what is left."""
    history, number, refusals = History(4), 0, list[str]()
    with PersistedCatalog(file, LIMITS) as catalog:
        while number < 200 and len(refusals) < 3:
            try:
                history.step(number + 1).apply(catalog)
                number += 1
            except StoreError as error:
                refusals.append(str(error))
        with catalog.reading() as view:
            found, faults = version_of(view), list(differences(view, history, number))
    return {"written": number, "found": found, "refusals": refusals, "faults": faults}


def go_on(folder: Path) -> dict[str, Any]:
    """Open the catalog that was refused room, and go on."""
    history = History(4)
    said = integrity(folder / "catalog.db")
    with PersistedCatalog(folder / "catalog.db", LIMITS) as catalog:
        with catalog.reading() as view:
            found = version_of(view)
        for number in range(found + 1, found + 30):
            history.step(number).apply(catalog)
        with catalog.reading() as view:
            faults = list(differences(view, history, found + 29))
    return {"integrity": said, "found": found, "faults": faults}


def full_for_bundle(folder: Path) -> dict[str, Any]:
    """A bundle whose kept index runs out of room: from the start, and while it is open."""
    bundle, disk = folder / "bundle", folder / "disk"
    files = make_bundle(bundle, random.Random(4), 150)
    _mount(disk, "size=100k")
    at_once = _compared(bundle, disk)
    _change_mount(disk, f"size={LARGE}")
    with Bundle(bundle, cache=disk) as kept:
        answers(kept)
        _change_mount(disk, f"size={_taken(disk) // 1024 + 8}k")
        for number, file in enumerate(files):
            write(file, text_of(f"again{number:04}", random.Random(number)))
        meanwhile = _differing(bundle, kept)
        _change_mount(disk, f"size={LARGE}")
        later = _differing(bundle, kept)
    return {"at once": at_once, "meanwhile": meanwhile, "later": later, "new": _compared(bundle, disk)}


def read_only(folder: Path) -> dict[str, Any]:
    """A bundle whose cache folder may not be written: an empty one, and one with an index in it."""
    bundle, disk = folder / "bundle", folder / "disk"
    files = make_bundle(bundle, random.Random(4), 60)
    _mount(disk, f"size={LARGE}")
    _change_mount(disk, "ro")
    empty, said_empty = _compared(bundle, disk), _said()
    _change_mount(disk, "rw")
    _compared(bundle, disk)
    _change_mount(disk, "ro")
    write(files[0], text_of("changed", random.Random(1)))
    _said()
    filled, said_filled = _compared(bundle, disk), _said()
    return {"empty": empty, "said, empty": said_empty, "filled": filled, "said, filled": said_filled}


def _taken(disk: Path) -> int:
    found = os.statvfs(disk)
    return (found.f_blocks - found.f_bfree) * found.f_frsize


def _compared(bundle: Path, cache: Path) -> list[str]:
    try:
        with Bundle(bundle, cache=cache) as kept:
            return _differing(bundle, kept)
    except StoreError as error:
        return [f"StoreError: {error}"]


def _differing(folder: Path, kept: Bundle) -> list[str]:
    """What a bundle answers otherwise than one without a kept index; a refusal is named as such."""
    with Bundle(folder, cache="") as anew:
        right = answers(anew)
    try:
        found = answers(kept)
    except StoreError as error:
        return [f"StoreError: {error}"]
    return [
        f"{question}: {found.get(question)!r}"[:400]
        for question in right
        if found.get(question) != right[question]
    ]


_records: list[str] = []


def _said() -> list[str]:
    """The warnings since the last time."""
    said = list(_records)
    _records.clear()
    return said


class _Keeping(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        _records.append(record.getMessage())


SCENARIOS: dict[str, Callable[..., dict[str, Any]]] = {
    scenario.__name__: scenario for scenario in (full_disk, file_limit, go_on, full_for_bundle, read_only)
}


def main(arguments: Iterable[str]) -> None:
    name, folder, *further = arguments
    logging.getLogger("fingerpost").addHandler(_Keeping(logging.WARNING))
    print(json.dumps(SCENARIOS[name](Path(folder), *further)))  # noqa: T201 - for the process that started this one


if __name__ == "__main__":
    main(sys.argv[1:])
