"""A `fingerpost.Tool` as an Agent Framework `FunctionTool`. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
from typing import Any

from fingerpost import Tool
from fingerpost.errors import missing_package
from fingerpost.tools import filled_by_host, let_through

try:
    import agent_framework
    from agent_framework import Content, FunctionInvocationContext, FunctionTool
    from pydantic import BaseModel
except ImportError as cause:
    raise missing_package("the Agent Framework adapter", "agent-framework") from cause
_VERSION = agent_framework.__version__
if tuple(map(int, _VERSION.split(".")[:2])) < (1, 22):  # they check arguments against the schema themselves
    raise missing_package(
        "the Agent Framework adapter", "agent-framework", found=f"agent-framework-core {_VERSION}"
    )

_CONTEXT = "function_invocation_context"
"""The name under which the framework hands over its context; anything else there is an argument."""

# How a nested agent asks its user, and how a run is ended on purpose.
let_through("agent_framework.exceptions", "UserInputRequiredException")
let_through("agent_framework.exceptions", "MiddlewareException")
filled_by_host("agent_framework", "FunctionInvocationContext")


class AnyArguments(BaseModel, extra="allow"):
    """Whatever a model sent, unchecked."""


class RawArgumentsTool(FunctionTool):
    """A tool whose arguments reach the core as the model sent them, whatever their names."""

    def __init__(self, tool: Tool) -> None:
        async def run(
            arguments: dict[str, Any], function_invocation_context: FunctionInvocationContext | None
        ) -> Content:
            given = function_invocation_context.kwargs if function_invocation_context else {}
            result = await tool.acall(arguments, given)
            return Content.from_text(result.text, raw_representation=result)

        super().__init__(
            name=tool.name,
            description=tool.description,
            approval_mode="never_require",
            additional_properties=None if tool.read_only is None else {"read_only": tool.read_only},
            func=run,
            input_model=AnyArguments,
        )
        self._schema = tool.schema

    def parameters(self) -> dict[str, Any]:
        """The core's schema, in a copy that a client may change."""
        return copy.deepcopy(self._schema)

    def __call__(self, /, **arguments: Any) -> Any:
        """Hand the arguments over in one dict, where no name can collide with another."""
        is_given = isinstance(arguments.get(_CONTEXT), FunctionInvocationContext)
        return super().__call__(arguments, arguments.pop(_CONTEXT) if is_given else None)
