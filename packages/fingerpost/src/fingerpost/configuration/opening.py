"""Knowledge bases that are opened when they are first asked, once for all agents."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Hashable
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from fingerpost.capabilities import KnowledgeCapabilities
from fingerpost.configuration.backends import factory_of, make
from fingerpost.configuration.databases import OKF, Database
from fingerpost.configuration.reading import texts
from fingerpost.configuration.stores import open_store
from fingerpost.errors import ConfigError, KnowledgeError
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.knowledge.okf_manager import OKFManager

_logger = logging.getLogger("fingerpost.configuration")


class Shared:
    """The knowledge base of a database, opened at first use and then the same for whoever asks.

    Args:
        database: Its declaration.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._base: KnowledgeBase | None = None
        self.reset()

    def reset(self) -> None:
        """Make the lock anew: nobody is left in a forked child to release that of its parent."""
        self._lock = threading.Lock()

    def base(self) -> KnowledgeBase:
        """The knowledge base. When it cannot be opened, the next call tries again.

        Raises:
            KnowledgeError: It cannot be opened; the sentence names the database.
        """
        if self._base is None:
            with self._lock:
                if self._base is None:
                    self._base = _opened(self.database)
        return self._base

    @property
    def declared(self) -> KnowledgeCapabilities | None:
        """What its class declares, None where that is not known before one is opened."""
        kind = OKFManager if self.database.kind == OKF else factory_of(self.database.kind, self.database.name)
        declared = getattr(kind, "declared", None)
        return declared if isinstance(declared, KnowledgeCapabilities) else None


_shared: WeakValueDictionary[Hashable, Shared] = WeakValueDictionary()
_shared_lock = threading.Lock()


def _reset() -> None:
    global _shared_lock  # noqa: PLW0603 - as `Shared.reset`
    _shared_lock = threading.Lock()
    for each in list(_shared.values()):
        each.reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset)


def shared(database: Database) -> Shared:
    """What is shared by all that declare the same database in the same way, whoever may use it."""
    identity = database.identity
    with _shared_lock:
        found = _shared.get(identity)
        if found is None:
            found = _shared[identity] = Shared(database)
    return found


def _opened(database: Database) -> KnowledgeBase:
    try:
        base = _bundle(database) if database.kind == OKF else _backend(database)
    except KnowledgeError as error:
        raise ConfigError(f"The database {database.name!r} cannot be opened. {error}") from error
    if database.schema:
        base.add_schema(database.schema)
    if database.writers and not base.capabilities.writable:
        _logger.warning(
            "The database %r can only be read, and yet names agents that may write to it: %s.",
            database.name,
            ", ".join(database.writers),
        )
    return base


def _bundle(database: Database) -> KnowledgeBase:
    settings: dict[str, Any] = {
        key: value for key, value in database.settings.items() if key not in ("uri", "options")
    }
    if "curated" in settings:
        settings["curated"] = texts(settings, "curated", f"the database {database.name!r}")
    return OKFManager(open_store(database), name=database.name, description=database.description, **settings)


def _placed(setting: object, folder: Path) -> object:
    """A setting of a backend; one that is written as a relative path starts at the configuration."""
    if isinstance(setting, str) and setting.startswith(("./", "../")):
        return os.path.normpath(folder / setting)
    return setting


def _backend(database: Database) -> KnowledgeBase:
    settings = {key: _placed(value, database.folder) for key, value in database.settings.items()}
    if database.description:
        settings["description"] = database.description
    factory = factory_of(database.kind, database.name)
    return make(factory, database.kind, database.name, settings)
