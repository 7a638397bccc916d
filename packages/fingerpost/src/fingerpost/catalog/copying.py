"""Beginning an index as a copy of another one, of a store that holds much the same."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from fingerpost.catalog.rows import write_notes
from fingerpost.catalog.schema import APPLICATION, FORMAT, make_its_own
from fingerpost.stores.locks import locked

_PATIENCE = 2.0


def begin_as_copy(path: Path, source: Path, note: str) -> bool:
    """Begin an index as a copy, unless there is one already.

    Args:
        path: The index to begin.
        source: The index to copy, which others may be reading and writing.
        note: The name of a note that says so in the copy, to be removed once it holds what it should.

    Returns:
        Whether that was done. Where it cannot be, the index is begun empty by whoever opens it.
    """
    fresh = f"{path}.copy"
    try:
        with locked(f"{path}.lock", _PATIENCE) as is_mine:
            if not is_mine or path.exists() or not source.exists():
                return False
            _remove(fresh)
            os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            try:
                if not _copied(source, Path(fresh), note):
                    return False
                os.replace(fresh, path)
            finally:
                _remove(fresh)
    except (OSError, sqlite3.Error):
        return False
    return True


def _copied(source: Path, copy: Path, note: str) -> bool:
    with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", _PATIENCE, uri=True)) as held:
        marks = [held.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if marks != [APPLICATION, FORMAT]:
            return False
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=rw", uri=True)) as made:
            made.isolation_level = None
            held.backup(made)
            make_its_own(made)
            (generation,) = made.execute("SELECT generation FROM state").fetchone()
            write_notes(made, {note: "1"}, generation)
            made.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return True


def _remove(path: str) -> None:
    for file in (path, f"{path}-wal", f"{path}-shm", f"{path}-journal"):
        with suppress(FileNotFoundError):
            os.unlink(file)
