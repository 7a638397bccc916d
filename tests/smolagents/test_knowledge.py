"""The tools over knowledge bases, as smolagents takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from smolagents import models  # pyright: ignore[reportMissingTypeStubs]

from fingerpost import ConfigError
from fingerpost_smolagents import kb_tools
from tests.knowledge_sample import CONFIGURATION, MISSPELT, READING, SENTENCE, SEVEN, builder, core


def names(*arguments: Any) -> list[str]:
    return [native.name for native in kb_tools(*arguments)]


def one(name: str) -> Any:
    return next(native for native in kb_tools(builder()) if native.name == name)


def test_a_builder_gives_all_tools_and_a_configuration_those_of_an_agents_roles() -> None:
    assert names(builder()) == names(CONFIGURATION, "mate") == SEVEN
    assert names(CONFIGURATION, "clerk") == READING
    assert names(CONFIGURATION, "stranger") == []
    with pytest.raises(ConfigError, match="whose they are"):
        kb_tools(CONFIGURATION)


def test_the_model_is_shown_the_core() -> None:
    converted: Any = models
    shown = converted.get_tool_json_schema(one("write_kb"))["function"]
    assert shown["description"] == core("write_kb").description
    assert list(shown["parameters"]["properties"]) == list(core("write_kb").schema["properties"])
    assert one("write_kb").to_code_prompt().startswith("def write_kb(backend: str, text: str = ''")


def test_an_error_is_an_answer() -> None:
    assert json.loads(one("search_kb")(**MISSPELT))["error"] == SENTENCE
