"""A process of a crowd that uses one index; it is given a `Member` as JSON, and prints what it saw."""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from fingerpost import Bundle
from fingerpost.catalog.base import Catalog, Entry, Query
from fingerpost.catalog.persisted import PersistedCatalog
from tests.durability.history import LIMITS
from tests.durability.some_bundles import write

DOCUMENTS = 32
MOST_WRITERS = 4


@dataclass(frozen=True, slots=True)
class Member:
    """A process of a crowd.

    Attributes:
        kind: "catalog" or "bundle", which is what it uses.
        role: "reader" or "writer".
        place: The file of the catalog, or the folder of the bundle.
        cache: The folder of the kept index, for a bundle.
        number: Its number among those of its role.
        threads: How many threads do the same.
        seconds: How long each of them goes on.
        looks: How many answers each asks for, or updates it makes, at most.
        pause: Seconds between two of them, on average.
        stop: A file that ends it all once it exists.
    """

    kind: str
    role: str
    place: str
    cache: str
    number: int
    threads: int
    seconds: float
    looks: int
    pause: float
    stop: str


@dataclass
class Seen:
    """What a member of a crowd saw.

    Attributes:
        looks: How many answers it got, or updates it made.
        longest: The longest that it waited for one, in seconds.
        faults: What was wrong.
    """

    looks: int = 0
    longest: float = 0.0
    faults: list[str] = field(default_factory=list[str])

    def repeat(self, look: Callable[[], str], member: Member, until: float) -> None:
        """Look again and again, until something is wrong."""
        stop = Path(member.stop)
        while self.looks < member.looks and time.monotonic() < until and not (self.faults or stop.exists()):
            start = time.monotonic()
            try:
                fault = look()
            except Exception:  # noqa: BLE001 - whatever it is, it should not have happened
                fault = traceback.format_exc()
            self.longest = max(self.longest, time.monotonic() - start)
            self.looks += 1
            time.sleep(member.pause * 2 * random.random())
            if fault:
                self.faults.append(fault)


def catalog_reader(catalog: Catalog) -> Callable[[], str]:
    """Looks whether one view shows one version everywhere, and none that is older than the last."""
    last = -1

    def look() -> str:
        nonlocal last
        with catalog.reading() as view:
            before, last = last, view.generation
            version = view.notes().get("version", "")
            found = {
                "cards": {card for _, card in view.listing()},
                "values": set(view.values("version")),
                "hits": {hit.card for hit in view.search(Query(f"version{version}", limit=100)).hits},
            }
            count = view.search(Query(f"version{version}")).total
        if last < before:
            return f"Generation {last} came after {before}."
        if not version:
            return "" if not any(found.values()) else f"No version, but {found}."
        if count != DOCUMENTS or any(versions != {version} for versions in found.values()):
            return f"The note says {version}, and {count} documents hold it: {found}."
        return ""

    return look


def catalog_writer(catalog: Catalog, number: int) -> Callable[[], str]:
    """Sets one version in a note and in all documents."""
    version = number

    def look() -> str:
        nonlocal version
        version += MOST_WRITERS
        body = f"version{version} refund invoice number{number}"
        facets = {"version": (str(version),)}
        put = [
            Entry(f"doc/{id_}", (f"Document {id_}",), body, facets, card=str(version))
            for id_ in range(DOCUMENTS)
        ]
        catalog.update(put, notes={"version": str(version)})
        return ""

    return look


def version_on_disk(file: Path) -> int:
    """The version in a file of the bundle of a crowd."""
    return int(file.read_text(encoding="utf-8").split("version", 2)[1].split()[0])


def bundle_writer(folder: Path, number: int) -> Callable[[], str]:
    """Replaces the files of its own, one after the other, each time with the next version."""
    turns = 0

    def look() -> str:
        nonlocal turns
        turns += 1
        file = folder / f"note{(turns * MOST_WRITERS + number) % DOCUMENTS}.md"
        version = version_on_disk(file) + 1
        beside = file.with_name(f".{number}")
        write(beside, bundle_text(file.stem, version))
        beside.replace(file)
        return ""

    return look


def bundle_text(name: str, version: int) -> str:
    """A file that says its version in each of its parts."""
    head = f"type: Note\ntitle: version{version} of {name}\ntags: [version{version}]"
    return f"---\n{head}\n---\nThis is version{version} of {name}.\n"


def bundle_reader(bundle: Bundle, folder: Path, number: int) -> Callable[[], str]:
    """Looks whether answers are as new as the file was, and of one version."""
    turns = number

    def look() -> str:
        nonlocal turns
        turns += 7
        name = f"note{turns % DOCUMENTS}"
        before = version_on_disk(folder / f"{name}.md")
        if turns % 2:
            concept = bundle.read(name)
            told = {concept["title"].split()[0], *concept["tags"], concept["body"].split()[2]}
        else:
            hits = [hit for hit in bundle.find(f"of {name}", limit=100)["results"] if hit["id"] == name]
            told = {hit["title"].split()[0] for hit in hits}
        after = version_on_disk(folder / f"{name}.md")
        if len(told) != 1 or not before <= int(next(iter(told)).removeprefix("version")) <= after:
            return f"{name} was version {before} before and {after} after, and the answer was {told}."
        return ""

    return look


def looks_of(member: Member, shared: Bundle | Catalog) -> Iterator[Callable[[], str]]:
    """What each thread of a member does again and again."""
    for thread in range(member.threads):
        if isinstance(shared, Bundle):
            folder = Path(member.place)
            writes = member.role == "writer"
            yield bundle_writer(folder, member.number) if writes else bundle_reader(shared, folder, thread)
        elif member.role == "writer":
            yield catalog_writer(shared, member.number)
        else:
            yield catalog_reader(shared)


def main(arguments: list[str]) -> None:
    member = Member(**json.loads(arguments[0]))
    place = Path(member.place)
    opened = Bundle(place, cache=member.cache) if member.kind == "bundle" else _catalog(place, member.number)
    with opened as shared:
        looks = list(looks_of(member, shared))
        all_seen = [Seen() for _ in looks]
        until = time.monotonic() + member.seconds
        workers = [
            threading.Thread(target=seen.repeat, args=(look, member, until))
            for seen, look in zip(all_seen, looks, strict=True)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    os.write(1, json.dumps([asdict(seen) for seen in all_seen]).encode())


def _catalog(file: Path, number: int) -> PersistedCatalog:
    """Half of the processes write segments all the time, the others hardly ever."""
    return PersistedCatalog(file, LIMITS) if number % 2 else PersistedCatalog(file)


if __name__ == "__main__":
    main(sys.argv[1:])
