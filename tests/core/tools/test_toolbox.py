"""A toolbox calls tools by name, and answers for those that do not exist."""

from __future__ import annotations

import asyncio
import sys
import types
from typing import Any

import pytest

from fingerpost import ConfigError, Tool
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
