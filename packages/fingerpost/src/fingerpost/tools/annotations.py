"""Annotations of guarded functions: frameworks show the core's schema, and hand on what the model sent."""

from __future__ import annotations

from typing import Annotated, Any

from fingerpost.tools.schema import Parameter


class AsSent:
    """An extra of `Annotated` that leaves the reading of an argument to the core.

    Frameworks that take plain functions validate arguments with pydantic before the function is called, each
    a little differently. Pydantic asks the extras of an annotation for the two methods below, which takes no
    import here. All else that reads annotations sees the type itself, or strips the extras.

    Args:
        parameter: What the core knows of the argument.
    """

    def __init__(self, parameter: Parameter) -> None:
        self._parameter = parameter

    def __get_pydantic_core_schema__(self, _source: Any, _handler: Any) -> dict[str, Any]:
        return {"type": "any"}

    def __get_pydantic_json_schema__(self, _core_schema: Any, _handler: Any) -> dict[str, Any]:
        return self._parameter.json_schema

    def __repr__(self) -> str:
        return "AsSent"


def in_signature(parameter: Parameter) -> Any:
    """The annotation of a parameter in the signature of a guarded function: the description first.

    Frameworks that read signatures take the first extra for the description (Haystack), or the first text.

    Args:
        parameter: What the core knows of the argument.

    Returns:
        `Annotated[type, description, AsSent]`.
    """
    return Annotated[parameter.annotation, parameter.description, AsSent(parameter)]


def in_annotations(parameter: Parameter) -> Any:
    """The annotation of a parameter in `__annotations__` of a guarded function: the description last.

    Of an annotation that starts with a text, Agent Framework, which reads this one, keeps nothing else.

    Args:
        parameter: What the core knows of the argument.

    Returns:
        `Annotated[type, AsSent, description]`; `typing.get_type_hints` returns the type alone.
    """
    return Annotated[parameter.annotation, AsSent(parameter), parameter.description]
