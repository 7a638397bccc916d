"""The server in memory, driven by the official client, in both generations of the protocol."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, TextContent
from mcp_types import Tool as NativeTool

import fingerpost
import fingerpost_mcp
from fingerpost import MemoryDocumentStore, OKFTools, Tool, demo_bundle
from fingerpost.errors import ConfigError

DEMO = demo_bundle()

both_generations = pytest.mark.parametrize("mode", ["auto", "legacy"])


def listed(server: Server[Any], mode: str = "auto") -> list[NativeTool]:
    async def ask() -> list[NativeTool]:
        async with Client(server, mode=mode) as client:
            return (await client.list_tools()).tools

    return asyncio.run(ask())


def called(
    server: Server[Any], *calls: tuple[str, Mapping[str, Any] | None], mode: str = "auto"
) -> list[CallToolResult]:
    async def ask() -> list[CallToolResult]:
        async with Client(server, mode=mode) as client:
            return [
                await client.call_tool(name, None if sent is None else dict(sent)) for name, sent in calls
            ]

    return asyncio.run(ask())


def text_of(result: CallToolResult) -> str:
    (part,) = result.content
    assert isinstance(part, TextContent)
    return part.text


def find_passages(query: str, limit: int = 10, tags: list[str] | None = None, exact: bool = False) -> str:
    """Find passages.

    Args:
        query: Words to look for.
        limit: How many.
        tags: Only with these.
        exact: Whether to match exactly.
    """
    return repr((query, limit, tags, exact))


@both_generations
def test_the_three_tools_are_offered_as_the_core_describes_them(mode: str) -> None:
    offered = listed(fingerpost_mcp.okf_tools(DEMO), mode)
    tools = [Tool.of(function) for function in OKFTools(DEMO).functions()]
    assert [(tool.name, tool.description, tool.input_schema) for tool in offered] == [
        (tool.name, tool.description, tool.schema) for tool in tools
    ]


def test_reading_tools_say_that_they_change_nothing_and_publish_no_output_schema() -> None:
    for tool in listed(fingerpost_mcp.okf_tools(DEMO)):
        assert tool.output_schema is None
        assert tool.annotations is not None
        assert tool.annotations.model_dump(exclude_none=True) == {
            "read_only_hint": True,
            "destructive_hint": False,
            "idempotent_hint": True,
            "open_world_hint": False,
        }


def test_nothing_is_claimed_of_a_function_that_nothing_is_known_of() -> None:
    (tool,) = listed(fingerpost_mcp.bind([find_passages]))
    assert tool.annotations is None
    assert tool.description == "Find passages."


@both_generations
def test_an_agent_gets_from_the_index_by_search_to_the_concept(mode: str) -> None:
    index, found, read = called(
        fingerpost_mcp.okf_tools(DEMO),
        ("kb_index", {}),
        ("kb_find", {"text": "cancel plan refund"}),
        ("kb_read", {"concept_id": "policies/cancellation"}),
        mode=mode,
    )
    assert "(/policies/)" in text_of(index)
    assert '"id":"policies/cancellation"' in text_of(found).replace('": ', '":')
    assert "within **30 days** of purchase" in text_of(read)
    assert [index.is_error, found.is_error, read.is_error] == [False, False, False]


@both_generations
@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"query": "q", "limit": "2"}, "('q', 2, None, False)"),
        ({"query": "q", "limit": 2.0}, "('q', 2, None, False)"),
        ({"query": "q", "tags": "finance"}, "('q', 10, ['finance'], False)"),
        ({"query": "q", "tags": '["finance"]'}, "('q', 10, ['finance'], False)"),
        ({"query": "q", "exact": "false"}, "('q', 10, None, False)"),
        ({"query": "q", "limit": None, "tags": None, "exact": None}, "('q', 10, None, False)"),
        ({"query": 5}, "('5', 10, None, False)"),
    ],
)
def test_arguments_arrive_as_sent_and_are_read_by_the_core(
    sent: dict[str, Any], expected: str, mode: str
) -> None:
    (result,) = called(fingerpost_mcp.bind([find_passages]), ("find_passages", sent), mode=mode)
    assert (text_of(result), result.is_error) == (expected, False)


@both_generations
@pytest.mark.parametrize(
    ("sent", "named", "is_error"),
    [
        ({"query": "q", "bogus": 1}, "bogus", False),
        ({"query": "q", "limit": "many"}, "limit", False),
        ({}, "query", True),
        (None, "query", True),
        ({"query": None}, "query", True),
    ],
)
def test_arguments_that_cannot_be_used_are_named_as_the_core_names_them(
    sent: dict[str, Any] | None, named: str, is_error: bool, mode: str
) -> None:
    (result,) = called(fingerpost_mcp.bind([find_passages]), ("find_passages", sent), mode=mode)
    assert named in text_of(result)
    assert result.is_error is is_error
    assert text_of(result) == Tool.of(find_passages).call(sent).text


@both_generations
def test_the_text_is_sent_once(mode: str) -> None:
    (result,) = called(
        fingerpost_mcp.okf_tools(DEMO), ("kb_read", {"concept_id": "policies/damage"}), mode=mode
    )
    assert result.structured_content is None
    assert text_of(result) == OKFTools(DEMO).kb_read("policies/damage")


@both_generations
def test_an_error_of_a_tool_is_marked_as_one(mode: str) -> None:
    (result,) = called(
        fingerpost_mcp.okf_tools(DEMO), ("kb_read", {"concept_id": "policies/cancelation"}), mode=mode
    )
    assert result.is_error
    assert "policies/cancellation" in text_of(result)


@both_generations
def test_a_tool_that_raises_answers_a_sentence_and_the_next_call_works(mode: str) -> None:
    def divide(by: int) -> int:
        """Divide."""
        return 12 // by

    failed, worked = called(
        fingerpost_mcp.bind([divide]), ("divide", {"by": 0}), ("divide", {"by": 4}), mode=mode
    )
    assert failed.is_error
    assert text_of(failed).startswith('{"error": ')
    assert (text_of(worked), worked.is_error) == ("3", False)


@both_generations
def test_an_unknown_tool_is_an_error_that_names_the_tools(mode: str) -> None:
    (result,) = called(fingerpost_mcp.okf_tools(DEMO), ("kb_search", {"text": "متجر"}), mode=mode)
    assert result.is_error
    assert (
        text_of(result)
        == '{"error": "There is no tool \'kb_search\'; there are: kb_index, kb_read, kb_find."}'
    )


def test_a_prefix_renames_tools_and_what_the_server_says_of_them() -> None:
    server = fingerpost_mcp.okf_tools(DEMO, prefix="hire_")
    names = ["hire_kb_index", "hire_kb_read", "hire_kb_find"]
    assert [tool.name for tool in listed(server)] == names
    assert all(name in (server.instructions or "") for name in names)
    (result,) = called(server, ("hire_kb_read", {"concept_id": "plans/day"}))
    assert "14 euros" in text_of(result)


@both_generations
def test_the_client_learns_name_version_and_instructions(mode: str) -> None:
    async def ask() -> tuple[str, str, str | None]:
        async with Client(fingerpost_mcp.okf_tools(DEMO), mode=mode) as client:
            assert client.server_info is not None
            return client.server_info.name, client.server_info.version, client.instructions

    name, version, instructions = asyncio.run(ask())
    assert (name, version) == ("fingerpost", fingerpost.__version__)
    assert instructions is not None
    assert instructions.startswith("A knowledge base. Call kb_index ")


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match='"find_passages"'):
        fingerpost_mcp.bind([find_passages, find_passages])


def test_several_bundles_share_a_server_by_their_prefixes() -> None:
    functions = [
        *OKFTools(DEMO, prefix="hire_").functions(),
        *OKFTools(MemoryDocumentStore(), prefix="other_").functions(),
    ]
    assert len(listed(fingerpost_mcp.bind(functions))) == 6


def test_calls_run_side_by_side() -> None:
    meeting = threading.Barrier(2)

    def meet() -> str:
        """Wait for the other call."""
        meeting.wait(timeout=30)
        return "met"

    async def ask() -> list[CallToolResult]:
        async with Client(fingerpost_mcp.bind([meet])) as client:
            return list(await asyncio.gather(client.call_tool("meet"), client.call_tool("meet")))

    assert [text_of(result) for result in asyncio.run(ask())] == ["met", "met"]
