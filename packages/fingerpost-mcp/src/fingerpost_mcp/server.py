"""Tools as an MCP server: each call goes to `Tool.acall` as it came, and its text goes back once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from fingerpost import Bundle, ConfigError, DocumentStore, OKFTools, Tool, __version__
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox, check_name

try:
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, ToolAnnotations
    from mcp_types import Tool as NativeTool
except ImportError as cause:
    found = "" if cause.name == "mcp" else f"mcp {version('mcp')}"
    raise missing_package("the MCP server", "mcp", found=found) from cause

# isort: split
from fingerpost_mcp.prompts import index_prompts, prompt_handlers
from fingerpost_mcp.resources import resource_handlers

_READS_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def bind(
    callables: Iterable[Tool | Callable[..., object]],
    *,
    name: str = "fingerpost",
    instructions: str | None = None,
) -> Server[Any]:
    """A server over any functions that Fingerpost can make tools of.

    It answers with text alone and so publishes no output schemas: structured content would put the same words
    before a model a second time, without the frame that marks them as data.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.
        name: The server's name.
        instructions: What a client tells its model about the server.

    Returns:
        A low-level server, for any transport.

    Raises:
        ConfigError: If two tools have the same name, or a function cannot be shown to a model.
    """
    return low_level(Toolbox(callables), name, instructions, {})


def okf_tools(bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = "") -> Server[Any]:
    """A server over one bundle: its tools, its concepts as resources, its index as a prompt.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names, for several bundles in one client ("support_").

    Returns:
        A low-level server, as from `bind`.

    Raises:
        ConfigError: If the bundle does not exist, or the prefix makes no valid tool name.
    """
    return server_over([OKFTools(bundle, prefix)])


def server_for(bundles: Mapping[str, str | os.PathLike[str] | DocumentStore | Bundle]) -> Server[Any]:
    """A server over several bundles, each with the tools, resources and prompt that `okf_tools` gives it.

    Args:
        bundles: Bundles by name. The name and a "_" go before the names of a bundle's tools and prompt, and
            the name is the first part of its resources' addresses.

    Returns:
        A low-level server, as from `bind`.

    Raises:
        ConfigError: If there is none, one does not exist, or a name makes no valid tool name.
    """
    if not bundles:
        raise ConfigError("A server needs a bundle, and none was given.")
    return server_over([OKFTools(bundle, f"{check_name(name)}_") for name, bundle in bundles.items()])


def server_over(tools: Sequence[OKFTools]) -> Server[Any]:
    """A server over the tools of one or more bundles, whose prefixes differ."""
    toolbox = Toolbox(function for each in tools for function in each.functions())
    handlers = resource_handlers(tools, toolbox) | prompt_handlers(index_prompts(tools, toolbox))
    return low_level(toolbox, "fingerpost", "\n".join(each.instructions for each in tools), handlers)


def low_level(
    toolbox: Toolbox, name: str, instructions: str | None, handlers: Mapping[str, Any]
) -> Server[Any]:
    """A server over tools, with further handlers by the names of `Server`'s arguments."""

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[_native(tool) for tool in toolbox])

    async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
        answer = await toolbox.acall(params.name, params.arguments)
        return CallToolResult(content=[TextContent(type="text", text=answer.text)], is_error=answer.is_error)

    own: dict[str, Any] = {"on_list_tools": list_tools, "on_call_tool": call_tool, **handlers}
    return Server(name, version=__version__, instructions=instructions, **own)


def _native(tool: Tool) -> NativeTool:
    return NativeTool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=_READS_ONLY if tool.read_only else None,
    )
