"""A `fingerpost.Tool` as a Haystack `Tool`. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools, ToolResult
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox, filled_by_host

try:
    from haystack.tools.errors import ToolInvocationError
    from haystack.tools.tool import Tool
    from haystack.version import __version__ as version
except ImportError as cause:
    raise missing_package("the Haystack adapter", "haystack") from cause
if [int(part) for part in version.split(".")[:2]] < [3, 4]:
    raise missing_package("the Haystack adapter", "haystack", found=f"haystack-ai {version}")

filled_by_host("haystack", "State")  # an agent's


def bind(callables: Iterable[fingerpost.Tool | Callable[..., object]]) -> list[Tool]:
    """Haystack tools from typed functions, or from tools that Fingerpost made.

    The model sees name, description and schema of the core's `Tool`; the core gets what the model sent. An
    error is raised as a `ToolInvocationError`, of which an `Agent` makes a message with `error` set, unless
    it was made with `raise_on_tool_invocation_failure=True`. What Haystack hands to a tool, its model could
    set too, and so a tool's context is empty.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order; they run synchronously and asynchronously.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    return [_native(tool) for tool in Toolbox(callables)]


def okf_tools(bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = "") -> list[Tool]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as Haystack tools.

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
) -> list[Tool]:
    """The tools over knowledge bases that an agent's roles give it, as Haystack tools.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent))


class GuardedTool(Tool):
    """A tool that gets its arguments untouched; Haystack takes none for its own."""

    def invoke(self, /, **arguments: Any) -> Any:
        """Call the tool."""
        return cast("Any", self).function(**arguments)

    async def invoke_async(self, /, **arguments: Any) -> Any:
        """Call the tool from an event loop."""
        return await cast("Any", self).async_function(**arguments)


def _native(tool: fingerpost.Tool) -> Tool:
    def run(**arguments: Any) -> str:
        return _text(tool.call(arguments), tool.name)

    async def run_async(**arguments: Any) -> str:
        return _text(await tool.acall(arguments), tool.name)

    return GuardedTool(
        name=tool.name,
        description=tool.description,
        parameters=copy.deepcopy(tool.schema),
        function=run,
        async_function=run_async,
    )


def _text(result: ToolResult, name: str) -> str:
    if result.is_error:
        raise ToolInvocationError(result.text, tool_name=name)
    return result.text
