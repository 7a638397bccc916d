"""The tools over knowledge bases, as LlamaIndex takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fingerpost import ConfigError
from fingerpost_llamaindex import kb_tools
from tests.knowledge_sample import CONFIGURATION, MISSPELT, READING, SENTENCE, SEVEN, builder, core


def names(*arguments: Any) -> list[str]:
    return [str(native.metadata.name) for native in kb_tools(*arguments)]


def one(name: str) -> Any:
    return next(native for native in kb_tools(builder()) if native.metadata.name == name)


def test_a_builder_gives_all_tools_and_a_configuration_those_of_an_agents_roles() -> None:
    assert names(builder()) == names(CONFIGURATION, "mate") == SEVEN
    assert names(CONFIGURATION, "clerk") == READING
    assert names(CONFIGURATION, "stranger") == []
    with pytest.raises(ConfigError, match="whose they are"):
        kb_tools(CONFIGURATION)


def test_the_model_is_shown_the_core() -> None:
    shown = one("write_kb").metadata.to_openai_tool()["function"]
    assert (shown["description"], shown["parameters"]) == (
        core("write_kb").description,
        core("write_kb").schema,
    )


def test_an_error_is_flagged() -> None:
    output = one("search_kb").call(**MISSPELT)
    assert output.is_error
    assert json.loads(output.content)["error"] == SENTENCE
