"""Tools for LangChain: of typed functions, of a bundle, and of knowledge bases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools, Tool
from fingerpost.tools import Toolbox
from fingerpost_langchain.native import native_tool

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool


def bind(callables: Iterable[Tool | Callable[..., object]]) -> list[StructuredTool]:
    """LangChain tools from typed functions, or from tools that Fingerpost made.

    The model sees name, description and schema of the core's `Tool`; the core gets what the model sent.
    A message's `artifact` is the result as data (`ToolResult.data`), for the application; an error has none
    and the status "error". `metadata["read_only"]` says what is known of side effects. What the caller of the
    agent puts into `config["configurable"]` reaches the tool as its context.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order; they run synchronously and asynchronously.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    return [native_tool(tool) for tool in Toolbox(callables)]


def okf_tools(
    bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = ""
) -> list[StructuredTool]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as LangChain tools.

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
) -> list[StructuredTool]:
    """The tools over knowledge bases that an agent's roles give it, as LangChain tools.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent))
