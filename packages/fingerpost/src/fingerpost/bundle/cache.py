"""Where the index of a bundle is kept: one file for each store, in the user's cache folder."""

from __future__ import annotations

import hashlib
import logging
import os
import time
import unicodedata
from contextlib import suppress
from pathlib import Path

from fingerpost.catalog.base import Catalog
from fingerpost.errors import StoreError
from fingerpost.stores.base import DocumentStore
from fingerpost.stores.caching import ELSEWHERE, cache_folder
from fingerpost.stores.filesystems import remote_kind

BORROWED = "borrowed"
"""The note of an index that holds what another store held, and not yet what its own does."""

_DAYS_KEPT = 90
_FORMAT = 1  # of the entries of a bundle; one more whenever `bundle.entries` or `text` would give others
_logger = logging.getLogger("fingerpost.bundle")


def open_catalog(store: DocumentStore, cache: str | os.PathLike[str] | None) -> Catalog:
    """Open the catalog of a store.

    Args:
        store: The store.
        cache: The folder to keep it in, "" to keep it in memory alone. None for what the environment variable
            FINGERPOST_CACHE says ("" or "off" for memory), else the user's cache folder.

    Returns:
        The catalog, in memory where the store's name will mean something else in the next process, and where
        the folder cannot be written; that is logged.
    """
    from fingerpost.catalog.copying import begin_as_copy
    from fingerpost.catalog.persisted import PersistedCatalog
    from fingerpost.catalog.schema import FORMAT

    folder = cache_folder(cache)
    if folder is None or not store.is_lasting:
        return PersistedCatalog.open(None)
    path = folder / f"{file_name(store.identity)}-{FORMAT}.db"
    try:
        _prepare(folder)
        if not path.exists():
            remove_unused(folder)
            for earlier in store.earlier_identities:  # of which most is still so
                if begin_as_copy(path, folder / f"{file_name(earlier)}-{FORMAT}.db", BORROWED):
                    break
        catalog = PersistedCatalog.open(path)
    except StoreError as error:
        _logger.warning(
            "The index is kept in memory, and is made anew by each process. %s %s", error, ELSEWHERE
        )
        return PersistedCatalog.open(None)
    with suppress(OSError):
        os.utime(path)  # it is in use, also when nothing is written
    return catalog


def _prepare(folder: Path) -> None:
    """Make the folder, and check that an index can be shared there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        kind = remote_kind(str(folder))
    except FileExistsError as error:
        raise StoreError(f"{str(folder)!r}, where indexes are to be kept, is no folder.") from error
    except OSError as error:
        raise StoreError(
            f"The folder {str(folder)!r} cannot be used, because of {error.strerror!r}."
        ) from error
    if kind:
        raise StoreError(
            f"The folder {str(folder)!r} lies on {kind}, where processes cannot share an index; "
            f"one on a local disk can keep it."
        )


def file_name(identity: str) -> str:
    """The name of the file for a store, before the format of the catalog.

    It tells apart what is read differently: the format of the entries, and the tables of Unicode that words
    are folded by.
    """
    digest = hashlib.blake2b(identity.encode(), digest_size=16).hexdigest()
    return f"{digest}-{_FORMAT}-{unicodedata.unidata_version}"


def remove_unused(folder: Path) -> None:
    """Remove the indexes of a folder that nobody has opened for a long time.

    An index is made again when it is needed, so this costs at most the time for that.
    """
    latest = time.time() - _DAYS_KEPT * 86_400
    for path in folder.glob("*.db"):
        with suppress(OSError):
            if path.stat().st_mtime < latest:
                for file in folder.glob(f"{path.name}*"):
                    file.unlink(missing_ok=True)
