"""A `fingerpost.Tool` as a tool of the Claude Agent SDK. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools, Tool
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox

try:
    from claude_agent_sdk import SdkMcpTool, ToolAnnotations, __version__
    from jsonschema.validators import create  # pyright: ignore[reportMissingModuleSource, reportUnknownVariableType]
except ImportError as cause:
    raise missing_package("the Claude Agent SDK adapter", "claude-agent") from cause
if ToolAnnotations.__module__ != "claude_agent_sdk":  # one of mcp, which then checks arguments out of reach
    raise missing_package(
        "the Claude Agent SDK adapter", "claude-agent", found=f"claude-agent-sdk {__version__}"
    )

_NO_RULES = "urn:fingerpost:no-rules"
create({"$id": _NO_RULES}, version=_NO_RULES)  # from now on, jsonschema knows it


def bind(callables: Iterable[Tool | Callable[..., object]]) -> list[SdkMcpTool[Any]]:
    """Tools for `create_sdk_mcp_server` from typed functions, or from tools that Fingerpost made.

    Claude sees name, description and schema of the core's `Tool`; the core gets what Claude sent. An error is
    a result with `is_error` set. Tools that are known to change nothing say so, and each says how long its
    answers can be, so that Claude Code shows them in one piece. The SDK has no way to hand a tool what its
    caller knows, and so a tool's context is empty.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    return [_native(tool) for tool in Toolbox(callables)]


def okf_tools(
    bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = ""
) -> list[SdkMcpTool[Any]]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) for `create_sdk_mcp_server`.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names, for several bundles in one server ("support_").

    Raises:
        ConfigError: If the bundle does not exist, or the prefix makes no valid tool name.
    """
    return bind(OKFTools(bundle, prefix).functions())


def kb_tools(
    source: str | os.PathLike[str] | Mapping[str, Any] | KnowledgeConfig | KnowledgeBuilder,
    agent: str | None = None,
) -> list[SdkMcpTool[Any]]:
    """The tools over knowledge bases that an agent's roles give it, as tools for `create_sdk_mcp_server`.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent))


class _Shown(dict[str, Any]):
    """A schema that is shown, not enforced: the SDK's own check finds it to name a standard without rules."""

    def __contains__(self, key: object) -> bool:
        return key == "$schema" or super().__contains__(key)

    def __missing__(self, key: str) -> str:
        return _NO_RULES


def _native(tool: Tool) -> SdkMcpTool[Any]:
    async def handler(arguments: dict[str, Any]) -> dict[str, Any]:
        result = await tool.acall(arguments)
        return {"content": [{"type": "text", "text": result.text}], "is_error": result.is_error}

    return SdkMcpTool(
        name=tool.name,
        description=tool.description,
        input_schema=_Shown(copy.deepcopy(tool.schema)),
        handler=handler,
        annotations=ToolAnnotations(
            readOnlyHint=tool.read_only,
            destructiveHint=False if tool.read_only else None,
            idempotentHint=True if tool.read_only else None,
            openWorldHint=False if tool.read_only else None,
            maxResultSizeChars=tool.max_chars,
        ),
    )
