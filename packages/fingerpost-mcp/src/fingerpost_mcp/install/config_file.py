"""A client's configuration file: read whole, changed in one step, with the old one kept beside it."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from fingerpost import ConfigError, StoreError
from fingerpost_mcp.install.clients import SERVERS


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration as it was read.

    Attributes:
        path: The file itself, symbolic links followed.
        text: Its text, "" when there is none yet.
        servers: The servers that it names.
    """

    path: str
    text: str
    servers: dict[str, Any]


def read_config(path: str) -> ConfigFile:
    """Read a configuration, which may not exist yet.

    Raises:
        ConfigError: If it is no JSON object, or its servers are none.
        OSError: If it cannot be read.
    """
    real = os.path.realpath(path)
    text = _read(real)
    if not text.strip():
        return ConfigFile(real, text, {})
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{real} is not valid JSON ({error}), so it was left alone; mend it, or add the server by hand."
        ) from error
    servers = cast("dict[str, Any]", data).get(SERVERS, {}) if isinstance(data, dict) else None
    if not isinstance(servers, dict):
        raise ConfigError(f"{real} does not name servers under {SERVERS!r}, so it was left alone; mend it.")
    return ConfigFile(real, text, cast("dict[str, Any]", servers))


def write_config(config: ConfigFile, text: str, new_mode: int = 0o644) -> str:
    """Write a configuration in one step: whoever reads it sees the old one or the new one.

    Args:
        config: As it was read.
        text: The new text.
        new_mode: The permissions of a file that is not there yet; others keep theirs.

    Returns:
        The path of the copy of the old file, "" if there was none.

    Raises:
        StoreError: If it was changed meanwhile.
        OSError: If it cannot be written.
    """
    folder = os.path.dirname(config.path)
    os.makedirs(folder, exist_ok=True)
    before = os.stat(config.path) if os.path.exists(config.path) else None
    mode = stat.S_IMODE(before.st_mode) if before else new_mode
    backup = ""
    if config.text:
        backup = f"{config.path}.{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}.backup"
        _write_new(os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), config.text, mode, before)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{os.path.basename(config.path)}.")
    try:
        _write_new(handle, text, mode, before)
        if _read(config.path) != config.text:
            raise StoreError(f"{config.path} was changed meanwhile, so it was left alone; try again.")
        os.replace(temporary, config.path)
    except BaseException:
        os.unlink(temporary)
        raise
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
    return backup


def _write_new(handle: int, text: str, mode: int, owner: os.stat_result | None) -> None:
    with open(handle, "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fchmod(handle, mode)
        if owner is not None:
            with suppress(PermissionError):
                os.fchown(handle, owner.st_uid, owner.st_gid)
        os.fsync(handle)


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeError as error:
        raise ConfigError(f"{path} is not UTF-8, so it was left alone; mend it.") from error
