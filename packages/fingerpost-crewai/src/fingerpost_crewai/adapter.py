"""A `fingerpost.Tool` as a CrewAI `BaseTool`. All that makes it safe happens in the core."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable
from importlib.metadata import version
from typing import Any

from pydantic import PrivateAttr

from fingerpost import Bundle, DocumentStore, OKFTools, Tool, ToolResult
from fingerpost.errors import missing_package
from fingerpost.tools import Toolbox, restored_answer
from fingerpost_crewai.arguments import arguments_model, as_sent

try:
    from crewai.context import get_current_task_id
    from crewai.events.event_context import get_enclosing_parent_id
    from crewai.execution import get_execution_uuid
    from crewai.tools import BaseTool
    from crewai.tools.tool_failure import ToolFailure
except ImportError as cause:
    found = "" if cause.name == "crewai" else f"crewai {version('crewai')}"
    raise missing_package("the CrewAI adapter", "crewai", found=found) from cause

_MAX_CHARS = 6_000
"""CrewAI puts a longer answer aside and shows a preview of it when it does not know the model's window."""


def bind(callables: Iterable[Tool | Callable[..., object]]) -> list[BaseTool]:
    """CrewAI tools from typed functions, or from tools that Fingerpost made.

    The core gets what the model sent. The model sees name, description and schema of the core's `Tool`, in
    which an optional argument may be null: CrewAI demands that a model sends every argument. An answer has at
    most 6,000 characters, or CrewAI would show a part of it. An error is a `ToolFailure`: the model reads it
    like any answer, and CrewAI records it. CrewAI ends a run that gets the same answer to the same call five
    times; from the fourth time on, the answers differ by a note that counts. No context reaches the tool.

    Args:
        callables: Functions with type hints and Google docstrings, or `Tool`s.

    Returns:
        One tool for each, in order; they run synchronously and asynchronously.

    Raises:
        ConfigError: A function cannot be described to a model, or two have the same name.
    """
    toolbox = Toolbox(callables, max_chars=_MAX_CHARS, strict=True, run=_current_run)
    return [_native(toolbox, tool) for tool in toolbox]


def okf_tools(bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = "") -> list[BaseTool]:
    """The three tools over a bundle (`kb_index`, `kb_read`, `kb_find`) as CrewAI tools.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names, for several bundles in one agent ("support_").

    Raises:
        ConfigError: If the bundle does not exist, or the prefix makes no valid tool name.
    """
    return bind(OKFTools(bundle, prefix, _MAX_CHARS).functions())


class RawArgumentsTool(BaseTool):
    """A tool that gets its arguments untouched, also one that is named like a parameter of CrewAI."""

    _toolbox: Toolbox | None = PrivateAttr(None)
    _names: tuple[str, ...] = PrivateAttr(())

    def run(self, /, *args: Any, **arguments: Any) -> Any:
        """Call the tool, as CrewAI does."""
        return super().run(as_sent(self._names, args, arguments))

    async def arun(self, /, *args: Any, **arguments: Any) -> Any:
        """Call the tool from an event loop, without blocking it."""
        return await super().arun(as_sent(self._names, args, arguments))

    def _run(self, /, *args: Any, **arguments: Any) -> Any:
        if self._toolbox is None:
            return _shown(restored_answer(self.name))
        return _shown(self._toolbox.call(self.name, as_sent(self._names, args, arguments)))

    async def _arun(self, /, *args: Any, **arguments: Any) -> Any:
        if self._toolbox is None:
            return _shown(restored_answer(self.name))
        return _shown(await self._toolbox.acall(self.name, as_sent(self._names, args, arguments)))


def _native(toolbox: Toolbox, tool: Tool) -> BaseTool:
    native = RawArgumentsTool(
        name=tool.name,
        description=tool.description,
        args_schema=arguments_model(tool.schema),
        cache_function=_never,
    )
    native._toolbox = toolbox  # pyright: ignore[reportPrivateUsage]
    native._names = tuple(parameter.name for parameter in tool.parameters)  # pyright: ignore[reportPrivateUsage]
    return native


def _shown(result: ToolResult) -> str | ToolFailure:
    return ToolFailure(message=result.text) if result.is_error else result.text


def _never(_arguments: Any = None, _result: Any = None) -> bool:
    """Whether an answer may stand for that of a later call: the knowledge may have changed."""
    return False


def _current_run() -> Hashable | None:
    """The run that is under way: one go of an agent at a task, in which CrewAI counts equal calls.

    The kickoff is the outermost one, also of a Flow; the event around that of the tool tells its parts apart.
    """
    execution = get_execution_uuid()
    return execution and (execution, get_current_task_id(), get_enclosing_parent_id())
