"""The file of the persisted catalog: connections, transactions, versions, and what to do when it is damaged.

The file is a cache of what its owner can always read anew. So a file that is of another version, damaged or
no database at all is replaced by an empty one, and whoever deletes it does no harm: each process looks,
before it reads or writes, whether the file at the path is still the one that it has open.

A database in WAL mode is three files, and SQLite finds the other two by name. That is why a file is never
made in place: it is made complete under another name, the leftovers of its predecessor are removed, and it
takes the name in one step, all under a lock.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from fingerpost.catalog.base import CatalogError
from fingerpost.catalog.schema import APPLICATION, FORMAT, create
from fingerpost.catalog.transaction import Identity, Transaction
from fingerpost.catalog.trouble import NONSENSE, Translated, busy, is_damage
from fingerpost.stores.locks import locked

PATIENCE = 2.0
"""Seconds to wait for another process that writes."""

_SECONDS_BEFORE_FORK = 1.0
_IDLE_CONNECTIONS = 4
_ATTEMPTS = 5
_MOST_FREE = 1 / 32  # of the pages of the file
_PAGES_AT_ONCE = 500
_PRAGMAS = """
PRAGMA synchronous = NORMAL;
PRAGMA temp_store = MEMORY;
PRAGMA secure_delete = OFF;
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
PRAGMA cache_size = -6000;
PRAGMA journal_size_limit = 16000000;
PRAGMA wal_autocheckpoint = 2000;
"""


class Database:
    """An SQLite file that several processes and threads share, or a database in memory.

    Each block of reading or writing has a connection to itself; in memory there is one, and blocks wait for
    each other. A child process starts with connections of its own.
    """

    def __init__(self, path: Path | None) -> None:
        """Open the file, making it when it is not there.

        Args:
            path: The file; None for memory.

        Raises:
            CatalogError: If it can be neither opened nor made.
        """
        self.path = "" if path is None else str(path.absolute())
        self._translated = Translated(self.path)
        self._is_closed = False
        self._start()
        _databases.add(self)
        with self.translated(), self._lock:
            self._up_to_date()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._identity: Identity | None = None
        self._idle: list[sqlite3.Connection] = []
        self._open_ones: set[sqlite3.Connection] = set()
        self.in_use = 0
        # Not at the end of the process: a thread may be at work in SQLite then, and nothing is lost.
        weakref.finalize(self, _close_all, self._open_ones, self._process).atexit = False

    def reading(self) -> Transaction:
        """A connection within a read transaction. What is done with it belongs within `translated`.

        Raises:
            DamagedError: If the file is damaged.
            CatalogError: If it cannot be read.
        """
        return Transaction(self, "BEGIN")

    def translated(self) -> Translated:
        """Work in this to have all errors as ours."""
        return self._translated

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """A connection within a write transaction, which is committed at the end of the block.

        Raises:
            DamagedError: If the file is damaged.
            CatalogError: If it cannot be written, or another process has been writing for too long.
        """
        with self.translated(), Transaction(self, "BEGIN IMMEDIATE") as connection:
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def building(self, patience: float = PATIENCE) -> Generator[bool]:
        """The right to build segments, which one writer has at a time.

        Args:
            patience: Seconds to wait for it.

        Yields:
            Whether it was obtained.
        """
        if not self.path:
            with self._lock:
                yield True
            return
        with locked(f"{self.path}.build", patience) as is_mine:
            yield is_mine

    def shrink(self) -> None:
        """Give space back to the disk once much is free, and empty the log if nobody is reading it."""
        if not self.path:
            return
        with self.translated(), Transaction(self, "") as connection:
            if _share_free(connection) > _MOST_FREE:
                # Where documents went, their ids have left gaps within pages that are still in use. They stay
                # on a full disk, of which nothing is said, here and below.
                with suppress(sqlite3.OperationalError):
                    connection.execute("REINDEX document_id")
                _give_back_pages(connection)
            connection.execute("PRAGMA busy_timeout = 0")
            try:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                connection.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")

    def discard(self, damaged: Identity | None) -> None:
        """Replace the file, which is damaged, by an empty one; one that somebody else has put there stays.

        Args:
            damaged: What `identity` was when the damage was met.

        Raises:
            CatalogError: If it cannot be replaced.
        """
        with self.translated(), self._lock:
            self._drop_idle()
            if self.path and damaged is not None:
                self._replace(damaged)

    @property
    def identity(self) -> Identity | None:
        """What tells the file in use from every other one, None when none is."""
        return self._identity

    def close(self) -> None:
        """Close all connections; those in use are closed at the end of their block."""
        self._after_fork()
        with self._lock:
            self._is_closed = True
            self._drop_idle()

    def drop_idle(self) -> None:
        """Close the connections that nobody uses at the moment; a database in memory keeps its one."""
        if self.path and self._process == os.getpid():
            with self._lock:
                self._drop_idle()

    # Connections.

    def take(self) -> tuple[sqlite3.Connection, Identity | None]:
        """A connection to be given back; that of a database in memory comes with its lock.

        Returns:
            The connection, and what tells its file from every other one.
        """
        self._after_fork()
        with self._lock:
            self.in_use += 1
            try:
                self._up_to_date()
                if not self.path:
                    self._lock.acquire()
                    return self._idle[-1], None
                return self._idle.pop() if self._idle else self._open(), self._identity
            except BaseException:
                self.in_use -= 1
                raise

    def give_back(self, connection: sqlite3.Connection, identity: Identity | None) -> None:
        """Take back what `take` gave, and end its transaction, undone. A child process leaves it as it is.

        Args:
            connection: The connection.
            identity: What came with it.
        """
        if connection not in self._open_ones or self._process != os.getpid():
            return
        is_sound = True
        if connection.in_transaction:
            try:
                connection.execute("ROLLBACK")
            except sqlite3.Error:
                is_sound = False
        with self._lock:
            is_current = identity == self._identity and not self._is_closed
            if identity is None:
                self._lock.release()
            elif is_current and is_sound and len(self._idle) < _IDLE_CONNECTIONS:
                self._idle.append(connection)
            else:
                self._close(connection)
            self.in_use -= 1

    def _up_to_date(self) -> None:
        """See to it that the file at the path is there and is the one that the idle connections have open."""
        if self._is_closed:
            raise CatalogError("The index is closed; open it again.")
        if not self.path:
            if not self._idle:
                self._idle.append(self._connect(":memory:"))
                self._idle[0].executescript(_PRAGMAS)
                create(self._idle[0])
            return
        found = _identity(self.path)
        if found is None or found != self._identity:
            self._drop_idle()
            self._idle.append(self._open())

    def _open(self) -> sqlite3.Connection:
        """A new connection to the file at the path, which is made or replaced when it is not one of ours."""
        for _ in range(_ATTEMPTS):
            before = _identity(self.path)
            if before is None:
                self._replace(None)
                continue
            connection = self._connect(f"{Path(self.path).as_uri()}?mode=rw")
            try:
                # Reading opens the other two files, so the identity is compared after it.
                is_ours = _is_ours(connection)
            except BaseException as error:
                self._close(connection)
                if isinstance(error, sqlite3.Error) and before != _identity(self.path):
                    continue  # it was deleted meanwhile, and what opening it met says nothing of the next
                raise
            if is_ours and before == _identity(self.path):
                self._identity = before
                return connection
            self._close(connection)
            if not is_ours:
                self._replace(before)
        raise CatalogError(
            f"The index {self.path!r} is replaced again and again; choose another folder for it."
        )

    def _connect(self, uri: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=256, uri=True
        )
        self._open_ones.add(connection)
        return connection

    def _replace(self, expected: Identity | None) -> None:
        """Put an empty database at the path, unless what is there is no longer what was `expected`."""
        path = self.path
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with locked(f"{path}.lock", PATIENCE) as is_mine:
            if not is_mine:
                raise busy(self.path)
            if _identity(path) != expected:
                return
            fresh = f"{path}.new"
            _remove(fresh, f"{fresh}-wal", f"{fresh}-shm", f"{fresh}-journal")
            os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            connection = self._connect(f"{Path(fresh).as_uri()}?mode=rw")
            try:
                connection.executescript(_PRAGMAS)
                create(connection)
            finally:
                self._close(connection)
            _remove(path, f"{path}-wal", f"{path}-shm")
            os.replace(fresh, path)

    def _drop_idle(self) -> None:
        self._identity = None
        while self._idle:
            self._close(self._idle.pop())

    def _close(self, connection: sqlite3.Connection) -> None:
        self._open_ones.discard(connection)
        with suppress(sqlite3.Error):
            connection.close()

    # Processes and errors.

    def _after_fork(self) -> None:
        """In a child, forget the parent's connections without closing them."""
        if self._process == os.getpid():
            return
        _inherited.append(self._open_ones)
        if _in_use_at_fork:
            # SQLite believes here that it holds the parent's locks, so the file must not be touched.
            self.path = ""
        self._start()


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the file is one of ours, of this version and readable; it also sets the connection up."""
    try:
        connection.executescript(_PRAGMAS)
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if (application, version) != (APPLICATION, FORMAT):
            return False
        return connection.execute("SELECT generation FROM state").fetchone() is not None
    except NONSENSE:  # as when the message of an error is damaged as well
        return False
    except sqlite3.Error as error:
        if is_damage(error):
            return False
        raise


def _share_free(connection: sqlite3.Connection) -> float:
    pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
    return _free_pages(connection) / pages


def _free_pages(connection: sqlite3.Connection) -> int:
    free: int = connection.execute("PRAGMA freelist_count").fetchone()[0]
    return free


def _give_back_pages(connection: sqlite3.Connection) -> None:
    """Give all free pages back, a little at a time, so that nobody else who writes has to wait for long."""
    before, free = -1, _free_pages(connection)
    while free and free != before:
        connection.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
        before, free = free, _free_pages(connection)


def _identity(path: str) -> Identity | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _remove(*paths: str) -> None:
    for path in paths:
        with suppress(FileNotFoundError):
            os.unlink(path)


# A child process inherits what SQLite knows of locks, though not the locks. With all connections closed there
# is nothing to inherit, so the idle ones are closed before a fork.

_databases: weakref.WeakSet[Database] = weakref.WeakSet()
_inherited: list[set[sqlite3.Connection]] = []
_in_use_at_fork = False


def _before_fork() -> None:
    """Wait until no thread is at work in SQLite, whose own locks a child would find taken for ever."""
    global _in_use_at_fork  # noqa: PLW0603 - the child has to learn it
    deadline = time.monotonic() + _SECONDS_BEFORE_FORK
    while any(database.in_use for database in list(_databases)) and time.monotonic() < deadline:
        time.sleep(0.0005)
    for database in list(_databases):
        database.drop_idle()
    _in_use_at_fork = any(database.in_use for database in list(_databases) if database.path)


def _close_all(connections: set[sqlite3.Connection], process: int) -> None:
    if process == os.getpid():
        for connection in list(connections):
            with suppress(sqlite3.Error):
                connection.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork)
