"""A `fingerpost.Tool` as a Pydantic AI `Tool`. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any, cast

from fingerpost import Bundle, DocumentStore, OKFTools, Tool, ToolResult
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox, filled_by_host, let_through

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
    return [_native(tool) for tool in Toolbox(callables)]


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


class Sent(RootModel[Any]):
    """The arguments as the model sent them; Pydantic AI takes a single model for the whole of a call."""

    model_config = ConfigDict(json_schema_extra={"type": "object"})


def _native(tool: Tool) -> NativeTool[Any]:
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
