"""The tools over knowledge bases, as Pydantic AI takes them."""

from __future__ import annotations

from typing import Any

import pytest

from fingerpost import ConfigError
from fingerpost_pydantic_ai import kb_tools
from fingerpost_testing import say
from tests.knowledge_sample import CONFIGURATION, MISSPELT, READING, SENTENCE, SEVEN, builder, core
from tests.pydantic_ai.playing import called, played


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
    assert shown.description == core("write_kb").description
    assert shown.schema == {**core("write_kb").schema, "additionalProperties": False}
    assert one("write_kb").metadata == {"read_only": False}


def test_an_error_is_a_failed_return() -> None:
    part = called(one("search_kb"), MISSPELT)
    assert (part.outcome, part.content, part.metadata) == ("failed", SENTENCE, None)
