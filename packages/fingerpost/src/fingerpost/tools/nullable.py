"""Schemas for models that must send every argument: null is how they leave an optional one out."""

from __future__ import annotations

from typing import Any


def with_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema of arguments in which each optional one may also be null, which stands for its default.

    Args:
        schema: As in `Tool.schema`; it is not changed.

    Returns:
        The schema, with the same descriptions.
    """
    required = schema.get("required", [])
    properties = {
        name: member if name in required else _or_null(member)
        for name, member in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties}


def _or_null(member: dict[str, Any]) -> dict[str, Any]:
    told = {key: member[key] for key in ("description", "default") if key in member}
    shape = {key: value for key, value in member.items() if key not in told}
    return {"anyOf": [shape, {"type": "null"}], **told} if shape else member
