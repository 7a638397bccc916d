"""Regular files of text: nothing else is read or replaced, whatever a path leads to."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from fingerpost import ConfigError


def regular(path: str) -> os.stat_result | None:
    """What is known of a file; None if there is none.

    Raises:
        ConfigError: If it is a device, a folder, a pipe or a socket.
    """
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return _checked(found, path)


def read_text(path: str) -> str:
    """The text of a file, "" if there is none.

    Raises:
        ConfigError: If it is no regular file, or not UTF-8.
    """
    if regular(path) is None:
        return ""
    # Another file may have taken its place since then, and opening a pipe must not wait for somebody.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        _checked(os.fstat(handle), path)
        with open(handle, "rb", closefd=False) as file:
            return file.read().decode("utf-8")
    except UnicodeError as error:
        raise ConfigError(f"{path} is not UTF-8, so it was left alone; mend it.") from error
    finally:
        os.close(handle)


def write_text(handle: int, text: str, mode: int, owner: os.stat_result | None) -> None:
    """Write a new file to the disk, with the permissions and, where that is allowed, the owner of another."""
    with open(handle, "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fchmod(handle, mode)
        if owner is not None:
            with suppress(PermissionError):
                os.fchown(handle, owner.st_uid, owner.st_gid)
        os.fsync(handle)


def sync_folder(path: str) -> None:
    """Write the names in a folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checked(found: os.stat_result, path: str) -> os.stat_result:
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError(f"{path} is no regular file, so it was left alone; put a file in its place.")
    return found
