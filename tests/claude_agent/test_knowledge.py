"""The tools over knowledge bases, as the Claude Agent SDK takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fingerpost import ConfigError
from fingerpost_claude_agent import kb_tools
from tests.claude_agent.test_tools import listed, results, texts
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


def test_claude_is_shown_the_core_and_which_tools_only_read() -> None:
    shown = listed(kb_tools(builder()))
    assert shown["write_kb"].description == core("write_kb").description
    assert shown["write_kb"].input_schema["properties"] == core("write_kb").schema["properties"]
    hints = {name: each.annotations.read_only_hint for name, each in shown.items() if each.annotations}
    assert hints == {name: name != "write_kb" for name in SEVEN}


def test_an_error_is_flagged() -> None:
    answers = results(kb_tools(builder()), ("search_kb", MISSPELT))
    assert [answer.is_error for answer in answers] == [True]
    assert json.loads(texts(answers)[0])["error"] == SENTENCE
