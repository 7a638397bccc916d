"""What the errors of SQLite and of the disk mean for a catalog, and how they are told."""

from __future__ import annotations

import sqlite3
import zlib
from types import TracebackType

from fingerpost.catalog.base import CatalogBusyError, CatalogError
from fingerpost.errors import KnowledgeError

_DAMAGE = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_ERROR,  # the statements are right, so it is the tables that are not
}
NONSENSE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, zlib.error)
"""What code raises that makes sense of stored bytes, when there is none in them."""

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full; make room there",
    sqlite3.SQLITE_READONLY: "it may not be written; choose another folder for it",
    sqlite3.SQLITE_PERM: "access is not permitted; choose another folder for it",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check its folder and the permissions",
    sqlite3.SQLITE_IOERR: "the disk is full or failed; make room there, or check it",
}


class DamagedError(Exception):
    """What the file holds makes no sense; it has to be replaced."""


class Translated:
    """Work in this to have the errors of SQLite, of the system and of what reads stored bytes as ours.

    It may be entered again and again, also by several threads at once.

    Args:
        path: The file, for the sentence.

    Raises:
        DamagedError: If the file is damaged.
        CatalogError: If it cannot be used.
    """

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, KnowledgeError):
            return
        if isinstance(error, sqlite3.Error):
            raise _ours(error, self._path) from error
        if isinstance(error, NONSENSE):
            raise DamagedError(repr(error)) from error
        if isinstance(error, OSError):
            raise CatalogError(
                f"The index {self._path!r} cannot be used, because of {error.strerror!r}; "
                "check its folder and the permissions."
            ) from error


def busy(path: str) -> CatalogBusyError:
    """What to say when another process has been writing for too long.

    Args:
        path: The file.
    """
    return CatalogBusyError(f"Another process is writing the index {path!r}; try again in a moment.")


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error of SQLite says that the file is damaged.

    Args:
        error: The error.
    """
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # what Python finds wrong has none
    return code & 0xFF in _DAMAGE or code == sqlite3.SQLITE_IOERR_SHORT_READ


def _ours(error: sqlite3.Error, path: str) -> DamagedError | CatalogError:
    if is_damage(error):
        return DamagedError(str(error))
    code = error.sqlite_errorcode & 0xFF
    if code in _BUSY:
        return busy(path)
    reason = _REASONS.get(code, f"SQLite says {str(error)!r}; free memory or choose another folder for it")
    return CatalogError(f"The index {path!r} cannot be used: {reason}.")
