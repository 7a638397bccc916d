"""Every framework shows the model the same names, descriptions and arguments: those of the core."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fingerpost import Tool
from tests.loops.offered import functions, golden_file, offered
from tests.loops.present import DRIVERS, FRAMEWORKS

CORE = {tool.name: tool for tool in map(Tool.of, functions())}


def arguments(schema: dict[str, Any]) -> dict[str, Any]:
    """What of a schema must be the same everywhere: names, descriptions, and what is required."""
    described = {name: member.get("description") for name, member in schema["properties"].items()}
    return {
        "arguments": described,
        "required": [
            name for name in sorted(schema.get("required", [])) if not takes_null(schema["properties"][name])
        ],
    }


def takes_null(member: dict[str, Any]) -> bool:
    """Whether null may be sent for its default: CrewAI has a model send every argument."""
    return {"type": "null"} in member.get("anyOf", ())


@pytest.mark.parametrize("name", DRIVERS)
def test_what_the_model_is_shown_is_what_is_recorded(name: str) -> None:
    assert offered(DRIVERS[name]) == json.loads(golden_file(name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_what_is_recorded_has_the_names_descriptions_and_required_lists_of_the_core(name: str) -> None:
    shown = {tool["name"]: tool for tool in json.loads(golden_file(name).read_text(encoding="utf-8"))}
    assert sorted(shown) == sorted(CORE)
    assert {each: tool["description"] for each, tool in shown.items()} == {
        each: tool.description for each, tool in CORE.items()
    }
    assert {each: arguments(tool["schema"]) for each, tool in shown.items()} == {
        each: arguments(tool.schema) for each, tool in CORE.items()
    }
