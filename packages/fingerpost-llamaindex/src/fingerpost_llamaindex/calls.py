"""A mixin for models: arguments that are no JSON object reach the tool as the model sent them."""

from __future__ import annotations

import json
from typing import Any

from fingerpost.errors import missing_package

try:
    from llama_index.core.base.llms.types import ToolCallBlock
except ImportError as cause:
    raise missing_package("the LlamaIndex adapter", "llamaindex") from cause


class MalformedCallMixin:
    """Lets a tool answer arguments that are no JSON object; LlamaIndex would run it with a guess at them.

    LlamaIndex completes JSON that was cut off, so that `{"query": "q", "limit":` becomes `{"query": "q",
    "limit": null}`, and takes a list, or a JSON text within a JSON text, for no arguments at all. With this
    mixin the arguments are then `{"raw": "<what the model sent>"}`; a tool of this package reads them or says
    what is wrong with them, as it does in every framework.

    Example:
        class Model(MalformedCallMixin, OpenAI): ...

        agent = FunctionAgent(tools=okf_tools(bundle), llm=Model(model="gpt-5-mini"))
    """

    def get_tool_calls_from_response(self, response: Any, *args: Any, **options: Any) -> list[Any]:
        """The calls of a message, with the arguments that cannot be read as they are."""
        model: Any = super()
        selections: list[Any] = model.get_tool_calls_from_response(response, *args, **options)
        sent = [block.tool_kwargs for block in response.message.blocks if isinstance(block, ToolCallBlock)]
        for selection, arguments in zip(selections, sent, strict=False):
            if isinstance(arguments, str) and arguments.strip() and not _is_object(arguments):
                selection.tool_kwargs = {"raw": arguments}
        return selections


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
