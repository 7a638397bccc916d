"""Tools for Pydantic AI: of typed functions, of a bundle, and of knowledge bases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools, Tool
from fingerpost.tools import Toolbox
from fingerpost_pydantic_ai.native import native_tool

if TYPE_CHECKING:
    from pydantic_ai.tools import Tool as NativeTool


def bind(callables: Iterable[Tool | Callable[..., object]]) -> list[NativeTool[Any]]:
    """Pydantic AI tools from typed functions, or from tools that Fingerpost made.

    The model sees name, description and schema of the core's `Tool`; the core gets what the model sent.
    `ToolReturnPart.metadata` is the result as data (`ToolResult.data`), for the application. An error has
    none and the outcome "failed", which uses up no retries. `Tool.metadata["read_only"]` says what is known
    of side effects. Where the agent's `deps` are a mapping, they reach the tool as its context.

    Pydantic AI itself refuses arguments that are no JSON, asks the model to try again, and ends the run when
    that happens more than `max_retries` times in a row. Its default is 1; these tools allow 3: a slip and two
    hints, but no endless run. Set `max_retries` of a tool for another number. The name of no tool counts
    against `Agent(retries=...)`.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order; none blocks the event loop.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    return [native_tool(tool) for tool in Toolbox(callables)]


def okf_tools(
    bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = ""
) -> list[NativeTool[Any]]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as Pydantic AI tools.

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
) -> list[NativeTool[Any]]:
    """The tools over knowledge bases that an agent's roles give it, as Pydantic AI tools.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent))
