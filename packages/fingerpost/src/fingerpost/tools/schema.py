"""A function's signature as a list of parameters and one JSON schema."""

from __future__ import annotations

import functools
import inspect
import math
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from fingerpost.errors import ConfigError
from fingerpost.tools.hosts import host_class_in
from fingerpost.tools.shapes import ANY, Shape, choice_value, json_schema, or_null, shape_of, written

_INFERRED = (bool, int, float, str)
_REFUSED = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


class ToolContext(dict[str, Any]):
    """What the host knows and the model must not choose: tenant, user, trace.

    A parameter annotated `ToolContext` (or `Optional[ToolContext]`) is filled by whoever runs the tool, and
    is in no schema. It is a plain dict otherwise.
    """


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument that a model can send.

    Attributes:
        name: Its name.
        shape: What it must look like.
        required: Whether it has no default.
        default: Its default; None when it is required.
        description: What the docstring says of it.
        annotation: Its type as a framework can read it, with `Optional` for `X | None`.
    """

    name: str
    shape: Shape
    required: bool
    default: Any
    description: str
    annotation: Any

    @property
    def json_schema(self) -> dict[str, Any]:
        """Its JSON schema, in the simple flavour that every model API takes."""
        return self._described(json_schema(self.shape))

    @property
    def sendable_default(self) -> Any:
        """Its default if it can travel as JSON; else None, which stands for it."""
        return self.default if _is_plain(choice_value(self.default)) else None

    @property
    def strict_schema(self) -> dict[str, Any]:
        """Its JSON schema for a model that must send it; null stands for its default."""
        schema = json_schema(self.shape, strict=True)
        return self._described(schema if self.required else or_null(schema))

    def _described(self, schema: dict[str, Any]) -> dict[str, Any]:
        if self.description:
            schema["description"] = self.description
        default = choice_value(self.default)
        if not self.required and _is_plain(default):
            schema["default"] = list(cast("list[Any]", default)) if isinstance(default, tuple) else default
        return schema


@dataclass(frozen=True, slots=True)
class Signature:
    """What is known of a function's parameters.

    Attributes:
        parameters: What a model can send, in the order written.
        contexts: The parameters that the host fills, each with whether it takes None when there is nothing.
        order: Names of all parameters in the order written.
        positional: Names of those that Python takes by position alone.
        keyword: Names of those that Python takes by keyword alone.
    """

    parameters: tuple[Parameter, ...]
    contexts: Mapping[str, bool] = field(default_factory=dict[str, bool])
    order: tuple[str, ...] = ()
    positional: frozenset[str] = frozenset()
    keyword: frozenset[str] = frozenset()

    @property
    def json_schema(self) -> dict[str, Any]:
        """One JSON schema of type object; a new dict at each access, keys in the order of the signature."""
        return self._object({parameter.name: parameter.json_schema for parameter in self.parameters})

    @property
    def strict_schema(self) -> dict[str, Any]:
        """The same for models that are held to it and must send everything."""
        return self._object({parameter.name: parameter.strict_schema for parameter in self.parameters})

    def _object(self, properties: dict[str, Any]) -> dict[str, Any]:
        required = [parameter.name for parameter in self.parameters if parameter.required]
        return {"type": "object", "properties": properties, "required": required}


def read_signature(function: Callable[..., Any], name: str, texts: Mapping[str, str]) -> Signature:
    """Read what a function takes.

    Arguments that a `functools.partial` has bound by keyword are left out: who bound them did not mean a
    model to choose them.

    Args:
        function: Any callable with a signature.
        name: The tool's name, for messages.
        texts: The description of each argument, by name.

    Returns:
        The signature.

    Raises:
        ConfigError: It has no readable signature, or takes `*args` or `**kwargs`, which no schema can
            describe.
    """
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise ConfigError(
            f'The tool "{name}" has no readable signature: wrap it in a function with named arguments.'
        ) from error
    hints = _type_hints(function)
    bound: Mapping[str, Any] = function.keywords if isinstance(function, functools.partial) else {}
    parameters: list[Parameter] = []
    contexts: dict[str, bool] = {}
    order: list[str] = []
    for item in found.parameters.values():
        if item.name in bound:
            continue
        if item.kind in _REFUSED:
            raise ConfigError(
                f'The tool "{name}" takes {_REFUSED[item.kind]}{item.name}, which no schema can describe: '
                "give each argument a name of its own."
            )
        annotation = hints.get(item.name, _annotation(item))
        order.append(item.name)
        if _is_context(annotation):
            contexts[item.name] = type(None) in typing.get_args(annotation)
            continue
        unresolved = isinstance(item.annotation, str) and item.name not in hints
        _refuse_what_no_model_may_send(item, item.annotation if unresolved else annotation, name)
        parameters.append(_parameter(item, annotation, texts.get(item.name, "")))
    kinds = {name: found.parameters[name].kind for name in order}
    return Signature(
        parameters=tuple(parameters),
        contexts=contexts,
        order=tuple(order),
        positional=frozenset(name for name in order if kinds[name] is inspect.Parameter.POSITIONAL_ONLY),
        keyword=frozenset(name for name in order if kinds[name] is inspect.Parameter.KEYWORD_ONLY),
    )


def _refuse_what_no_model_may_send(item: inspect.Parameter, annotation: Any, name: str) -> None:
    host_class = host_class_in(annotation)
    if host_class:
        raise ConfigError(
            f'The parameter "{item.name}" of the tool "{name}" is filled by a framework ({host_class}), and '
            "a model could set it: ask for `context: fingerpost.ToolContext` instead, or keep the function a "
            "native tool."
        )
    if type(item.default).__name__ == "FieldInfo":
        raise ConfigError(
            f'The parameter "{item.name}" of the tool "{name}" has a Field as its default, which only models '
            f"understand: write `{item.name}: Annotated[..., Field(...)] = default`."
        )


def _parameter(item: inspect.Parameter, annotation: Any, text: str) -> Parameter:
    required = item.default is inspect.Parameter.empty
    shape = shape_of(annotation)
    return Parameter(
        name=item.name,
        shape=shape,
        required=required,
        default=None if required else item.default,
        description=text or shape.description,
        annotation=written(annotation),
    )


def _annotation(item: inspect.Parameter) -> Any:
    """The type of a parameter without a readable hint: that of its default when it is a plain one."""
    if isinstance(item.annotation, str) and "ToolContext" in item.annotation:
        return ToolContext if item.default is inspect.Parameter.empty else typing.Optional[ToolContext]
    return next((kind for kind in _INFERRED if type(item.default) is kind), Any)


def _is_context(annotation: Any) -> bool:
    if typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    options = typing.get_args(annotation) or (annotation,)
    return any(isinstance(option, type) and issubclass(option, ToolContext) for option in options)


def _type_hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The resolved type hints of any callable, extras kept; names that cannot be resolved are left out."""
    target = inspect.unwrap(_hinted(function))
    try:
        return typing.get_type_hints(target, include_extras=True)
    except Exception:  # noqa: BLE001 - one unresolvable name (TYPE_CHECKING) must not cost the others their types
        written_hints: dict[str, Any] = getattr(target, "__annotations__", {})
        return {
            name: hint for name in written_hints if (hint := _resolve(target, name, written_hints)) is not ANY
        }


def _resolve(target: Any, name: str, written_hints: Mapping[str, Any]) -> Any:
    one = types.SimpleNamespace(__annotations__={name: written_hints[name]})
    try:
        return typing.get_type_hints(one, getattr(target, "__globals__", {}), include_extras=True)[name]
    except Exception:  # noqa: BLE001 - evaluating a foreign annotation can fail in any way
        return ANY


def _hinted(function: Any) -> Any:
    while isinstance(function, functools.partial):
        function = cast("functools.partial[Any]", function).func
    if isinstance(function, type):
        return function.__init__
    is_plain = inspect.isroutine(function)
    return function if is_plain else type(function).__call__


def _is_plain(value: Any) -> bool:
    """Whether a default can stand in a JSON schema."""
    if isinstance(value, (list, tuple)):
        return all(_is_plain(item) for item in cast("list[Any]", value))
    if isinstance(value, float):
        return math.isfinite(value)
    return type(value) in (bool, int, str)
