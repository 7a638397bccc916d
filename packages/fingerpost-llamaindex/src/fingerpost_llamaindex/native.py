"""A `fingerpost.Tool` as a LlamaIndex `FunctionTool`. All that makes it safe happens in the core."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fingerpost import Tool, ToolResult
from fingerpost.errors import missing_package
from fingerpost.tools import filled_by_host, let_through
from fingerpost_llamaindex.metadata import SchemaMetadata, as_function

try:
    from llama_index.core.base.llms.types import TextBlock
    from llama_index.core.tools import FunctionTool, ToolOutput
    from llama_index.core.workflow import Context
except ImportError as cause:
    raise missing_package("the LlamaIndex adapter", "llamaindex") from cause
_INSTALLED = version("llama-index-core")
if tuple(map(int, _INSTALLED.split(".")[:2])) < (0, 14):
    raise missing_package("the LlamaIndex adapter", "llamaindex", found=f"llama-index-core {_INSTALLED}")

_CONTEXT = "llama_index.Context"  # under this name, which is no parameter's, an agent hands over its context

let_through("workflows.runtime.types.results", "WaitingForEvent")  # how `wait_for_event` pauses a workflow
filled_by_host("workflows", "Context")


class RawArgumentsTool(FunctionTool):
    """A tool that gets its arguments untouched, also one that is named like a parameter of LlamaIndex."""

    def __init__(self, tool: Tool) -> None:
        super().__init__(as_function(tool), SchemaMetadata(tool))
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
    """The context of the workflow; whatever else has its name was sent by a model, and stays an argument."""
    return {"ctx": arguments.pop(_CONTEXT)} if isinstance(arguments.get(_CONTEXT), Context) else {}
