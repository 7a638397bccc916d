"""Prompts: what a server offers for its users to put before a model, such as the index of a bundle."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

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

Arguments: TypeAlias = Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class OfferedPrompt:
    """A prompt, and what it says for the arguments that a user gives."""

    prompt: Prompt
    text: Callable[[Arguments], Awaitable[str]]


def index_prompts(tools: Sequence[OKFTools], toolbox: Toolbox) -> list[OfferedPrompt]:
    """The index of each bundle as a prompt: how to use the tools, then what `kb_index` answers."""
    return [_index_prompt(each, toolbox) for each in tools]


def _index_prompt(tools: OKFTools, toolbox: Toolbox) -> OfferedPrompt:
    return answered_prompt(
        f"{tools.prefix}index",
        "What the knowledge base holds, and how to use it.",
        tools.instructions,
        toolbox,
        Tool.of(tools.functions()[0]),
    )


def answered_prompt(
    name: str, description: str, instructions: str, toolbox: Toolbox, tool: Tool
) -> OfferedPrompt:
    """A prompt that says how to use tools, and then what one of them answers, whose arguments it takes."""
    arguments = [
        PromptArgument(name=argument, description=schema.get("description"), required=False)
        for argument, schema in tool.schema["properties"].items()
    ]

    async def text(given: Arguments) -> str:
        answer = await toolbox.acall(tool.name, given)
        if answer.is_error:
            raise MCPError(INVALID_PARAMS, answer.data["error"])
        return "\n\n".join(filter(None, (instructions, answer.text)))

    return OfferedPrompt(Prompt(name=name, description=description, arguments=arguments), text)


def prompt_handlers(offered: Sequence[OfferedPrompt]) -> dict[str, Any]:
    """The handlers of `Server` that have to do with prompts, by the names of its arguments."""
    by_name = {each.prompt.name: each for each in offered}

    async def list_prompts(_context: Any, _params: Any) -> ListPromptsResult:
        return ListPromptsResult(prompts=[each.prompt for each in offered])

    async def get_prompt(_context: Any, params: GetPromptRequestParams) -> GetPromptResult:
        asked = by_name.get(params.name)
        if asked is None:
            message = f"There is no prompt {params.name[:100]!r}; there are: {', '.join(by_name)}."
            raise MCPError(INVALID_PARAMS, message)
        text = TextContent(type="text", text=await asked.text(params.arguments))
        return GetPromptResult(messages=[PromptMessage(role="user", content=text)])

    return {"on_list_prompts": list_prompts, "on_get_prompt": get_prompt}
