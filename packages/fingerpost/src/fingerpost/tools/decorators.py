"""`tool` and `tool_method`: guarded functions that work wherever a framework takes plain functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Concatenate, Generic, ParamSpec, Self, cast, overload

from fingerpost.tools.annotations import in_annotations, in_signature
from fingerpost.tools.budget import READING_CHARS, Cut, check_budget
from fingerpost.tools.guard import CARRIED, PythonCall, Tool, carried
from fingerpost.tools.naming import check_name

P = ParamSpec("P")


@overload
def tool(
    function: Callable[P, Any] | Tool,
    /,
    *,
    name: str | None = None,
    prefix: str = "",
    max_chars: int | None = None,
    cuts: tuple[Cut, ...] | None = None,
    read_only: bool | None = None,
) -> Callable[P, str]: ...


@overload
def tool(
    *,
    name: str | None = None,
    prefix: str = "",
    max_chars: int | None = None,
    cuts: tuple[Cut, ...] | None = None,
    read_only: bool | None = None,
) -> Callable[[Callable[P, Any]], Callable[P, str]]: ...


def tool(
    function: Callable[..., Any] | Tool | None = None,
    /,
    *,
    name: str | None = None,
    prefix: str = "",
    max_chars: int | None = None,
    cuts: tuple[Cut, ...] | None = None,
    read_only: bool | None = None,
) -> Callable[..., Any]:
    """Guard a function, so that any agent can call it: it takes what models really send, and never raises.

    Use it as a decorator, with or without arguments, or call it. Applied to a guarded function, it guards
    nothing twice: it only changes what is given.

    Args:
        function: Any callable with named arguments, or a `Tool`.
        name: The tool's name; by default the function's own.
        prefix: What to put before the name, to tell two sets of tools apart.
        max_chars: How many characters an answer may have: 20,000 by default, 2,000 at least.
        cuts: What to cut first when it has more.
        read_only: Whether it changes nothing; a hint for the application.

    Returns:
        A function with the same arguments that returns a text. It carries the `Tool` as
        `__fingerpost_tool__`.

    Raises:
        ConfigError: The name, the signature or the budget is wrong.
    """

    def guard(target: Callable[..., Any] | Tool) -> Callable[..., str]:
        if not isinstance(target, Tool) and carried(target) is None:
            limit = READING_CHARS if max_chars is None else max_chars
            built = Tool.build(
                target, name=name, prefix=prefix, max_chars=limit, cuts=cuts or (), read_only=read_only
            )
            return as_function(built)
        known = Tool.of(target)
        new_name = check_name(prefix + (known.name if name is None else name))
        changed = replace(
            known,
            name=new_name,
            max_chars=known.max_chars
            if max_chars is None
            else check_budget(max_chars, f'The tool "{new_name}"'),
            cuts=known.cuts if cuts is None else cuts,
            read_only=known.read_only if read_only is None else read_only,
        )
        return as_function(changed)

    return guard if function is None else guard(function)


def as_function(guarded: Tool) -> Callable[..., str]:
    """A tool as a plain function, with everything that frameworks read off functions.

    Args:
        guarded: The tool.

    Returns:
        A function named like the tool, with its description as the docstring, and a signature without the
        parameter that the host fills; each annotation is resolved (`Optional` for `X | None`) and has the
        argument's description with it.
    """

    def function(*args: Any, **kwargs: Any) -> str:
        return guarded.call(PythonCall(args, kwargs)).text

    keyword = guarded.signature.keyword
    parameters = [
        inspect.Parameter(
            parameter.name,
            inspect.Parameter.KEYWORD_ONLY
            if parameter.name in keyword
            else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if parameter.required else parameter.sendable_default,
            annotation=in_signature(parameter),
        )
        for parameter in guarded.parameters
    ]
    function.__name__ = function.__qualname__ = guarded.name
    function.__doc__ = guarded.description
    function.__module__ = getattr(guarded.function, "__module__", None) or __name__
    annotations = {parameter.name: in_annotations(parameter) for parameter in guarded.parameters}
    function.__annotations__ = {**annotations, "return": str}
    setattr(function, "__signature__", inspect.Signature(parameters, return_annotation=str))  # noqa: B010
    setattr(function, CARRIED, guarded)
    return function


class ToolMethod(Generic[P]):
    """A method that each instance hands out as a guarded function of its own; see `tool_method`."""

    def __init__(
        self, method: Callable[..., Any], max_chars: int, cuts: tuple[Cut, ...], read_only: bool | None
    ) -> None:
        self.method = method
        self.max_chars = max_chars
        self.cuts = cuts
        self.read_only = read_only
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any]) -> Callable[P, str]: ...

    def __get__(self, instance: object | None, owner: type[Any]) -> Self | Callable[P, str]:
        if instance is None:
            return self
        limit = getattr(instance, "max_chars", None)
        built = Tool.build(
            self.method.__get__(instance, owner),
            prefix=getattr(instance, "prefix", ""),
            max_chars=self.max_chars if limit is None else limit,
            cuts=self.cuts,
            read_only=self.read_only,
        )
        function = cast("Callable[P, str]", as_function(built))
        vars(instance)[self.method.__name__] = function
        return function


def tool_method(
    *, max_chars: int = READING_CHARS, cuts: tuple[Cut, ...] = (), read_only: bool | None = True
) -> Callable[[Callable[Concatenate[Any, P], Any]], ToolMethod[P]]:
    """Make a method a tool: on an instance, its name is a guarded function without `self`.

    The function is made at first access and kept by the instance. An instance with a `prefix` renames it, and
    one whose `max_chars` is not None sets its budget.

    Args:
        max_chars: How many characters an answer may have.
        cuts: What to cut first when it has more.
        read_only: Whether it changes nothing.

    Returns:
        The decorator.
    """

    def decorate(method: Callable[Concatenate[Any, P], Any]) -> ToolMethod[P]:
        return ToolMethod(method, max_chars, cuts, read_only)

    return decorate
