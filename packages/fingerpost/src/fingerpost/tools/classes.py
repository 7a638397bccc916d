"""Classes whose instances travel as JSON objects: their keys, and how an instance is made of them."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, cast


@dataclasses.dataclass(frozen=True, slots=True)
class Members:
    """The keys of a class's JSON object.

    Attributes:
        by_name: For each key, the type of its value and whether it must be there.
        build: Makes an instance of the values by key; None where the object itself is meant.
        python_type: What an instance is, None where it is a plain dict.
    """

    by_name: Mapping[str, tuple[Any, bool]]
    build: Callable[..., Any] | None = None
    python_type: type | None = None


def members_of(annotation: Any) -> Members | None:
    """The members of a class, None for one that is not made of declared members.

    Args:
        annotation: A TypedDict, a NamedTuple, a dataclass, a pydantic model (known by its methods; pydantic
            is not imported), or any other class.
    """
    kind: Any = annotation
    if typing.is_typeddict(kind):
        required: frozenset[str] = getattr(kind, "__required_keys__", frozenset())
        return Members({name: (hint, name in required) for name, hint in _hints(kind).items()})
    if dataclasses.is_dataclass(kind):
        return Members(_dataclass_members(kind), cast("Any", kind), cast("Any", kind))
    names: tuple[str, ...] = getattr(kind, "_fields", ())
    if names and tuple in kind.__mro__:
        defaults: dict[str, Any] = getattr(kind, "_field_defaults", {})
        hints = _hints(kind)
        return Members({name: (hints.get(name, Any), name not in defaults) for name in names}, kind, kind)
    fields: Any = getattr(kind, "model_fields", None)
    if isinstance(fields, dict) and hasattr(kind, "model_validate"):
        members = dict(_field_member(name, field) for name, field in cast("dict[str, Any]", fields).items())

        def build(**values: Any) -> Any:
            return kind.model_validate(values)

        return Members(members, build, kind)
    return None


def _dataclass_members(annotation: Any) -> dict[str, tuple[Any, bool]]:
    hints = _hints(annotation)
    missing = dataclasses.MISSING
    return {
        field.name: (
            hints.get(field.name, Any),
            field.default is missing and field.default_factory is missing,
        )
        for field in dataclasses.fields(annotation)
        if field.init
    }


def _field_member(name: str, field: Any) -> tuple[str, tuple[Any, bool]]:
    """A field of a pydantic model: the key under which it travels, its type with what is said of it."""
    alias = field.validation_alias if isinstance(field.validation_alias, str) else field.alias
    annotation = Annotated[field.annotation, field]
    return alias or name, (annotation, bool(field.is_required()))


def _hints(annotation: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(annotation, include_extras=True)
    except Exception:  # noqa: BLE001 - a forward reference can fail in any way; the keys stay, their types are open
        return dict.fromkeys(getattr(annotation, "__annotations__", {}), Any)
