"""Observers: what an application learns of every tool call, for its logs, metrics and traces."""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from fingerpost.errors import ConfigError
from fingerpost.tools.failures import is_control_flow, logged
from fingerpost.tools.result import ToolResult

if TYPE_CHECKING:
    from fingerpost.tools.guard import Tool


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call that has ended, as observers see it.

    Attributes:
        name: The tool's name.
        arguments: What the function was called with, by name, without what the host supplied; where that
            could not be read, what was sent.
        duration: How long it took, in seconds, without what observers took.
        result: The answer; None when the call was ended by what ends more than the tool: an interrupt, an
            exit, cancellation.
        exception: Name of the class of the exception that was raised; None when none was, also when the
            function answered an error.
    """

    name: str
    arguments: Any
    duration: float
    result: ToolResult | None
    exception: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether the call failed, or ended without an answer."""
        return self.result is None or self.result.is_error

    @property
    def error(self) -> str | None:
        """The sentence of the error; None for a call that went well."""
        if self.result is None:
            return f"The call was ended by {self.exception}."
        return str(self.result.data.get("error", self.result.text)) if self.result.is_error else None

    @property
    def result_size(self) -> int:
        """How many characters the text of the answer has."""
        return len(self.result.text) if self.result else 0


Observer: TypeAlias = Callable[[Call], object]


def on_call(observer: Observer) -> Callable[[], None]:
    """Have a function called after every tool call of this process.

    It holds for all tools, however they are called. The observer runs where the call ran, in its thread and
    with its context variables, before the caller gets the answer. One that raises harms no call: its first
    failure is logged on "fingerpost.tools".

    Args:
        observer: Gets the `Call`; what it returns is ignored. Several threads may call it at the same time.

    Returns:
        A function that takes the observer away again; it may be called twice.

    Raises:
        ConfigError: The observer is no plain function.
    """
    return observers.add(_Registration(_checked_name(observer), lambda _: observer))


def around_call(begin: Callable[[Tool], Observer | None]) -> Callable[[], None]:
    """Have a function called before every tool call of this process, and what it returns after that call.

    Both run in the context in which the tool's function runs: context variables that are set before are seen
    by the function, and by the tools that it calls. What began last ends first.

    Args:
        begin: Gets the `Tool`, and returns an observer for this one call, or None.

    Returns:
        A function that takes it away again, as for `on_call`; a call under way is still observed to its end.

    Raises:
        ConfigError: It is no plain function.
    """
    return observers.add(_Registration(_checked_name(begin), begin))


class Observers:
    """Who wants to know of the tool calls of this process.

    Attributes:
        listening: A tuple that never changes, but is replaced: a call under way keeps the one it began with.
    """

    def __init__(self) -> None:
        self.listening: tuple[_Registration, ...] = ()
        self.reset()

    def reset(self) -> None:
        """Make the lock anew: nobody is left in a forked child to release that of its parent."""
        self._changing = threading.Lock()

    def add(self, registration: _Registration) -> Callable[[], None]:
        """Take one more; return what takes it away again."""
        with self._changing:
            self.listening = (*self.listening, registration)

        def take_away() -> None:
            with self._changing:
                self.listening = tuple(each for each in self.listening if each is not registration)

        return take_away


class Watch:
    """Looks on while a tool is called, as a context manager, and tells observers before and after.

    Args:
        tool: The tool.
        sent: What was sent to it.

    Attributes:
        arguments: What was sent, until it is replaced by what was read of it.
        error: What was raised, None until then.
    """

    __slots__ = ("_ends", "_result", "_start", "_tool", "arguments", "error")

    def __init__(self, tool: Tool, sent: object) -> None:
        self.arguments = sent
        self.error: BaseException | None = None
        self._tool = tool
        self._result: ToolResult | None = None

    def __enter__(self) -> Self:
        self._ends: list[tuple[_Registration, Observer]] = []
        self._start = perf_counter()
        try:
            for each in observers.listening:
                observer = each.safely(each.begin, self._tool)
                if observer is not None:
                    self._ends.append((each, observer))
        except BaseException as error:
            self.error = error
            self.__exit__()
            raise
        self._start = perf_counter()
        return self

    def answered(self, result: ToolResult) -> ToolResult:
        """There is an answer; it is returned."""
        self._result = result
        return result

    def __exit__(self, *_raised: object) -> None:
        duration = perf_counter() - self._start
        exception = None if self.error is None else type(self.error).__name__
        call = Call(self._tool.name, self.arguments, duration, self._result, exception)
        with ExitStack() as ends:  # the last first, and all of them also where one is interrupted
            for registration, observer in self._ends:
                ends.callback(registration.safely, observer, call)


class _Registration:
    """A function that is called before calls, and whether that, or what it returned, has failed before."""

    __slots__ = ("begin", "has_failed", "name")

    def __init__(self, name: str, begin: Callable[[Tool], Observer | None]) -> None:
        self.name = name
        self.begin = begin
        self.has_failed = False

    def safely(self, function: Callable[[Any], Any], argument: object) -> Any:
        """What a function of the application returns; None when it fails."""
        try:
            return function(argument)
        except BaseException as error:
            if is_control_flow(error):
                raise
            if not self.has_failed:
                self.has_failed = True
                logged(error, f"The observer {self.name}, whose further failures are not logged,")
            return None


observers = Observers()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=observers.reset)


def _checked_name(function: Callable[..., object]) -> str:
    """The name of a function, provided that it can be called without awaiting it."""
    name = str(getattr(function, "__qualname__", type(function).__qualname__))
    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
    if not callable(function) or is_async:
        raise ConfigError(f"What observes tool calls is a plain function, and {name} is none.")
    return name
