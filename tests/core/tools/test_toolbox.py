"""A toolbox calls tools by name, and answers for those that do not exist."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime
import sys
import types
from typing import Any, Literal, Optional, Union

import pytest

from fingerpost import ConfigError, Tool, tool
from fingerpost.tools import Toolbox, let_through


def shout(text: str) -> str:
    """Say it loudly."""
    return text.upper()


def count(text: str) -> int:
    """Count the letters."""
    return len(text)


def test_tools_are_called_by_name_in_both_ways() -> None:
    box = Toolbox([shout, Tool.of(count)])
    assert [tool.name for tool in box] == ["shout", "count"]
    assert box.call("shout", '{"text": "hi"}').text == "HI"
    assert asyncio.run(box.acall("count", {"text": "hi"})).data == 2


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    box = Toolbox([shout, count])
    expected = '{"error": "There is no tool \'shuot\'; there are: shout, count. Did you mean shout?"}'
    assert box.call("shuot").text == expected
    assert asyncio.run(box.acall("shuot")).text == expected
    assert box.call("shuot").is_error
    assert Toolbox([]).call("x").text == '{"error": "There is no tool \'x\'; there is none."}'


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match="shout"):
        Toolbox([shout, shout])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (shout, "shout is none; give a list of functions, such as [shout]."),
        (Tool.of(shout), "shout is none; give a list of functions, such as [shout]."),
        (None, "None is none; give a list of functions, such as [my_function]."),
        ("shout", "'shout' is none; give a list of functions, such as [my_function]."),
    ],
)
def test_one_function_in_the_place_of_a_list_is_refused(given: Any, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Toolbox(given)
    assert str(refused.value) == f"Tools are made of a list of functions, and {said}"


class Pause(Exception):  # noqa: N818 - named as a host would
    """What a host raises to pause an agent."""


def test_an_exception_with_which_a_host_steers_is_let_through(monkeypatch: pytest.MonkeyPatch) -> None:
    host = types.ModuleType("some_host")
    host.Pause = Pause  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "some_host", host)

    def ask() -> str:
        """Ask a person."""
        raise Pause

    assert "failed with Pause" in Tool.of(ask).call().text
    let_through("some_host", "Pause")
    with pytest.raises(Pause):
        Tool.of(ask).call()
    with pytest.raises(Pause):
        asyncio.run(Toolbox([ask]).acall("ask"))


def many(size: int) -> str:
    """Say many letters."""
    return "x" * size


def test_a_toolbox_caps_what_its_tools_answer_and_raises_no_budget() -> None:
    guarded = tool(many, max_chars=3_000, name="few")
    box = Toolbox([many, guarded], max_chars=6_000)
    assert [(each.name, each.max_chars) for each in box] == [("many", 6_000), ("few", 3_000)]
    assert len(box.call("many", {"size": 7_000}).text) == 6_000
    assert len(box.call("few", {"size": 7_000}).text) == 3_000
    assert box.call("many", {"size": 6_000}).text == "x" * 6_000
    assert len(guarded(7_000)) == 3_000
    assert Tool.of(many).max_chars == 20_000


def test_a_cap_that_is_too_small_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"A toolbox has max_chars=500, .* allow 2,000 or more\."):
        Toolbox([many], max_chars=500)


def choose(
    name: str,
    limit: int = 10,
    tags: Optional[list[str]] = None,
    mode: Literal["fast", "full"] = "fast",
    anything: Any = None,
) -> str:
    """Choose.

    Args:
        name: Of what.
        limit: How many.
        mode: How.
    """
    return f"{name} {limit} {tags} {mode} {anything}"


def test_optional_arguments_may_be_null_for_models_that_must_send_all() -> None:
    (plain,) = Toolbox([choose])
    (strict,) = Toolbox([choose], strict=True)
    null = {"type": "null"}
    members = strict.schema["properties"]
    assert list(members) == list(plain.schema["properties"])
    assert members["name"] == {"type": "string", "description": "Of what."}
    assert members["limit"] == {
        "anyOf": [{"type": "integer"}, null],
        "description": "How many.",
        "default": 10,
    }
    assert members["tags"] == {"anyOf": [{"type": "array", "items": {"type": "string"}}, null]}
    assert members["mode"]["anyOf"] == [{"type": "string", "enum": ["fast", "full"]}, null]
    assert members["anything"] == {}
    assert strict.schema["required"] == plain.schema["required"] == ["name"]
    assert Tool.of(choose).schema == plain.schema


@dataclasses.dataclass
class Filter:
    name: str
    since: Optional[datetime.date] = None
    near: Union[int, list[str]] = 1


def test_what_is_optional_within_an_argument_takes_null_and_a_union_shows_all() -> None:
    def narrow(one: Filter, many: Optional[list[Filter]] = None, size: Union[int, str] = 1) -> str:
        """Narrow."""
        return f"{one} {many} {size}"

    (tool,) = Toolbox([narrow], strict=True)
    null = {"type": "null"}
    members = {
        "name": {"type": "string"},
        "since": {"anyOf": [{"type": "string", "format": "date"}, null]},
        "near": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}, null]},
    }
    filters = {"type": "object", "properties": members, "required": ["name"]}
    properties = tool.schema["properties"]
    assert properties["one"] == filters
    assert properties["many"] == {"anyOf": [{"type": "array", "items": filters}, null]}
    assert properties["size"] == {"anyOf": [{"type": "integer"}, {"type": "string"}, null], "default": 1}
    sent = {"one": {"name": "a", "since": None, "near": None}, "many": None, "size": "b"}
    assert tool.call(sent).text == f"{Filter('a')} None b"


def test_null_stands_for_the_default() -> None:
    sent = {"name": "a", "limit": None, "tags": None, "mode": None, "anything": None}
    answer = Toolbox([choose], strict=True).call("choose", sent)
    assert (answer.text, answer.notes) == ("a 10 None fast None", ())
