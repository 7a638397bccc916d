"""The tools over knowledge bases, as CrewAI takes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from crewai.tools.tool_failure import ToolFailure

from fingerpost import ConfigError, KnowledgeBuilder
from fingerpost_crewai import kb_tools
from fingerpost_testing import MemoryKnowledgeBase
from tests.crewai.test_tools import shown
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


def test_the_model_is_shown_the_core_with_every_argument_required() -> None:
    native = shown(one("write_kb"))
    assert native["description"] == core("write_kb").description
    arguments = list(core("write_kb").schema["properties"])
    assert list(native["parameters"]["properties"]) == native["parameters"]["required"] == arguments


def test_an_error_is_a_failure() -> None:
    failure = one("search_kb").run(**MISSPELT)
    assert isinstance(failure, ToolFailure)
    assert json.loads(failure.message)["error"] == SENTENCE


def test_a_long_record_is_read_to_its_end_within_what_crewai_shows() -> None:
    text = "".join(f"Line {number:05}.\n" for number in range(1_500))
    long = KnowledgeBuilder([MemoryKnowledgeBase(records={"log": text})])
    fetch = next(native for native in kb_tools(long) if native.name == "fetch_kb")
    read = [fetch.run(backend="notes", ids="log", page=page) for page in range(1, 9)]
    assert max(map(len, read)) <= 6_000
    assert "call again with page=2" in read[0]
    assert [line for line in text.splitlines() if line not in "".join(read)] == []
