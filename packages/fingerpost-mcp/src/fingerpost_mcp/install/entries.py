"""The entry of a server of ours in a client's configuration: what it looks like, and what it is called."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

from fingerpost import ConfigError
from fingerpost_mcp.bundles import split_name

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|file:", re.IGNORECASE)
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_EXECUTABLE = "fingerpost"
_MODULE = ["-m", "fingerpost"]


def server_entry(words: Sequence[str], prefix: str) -> dict[str, Any]:
    """What a client needs to start a server over bundles that can be served; every path in it is absolute.

    Raises:
        ConfigError: If no client can name a path.
    """
    options = ["--prefix", prefix] if prefix else []
    return _entry([*map(_absolute, words), *options])


def agent_entry(file: str, agent: str) -> dict[str, Any]:
    """The same for the knowledge bases that a configuration gives an agent."""
    return _entry(["--config", _absolute_path(file), "--agent", agent])


def _entry(arguments: Sequence[str]) -> dict[str, Any]:
    executable = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), _EXECUTABLE)
    is_there = os.access(executable, os.X_OK)
    command = [executable] if is_there else [os.path.abspath(sys.executable), *_MODULE]
    return {"type": "stdio", "command": command[0], "args": [*command[1:], "mcp", *arguments]}


def is_ours(entry: object) -> bool:
    """Whether an entry starts this server."""
    members: Mapping[str, Any] = cast("Mapping[str, Any]", entry) if isinstance(entry, Mapping) else {}
    command, given = members.get("command"), members.get("args")
    if not isinstance(command, str) or not isinstance(given, list):
        return False
    words = [str(word) for word in cast("list[Any]", given)]
    is_module = words[:2] == _MODULE
    return (is_module or os.path.basename(command) == _EXECUTABLE) and "mcp" in words[:3]


def bundles_of(entry: Mapping[str, Any]) -> list[str]:
    """The bundles that an entry of ours serves, or the configuration and the agent."""
    words = [str(word) for word in entry["args"]]
    following = pairwise(words[words.index("mcp") :])
    return [split_name(word)[1] for before, word in following if word[:1] != "-" and before != "--prefix"]


def default_name(words: Sequence[str]) -> str:
    """What to call the server: the name of its only bundle, or the last part of the bundle's path."""
    if len(words) > 1:
        return _EXECUTABLE
    name, source = split_name(words[0])
    last = os.path.basename(os.path.abspath(source))
    return name or _NOT_IN_NAMES.sub("-", last)[:64].strip("-") or _EXECUTABLE


def check_server_name(name: str) -> str:
    """A name that is given to a server, as it is.

    Raises:
        ConfigError: If clients could not use it.
    """
    if _NAME.fullmatch(name) is None:
        raise ConfigError(f"A server cannot be named {name[:100]!r}: use 1 to 64 of A-Z, a-z, 0-9, _ and -.")
    return name


def _absolute(word: str) -> str:
    name, source = split_name(word)
    path = source if _URI.match(source) else _absolute_path(source)
    return f"{name}={path}" if name else path


def _absolute_path(path: str) -> str:
    path = os.path.abspath(os.path.expanduser(path))
    try:
        path.encode()
    except UnicodeError:
        raise ConfigError(
            f"The path {path!r} is not UTF-8, so that no client can name it; rename it."
        ) from None
    return path
