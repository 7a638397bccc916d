"""The document store that a contract is about: how it is made, and how what is in it changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from fingerpost import DocumentStore
from fingerpost_testing.contracts.contract import Contract
from fingerpost_testing.contracts.demands import ContractError, broken, call_text, demand, is_a, raised, shown

FILES = {
    "b.md": b"The bell.",
    "a.md": b"The tower.",
    "a/z.md": b"The stairs.",
    "a/b/c.md": b"The gallery.",
    "a-b/x.md": b"The yard.",
    "ملف/灯台 ü.md": "灯台 🗼".encode(),
    "raw.bin": bytes(range(256)),
    "empty.md": b"",
}
"""What a store is filled with."""

YOUNG = "~"
"""Ends the signature of a file that is reported as changed until it has another."""

MALFORMED = ("../x.md", "a/../../x.md", "a/..", "/a.md", "a\\b.md", "a\0b.md", "", ".", "//", "\udce9.md")
"""Paths that no store takes."""


class DocumentStoreSubject(Contract, ABC):
    """What a contract has to know of a store. `make` is all that must be said of one that can be written."""

    @abstractmethod
    def make(self) -> DocumentStore:
        """A new store with nothing in it. `self.folder` is there for its files."""

    def put(self, store: DocumentStore, path: str, data: bytes) -> None:
        """Create or replace a file: by `write_bytes`, unless this says how else.

        Args:
            store: What `make` made.
            path: The path.
            data: The content.
        """
        if not store.writable:
            broken(
                f"The files to look for cannot be stored, because {titled(store)} is not writable; override "
                "put(store, path, data) to store them in another way."
            )
        called(store, "write_bytes", path, data, advice="create or replace the file")

    def remove(self, store: DocumentStore, path: str) -> None:
        """Remove a file: by `delete` where the store has one of its own, unless this says how else.

        Args:
            store: What `make` made.
            path: The path.
        """
        if type(store).delete is DocumentStore.delete:
            broken(
                f"Whether {titled(store)} tells of removed files cannot be checked; override remove(store, "
                "path) to remove one."
            )
        called(store, "delete", path, advice="remove the file")

    def again(self, store: DocumentStore) -> DocumentStore | None:
        """Another object over the place where a store keeps its files, as another process would make it.

        Args:
            store: What `make` made.

        Returns:
            The other object; None where there is none, as where a store keeps its files in itself.
        """
        del store

    def malformed_paths(self) -> list[str]:
        """Paths that no store takes, among them those that would lead out of the folder."""
        return [*MALFORMED, *(path for path in self.paths_to_secrets() if not path.startswith("file:"))]

    def made(self) -> DocumentStore:
        """What `make` makes, to be closed after the test."""
        store = self.make()
        demand(is_a(store, DocumentStore), f"make() returned {store!r}; return a DocumentStore.")
        return self.closed_later(store)

    def filled(self) -> DocumentStore:
        """A store that holds `FILES`."""
        store = self.made()
        for path, data in FILES.items():
            self.put(store, path, data)
        return store


def called(store: DocumentStore, method: str, *arguments: Any, advice: str, **named: Any) -> Any:
    """What a method of a store returns, which must not raise.

    Args:
        store: The store.
        method: The name of the method.
        *arguments: What it is called with.
        advice: What to do if it raises.
        **named: What else it is called with.
    """
    __tracebackhide__ = True
    try:
        return getattr(store, method)(*arguments, **named)
    except Exception as error:
        call = call_text(method, *arguments, **named)
        raise ContractError(f"{call} of {titled(store)} raised {raised(error)}; {advice}.") from error


def refused(
    store: DocumentStore,
    method: str,
    path: str,
    kinds: type[Exception] | tuple[type[Exception], ...],
    *rest: Any,
    advice: str = "",
) -> None:
    """Demand that a method of a store raises an error of some kinds.

    Args:
        store: The store.
        method: The name of the method.
        path: What it is called with.
        kinds: The kinds, of which the first is what to raise.
        *rest: What else it is called with.
        advice: What to do if it raises none of them; to raise the first unless this says more.
    """
    __tracebackhide__ = True
    kind = (kinds if isinstance(kinds, tuple) else (kinds,))[0].__name__
    try:
        result = getattr(store, method)(path, *rest)
    except kinds:
        return
    except Exception as error:
        raise ContractError(
            f"{method}({path!r}) of {titled(store)} raised {raised(error)}; {advice or f'raise {kind}'}."
        ) from error
    broken(f"{method}({path!r}) of {titled(store)} returned {shown(result)}; {advice or f'raise {kind}'}.")


def is_young(cursor: Any, path: str) -> bool:
    """Whether a cursor holds a file that is reported as changed until it is older."""
    return (cursor.signature(path) or "").endswith(YOUNG)


def titled(store: DocumentStore) -> str:
    """A store as sentences name it."""
    return f"the store {type(store).__name__}"
