"""The index of each bundle as a prompt: how to use the tools, then what `kb_index` answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from fingerpost import OKFTools, Tool
from fingerpost.tools import Toolbox


def prompt_handlers(tools: Sequence[OKFTools], toolbox: Toolbox) -> dict[str, Any]:
    """The handlers of `Server` that have to do with prompts, by the names of its arguments."""
    by_name = {f"{each.prefix}index": each for each in tools}
    prompts = [
        Prompt(
            name=name,
            description="What the knowledge base holds, and how to use it.",
            arguments=_arguments(Tool.of(each.functions()[0])),
        )
        for name, each in by_name.items()
    ]

    async def list_prompts(_context: Any, _params: Any) -> ListPromptsResult:
        return ListPromptsResult(prompts=prompts)

    async def get_prompt(_context: Any, params: GetPromptRequestParams) -> GetPromptResult:
        asked = by_name.get(params.name)
        if asked is None:
            message = f"There is no prompt {params.name[:100]!r}; there are: {', '.join(by_name)}."
            raise MCPError(INVALID_PARAMS, message)
        answer = await toolbox.acall(asked.names[0], params.arguments)
        if answer.is_error:
            raise MCPError(INVALID_PARAMS, answer.data["error"])
        text = TextContent(type="text", text=f"{asked.instructions}\n\n{answer.text}")
        return GetPromptResult(messages=[PromptMessage(role="user", content=text)])

    return {"on_list_prompts": list_prompts, "on_get_prompt": get_prompt}


def _arguments(index: Tool) -> list[PromptArgument]:
    return [
        PromptArgument(name=name, description=schema.get("description"), required=False)
        for name, schema in index.schema["properties"].items()
    ]
