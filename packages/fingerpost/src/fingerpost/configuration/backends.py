"""Kinds of knowledge bases that a configuration can name: registered, or of installed packages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, TypeAlias

from fingerpost.errors import ConfigError
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.stores.loading import called, load, loaded
from fingerpost.text.suggest import did_you_mean, nearest

BackendFactory: TypeAlias = Callable[..., KnowledgeBase]
"""Makes a knowledge base of its name and the settings of a configuration, by keyword."""

GROUP = "fingerpost.backends"

_registered: dict[str, BackendFactory] = {}
_lock = threading.Lock()


def register_backend(kind: str, factory: BackendFactory) -> None:
    """Make a kind of knowledge base known to configurations, in this process.

    Args:
        kind: What `type` calls it.
        factory: A class of knowledge bases, or a function that makes one. It is called with the name of the
            database and its settings, by keyword.

    Raises:
        ConfigError: The kind is "okf", has a dot, or is registered already.
    """
    if not kind.strip() or kind == "okf" or "." in kind:
        raise ConfigError(
            f"{kind!r} cannot be registered as a backend; choose a name of its own without a dot."
        )
    with _lock:
        if kind in _registered:
            raise ConfigError(f"The backend {kind!r} is registered already; choose another name.")
        _registered[kind] = factory


def factory_of(kind: str, name: str) -> BackendFactory:
    """What makes the knowledge bases of a kind.

    Args:
        kind: What `type` says.
        name: The database that says so.

    Raises:
        ConfigError: Nothing does; the sentence lists what there is.
    """
    if kind in _registered:
        return _registered[kind]
    if "." in kind:
        return load(kind, f"The type {kind!r} of the database {name!r}")
    from importlib.metadata import entry_points

    offered = {entry.name: entry for entry in entry_points(group=GROUP)}
    if kind not in offered:
        known = sorted({"okf", *_registered, *offered})
        hint = did_you_mean(nearest(kind, known)) or "Install the package that brings it, or register it."
        raise ConfigError(
            f"The database {name!r} has the type {kind!r}, which nothing brings; there are "
            f"{', '.join(known)}. {hint}"
        )
    what = f"The backend {kind!r} ({offered[kind].value})"
    return loaded(offered[kind].load, what, "reinstall the package that brings it")


def make(factory: BackendFactory, kind: str, name: str, settings: Mapping[str, Any]) -> KnowledgeBase:
    """A knowledge base of a kind.

    Args:
        factory: What makes it.
        kind: What `type` says.
        name: The database, which is given as `name` where the factory takes one.
        settings: All else, by keyword; a `description` where the factory takes one.

    Raises:
        ConfigError: Its settings are wrong, it fails, or what is made is none.
    """
    given = {"name": name, **settings}
    optional = [key for key in ("name", "description") if key in given and not _takes(factory, key)]
    for key in optional:
        del given[key]
    made = called(factory, f"The database {name!r} ({kind})", **given)
    if not isinstance(made, KnowledgeBase):
        raise ConfigError(f"The type {kind!r} made no KnowledgeBase; correct the type.")
    return made


def _takes(factory: BackendFactory, keyword: str) -> bool:
    """Whether a factory can be given a keyword."""
    try:
        parameters = signature(factory).parameters
    except (TypeError, ValueError):
        return True
    any_ = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values())
    return any_ or keyword in parameters
