"""Tools as an MCP server: each call goes to `Tool.acall` as it came, and its text goes back once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any

from fingerpost import Bundle, DocumentStore, OKFTools, Tool, __version__
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox

try:
    from mcp.server.lowlevel import Server
    from mcp_types import CallToolRequestParams, CallToolResult, ListToolsResult, TextContent, ToolAnnotations
    from mcp_types import Tool as NativeTool
except ImportError as cause:
    found = "" if cause.name == "mcp" else f"mcp {version('mcp')}"
    raise missing_package("the MCP server", "mcp", found=found) from cause

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
    toolbox = Toolbox(callables)

    async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[_native(tool) for tool in toolbox])

    async def call_tool(_context: Any, params: CallToolRequestParams) -> CallToolResult:
        answer = await toolbox.acall(params.name, params.arguments)
        return CallToolResult(content=[TextContent(type="text", text=answer.text)], is_error=answer.is_error)

    return Server(
        name,
        version=__version__,
        instructions=instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def okf_tools(bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = "") -> Server[Any]:
    """A server over one bundle.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names, for several bundles in one client ("support_").

    Returns:
        A low-level server, as from `bind`.

    Raises:
        ConfigError: If the bundle does not exist, or the prefix makes no valid tool name.
    """
    tools = OKFTools(bundle, prefix)
    return bind(tools.functions(), instructions=tools.instructions)


def _native(tool: Tool) -> NativeTool:
    return NativeTool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=_READS_ONLY if tool.read_only else None,
    )
