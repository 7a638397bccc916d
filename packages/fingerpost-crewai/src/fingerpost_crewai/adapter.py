"""Tools for CrewAI: of typed functions, of a bundle, and of knowledge bases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools, Tool
from fingerpost.tools import Toolbox
from fingerpost_crewai.native import current_run, native_tool

if TYPE_CHECKING:
    from crewai.tools import BaseTool

_MAX_CHARS = 6_000
"""CrewAI puts a longer answer aside and shows a preview of it when it does not know the model's window."""


def bind(callables: Iterable[Tool | Callable[..., object]]) -> list[BaseTool]:
    """CrewAI tools from typed functions, or from tools that Fingerpost made.

    The core gets what the model sent. The model sees name, description and schema of the core's `Tool`, in
    which an optional argument may be null: CrewAI demands that a model sends every argument. An answer has at
    most 6,000 characters, or CrewAI would show a part of it. An error is a `ToolFailure`: the model reads it
    like any answer, and CrewAI records it. CrewAI ends a run that gets the same answer to the same call five
    times; from the fourth time on, the answers differ by a note that counts. No context reaches the tool.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order; they run synchronously and asynchronously.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    toolbox = Toolbox(callables, max_chars=_MAX_CHARS, strict=True, run=current_run)
    return [native_tool(toolbox, tool) for tool in toolbox]


def okf_tools(bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = "") -> list[BaseTool]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as CrewAI tools.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names, for several bundles in one agent ("support_").

    Raises:
        ConfigError: If the bundle does not exist, or the prefix makes no valid tool name.
    """
    return bind(OKFTools(bundle, prefix, _MAX_CHARS).functions())


def kb_tools(
    source: str | os.PathLike[str] | Mapping[str, Any] | KnowledgeConfig | KnowledgeBuilder,
    agent: str | None = None,
) -> list[BaseTool]:
    """The tools over knowledge bases that an agent's roles give it, as CrewAI tools.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent, max_chars=_MAX_CHARS))
