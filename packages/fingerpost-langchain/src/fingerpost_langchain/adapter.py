"""A `fingerpost.Tool` as a LangChain `StructuredTool`. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable
from typing import Any

from fingerpost import Bundle, DocumentStore, OKFTools, Tool, ToolResult
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox, filled_by_host, let_through

try:
    from langchain_core.runnables.config import ensure_config
    from langchain_core.tools import StructuredTool, ToolException
    from langchain_core.version import VERSION
except ImportError as cause:
    raise missing_package("the LangChain adapter", "langchain") from cause
if int(VERSION.partition(".")[0]) < 1:
    raise missing_package("the LangChain adapter", "langchain", found=f"langchain-core {VERSION}")

let_through("langgraph.errors", "GraphBubbleUp")  # how `interrupt` pauses a graph
for _name in ("InjectedToolArg", "RunnableConfig", "BaseRunManager"):
    filled_by_host("langchain_core", _name)  # the first for what LangGraph injects too
filled_by_host("langgraph", "ToolRuntime")

_LANGGRAPHS = frozenset({"checkpoint_id", "checkpoint_map", "checkpoint_ns"})
"""What LangGraph configures where there is a checkpointer, beside names with `__` in front."""


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
    return [_native(tool) for tool in Toolbox(callables)]


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


class RawArgumentsTool(StructuredTool):
    """A tool that gets its arguments untouched; LangChain adds none and takes none for its own."""

    def _run(self, /, *args: Any, **arguments: Any) -> Any:
        return self.func(*args, **arguments) if self.func else None

    async def _arun(self, /, *args: Any, **arguments: Any) -> Any:
        return await self.coroutine(*args, **arguments) if self.coroutine else None


def _native(tool: Tool) -> StructuredTool:
    def run(**arguments: Any) -> tuple[str, Any]:
        return _content_and_artifact(tool.call(arguments, _context()))

    async def run_async(**arguments: Any) -> tuple[str, Any]:
        return _content_and_artifact(await tool.acall(arguments, _context()))

    return RawArgumentsTool(
        name=tool.name,
        description=tool.description,
        args_schema=copy.deepcopy(tool.schema),
        func=run,
        coroutine=run_async,
        response_format="content_and_artifact",
        handle_tool_error=True,
        metadata=None if tool.read_only is None else {"read_only": tool.read_only},
    )


def _content_and_artifact(result: ToolResult) -> tuple[str, Any]:
    if result.is_error:
        raise ToolException(result.text)
    return result.text, result.data


def _context() -> dict[str, Any]:
    """What the caller of the agent configured, without LangGraph's own entries."""
    configured = ensure_config().get("configurable", {})
    return {
        key: value for key, value in configured.items() if not key.startswith("__") and key not in _LANGGRAPHS
    }
