"""Type annotations as shapes: what a value must look like, for the schema and for reading values."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import types
import typing
from collections.abc import Callable
from typing import Any, Literal, cast

from fingerpost.tools.classes import members_of

Kind = Literal["any", "string", "integer", "number", "boolean", "array", "object", "choice", "union"]

_SCALARS: dict[Any, Kind] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_ARRAYS: dict[Any, Callable[[list[Any]], Any]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    collections.abc.Sequence: list,
    collections.abc.MutableSequence: list,
    collections.abc.Collection: list,
    collections.abc.Iterable: list,
    collections.abc.Set: set,
    collections.abc.MutableSet: set,
}
_MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
_TEXT_FORMATS = {
    ("datetime", "datetime"): "date-time",
    ("datetime", "date"): "date",
    ("datetime", "time"): "time",
    ("uuid", "UUID"): "uuid",
    ("pathlib", "Path"): "",
    ("pathlib._local", "Path"): "",  # Python 3.13
    ("decimal", "Decimal"): "",
}
_DEEPEST = 16


@dataclasses.dataclass(frozen=True, slots=True)
class Between:
    """Bounds for a number, `limit: Annotated[int, Between(1, 100)] = 20`; values beyond are clamped.

    Attributes:
        low: The smallest value, None for no bound.
        high: The largest value, None for no bound.
    """

    low: float | None = None
    high: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class JsonText:
    """A text of JSON, `where: Annotated[str, JsonText()]`; models also send the object or list itself."""


@dataclasses.dataclass(frozen=True, slots=True)
class Property:
    """One key of an object whose keys are known."""

    name: str
    shape: Shape
    required: bool


@dataclasses.dataclass(frozen=True, slots=True)
class Shape:
    """What a value must look like.

    Attributes:
        kind: "any", a JSON type, "choice" for one of fixed values, or "union" for one of several shapes.
        optional: Whether None is a value of its own.
        items: Shape of an array's elements, or of a mapping's values.
        choices: The values of a choice as the function takes them: literals, or members of an enumeration.
        properties: The known keys of an object.
        options: The shapes of a union, in the order written.
        bounds: Bounds of a number.
        text_format: JSON-schema format of a value that travels as text ("date").
        is_json: Whether a text holds JSON, so that an object or a list is taken as its JSON.
        build: Makes the value that the function takes out of the JSON value.
        python_type: Instances of it, from Python callers, are taken as they are.
        description: The text of an `Annotated[...]`.
    """

    kind: Kind
    optional: bool = False
    items: Shape | None = None
    choices: tuple[Any, ...] = ()
    properties: tuple[Property, ...] = ()
    options: tuple[Shape, ...] = ()
    bounds: Between | None = None
    text_format: str = ""
    is_json: bool = False
    build: Callable[..., Any] | None = None
    python_type: type | None = None
    description: str = ""


ANY = Shape("any", optional=True)


def shape_of(annotation: Any, depth: int = 0) -> Shape:
    """The shape that a resolved annotation asks for.

    Args:
        annotation: A type, a generic alias, a union, `Literal`, `Annotated`, an enumeration, or a class of
            declared members: dataclass, TypedDict, NamedTuple, pydantic model.
        depth: How many levels lie above, so that a type that contains itself ends.

    Returns:
        Its shape; `ANY` for what has no counterpart in JSON, which is then passed on as it was sent.
    """
    if annotation in (Any, object) or depth > _DEEPEST:
        return ANY
    if annotation is None or annotation is type(None):
        return Shape("any", optional=True)
    origin = typing.get_origin(annotation)
    if origin is not None:
        return _generic_shape(annotation, origin, depth)
    if isinstance(annotation, type):
        return _class_shape(cast("Any", annotation), depth)
    inner = getattr(annotation, "__supertype__", None) or getattr(annotation, "__value__", None)
    return shape_of(inner, depth + 1) if inner is not None else ANY


def _generic_shape(annotation: Any, origin: Any, depth: int) -> Shape:
    arguments = typing.get_args(annotation)
    if origin is typing.Annotated:
        return _annotated_shape(arguments, depth)
    if origin is Literal:
        choices = tuple(choice for choice in arguments if choice is not None)
        return Shape("choice", optional=None in arguments, choices=choices)
    if origin in (typing.Union, types.UnionType):
        return _union_shape(arguments, depth)
    if origin in _ARRAYS:
        is_homogeneous = len(arguments) == 1 or (len(arguments) == 2 and arguments[1] is Ellipsis)
        items = shape_of(arguments[0], depth + 1) if is_homogeneous else ANY
        return Shape("array", items=items, build=_ARRAYS[origin])
    if origin in _MAPPINGS:
        values = shape_of(arguments[1], depth + 1) if len(arguments) == 2 else ANY
        return Shape("object", items=values)
    if origin in (typing.Required, typing.NotRequired):
        return shape_of(arguments[0], depth + 1)
    return _class_shape(origin, depth) if isinstance(origin, type) else ANY


def _annotated_shape(arguments: tuple[Any, ...], depth: int) -> Shape:
    shape = shape_of(arguments[0], depth + 1)
    for extra in arguments[1:]:
        description = extra if isinstance(extra, str) else getattr(extra, "description", None)
        if isinstance(description, str):
            shape = dataclasses.replace(shape, description=description)
        if isinstance(extra, JsonText):
            shape = dataclasses.replace(shape, is_json=True)
        for bounds in (extra, *getattr(extra, "metadata", ())):
            shape = _bounded(shape, bounds if isinstance(bounds, Between) else _between(bounds))
    return shape


def _between(extra: Any) -> Between:
    """The bounds that an extra of the packages annotated_types and pydantic sets, known by their names."""

    def bound(name: str, step: int) -> float | None:
        value = getattr(extra, name, None)
        return value + step if isinstance(value, int) else None

    def either(exact: str, beyond: str, step: int) -> float | None:
        value = getattr(extra, exact, None)
        return value if isinstance(value, (int, float)) else bound(beyond, step)

    return Between(either("ge", "gt", 1), either("le", "lt", -1))


def _bounded(shape: Shape, bounds: Between) -> Shape:
    """A shape with bounds; those that it has already stay where there are no new ones."""
    if bounds == Between():
        return shape
    if shape.bounds is not None:
        low = shape.bounds.low if bounds.low is None else bounds.low
        bounds = Between(low, shape.bounds.high if bounds.high is None else bounds.high)
    if shape.kind == "union":
        return dataclasses.replace(shape, options=tuple(_bounded(option, bounds) for option in shape.options))
    return dataclasses.replace(shape, bounds=bounds) if shape.kind in ("integer", "number") else shape


def _union_shape(arguments: tuple[Any, ...], depth: int) -> Shape:
    is_optional = type(None) in arguments
    options = tuple(shape_of(option, depth + 1) for option in arguments if option is not type(None))
    if len(options) == 1:
        return dataclasses.replace(options[0], optional=True)
    return Shape("union", optional=is_optional or any(option.optional for option in options), options=options)


def _class_shape(annotation: Any, depth: int) -> Shape:
    if annotation in _SCALARS:
        return Shape(_SCALARS[annotation])
    if annotation in _ARRAYS:
        return Shape("array", items=ANY, build=_ARRAYS[annotation])
    if annotation in _MAPPINGS:
        return Shape("object", items=ANY)
    if issubclass(annotation, enum.Enum):
        return Shape("choice", choices=tuple(annotation), python_type=annotation)
    text_format = _TEXT_FORMATS.get((annotation.__module__, annotation.__qualname__))
    if text_format is not None:
        build = getattr(annotation, "fromisoformat", annotation)
        return Shape("string", text_format=text_format, build=build, python_type=annotation)
    members = members_of(annotation)
    if members is None:
        return ANY
    properties = tuple(
        Property(name, shape_of(hint, depth + 1), required)
        for name, (hint, required) in members.by_name.items()
    )
    return Shape(
        "object", items=ANY, properties=properties, build=members.build, python_type=members.python_type
    )


def written(annotation: Any) -> Any:
    """The annotation as every framework can read it: `X | None` as `Optional[X]`, without extras.

    Args:
        annotation: A resolved annotation.

    Returns:
        The same type without `Annotated` extras and without the `|` notation, at any depth.
    """
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if origin is typing.Annotated:
        return written(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return typing.Union[tuple(written(argument) for argument in arguments)]
    if origin is None or origin is Literal or not arguments or isinstance(arguments[0], list):
        return annotation
    return origin[tuple(written(argument) for argument in arguments)]


def json_schema(shape: Shape, *, strict: bool = False) -> dict[str, Any]:
    """A shape as the simple JSON schema that every model API takes: no `anyOf`, no `$ref`, no lists of types.

    A union is described by its first list if it has one, since a list also carries a single value, else by
    its first shape; what is read is any of them.

    Args:
        shape: The shape.
        strict: Whether a model is held to the schema and must send every member: then a union shows all its
            shapes, and an optional member takes null.

    Returns:
        A new dict; key order is fixed.
    """
    schema: dict[str, Any] = {}
    if shape.kind == "union" and strict:
        schema["anyOf"] = [json_schema(option, strict=True) for option in shape.options]
    elif shape.kind == "union":
        lists = [option for option in shape.options if option.kind == "array"]
        schema = json_schema((lists or shape.options)[0])
    elif shape.kind == "choice":
        values = [choice_value(choice) for choice in shape.choices]
        schema = _choice_type(values) | {"enum": values}
    elif shape.kind != "any":
        schema["type"] = shape.kind
    if shape.kind == "array" and shape.items is not None:
        schema["items"] = json_schema(shape.items, strict=strict)
    if shape.properties:
        members = {member.name: json_schema(member.shape, strict=strict) for member in shape.properties}
        optional = {member.name for member in shape.properties if strict and not member.required}
        schema["properties"] = {
            name: or_null(member) if name in optional else member for name, member in members.items()
        }
        schema["required"] = [member.name for member in shape.properties if member.required]
    if shape.text_format:
        schema["format"] = shape.text_format
    if shape.bounds is not None:
        limits = {"minimum": shape.bounds.low, "maximum": shape.bounds.high}
        schema |= {key: value for key, value in limits.items() if value is not None}
    if shape.description:
        schema["description"] = shape.description
    return schema


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that takes null as well."""
    options: list[dict[str, Any]] = schema.get("anyOf", [schema])
    return {"anyOf": [*options, {"type": "null"}]} if schema else schema


def choice_value(choice: Any) -> Any:
    """A choice as it travels: the value of an enumeration's member when JSON has it, else its name."""
    if not isinstance(choice, enum.Enum):
        return choice
    return choice.value if type(choice.value) in _SCALARS else choice.name


def _choice_type(values: list[Any]) -> dict[str, Any]:
    kinds = {_SCALARS.get(type(value), "any") for value in values}
    only = next(iter(kinds)) if len(kinds) == 1 else "any"
    return {} if only == "any" else {"type": only}
