"""The catalog on disk, which several processes share: one writes at a time, nobody who reads ever waits."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from fingerpost.catalog.base import Catalog, CatalogEmptiedError, Entry, View
from fingerpost.catalog.building import Limits
from fingerpost.catalog.database import Database
from fingerpost.catalog.epoch import Epoch
from fingerpost.catalog.index import Index
from fingerpost.catalog.state import State
from fingerpost.catalog.trouble import DamagedError
from fingerpost.catalog.updating import Updater
from fingerpost.catalog.view import PersistedView

_STATES_KEPT = 4
_logger = logging.getLogger("fingerpost.catalog")


class PersistedCatalog(Catalog):
    """A catalog in an SQLite file, or in memory."""

    def __init__(self, path: Path | None, limits: Limits = Limits()) -> None:  # noqa: B008 - it is frozen
        """Open a catalog.

        Args:
            path: The file; None for memory.
            limits: When to write and to merge segments.

        Raises:
            CatalogError: If the file can be neither opened nor made.
        """
        self._database = Database(path)
        self._updater = Updater(self._database, limits)
        self._start()

    @classmethod
    def open(cls, path: Path | None) -> PersistedCatalog:
        """Open a catalog, making the file when it is not there or not usable.

        Args:
            path: The file, whose folder is made as well; None for memory.

        Raises:
            CatalogError: If the file can be neither opened nor made.
        """
        return cls(path)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use it as well; not so in memory."""
        return bool(self._database.path)

    @property
    def is_busy(self) -> bool:
        """See `Catalog.is_busy`."""
        with self._database.building(0) as is_mine:
            return not is_mine

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._epoch: Epoch | None = None
        self._states: dict[tuple[int, int], State] = {}

    @contextmanager
    def reading(self) -> Generator[View]:
        """See `Catalog.reading`.

        Raises:
            CatalogError: If it cannot be read.
        """
        with ExitStack() as stack:
            try:
                view = self._open_view(stack)
            except DamagedError as damage:
                stack.close()
                self._discard(damage)
                view = self._open_view(stack)
            yield view

    def _open_view(self, stack: ExitStack) -> View:
        connection = stack.enter_context(self._database.reading())
        with self._database.translated():
            return self._view(connection)

    def _view(self, connection: sqlite3.Connection) -> View:
        if self._process != os.getpid():
            self._start()
        seen: tuple[int, int] = connection.execute("SELECT generation, epoch FROM state").fetchone()
        with self._lock:
            epoch, state = self._epoch, self._states.get(seen)
        if epoch is None or epoch.number != seen[1]:
            epoch, state = Epoch.load(connection, seen[1]), None
        if state is None:
            epoch, state = self._learn(epoch, State.load(connection), connection)
        return PersistedView(connection, Index(connection, epoch, state), state, self._guard)

    def _learn(self, epoch: Epoch, state: State, connection: sqlite3.Connection) -> tuple[Epoch, State]:
        """Keep what was loaded for others, unless they know something newer; what is older serves once."""
        with self._lock:
            if self._epoch is not None and self._epoch.number == epoch.number:
                epoch = self._epoch
            epoch.recent.absorb(connection)
            if self._epoch is None or self._epoch.number <= epoch.number:
                self._epoch = epoch
                self._states[state.generation, state.epoch] = state
                while len(self._states) > _STATES_KEPT:
                    del self._states[next(iter(self._states))]
        return epoch, state

    def update(
        self,
        put: Iterable[Entry] = (),
        remove: Iterable[str] = (),
        notes: Mapping[str, str] | None = None,
        *,
        since: int | None = None,
    ) -> frozenset[str]:
        """See `Catalog.update`."""
        try:
            return self._updater.update(put, remove, notes or {}, since)
        except DamagedError as damage:
            raise self._discard(damage) from damage

    def _discard(self, damage: DamagedError) -> CatalogEmptiedError:
        """Begin anew, empty; what to tell the owner is returned."""
        _logger.warning("The index %s was damaged (%s) and is begun anew.", self._database.path, damage)
        self._database.discard(self._database.identity)
        return CatalogEmptiedError(
            f"The index {self._database.path!r} was damaged and has been emptied; ask again."
        )

    @contextmanager
    def _guard(self) -> Generator[None]:
        """What a view works in, so that damage that it meets has the same end as everywhere."""
        try:
            with self._database.translated():
                yield
        except DamagedError as damage:
            raise self._discard(damage) from damage

    def close(self) -> None:
        """See `Catalog.close`."""
        self._database.close()
