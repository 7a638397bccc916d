"""A `fingerpost.Tool` as an OpenAI Agents `FunctionTool`. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from typing import Any, cast

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools, Tool
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox, filled_by_host

try:
    from agents.tool import FunctionTool, FunctionToolCustomDataContext
    from agents.tool_context import ToolContext
except ImportError as cause:
    found = "" if cause.name == "agents" else f"openai-agents {version('openai-agents')}"
    raise missing_package("the OpenAI Agents adapter", "openai-agents", found=found) from cause

filled_by_host("agents", "RunContextWrapper")  # the SDK's ToolContext is one too


def bind(callables: Iterable[Tool | Callable[..., object]]) -> list[FunctionTool]:
    """OpenAI Agents tools from typed functions, or from tools that Fingerpost made.

    The model sees name, description and schema of the core's `Tool`, without strict mode, which would make
    every argument required; the core gets the text that the model sent. `custom_data["data"]` of an output
    item is the result as data (`ToolResult.data`), for the application; an error has none. Where the
    `context` given to `Runner.run` is a mapping, it reaches the tool as its context.

    A name that is no tool never reaches a tool, and the SDK ends the run; with
    `RunConfig(tool_not_found_behavior="return_error_to_model")` the model is told instead.

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
) -> list[FunctionTool]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as OpenAI Agents tools.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names, for several bundles in one agent ("support_").

    Raises:
        ConfigError: If the bundle does not exist, or the prefix makes no valid tool name.
    """
    return bind(OKFTools(bundle, prefix).functions())


def kb_tools(
    source: str | os.PathLike[str] | Mapping[str, Any] | KnowledgeConfig | KnowledgeBuilder,
    agent: str | None = None,
) -> list[FunctionTool]:
    """The tools over knowledge bases that an agent's roles give it, as OpenAI Agents tools.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent))


class _Answer(str):
    """The text of an answer, which takes its data with it to `_custom_data`."""

    data: Any = None


def _native(tool: Tool) -> FunctionTool:
    async def invoke(call: ToolContext[Any], arguments: str) -> str:
        result = await tool.acall(arguments, _context(call.context))
        answer = _Answer(result.text)
        answer.data = None if result.is_error else result.data
        return answer

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=copy.deepcopy(tool.schema),
        on_invoke_tool=invoke,
        strict_json_schema=False,
        custom_data_extractor=_custom_data,
    )


def _context(given: object) -> Mapping[str, Any] | None:
    """What the caller of the runner gave, where it has names."""
    return cast("Mapping[str, Any]", given) if isinstance(given, Mapping) else None


def _custom_data(call: FunctionToolCustomDataContext) -> dict[str, Any] | None:
    """The data of an answer; none where a guardrail put another text in its place."""
    data = getattr(call.output, "data", None)
    return None if data is None else {"data": data}
