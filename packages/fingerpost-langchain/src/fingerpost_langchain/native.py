"""A `fingerpost.Tool` as a LangChain `StructuredTool`. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
from typing import Any

from fingerpost import Tool, ToolResult
from fingerpost.errors import missing_package
from fingerpost.tools import filled_by_host, let_through

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


class RawArgumentsTool(StructuredTool):
    """A tool that gets its arguments untouched; LangChain adds none and takes none for its own."""

    def _run(self, /, *args: Any, **arguments: Any) -> Any:
        return self.func(*args, **arguments) if self.func else None

    async def _arun(self, /, *args: Any, **arguments: Any) -> Any:
        return await self.coroutine(*args, **arguments) if self.coroutine else None


def native_tool(tool: Tool) -> StructuredTool:
    """A tool as LangChain takes it."""

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
