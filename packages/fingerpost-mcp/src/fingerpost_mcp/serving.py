"""What a command serves: bundles, or the knowledge bases that a configuration gives an agent."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcp.server.lowlevel import Server

import fingerpost
from fingerpost import Bundle, ConfigError, DocumentStore, KnowledgeConfig, OKFTools
from fingerpost_mcp.bundles import by_prefix, read_ahead
from fingerpost_mcp.knowledge import kb_tools
from fingerpost_mcp.server import server_over


@dataclass(frozen=True, slots=True)
class Served:
    """What a command serves.

    Attributes:
        server: The server.
        named: What it is over, for a person.
        read_ahead: Reads that while the client says hello; never raises.
    """

    server: Server[Any]
    named: str
    read_ahead: Callable[[], object]


def of_bundles(bundles: Mapping[str, str | os.PathLike[str] | DocumentStore | Bundle]) -> Served:
    """Bundles, by what goes before the names of their tools.

    Raises:
        ConfigError: If one does not exist, or a prefix makes no valid tool name.
    """
    tools = [OKFTools(bundle, prefix) for prefix, bundle in bundles.items()]
    named = ", ".join(each.bundle.store.identity for each in tools)
    return Served(server_over(tools), named, partial(read_ahead, [each.bundle for each in tools]))


def of_agent(file: str, agent: str) -> Served:
    """The knowledge bases that a configuration gives an agent.

    Raises:
        ConfigError: If the configuration is wrong, or does not name the agent.
    """
    sys.path.append(os.path.dirname(os.path.abspath(file)))  # where classes of one's own lie beside it
    config = KnowledgeConfig.of(file)
    functions = fingerpost.kb_tools(config, agent)
    if not functions:
        known = {
            name for database in config.databases for names in database.agents.values() for name in names
        }
        raise ConfigError(
            f"The configuration {file!r} gives the agent {agent!r} no knowledge base; it names "
            f"{', '.join(sorted(known)) or 'no agent'}."
        )
    names = ", ".join(database.name for database in config.of_agent(agent))
    describe = next(each for each in functions if each.__name__ == "get_all_kb_descriptions")
    return Served(kb_tools(config, agent), f"{names} for {agent}", describe)


def chosen(arguments: Namespace, words: Sequence[str]) -> Callable[[], Served]:
    """What makes ready what the words and options of a command name.

    Raises:
        ConfigError: If they name nothing, or what does not go together.
    """
    if arguments.config is None:
        if arguments.agent is not None:
            raise ConfigError("--agent is an agent of a configuration; name that with --config.")
        if not words:
            raise ConfigError("No bundle was named; give a folder, or the URI of a store.")
        return partial(of_bundles, by_prefix(words, arguments.prefix))
    if words or arguments.prefix:
        raise ConfigError("A configuration names what is served: leave out bundles and --prefix.")
    if arguments.agent is None:
        raise ConfigError("A configuration gives each agent tools of its own; say whose with --agent.")
    return partial(of_agent, arguments.config, arguments.agent)
