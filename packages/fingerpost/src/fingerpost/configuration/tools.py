"""`kb_tools`: the tools of one agent."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fingerpost.configuration.config import KnowledgeConfig
from fingerpost.configuration.opening import shared
from fingerpost.configuration.view import AgentView
from fingerpost.errors import ConfigError
from fingerpost.knowledge.builder import KnowledgeBuilder

_logger = logging.getLogger("fingerpost.configuration")


def kb_tools(
    source: str | os.PathLike[str] | Mapping[str, Any] | KnowledgeConfig | KnowledgeBuilder,
    agent: str | None = None,
    existing: Iterable[object] = (),
    max_chars: int | None = None,
) -> list[Callable[..., str]]:
    """The tools over knowledge bases that an agent gets: plain functions that return text and never raise.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.
        existing: The tools that the agent has already, to warn of equal names.
        max_chars: Longest answer of any tool, in characters, for a framework with a limit of its own.

    Returns:
        The tools that the agent's roles give it; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, no agent is named, or the budget is less than 2,000.
    """
    if isinstance(source, KnowledgeBuilder):
        return _checked(source.build(max_chars=max_chars), agent, existing)
    config = KnowledgeConfig.of(source)
    if agent is None:
        raise ConfigError(
            "A configuration gives each agent tools of its own; say whose they are (agent=...)."
        )
    databases = config.of_agent(agent)
    if not databases:
        _warn_of_spelling(config, agent)
        return []
    views = [AgentView(database, shared(database), agent) for database in databases]
    may_write = any(agent in database.writers for database in databases)
    functions = KnowledgeBuilder(views, config.semantic_map).build(may_write, max_chars)
    return _checked(functions, agent, existing)


def _checked(
    functions: list[Callable[..., str]], agent: str | None, existing: Iterable[object]
) -> list[Callable[..., str]]:
    """The tools; names that the agent has already are told of, and attached all the same."""
    taken = {_name_of(tool) for tool in existing}
    collisions = [function.__name__ for function in functions if function.__name__ in taken]
    if collisions:
        _logger.warning(
            "%s has tools already that are called like those of its knowledge bases: %s. They are attached "
            "nevertheless; take one of the two away.",
            f"The agent {agent!r}" if agent else "The agent",
            ", ".join(collisions),
        )
    return functions


def _warn_of_spelling(config: KnowledgeConfig, agent: str) -> None:
    """Say so where an agent is named almost like one of the configuration, which is seldom meant."""
    named = {name for database in config.databases for names in database.agents.values() for name in names}
    alike = [name for name in sorted(named) if name.casefold() == agent.strip().casefold()]
    if alike:
        _logger.warning("The agent %r has no knowledge bases; the configuration names %r.", agent, alike[0])


def _name_of(tool: object) -> str:
    """The name of a tool of any framework, of a function, or a name itself."""
    if isinstance(tool, str):
        return tool
    return str(getattr(tool, "name", None) or getattr(tool, "__name__", ""))
