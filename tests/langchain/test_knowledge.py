"""The tools over knowledge bases, as LangChain takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool

from fingerpost import ConfigError
from fingerpost_langchain import kb_tools
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
    shown = convert_to_openai_tool(one("write_kb"))["function"]
    assert (shown["description"], shown["parameters"]) == (
        core("write_kb").description,
        core("write_kb").schema,
    )
    assert one("write_kb").metadata == {"read_only": False}


def test_an_error_is_a_message_with_that_status() -> None:
    call = {"type": "tool_call", "id": "call_1", "name": "search_kb", "args": MISSPELT}
    message = one("search_kb").invoke(call)
    assert isinstance(message, ToolMessage)
    assert (message.status, json.loads(str(message.content))["error"]) == ("error", SENTENCE)
