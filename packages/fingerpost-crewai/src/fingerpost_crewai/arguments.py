"""The arguments of a tool: what CrewAI shows a model of them, and what it hands to the core."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel, ConfigDict


def arguments_model(schema: dict[str, Any]) -> type[BaseModel]:
    """The model that CrewAI asks for a schema; it takes any arguments.

    Args:
        schema: The core's schema, of which CrewAI gets copies to rewrite.
    """

    class Arguments(BaseModel):
        model_config = ConfigDict(extra="allow")

        @classmethod
        def model_json_schema(cls, *_args: Any, **_options: Any) -> dict[str, Any]:
            return copy.deepcopy(schema)

    return Arguments


def as_sent(
    names: Sequence[str], args: Sequence[Any], arguments: Mapping[str, Any]
) -> Mapping[str, Any] | str:
    """The arguments of a call; those that came as one object stay as they were sent.

    Args:
        names: The parameters of the tool, in order.
        args: Values by position. One alone that is a mapping, or the text of a JSON object, is all arguments.
        arguments: Values by name.

    Returns:
        Arguments by name. A value by position that no parameter takes has its number for a name.
    """
    if len(args) == 1 and not arguments and _is_object(args[0]):
        return cast("Mapping[str, Any] | str", args[0])
    by_position = [*names, *map(str, range(len(names) + 1, len(args) + 1))]
    return {**dict(zip(by_position, args, strict=False)), **arguments}


def _is_object(value: object) -> bool:
    try:
        return isinstance(json.loads(value) if isinstance(value, str) else value, Mapping)
    except (ValueError, RecursionError):
        return False
