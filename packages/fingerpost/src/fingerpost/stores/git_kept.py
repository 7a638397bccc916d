"""Where a repository is kept: in the cache folder, or in a temporary one that goes with its store."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path

from fingerpost.stores.caching import ELSEWHERE, cache_folder
from fingerpost.stores.git_address import GitAddress
from fingerpost.stores.git_command import Git
from fingerpost.stores.git_repository import Repository

_FOLDER = "git"
_logger = logging.getLogger("fingerpost.stores")


class Kept:
    """What is kept of a repository, made when it is first needed.

    Args:
        cache: The cache folder, as `cache_folder` takes it.
        address: The repository.
        git: How git is run.
        seconds: How long a fetch may take.
    """

    def __init__(
        self, cache: str | os.PathLike[str] | None, address: GitAddress, git: Git, seconds: float
    ) -> None:
        self._cache = cache_folder(cache)
        self._address = address
        self._git = git
        self._seconds = seconds
        self._repository: Repository | None = None
        self._remove: Callable[[], object] | None = None

    @property
    def is_lasting(self) -> bool:
        """Whether it is kept in the cache folder."""
        return self._cache is not None and self._remove is None

    def repository(self) -> Repository:
        """The repository that is kept."""
        if self._repository is None:
            folder = None if self._cache is None else _usable(self._cache / _FOLDER)
            if folder is None:
                folder = Path(tempfile.mkdtemp(prefix="fingerpost-git-"))
                self._remove = weakref.finalize(self, _remove_temporary, folder, os.getpid())
            self._repository = Repository(folder, self._address, self._git, self._seconds)
        return self._repository

    def close(self) -> None:
        """Remove a temporary folder; the next use makes another."""
        self._repository = None
        if self._remove is not None:
            self._remove()
            self._remove = None


def _usable(folder: Path) -> Path | None:
    """The folder, None when it cannot be written."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        reason = f"The folder {str(folder)!r} cannot be used ({error.strerror})."
        _logger.warning(
            "A repository is fetched into a temporary folder, by each process anew. %s %s", reason, ELSEWHERE
        )
        return None


def _remove_temporary(folder: Path, process: int) -> None:
    if process == os.getpid():  # and not a child of it
        shutil.rmtree(folder, ignore_errors=True)
