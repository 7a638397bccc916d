"""A `fingerpost.Tool` as a LlamaIndex `FunctionTool`. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any

from fingerpost import Bundle, DocumentStore, OKFTools, Tool, ToolResult
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox, let_through

try:
    from llama_index.core.base.llms.types import TextBlock
    from llama_index.core.tools import FunctionTool, ToolMetadata, ToolOutput
except ImportError as cause:
    raise missing_package("the LlamaIndex adapter", "llamaindex") from cause
_INSTALLED = version("llama-index-core")
if tuple(map(int, _INSTALLED.split(".")[:2])) < (0, 14):
    raise missing_package("the LlamaIndex adapter", "llamaindex", found=f"llama-index-core {_INSTALLED}")

_CONTEXT = "llama_index.Context"  # under this name, which is no parameter's, an agent hands over its context

let_through("workflows.runtime.types.results", "WaitingForEvent")  # how `wait_for_event` pauses a workflow


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


class SchemaMetadata(ToolMetadata):
    """What a model is told of a tool: the core's schema as it is, for calls and for ReAct prompts."""

    def __init__(self, tool: Tool) -> None:
        super().__init__(description=tool.description, name=tool.name, fn_schema=None)
        self._schema = tool.schema

    def get_parameters_dict(self) -> dict[str, Any]:
        """The schema of the arguments."""
        return copy.deepcopy(self._schema)

    @property
    def fn_schema_str(self) -> str:
        """The schema of the arguments as JSON text."""
        return json.dumps(self._schema, ensure_ascii=False)


class RawArgumentsTool(FunctionTool):
    """A tool that gets its arguments untouched, also one that is named like a parameter of LlamaIndex."""

    def __init__(self, tool: Tool) -> None:
        def text(**arguments: Any) -> str:
            return tool.invoke(arguments)

        super().__init__(text, SchemaMetadata(tool))
        self._tool = tool
        self.requires_context = bool(tool.signature.contexts)
        self.ctx_param_name = _CONTEXT

    def call(self, /, *args: Any, **arguments: Any) -> ToolOutput:
        """Call the tool."""
        context = _taken(arguments)
        sent = self._by_name(args) | arguments
        return self._output(self._tool.call(sent, context), sent)

    async def acall(self, /, *args: Any, **arguments: Any) -> ToolOutput:
        """Call the tool from an event loop, without blocking it."""
        context = _taken(arguments)
        sent = self._by_name(args) | arguments
        return self._output(await self._tool.acall(sent, context), sent)

    def _by_name(self, args: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip((parameter.name for parameter in self._tool.parameters), args, strict=False))

    def _output(self, result: ToolResult, sent: dict[str, Any]) -> ToolOutput:
        return ToolOutput(
            tool_name=self._tool.name,
            blocks=[TextBlock(text=result.text)],
            raw_input={"kwargs": sent},
            raw_output=result.data,
            is_error=result.is_error,
        )


def _taken(arguments: dict[str, Any]) -> dict[str, Any]:
    return {"ctx": arguments.pop(_CONTEXT)} if _CONTEXT in arguments else {}
