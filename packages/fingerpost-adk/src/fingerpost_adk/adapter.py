"""A `fingerpost.Tool` as a Google ADK `BaseTool`. All that makes it safe happens in the core."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools, Tool
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox, filled_by_host

try:
    from google.adk import version
    from google.adk.tools.base_tool import BaseTool
    from google.genai.types import FunctionDeclaration
except ImportError as cause:
    raise missing_package("the ADK adapter", "adk") from cause
if tuple(map(int, version.__version__.split(".")[:2])) < (2, 11):
    raise missing_package("the ADK adapter", "adk", found=f"google-adk {version.__version__}")

filled_by_host("google", "ReadonlyContext")  # every context of ADK is one
filled_by_host("google", "LiveRequestQueue")


def bind(callables: Iterable[Tool | Callable[..., object]]) -> list[BaseTool]:
    """ADK tools from typed functions, or from tools that Fingerpost made.

    The model sees name, description and schema of the core's `Tool`; the core gets what the model sent. ADK
    makes `{"result": "<the text>"}` of a text. An error is `{"error": "<the sentence>"}`, which is what ADK's
    own errors look like, and no exception. `custom_metadata["read_only"]` says what is known of side effects.
    The session's state (`tool_context.state`) reaches the tool as its context, in a dict of its own: a key
    that the tool sets there changes no state.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order; none of them blocks the event loop.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    return [RawArgumentsTool(tool) for tool in Toolbox(callables)]


def okf_tools(bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = "") -> list[BaseTool]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as ADK tools.

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
) -> list[BaseTool]:
    """The tools over knowledge bases that an agent's roles give it, as ADK tools.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent))


class RawArgumentsTool(BaseTool):
    """A tool whose arguments reach the core as the model sent them."""

    def __init__(self, tool: Tool) -> None:
        super().__init__(
            name=tool.name,
            description=tool.description,
            custom_metadata=None if tool.read_only is None else {"read_only": tool.read_only},
        )
        self._tool = tool

    def _get_declaration(self) -> FunctionDeclaration:
        return FunctionDeclaration(
            name=self.name,
            description=self.description,
            parameters_json_schema=copy.deepcopy(self._tool.schema),
        )

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> Any:
        """Answer a call of the model."""
        result = await self._tool.acall(args, tool_context.state.to_dict())
        return result.data if result.is_error else result.text
