"""The official MCP client is answered, call for call, as an agent without a framework is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from mcp.server.lowlevel import Server
from mcp_types import TextContent

from fingerpost import Bundle, MemoryDocumentStore, OKFTools
from fingerpost_mcp import bind, okf_tools
from fingerpost_testing import Scenario, ToolCall, run_loop
from fingerpost_testing.scenarios import BAD_ARGUMENTS, NAVIGATION, find_passages
from mcp import Client


def answers(server: Server[Any], sent: tuple[ToolCall, ...]) -> tuple[str, ...]:
    """What the client gets for each call."""

    async def ask() -> list[str]:
        async with Client(server) as client:
            found: list[str] = []
            for call in sent:
                assert isinstance(call.arguments, Mapping)
                (part,) = (await client.call_tool(call.name, dict(call.arguments))).content
                assert isinstance(part, TextContent)
                found.append(part.text)
            return found

    return tuple(asyncio.run(ask()))


def test_the_way_through_a_bundle_is_that_of_the_loop_without_a_framework() -> None:
    bundle = Bundle(MemoryDocumentStore(NAVIGATION.files))
    expected = run_loop(OKFTools(bundle).functions(), NAVIGATION.script, NAVIGATION.question)
    assert answers(okf_tools(bundle), NAVIGATION.script.calls) == expected.tool_results


@pytest.mark.parametrize(
    "scenario",
    # The protocol carries arguments as an object, so that a text can never be one.
    [scenario for scenario in BAD_ARGUMENTS if not isinstance(scenario.script.calls[0].arguments, str)],
    ids=lambda scenario: scenario.name,
)
def test_a_bad_argument_is_answered_like_in_the_loop_without_a_framework(scenario: Scenario) -> None:
    expected = run_loop([find_passages], scenario.script, scenario.question)
    assert scenario.problems(expected) == []
    assert answers(bind([find_passages]), scenario.script.calls) == expected.tool_results
