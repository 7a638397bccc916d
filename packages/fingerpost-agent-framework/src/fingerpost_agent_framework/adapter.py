"""Tools for Agent Framework: of typed functions, of a bundle, and of knowledge bases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools, Tool
from fingerpost.tools import Toolbox
from fingerpost_agent_framework.native import RawArgumentsTool

if TYPE_CHECKING:
    from agent_framework import FunctionTool


def bind(callables: Iterable[Tool | Callable[..., object]]) -> list[FunctionTool]:
    """Agent Framework tools from typed functions, or from tools that Fingerpost made.

    The model sees name, description and schema of the core's `Tool`; the core gets what the model sent. No
    tool asks for approval; `additional_properties["read_only"]` says what is known of side effects. What the
    caller gives to `agent.run(..., function_invocation_kwargs={...})` reaches the tool as its context, with
    the `session` of the run if there is one. In the messages, `raw_representation` of a result's text is the
    whole `ToolResult`, with its data and `is_error`; the framework's own mark for errors is not set, because
    three rounds with it in a row end a run.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    return [RawArgumentsTool(tool) for tool in Toolbox(callables)]


def okf_tools(
    bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = ""
) -> list[FunctionTool]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as Agent Framework tools.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names, for several bundles in one agent ("support_").

    Raises:
        ConfigError: If the bundle does not exist, or the prefix makes no valid tool name.
    """
    return bind(OKFTools(bundle, prefix).functions())


def kb_tools(
    source: str | os.PathLike[str] | Mapping[str, Any] | KnowledgeConfig | KnowledgeBuilder,
    agent: str | None = None,
) -> list[FunctionTool]:
    """The tools over knowledge bases that an agent's roles give it, as Agent Framework tools.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent))
