"""The tools over knowledge bases, as Haystack takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from haystack.tools.errors import ToolInvocationError

from fingerpost import ConfigError
from fingerpost_haystack import kb_tools
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
    shown = one("write_kb").tool_spec
    assert (shown["description"], shown["parameters"]) == (
        core("write_kb").description,
        core("write_kb").schema,
    )


def test_an_error_is_raised_as_haystack_expects_it() -> None:
    with pytest.raises(ToolInvocationError) as raised:
        one("search_kb").invoke(**MISSPELT)
    assert json.loads(str(raised.value))["error"] == SENTENCE
