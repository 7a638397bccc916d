"""From an address to a store: built-in schemes, registered ones, and those of installed packages."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from fingerpost.errors import ConfigError, KnowledgeError, missing_package
from fingerpost.stores.addresses import (
    FILE,
    GIT_SCHEMES,
    MEMORY,
    PYTHON,
    SCHEME,
    archive_in,
    path_in,
    plain_path,
    scheme_of,
    shown,
)
from fingerpost.stores.base import DocumentStore
from fingerpost.stores.local import LocalDocumentStore
from fingerpost.stores.memory import MemoryDocumentStore

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

StoreFactory: TypeAlias = Callable[[str], DocumentStore]
"""Makes a store from a whole address, scheme included."""

ENTRY_POINT_GROUP = "fingerpost.stores"

EXTRAS = {"s3": "the store for 's3://' addresses"}
"""The schemes that an extra of the same name brings."""

_BUILT_IN = frozenset((FILE, *GIT_SCHEMES, MEMORY, PYTHON))
_registered: dict[str, StoreFactory] = {}
_lock = threading.Lock()


def from_uri(uri: str | os.PathLike[str], *, folder: str | os.PathLike[str] | None = None) -> DocumentStore:
    """The store that an address names.

    Args:
        uri: The path or "file:" address of a folder or of a .zip, .tar, .tgz or .tar.gz archive;
            "git+https:", "git+file:", "memory:" or "python:" and what belongs to it; or "scheme://..." for a
            scheme that was registered or that an installed package offers under the entry-point group
            "fingerpost.stores".
        folder: Where a relative path starts; the current directory if it is not given.

    Raises:
        ConfigError: The address is empty or malformed, its scheme is unknown, its plug-in is broken, or its
            folder does not exist.
        MissingPackageError: The package that brings the scheme, or one that it needs, is not installed.
        StoreError: The storage cannot be reached.
    """
    address = plain_path(uri)
    if not address:
        raise ConfigError(
            f"{uri!r} names no store; give the path of a folder, or an address such as 'file:///srv/kb'."
        )
    scheme = scheme_of(address) if isinstance(uri, str) else ""
    start = Path(folder or "")
    if scheme in ("", FILE):
        return _on_this_machine(address, scheme, start)
    if scheme in _BUILT_IN:
        return _built_in(address, scheme, start)
    if (factory := _registered.get(scheme)) is not None:
        return factory(address)
    return _from_plug_in(scheme, address)


def _on_this_machine(address: str, scheme: str, start: Path) -> DocumentStore:
    archive = archive_in(address)
    if archive is None:
        return LocalDocumentStore.from_uri(address) if scheme else LocalDocumentStore(_placed(address, start))
    from fingerpost.stores.archive import ArchiveDocumentStore

    path, inside = archive
    if not scheme:
        return ArchiveDocumentStore(_placed(path, start), inside)
    from urllib.parse import unquote

    return ArchiveDocumentStore(path_in(path), unquote(inside))


def _built_in(address: str, scheme: str, start: Path) -> DocumentStore:
    if scheme in GIT_SCHEMES:
        from fingerpost.stores.git import GitDocumentStore
        from fingerpost.stores.git_address import GitAddress

        return GitDocumentStore(GitAddress.parse(address, start))
    if scheme == PYTHON:
        from fingerpost.stores.loading import python_store

        return python_store(address)
    if address.partition(":")[2].strip("/"):
        raise ConfigError(
            f"The address {shown(address)!r} names nothing; write 'memory:' for an empty store."
        )
    return MemoryDocumentStore()


def _placed(path: str, start: Path) -> str:
    return path if path.startswith("~") else os.path.join(start, path)


def register(scheme: str, factory: StoreFactory) -> None:
    """Make a scheme known to `from_uri`, in this process.

    Args:
        scheme: The part of an address before "://", such as "s3"; case does not matter.
        factory: Called with the whole address.

    Raises:
        ConfigError: The scheme is malformed, built in, or registered already.
    """
    if not SCHEME.fullmatch(scheme):
        raise ConfigError(f"{scheme!r} is no scheme; use a letter and then letters, digits, '+', '.' or '-'.")
    scheme = scheme.lower()
    with _lock:
        if scheme in _BUILT_IN or scheme in _registered:
            state = "built in" if scheme in _BUILT_IN else "registered already"
            raise ConfigError(f"The scheme {scheme!r} is {state}; choose another name.")
        _registered[scheme] = factory


def _from_plug_in(scheme: str, address: str) -> DocumentStore:
    from importlib.metadata import entry_points

    offered = entry_points(group=ENTRY_POINT_GROUP)
    plug_ins = {entry.value: entry for entry in offered if entry.name.lower() == scheme}
    if not plug_ins:
        if scheme in EXTRAS:
            raise missing_package(EXTRAS[scheme], scheme)
        raise _unknown(scheme, {entry.name.lower() for entry in offered})
    if len(plug_ins) > 1:
        raise ConfigError(
            f"Several installed packages offer stores for {scheme!r} ({', '.join(sorted(plug_ins))}); "
            f"uninstall all but one."
        )
    plug_in = next(iter(plug_ins.values()))
    made = _call_plug_in(plug_in, address)
    if not isinstance(made, DocumentStore):
        raise ConfigError(
            f"{_name(plug_in)} made no DocumentStore but {type(made).__name__}; update that package."
        )
    return made


def _call_plug_in(plug_in: EntryPoint, address: str) -> object:
    try:
        factory: StoreFactory = plug_in.load()
    except KnowledgeError:
        raise
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and plug_in.name in EXTRAS:
            raise missing_package(EXTRAS[plug_in.name], plug_in.name) from error
        raise ConfigError(
            f"{_name(plug_in)} cannot be loaded ({type(error).__name__}: {error}); reinstall that package."
        ) from error
    try:
        return factory(address)
    except KnowledgeError:
        raise
    except Exception as error:
        # The error's own text stays in __cause__: it may repeat the address, and with it a password.
        raise ConfigError(
            f"{_name(plug_in)} failed with {type(error).__name__}; see that error, or update that package."
        ) from error


def _name(plug_in: EntryPoint) -> str:
    package = f" of {plug_in.dist.name}" if plug_in.dist is not None else ""
    return f"The store plug-in {plug_in.name!r} ({plug_in.value}{package})"


def _unknown(scheme: str, offered: set[str]) -> ConfigError:
    from fingerpost.text.suggest import did_you_mean, nearest

    known = sorted(offered | _BUILT_IN | _registered.keys() | EXTRAS.keys())
    sentence = (
        f"No store is known for the scheme {scheme!r}; known are {', '.join(known)}. Install the package "
        "that brings it, or register it."
    )
    return ConfigError(f"{sentence} {did_you_mean([repr(near) for near in nearest(scheme, known)])}".rstrip())
