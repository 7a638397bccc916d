"""The tools over knowledge bases, as the OpenAI Agents SDK takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fingerpost import ConfigError
from fingerpost_openai_agents import kb_tools
from fingerpost_testing import ToolCall, calls, say
from tests.knowledge_sample import CONFIGURATION, MISSPELT, READING, SENTENCE, SEVEN, builder, core
from tests.openai_agents.playing import played


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
    (shown,) = played([one("write_kb")], say("Done.")).transcript.tools
    assert (shown.description, shown.schema) == (core("write_kb").description, core("write_kb").schema)


def test_an_error_is_a_text_without_data() -> None:
    outcome = played([one("search_kb")], calls(ToolCall("search_kb", MISSPELT)), say("Done."))
    (seen,) = outcome.seen
    assert json.loads(str(seen))["error"] == SENTENCE
    assert outcome.data == [None]
