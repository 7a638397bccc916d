"""The document store that is written to: what it holds before and after, and what others see meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

from fingerpost import DocumentStore
from fingerpost_testing.contracts.demands import broken, demand, is_a, left_out
from fingerpost_testing.contracts.store_subject import FILES, DocumentStoreSubject, called, is_young, titled

_WATCHERS = 2


class WritableStoreSubject(DocumentStoreSubject):
    """What a contract has to know of a store that is written to: `make` alone, and `again` where it can."""

    def written(self) -> DocumentStore:
        """A store that `FILES` were written to. The check is left out where the store is only read."""
        store = self.made()
        if not store.writable:
            left_out(f"{titled(store)} is not writable")
        for path, data in FILES.items():
            called(store, "write_bytes", path, data, advice="create the file")
        return store

    def another(self, store: DocumentStore) -> DocumentStore:
        """Another object over the place of a store. The check is left out where `again` makes none."""
        other = self.again(store)
        if other is None:
            left_out(f"again(store) makes no other object over the place of {titled(store)}")
        demand(
            is_a(other, DocumentStore) and other is not store,
            f"again(store) returned {other!r}; return another DocumentStore over the same place, or None.",
        )
        return self.closed_later(other)


def contents(store: DocumentStore) -> dict[str, bytes]:
    """Every file that a store lists, by its path."""
    __tracebackhide__ = True
    paths = called(store, "list", advice="list what there is")
    return {path: called(store, "read_bytes", path, advice="read what is listed") for path in paths}


def demand_contents(store: DocumentStore, expected: Mapping[str, bytes], after: str, advice: str) -> None:
    """Demand that a store holds some files and no others.

    Args:
        store: The store.
        expected: The files, by their paths.
        after: What was done before.
        advice: What to do if it holds anything else.
    """
    __tracebackhide__ = True
    found = contents(store)
    differences = {
        "holds": found.keys() - expected.keys(),
        "lacks": expected.keys() - found.keys(),
        "has other bytes in": {
            path for path in found.keys() & expected.keys() if found[path] != expected[path]
        },
    }
    named = " and ".join(f"{what} {sorted(paths)}" for what, paths in differences.items() if paths)
    demand(not named, f"After {after}, {titled(store)} {named}; {advice}.")


def demand_changes(
    store: DocumentStore, cursor: Any, changed: Collection[str], removed: Collection[str], after: str
) -> None:
    """Demand that `changes` names what was done since a cursor, and nothing else.

    Args:
        store: The store.
        cursor: What `changes` gave before.
        changed: What was created or replaced.
        removed: What was removed.
        after: What was done.
    """
    __tracebackhide__ = True
    found = called(store, "changes", cursor, advice="return what changed, or let the base class do it")
    named = [path for path in found.changed if path in changed or not is_young(cursor, path)]
    for what, names, expected in (
        ("changed", named, sorted(changed)),
        ("removed", list(found.removed), sorted(removed)),
    ):
        demand(
            names == expected,
            f"After {after}, changes(cursor) of {titled(store)} named {names} as {what} instead of "
            f"{expected}; report every write, whichever method it came by and however soon.",
        )


def demand_meanwhile(store: DocumentStore, work: Callable[[], None], look: Callable[[], str]) -> None:
    """Demand that others see nothing wrong while something is done to a store.

    Args:
        store: The store.
        work: What is done.
        look: What the others do, again and again. It returns what is wrong, and what to do, "" for nothing.
    """
    __tracebackhide__ = True
    begun, done = Event(), Event()

    def watch() -> set[str]:
        begun.set()
        seen = {look()}
        while not done.is_set():
            seen.add(look())
        return seen

    with ThreadPoolExecutor(_WATCHERS) as threads:
        watching = [threads.submit(watch) for _ in range(_WATCHERS)]
        try:
            begun.wait()
            work()
        finally:
            done.set()
    for wrong in sorted({wrong for each in watching for wrong in each.result() if wrong}):
        broken(f"While files were written, {titled(store)} {wrong}.")
