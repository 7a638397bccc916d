"""`Tool`: a function with everything that makes it safe to hand to a model."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from fingerpost.errors import ConfigError
from fingerpost.tools.allowance import Allowing
from fingerpost.tools.arguments import Arguments, call_arguments, placed, read_arguments
from fingerpost.tools.budget import READING_CHARS, Cut, check_budget
from fingerpost.tools.docstrings import read_docstring
from fingerpost.tools.failures import failed, is_control_flow
from fingerpost.tools.naming import check_name, suggest_name
from fingerpost.tools.observing import Watch, observers
from fingerpost.tools.result import ToolResult, answer
from fingerpost.tools.schema import Parameter, Signature, ToolContext, read_signature

CARRIED = "__fingerpost_tool__"
"""The attribute under which a guarded function carries its tool."""

Sent: TypeAlias = Mapping[str, Any] | str | bytes | None


@dataclass(frozen=True, slots=True)
class PythonCall:
    """The arguments of a guarded function that was called from Python."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def given(self) -> object:
        """What was given, without the host's context: by name; else a list that ends with what was."""
        by_name = {name: value for name, value in self.kwargs.items() if not isinstance(value, ToolContext)}
        return [*self.args, by_name] if self.args else by_name


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """A function that any agent can call: described, lenient about arguments, within a budget, never raising.

    Attributes:
        name: What the model calls it by.
        description: What the model reads of it; the docstring without the section about arguments.
        function: The function itself, unguarded.
        signature: What it takes.
        schema: Its arguments as one JSON schema. Give a framework that rewrites schemas a copy.
        max_chars: How many characters an answer may have.
        cuts: What to cut first when it has more.
        read_only: Whether it changes nothing; None when that is not known.
    """

    name: str
    description: str
    function: Callable[..., Any]
    signature: Signature
    schema: dict[str, Any]
    max_chars: int = READING_CHARS
    cuts: tuple[Cut, ...] = ()
    read_only: bool | None = None

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What a model can send, in the order of the signature."""
        return self.signature.parameters

    @classmethod
    def of(cls, function: Callable[..., Any] | Tool) -> Tool:
        """The tool that a function carries, or a new one made of it; guarding never happens twice.

        Args:
            function: A function made by `tool`, a `Tool`, or any callable with named arguments.

        Returns:
            The tool.

        Raises:
            ConfigError: The name or the signature cannot be shown to a model.
        """
        if isinstance(function, Tool):
            return function
        known = carried(function)
        if known is None:
            return cls.build(function)
        if not inspect.ismethod(function):
            return known
        return cls.build(  # guarded in its class: what it is called on is no argument of a model
            known.function.__get__(function.__self__),
            name=known.name,
            max_chars=known.max_chars,
            cuts=known.cuts,
            read_only=known.read_only,
        )

    @classmethod
    def build(
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        prefix: str = "",
        max_chars: int = READING_CHARS,
        cuts: tuple[Cut, ...] = (),
        read_only: bool | None = None,
    ) -> Tool:
        """A new tool.

        Args:
            function: Any callable with named arguments: function, method, lambda, partial, object, coroutine
                function.
            name: Its name; by default the function's own.
            prefix: What to put before the name.
            max_chars: How many characters an answer may have.
            cuts: What to cut first when it has more.
            read_only: Whether it changes nothing; None when that is not known.

        Returns:
            The tool.

        Raises:
            ConfigError: The name, the signature or the budget is wrong.
        """
        full_name = check_name(prefix + (name if name is not None else _own_name(function)))
        check_budget(max_chars, f'The tool "{full_name}"')
        if inspect.isasyncgenfunction(function):
            raise ConfigError(f'The tool "{full_name}" yields its answer in parts: return a list instead.')
        texts = read_docstring(_documentation(function))
        signature = read_signature(function, full_name, texts.arguments)
        return cls(
            name=full_name,
            description=texts.description or f"Call {full_name}.",
            function=function,
            signature=signature,
            schema=signature.json_schema,
            max_chars=max_chars,
            cuts=cuts,
            read_only=read_only,
        )

    def call(self, args: Sent | PythonCall = None, context: Mapping[str, Any] | None = None) -> ToolResult:
        """Call the tool; it raises nothing but what ends more than the tool: interrupt, exit, cancellation.

        Args:
            args: The arguments as a mapping or as the JSON text that a model sent; None and "" for none.
            context: What the host supplies (tenant, user, trace); invisible to the model.

        Returns:
            The answer.
        """
        if not observers.listening:
            return self._guarded(args, context)
        with Watch(self, _sent(args)) as watch:
            return watch.answered(self._guarded(args, context, watch))

    async def acall(
        self, args: Sent | PythonCall = None, context: Mapping[str, Any] | None = None
    ) -> ToolResult:
        """Call the tool from an event loop without blocking it.

        A coroutine function is awaited on the running loop; any other runs on a bounded pool of threads, with
        the caller's context variables.

        Args:
            args: As for `call`.
            context: As for `call`.

        Returns:
            The answer.
        """
        if not _is_async(self.function):
            from fingerpost.tools.executor import in_thread

            return await in_thread(self.call, args, context)
        if not observers.listening:
            return await self._aguarded(args, context)
        with Watch(self, _sent(args)) as watch:
            return watch.answered(await self._aguarded(args, context, watch))

    def __deepcopy__(self, _memo: object) -> Tool:
        """The tool itself: nothing of it changes, and what its function stands on may not be copied."""
        return self

    def invoke(self, args: Sent | PythonCall = None, context: Mapping[str, Any] | None = None) -> str:
        """Call the tool and return what the model sees.

        Args:
            args: As for `call`.
            context: As for `call`.

        Returns:
            The text of the answer.
        """
        return self.call(args, context).text

    def _guarded(
        self, args: Sent | PythonCall, context: Mapping[str, Any] | None, watch: Watch | None = None
    ) -> ToolResult:
        """The answer of a call, whatever happens in it; a watch is told what observers want to know."""
        notes: tuple[str, ...] = ()
        try:
            arguments, context = self._read(args, context)
            notes = arguments.notes
            if watch:
                watch.arguments = arguments.values
            with Allowing(self.max_chars):
                value = self._run(arguments, context)
            if inspect.isawaitable(value):
                from fingerpost.tools.executor import wait_for

                value = wait_for(value)
            return answer(value, notes, self.max_chars, self.cuts)
        except BaseException as error:
            if watch:
                watch.error = error
            if is_control_flow(error):
                raise
            return failed(error, self.name, notes, self.max_chars)

    async def _aguarded(
        self, args: Sent | PythonCall, context: Mapping[str, Any] | None, watch: Watch | None = None
    ) -> ToolResult:
        """As `_guarded`, for a coroutine function that is awaited on the running loop."""
        from fingerpost.tools.executor import in_thread

        notes: tuple[str, ...] = ()
        try:
            arguments, context = await in_thread(self._read, args, context)
            notes = arguments.notes
            if watch:
                watch.arguments = arguments.values
            value = await self._run(arguments, context)
            return await in_thread(answer, value, notes, self.max_chars, self.cuts)
        except BaseException as error:
            if watch:
                watch.error = error
            if is_control_flow(error, is_cancelled=_is_cancelled()):
                raise
            return failed(error, self.name, notes, self.max_chars)

    def _read(
        self, sent: Sent | PythonCall, context: Mapping[str, Any] | None
    ) -> tuple[Arguments, Mapping[str, Any] | None]:
        """The arguments; a Python caller may give the context too, which no model can send."""
        if not isinstance(sent, PythonCall):
            return read_arguments(sent, self.signature), context
        kwargs = dict(sent.kwargs)
        for name in self.signature.contexts:
            if isinstance(kwargs.get(name), ToolContext):
                context = kwargs.pop(name)
        return read_arguments(call_arguments(sent.args, kwargs, self.signature), self.signature), context

    def _run(self, arguments: Arguments, context: Mapping[str, Any] | None) -> Any:
        positional, keyword = placed(arguments.values, self.signature, context)
        return self.function(*positional, **keyword)


def carried(function: Callable[..., Any]) -> Tool | None:
    """The tool that a guarded function carries, None for any other callable."""
    found = getattr(function, CARRIED, None)
    return found if isinstance(found, Tool) else None


def _own_name(function: Callable[..., Any]) -> str:
    """The name of a function; a lambda and a callable object, which have none, get one."""
    while isinstance(function, functools.partial):
        function = cast("functools.partial[Any]", function).func
    name = getattr(function, "__name__", None)
    if name is None:
        return suggest_name(type(function).__name__)
    return "function" if name == "<lambda>" else name


def _documentation(function: Callable[..., Any]) -> str:
    while isinstance(function, functools.partial):
        function = cast("functools.partial[Any]", function).func
    is_object = not inspect.isroutine(function) and not isinstance(function, type)
    call_text = type(function).__call__.__doc__ if is_object else None
    return inspect.cleandoc(call_text or function.__doc__ or "")


def _sent(args: Sent | PythonCall) -> object:
    """What observers are shown where the arguments cannot be read."""
    return args.given() if isinstance(args, PythonCall) else args


def _is_cancelled() -> bool:
    """Whether the running task is being cancelled."""
    import asyncio

    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
