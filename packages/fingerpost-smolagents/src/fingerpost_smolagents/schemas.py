"""What each argument of a tool takes: all of it, as the core says it for models that are held to schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, cast

import fingerpost
from fingerpost.tools import Toolbox

Schema: TypeAlias = dict[str, Any]


def arguments_of(tool: fingerpost.Tool) -> dict[str, Schema]:
    """The schema of each argument, by name, in which `anyOf` holds every type that is taken."""
    (strict,) = Toolbox([tool], strict=True)
    return strict.schema["properties"]


def options(schema: Schema) -> list[Schema]:
    """The schemas of which a value must have one, null left out; at least one."""
    several: list[Schema] = schema.get("anyOf", [schema])
    return [each for each in several if each.get("type") != "null"] or [{}]


def is_all_arguments(value: object, tool: fingerpost.Tool) -> bool:
    """Whether a single value by position is all arguments at once, as it may be for smolagents' own tools.

    What can be a value of the first parameter is that: it is shown to be called so.
    """
    if not isinstance(value, Mapping):
        return False
    keys, arguments = set(cast("Mapping[Any, Any]", value)), arguments_of(tool)
    if not keys <= arguments.keys():
        return False
    first = next(iter(arguments.values()), {"type": "null"})
    if not _takes_objects(first):
        return True
    required = {each.name for each in tool.parameters if each.required}
    own = {key for option in options(first) for key in option.get("properties", ())}
    return required <= keys and not keys <= own


def _takes_objects(schema: Schema) -> bool:
    """Whether an object is a value; a list of objects can be sent as one of them."""
    return any(
        _takes_objects(each.get("items", {}))
        if each.get("type") == "array"
        else each.get("type") == "object" or not {"type", "enum"} & each.keys()
        for each in options(schema)
    )
