"""The folder of this user in which is kept what can be made or fetched again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from fingerpost.errors import ConfigError

VARIABLE = "FINGERPOST_CACHE"
ELSEWHERE = f"{VARIABLE} names another folder."
"""What can always be done about something that cannot be kept."""


def cache_folder(cache: str | os.PathLike[str] | None = None) -> Path | None:
    """The folder that indexes and fetched repositories are kept in.

    Args:
        cache: The folder, "" for none. None for what the environment variable FINGERPOST_CACHE says ("" or
            "off" for none), else the user's cache folder.

    Returns:
        None when nothing is to be kept: when that is asked for, on Windows, and for a user without a
        home folder who has named no other.

    Raises:
        ConfigError: If the folder named starts with the home of an unknown user.
    """
    if sys.platform == "win32":
        return None
    chosen = os.environ.get(VARIABLE) if cache is None else os.fspath(cache)
    if chosen is not None:
        return None if chosen.strip().lower() in ("", "off") else _expanded(chosen)
    try:
        return _users_cache() / "fingerpost"
    except RuntimeError:
        return None


def _expanded(folder: str) -> Path:
    try:
        return Path(folder).expanduser()
    except RuntimeError:
        raise ConfigError(
            f"The folder for indexes, {folder!r}, starts with a home folder that is not known; "
            f"write out its path."
        ) from None


def _users_cache() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
