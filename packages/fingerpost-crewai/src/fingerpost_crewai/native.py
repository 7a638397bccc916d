"""A `fingerpost.Tool` as a CrewAI `BaseTool`. All that makes it safe happens in the core."""

from __future__ import annotations

from collections.abc import Hashable
from importlib.metadata import version
from typing import Any

from pydantic import PrivateAttr

from fingerpost import Tool, ToolResult
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


def native_tool(toolbox: Toolbox, tool: Tool) -> BaseTool:
    """A tool of a toolbox as CrewAI takes it."""
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


def current_run() -> Hashable | None:
    """The run that is under way: one go of an agent at a task, in which CrewAI counts equal calls.

    The kickoff is the outermost one, also of a Flow; the event around that of the tool tells its parts apart.
    """
    execution = get_execution_uuid()
    return execution and (execution, get_current_task_id(), get_enclosing_parent_id())
