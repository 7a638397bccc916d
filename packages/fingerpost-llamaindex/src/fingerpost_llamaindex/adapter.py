"""Tools for LlamaIndex: of typed functions, of a bundle, and of knowledge bases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools, Tool
from fingerpost.tools import Toolbox
from fingerpost_llamaindex.native import RawArgumentsTool

if TYPE_CHECKING:
    from llama_index.core.tools import FunctionTool


def bind(callables: Iterable[Tool | Callable[..., object]]) -> list[FunctionTool]:
    """LlamaIndex tools from typed functions, or from tools that Fingerpost made.

    The model sees name, description and schema of the core's `Tool`, in a ReAct prompt too; the core gets
    what the model sent. A `ToolOutput` carries the result as data (`ToolResult.data`) as its `raw_output`,
    and `is_error` for an error. The workflow's `Context` reaches the tool as the entry "ctx" of its context.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order; they run synchronously and asynchronously.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    return [RawArgumentsTool(tool) for tool in Toolbox(callables)]


def okf_tools(
    bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = ""
) -> list[FunctionTool]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as LlamaIndex tools.

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
    """The tools over knowledge bases that an agent's roles give it, as LlamaIndex tools.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent))
