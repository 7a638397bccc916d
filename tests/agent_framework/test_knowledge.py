"""The tools over knowledge bases, as Agent Framework takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fingerpost import ConfigError
from fingerpost_agent_framework import kb_tools
from tests.agent_framework.playing import play
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
    shown = one("write_kb").to_json_schema_spec()["function"]
    assert (shown["description"], shown["parameters"]) == (
        core("write_kb").description,
        core("write_kb").schema,
    )
    assert one("write_kb").additional_properties == {"read_only": False}


def test_an_error_is_a_text_and_does_not_count_as_one() -> None:
    (seen,) = play([("search_kb", MISSPELT)], tools=[one("search_kb")]).transcript.tool_results
    assert json.loads(str(seen))["error"] == SENTENCE
