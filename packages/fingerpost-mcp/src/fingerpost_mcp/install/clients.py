"""The clients whose configuration can be changed, and where it is."""

from __future__ import annotations

import os
from dataclasses import dataclass

from fingerpost import ConfigError

SERVERS = "mcpServers"
"""The member of a configuration that holds the servers by name, in both clients."""


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
        """The configuration file for a scope, "project" or "user".

        Raises:
            ConfigError: If there is no such folder.
        """
        if scope == "project":
            folder = os.curdir if project is None else project
            if not os.path.isdir(folder):
                raise ConfigError(f"There is no folder {folder!r}: give the folder of the project.")
            return os.path.abspath(os.path.join(folder, self.in_project))
        variable = self.home_variable if os.environ.get(self.home_variable) else "HOME"
        home = os.environ.get(variable) if variable in os.environ else os.path.expanduser("~")
        if not home or not os.path.isabs(home):
            raise ConfigError(f"The folder of the user is not known: set {variable} to its absolute path.")
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
