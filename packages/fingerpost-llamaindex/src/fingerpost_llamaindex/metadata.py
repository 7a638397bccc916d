"""What LlamaIndex reads off a tool to show it to a model: the core's schema, and a function's signature."""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable
from typing import Any

from fingerpost import Tool, tool
from fingerpost.errors import missing_package

try:
    from llama_index.core.tools import ToolMetadata
except ImportError as cause:
    raise missing_package("the LlamaIndex adapter", "llamaindex") from cause


class SchemaMetadata(ToolMetadata):
    """What a model is told of a tool: the core's schema as it is, for calls and for ReAct prompts."""

    def __init__(self, core: Tool) -> None:
        super().__init__(description=core.description, name=core.name, fn_schema=None)
        self._schema = core.schema

    def get_parameters_dict(self) -> dict[str, Any]:
        """The schema of the arguments."""
        return copy.deepcopy(self._schema)

    @property
    def fn_schema_str(self) -> str:
        """The schema of the arguments as JSON text."""
        return json.dumps(self._schema, ensure_ascii=False)


class OpenSignature(inspect.Signature):
    """A signature that takes all names when it is asked, so that those a model made up reach the core too.

    LlamaIndex hands over one argument by position when its name is not in the signature.
    """

    def bind_partial(self, /, *_args: Any, **_kwargs: Any) -> inspect.BoundArguments:
        """Bind nothing."""
        return super().bind_partial()


def as_function(core: Tool) -> Callable[..., str]:
    """A tool as the function that a `CodeActAgent` shows, and that code may call by name or by position."""
    function = tool(core)
    shown = inspect.signature(function)
    signature = OpenSignature(list(shown.parameters.values()), return_annotation=shown.return_annotation)
    setattr(function, "__signature__", signature)  # noqa: B010
    return function
