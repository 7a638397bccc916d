"""The catalog on disk, which several processes share: one writes at a time, nobody who reads ever waits."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

from fingerpost.catalog.base import Catalog, CatalogEmptiedError, Entry, View
from fingerpost.catalog.building import Limits
from fingerpost.catalog.database import Database
from fingerpost.catalog.epoch import Epoch
from fingerpost.catalog.rows import recents
from fingerpost.catalog.state import State
from fingerpost.catalog.trouble import DamagedError, Translated
from fingerpost.catalog.updating import Updater
from fingerpost.catalog.view import PersistedView

_STATES_KEPT = 4
_logger = logging.getLogger("fingerpost.catalog")


class PersistedCatalog(Catalog):
    """A catalog in an SQLite file, or in memory."""

    def __init__(
        self,
        path: Path | None,
        limits: Limits = Limits(),  # noqa: B008 - it is frozen
        *,
        in_background: bool = False,
    ) -> None:
        """Open a catalog.

        Args:
            path: The file; None for memory.
            limits: When to write and to merge segments.
            in_background: Whether a thread does that after small updates, rather than the update itself.

        Raises:
            CatalogError: If the file can be neither opened nor made.
        """
        self._database = Database(path)
        self._updater = Updater(self._database, limits, in_background=in_background)
        self._start()

    @classmethod
    def open(cls, path: Path | None) -> PersistedCatalog:
        """Open a catalog, making the file when it is not there or not usable.

        Args:
            path: The file, whose folder is made as well; None for memory.

        Raises:
            CatalogError: If the file can be neither opened nor made.
        """
        return cls(path, in_background=path is not None)  # in memory, all would wait for it nevertheless

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
        self._states: dict[tuple[int, int], State] = {}  # of that epoch

    def reading(self) -> AbstractContextManager[View]:
        """See `Catalog.reading`.

        Raises:
            CatalogError: If it cannot be read.
        """
        return _Reading(self._database, self._view, self._discard)

    def _view(self, connection: sqlite3.Connection) -> View:
        if self._process != os.getpid():
            self._start()
        seen: tuple[int, int] = connection.execute("SELECT generation, epoch FROM state").fetchone()
        with self._lock:
            epoch, state = self._epoch, self._states.get(seen)
        if epoch is None or epoch.number != seen[1]:
            epoch, state = Epoch.load(connection, seen[1], epoch), None
        if state is None:
            epoch, state = self._learn(epoch, seen, connection)
        return PersistedView(connection, epoch, state, self._guard)

    def _learn(
        self, epoch: Epoch, seen: tuple[int, int], connection: sqlite3.Connection
    ) -> tuple[Epoch, State]:
        """Keep what was loaded for others, unless they know something newer; what is older serves once.

        What this process has just written need not be read.
        """
        written = self._updater.written
        state = State.load(connection, written and written.state)
        with self._lock:
            if self._epoch is not None and self._epoch.number == epoch.number:
                epoch = self._epoch
            if written is not None and written.follows(seen, epoch.recent.sequence):
                epoch.recent.absorb(written.recorded)
            else:
                epoch.recent.absorb(recents(connection, epoch.recent.sequence))
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

    def _guard(self) -> _Guard:
        return _Guard(self._database.translated(), self._discard)

    def close(self) -> None:
        """See `Catalog.close`."""
        self._updater.wait()
        self._database.close()


class _Reading:
    """A view for the length of a `with` block. Damage that is met at its beginning does not keep it away."""

    __slots__ = ("_database", "_discard", "_transaction", "_view")

    def __init__(
        self,
        database: Database,
        view: Callable[[sqlite3.Connection], View],
        discard: Callable[[DamagedError], object],
    ) -> None:
        self._database = database
        self._view = view
        self._discard = discard

    def __enter__(self) -> View:
        try:
            return self._open()
        except DamagedError as damage:
            self._discard(damage)
            return self._open()

    def _open(self) -> View:
        self._transaction = self._database.reading()
        connection = self._transaction.__enter__()
        try:
            with self._database.translated():
                return self._view(connection)
        except BaseException as error:
            self._transaction.__exit__(type(error), error, None)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._transaction.__exit__(kind, error, trace)


class _Guard:
    """What views work in, so that damage that they meet has the same end as everywhere."""

    __slots__ = ("_discard", "_translated")

    def __init__(self, translated: Translated, discard: Callable[[DamagedError], Exception]) -> None:
        self._translated = translated
        self._discard = discard

    def __enter__(self) -> None:
        return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            return
        try:
            self._translated.__exit__(kind, error, trace)
        except DamagedError as damage:
            raise self._discard(damage) from damage
        if isinstance(error, DamagedError):
            raise self._discard(error) from error
