"""A `fingerpost.Tool` as a smolagents `Tool`. All that makes it safe happens in the core."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import fingerpost
from fingerpost import Bundle, DocumentStore, KnowledgeBuilder, KnowledgeConfig, OKFTools
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox
from fingerpost_smolagents.code_prompt import code_prompt
from fingerpost_smolagents.inputs import Inputs
from fingerpost_smolagents.schemas import is_all_arguments

try:
    from smolagents import Tool, __version__  # pyright: ignore[reportMissingTypeStubs]
except ImportError as cause:
    raise missing_package("the smolagents adapter", "smolagents") from cause
if not hasattr(Tool, "to_code_prompt"):
    raise missing_package("the smolagents adapter", "smolagents", found=f"smolagents {__version__}")


def bind(callables: Iterable[fingerpost.Tool | Callable[..., object]]) -> list[Tool]:
    """Tools for smolagents from typed functions, or from tools that Fingerpost made.

    A `ToolCallingAgent` is shown name, description and schema of the core's `Tool`, a `CodeAgent` its Python
    signature; the core gets what the model sent. An answer is a text, an error too: when a tool raises,
    smolagents loses the other answers of that step. It has no way to hand a tool what its caller knows, and
    so a tool's context is empty.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    return [GuardedTool(tool) for tool in Toolbox(callables)]


def okf_tools(bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = "") -> list[Tool]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as smolagents tools.

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
) -> list[Tool]:
    """The tools over knowledge bases that an agent's roles give it, as smolagents tools.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.

    Returns:
        The tools; none for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    return bind(fingerpost.kb_tools(source, agent))


class GuardedTool(Tool):
    """A tool that gets its arguments untouched; smolagents checks none and takes none for its own."""

    skip_forward_signature_validation = True
    output_type = "string"

    def __init__(self, guarded: fingerpost.Tool) -> None:
        self.name = guarded.name
        self.description = guarded.description
        self.inputs = Inputs.of(guarded)
        self.guarded = guarded
        self.function = fingerpost.tool(guarded)
        super().__init__()  # pyright: ignore[reportUnknownMemberType]

    def __call__(self, /, *args: Any, sanitize_inputs_outputs: bool = False, **arguments: Any) -> str:
        """Call the tool; smolagents sets `sanitize_inputs_outputs` when a model made the call."""
        if sanitize_inputs_outputs and args:  # what a model sent for arguments is no JSON object
            return self.guarded.invoke(args[0])
        if len(args) == 1 and not arguments and is_all_arguments(args[0], self.guarded):
            args, arguments = (), args[0]
        return self.function(*args, **arguments)

    def forward(self, /, *args: Any, **arguments: Any) -> str:
        """Call the tool from Python."""
        return self.function(*args, **arguments)

    def to_code_prompt(self) -> str:
        """The function as a `CodeAgent` shows it to its model."""
        return code_prompt(self.guarded)
