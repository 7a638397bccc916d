"""A client's configuration file: read whole, changed in one step, with the old one kept beside it."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NoReturn, cast

from fingerpost import ConfigError, StoreError
from fingerpost_mcp.install.clients import SERVERS
from fingerpost_mcp.install.text_file import read_text, regular, sync_folder, write_text

_BLANK = " \t\r\n"


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

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing in it."""
        return not self.text.strip(_BLANK)


def read_config(path: str) -> ConfigFile:
    """Read a configuration, which may not exist yet.

    Raises:
        ConfigError: If it is no JSON object, or its servers are none, or one of them is named twice.
        OSError: If it cannot be read.
    """
    real = os.path.realpath(path)
    config = ConfigFile(real, read_text(real), {})
    if config.is_blank:
        return config
    named_twice: dict[int, list[str]] = {}

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            named_twice[id(found)] = [key for key, count in counts.items() if count > 1]
        return found

    try:
        data = json.loads(config.text, object_pairs_hook=members, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{real} is not valid JSON ({error}), so it was left alone; mend it, or add the server by hand."
        ) from error
    servers = cast("dict[str, Any]", data).get(SERVERS, {}) if isinstance(data, dict) else None
    if not isinstance(servers, dict):
        raise ConfigError(f"{real} does not name servers under {SERVERS!r}, so it was left alone; mend it.")
    servers = cast("dict[str, Any]", servers)
    if names := named_twice.get(id(servers)):
        raise ConfigError(f"{real} names {', '.join(names)} more than once, so it was left alone; mend it.")
    return ConfigFile(real, config.text, servers)


def write_config(config: ConfigFile, text: str, new_mode: int = 0o644) -> str:
    """Write a configuration in one step: whoever reads it sees the old one or the new one.

    Args:
        config: As it was read.
        text: The new text.
        new_mode: The permissions of a file that is not there yet; others keep theirs.

    Returns:
        The path of the copy of the old file, "" if there was none.

    Raises:
        ConfigError: If something else than a file has taken its place.
        StoreError: If it was changed meanwhile.
        OSError: If it cannot be written.
    """
    folder, name = os.path.split(config.path)
    with suppress(FileExistsError):
        os.mkdir(folder)
    before = regular(config.path)
    mode = stat.S_IMODE(before.st_mode) if before else new_mode
    backup = f"{config.path}.{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}.backup" if config.text else ""
    made: list[str] = []
    try:
        if backup:
            handle = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            made.append(backup)
            write_text(handle, config.text, mode, before)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
        made.append(temporary)
        write_text(handle, text, mode, before)
        if read_text(config.path) != config.text:
            raise StoreError(f"{config.path} was changed meanwhile, so it was left alone; try again.")
        os.replace(temporary, config.path)
    except BaseException:
        for path in made:
            os.unlink(path)
        raise
    sync_folder(folder)
    return backup


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no value")
