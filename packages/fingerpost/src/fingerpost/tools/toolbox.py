"""`Toolbox`: the tools of one agent, by name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from fingerpost.errors import ConfigError
from fingerpost.text.suggest import did_you_mean, nearest
from fingerpost.tools.budget import check_budget
from fingerpost.tools.guard import Sent, Tool
from fingerpost.tools.naming import check_unique
from fingerpost.tools.repeats import Repeats
from fingerpost.tools.result import ToolResult, error_answer


class Toolbox:
    """Tools with distinct names, in order. Calling one by name raises nothing, also when there is none.

    The keywords are for frameworks with limits of their own; equal calls give equal answers unless `run` is
    given.

    Args:
        callables: Functions with type hints and Google docstrings, guarded functions, or `Tool`s.
        max_chars: The most characters that any of them may answer; a smaller budget stays as it is.
        strict: Whether models are held to the schemas and must send everything: then null is allowed for
            whatever is optional, and a union shows all that it takes.
        run: Names the run of an agent that is under way, None while there is none. From the fourth call with
            the same arguments and the same answer on, the answers of a run say which call they are.

    Raises:
        ConfigError: If no list is given, two tools have the same name, a function cannot be shown to a model,
            or the budget is too small.
    """

    def __init__(
        self,
        callables: Iterable[Tool | Callable[..., object]],
        *,
        max_chars: int | None = None,
        strict: bool = False,
        run: Callable[[], Hashable | None] | None = None,
    ) -> None:
        tools = [Tool.of(function) for function in _several(callables)]
        check_unique(tool.name for tool in tools)
        if max_chars is not None:
            check_budget(max_chars, "A toolbox")
            tools = [replace(tool, max_chars=min(tool.max_chars, max_chars)) for tool in tools]
        if strict:
            tools = [replace(tool, schema=tool.signature.strict_schema) for tool in tools]
        self._tools = {tool.name: tool for tool in tools}
        self._repeats = Repeats(run) if run else None

    def __deepcopy__(self, _memo: object) -> Toolbox:
        """The toolbox itself, as a `Tool` is."""
        return self

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def call(self, name: str, args: Sent = None, context: Mapping[str, Any] | None = None) -> ToolResult:
        """Call a tool by name.

        Args:
            name: What the model calls it.
            args: As for `Tool.call`.
            context: As for `Tool.call`.

        Returns:
            The answer; for an unknown name an error that lists the tools.
        """
        tool = self._tools.get(name)
        if tool is None:
            return self._unknown(name)
        result = tool.call(args, context)
        return self._repeats.noted(tool, args, result) if self._repeats else result

    async def acall(
        self, name: str, args: Sent = None, context: Mapping[str, Any] | None = None
    ) -> ToolResult:
        """Call a tool by name from an event loop, without blocking it; see `call`."""
        tool = self._tools.get(name)
        if tool is None:
            return self._unknown(name)
        result = await tool.acall(args, context)
        return self._repeats.noted(tool, args, result) if self._repeats else result

    def _unknown(self, name: str) -> ToolResult:
        hint = did_you_mean(nearest(name, self._tools, limit=1))
        there = f"there are: {', '.join(self._tools)}" if self._tools else "there is none"
        return error_answer(f"There is no tool {name[:100]!r}; {there}. {hint}".rstrip(), (), 2_000)


def _several(callables: object) -> Iterable[Tool | Callable[..., object]]:
    """The callables, provided that they are several things and not one."""
    if isinstance(callables, Iterable) and not isinstance(callables, (str, bytes)):
        return cast("Iterable[Tool | Callable[..., object]]", callables)
    name = getattr(callables, "name", None) or getattr(callables, "__name__", None)
    raise ConfigError(
        f"Tools are made of a list of functions, and {name or repr(callables)[:100]} is none; give a list of "
        f"functions, such as [{name or 'my_function'}]."
    )
