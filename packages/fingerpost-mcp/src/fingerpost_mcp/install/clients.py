"""The clients whose configuration can be changed: where it is, and what an entry of ours looks like."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from fingerpost import ConfigError, OKFTools
from fingerpost_mcp.bundles import by_prefix, split_name

SERVERS = "mcpServers"
"""The member of a configuration that holds the servers by name, in both clients."""

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://|file:", re.IGNORECASE)
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
_EXECUTABLE = "fingerpost"
_MODULE = ["-m", "fingerpost"]


@dataclass(frozen=True, slots=True)
class Client:
    """A program that starts MCP servers.

    Attributes:
        title: Its name in sentences.
        in_project: Its file below the folder of a project.
        in_home: Its file below the folder of the user.
        home_variable: The variable that names another folder for the user's file.
        afterwards: What a person does next.
    """

    title: str
    in_project: str
    in_home: str
    home_variable: str
    afterwards: str

    def path(self, scope: str, project: str | None) -> str:
        """The configuration file for a scope, "project" or "user"."""
        if scope == "project":
            return os.path.abspath(os.path.join(project or os.curdir, self.in_project))
        home = os.environ.get(self.home_variable) or os.path.expanduser("~")
        return os.path.abspath(os.path.join(home, self.in_home))


CLIENTS = {
    "claude-code": Client(
        title="Claude Code",
        in_project=".mcp.json",
        in_home=".claude.json",
        home_variable="CLAUDE_CONFIG_DIR",
        afterwards="Start Claude Code anew; it asks once whether to trust the servers of a project.",
    ),
    "cursor": Client(
        title="Cursor",
        in_project=".cursor/mcp.json",
        in_home=".cursor/mcp.json",
        home_variable="",
        afterwards="Switch the server on in the MCP settings of Cursor, if it is not on.",
    ),
}


def server_entry(words: Sequence[str], prefix: str) -> dict[str, Any]:
    """What a client needs to start the server; every path in it is absolute.

    Raises:
        ConfigError: If a bundle does not exist, or the bundles cannot be served together.
    """
    for each, source in by_prefix(words, prefix).items():
        OKFTools(source, each)
    executable = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), _EXECUTABLE)
    is_there = os.access(executable, os.X_OK)
    command = [executable] if is_there else [os.path.abspath(sys.executable), *_MODULE]
    options = ["--prefix", prefix] if prefix else []
    arguments = [*command[1:], "mcp", *map(_absolute, words), *options]
    return {"type": "stdio", "command": command[0], "args": arguments}


def is_ours(entry: object) -> bool:
    """Whether an entry starts this server."""
    members: Mapping[str, Any] = cast("Mapping[str, Any]", entry) if isinstance(entry, Mapping) else {}
    command, given = members.get("command"), members.get("args")
    if not isinstance(command, str) or not isinstance(given, list):
        return False
    words = [str(word) for word in cast("list[Any]", given)]
    is_module = words[:2] == _MODULE
    return (is_module or os.path.basename(command) == _EXECUTABLE) and "mcp" in words[:3]


def default_name(words: Sequence[str]) -> str:
    """What to call the server: the name of its only bundle, or the last part of the bundle's path."""
    if len(words) > 1:
        return _EXECUTABLE
    name, source = split_name(words[0])
    last = os.path.basename(os.path.abspath(source))
    return name or _NOT_IN_NAMES.sub("-", last).strip("-") or _EXECUTABLE


def _absolute(word: str) -> str:
    name, source = split_name(word)
    path = source if _URI.match(source) else os.path.abspath(os.path.expanduser(source))
    try:
        path.encode()
    except UnicodeError:
        raise ConfigError(
            f"The path {path!r} is not UTF-8, so that no client can name it; rename it."
        ) from None
    return f"{name}={path}" if name else path
