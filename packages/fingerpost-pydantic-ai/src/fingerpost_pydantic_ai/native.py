"""A `fingerpost.Tool` as a Pydantic AI `Tool`. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any, cast

from fingerpost import Tool, ToolResult
from fingerpost.errors import missing_package
from fingerpost.tools import filled_by_host, let_through

try:
    from pydantic import ConfigDict, RootModel
    from pydantic_ai.exceptions import ToolFailed
    from pydantic_ai.messages import ToolReturn
    from pydantic_ai.tools import RunContext, ToolDefinition
    from pydantic_ai.tools import Tool as NativeTool
except ImportError as cause:
    found = "" if cause.name == "pydantic_ai" else f"pydantic-ai-slim {version('pydantic-ai-slim')}"
    raise missing_package("the Pydantic AI adapter", "pydantic-ai", found=found) from cause

MAX_RETRIES = 3
"""How often in a row a model may call a tool with arguments that Pydantic AI itself refuses."""

for _name in ("ApprovalRequired", "CallDeferred", "ModelRetry", "ToolFailed"):
    let_through("pydantic_ai.exceptions", _name)  # how a function defers its call or speaks to the model
filled_by_host("pydantic_ai", "RunContext")


class Sent(RootModel[Any]):
    """The arguments as the model sent them; Pydantic AI takes a single model for the whole of a call."""

    model_config = ConfigDict(json_schema_extra={"type": "object"})


def native_tool(tool: Tool) -> NativeTool[Any]:
    """A tool as Pydantic AI takes it."""
    schema = copy.deepcopy(tool.schema)

    # A call of nothing but this one name would be unwrapped, so it is one that no function has.
    async def run(ctx: RunContext[Any], fingerpost_arguments: Sent) -> ToolReturn:
        result = await tool.acall(fingerpost_arguments.root, _context(ctx.deps))
        if result.is_error:
            raise ToolFailed(_sentence(result))
        return ToolReturn(return_value=result.text, metadata=result.data)

    def prepare(_ctx: RunContext[Any], definition: ToolDefinition) -> ToolDefinition:
        return replace(definition, parameters_json_schema=schema)

    return NativeTool(
        run,
        name=tool.name,
        description=tool.description,
        max_retries=MAX_RETRIES,
        prepare=prepare,
        metadata=None if tool.read_only is None else {"read_only": tool.read_only},
    )


def _context(deps: object) -> Mapping[str, Any] | None:
    """What the caller of the agent gave, where it has names."""
    return cast("Mapping[str, Any]", deps) if isinstance(deps, Mapping) else None


def _sentence(result: ToolResult) -> str:
    """What is wrong; Pydantic AI itself puts it into `{"error": ...}` for a model that takes only text."""
    error = str(cast("dict[str, Any]", result.data).get("error"))
    usual = {"error": error} | ({"notes": [*result.notes]} if result.notes else {})
    return " ".join((error, *result.notes)) if result.data == usual else result.text
