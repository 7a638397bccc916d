"""What the call under way may answer, for functions that part their answers into pages."""

from __future__ import annotations

from fingerpost.tools import Toolbox, tool
from fingerpost.tools.allowance import allowed_chars


@tool(max_chars=9_000)
def room() -> str:
    """Say how long an answer may be."""
    return str(allowed_chars(20_000))


def test_an_answer_may_be_no_longer_than_its_tool_and_its_host_allow() -> None:
    assert allowed_chars(20_000) == 20_000
    assert room() == "9000"
    assert Toolbox([room], max_chars=3_000).call("room").text == "3000"
    assert Toolbox([room], max_chars=30_000).call("room").text == "9000"
