"""The tools over knowledge bases, as ADK takes them."""

from __future__ import annotations

from typing import Any

import pytest

from fingerpost import ConfigError
from fingerpost_adk import kb_tools
from tests.adk.playing import play
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
    (shown,) = play(tools=[one("write_kb")]).declarations
    assert shown.description == core("write_kb").description
    assert shown.parameters_json_schema == core("write_kb").schema
    assert one("write_kb").custom_metadata == {"read_only": False}


def test_an_error_is_an_error_of_adk() -> None:
    (response,) = play([("search_kb", MISSPELT)], tools=[one("search_kb")]).responses
    assert response == {"error": SENTENCE}
