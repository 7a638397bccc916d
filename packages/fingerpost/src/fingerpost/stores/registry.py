"""From an address to a store: the built-in "file" scheme, registered schemes, and installed plug-ins."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from fingerpost.errors import ConfigError, KnowledgeError
from fingerpost.stores.base import DocumentStore, plain_path
from fingerpost.stores.local import LocalDocumentStore

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

StoreFactory: TypeAlias = Callable[[str], DocumentStore]
"""Makes a store from a whole address, scheme included."""

ENTRY_POINT_GROUP = "fingerpost.stores"

_BUILT_IN: dict[str, StoreFactory] = {"file": LocalDocumentStore.from_uri}
_registered: dict[str, StoreFactory] = {}
_lock = threading.Lock()

# At least two letters, so that a Windows drive is no scheme.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+")
_ADDRESS = re.compile(rf"({_SCHEME.pattern})://|(file):", re.IGNORECASE)


def from_uri(uri: str | os.PathLike[str]) -> DocumentStore:
    """The store that an address names.

    Args:
        uri: A plain path ("kb", "~/kb"), "file:///srv/kb", or "scheme://..." for a scheme that was registered
            or that an installed package offers under the entry-point group "fingerpost.stores".

    Raises:
        ConfigError: The address is empty, its scheme is unknown, its plug-in is broken, or its folder does
            not exist.
        MissingPackageError: The plug-in lacks a package.
        StoreError: The storage cannot be reached.
    """
    address = plain_path(uri)
    if not address:
        raise ConfigError(
            f"{uri!r} names no store; give the path of a folder, or an address such as 'file:///srv/kb'."
        )
    scheme = scheme_of(address) if isinstance(uri, str) else ""
    if not scheme:
        return LocalDocumentStore(address)
    if (factory := _BUILT_IN.get(scheme) or _registered.get(scheme)) is not None:
        return factory(address)
    return _from_plug_in(scheme, address)


def scheme_of(address: str) -> str:
    """The scheme of an address in lower case, "" for a plain path."""
    matched = _ADDRESS.match(address)
    return (matched[1] or matched[2]).lower() if matched else ""


def register(scheme: str, factory: StoreFactory) -> None:
    """Make a scheme known to `from_uri`, in this process.

    Args:
        scheme: The part of an address before "://", such as "s3"; case does not matter.
        factory: Called with the whole address.

    Raises:
        ConfigError: The scheme is malformed, built in, or registered already.
    """
    if not _SCHEME.fullmatch(scheme):
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

    known = sorted(offered | _BUILT_IN.keys() | _registered.keys())
    sentence = (
        f"No store is known for the scheme {scheme!r}; known are {', '.join(known)}. Install the package "
        "that brings it, or register it."
    )
    return ConfigError(f"{sentence} {did_you_mean([repr(near) for near in nearest(scheme, known)])}".rstrip())
