"""The MCP server, asked by the official client: what a host does with its model is its own matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from mcp import Client
from mcp_types import TextContent

from fingerpost_mcp import bind
from fingerpost_testing import OfferedTool, Step, ToolCall, Transcript
from tests.loops.driver import ProtocolDriver


async def answer(client: Client, call: ToolCall) -> str:
    """What a client gets for a call."""
    (part,) = (await client.call_tool(call.name, cast("Any", call.arguments))).content
    assert isinstance(part, TextContent)
    return part.text


async def ask(server: Any, sent: Sequence[ToolCall]) -> Transcript:
    """The answer to each call."""
    async with Client(server) as client:
        listed = (await client.list_tools()).tools
        steps = [Step(call.name, call.raw_arguments, await answer(client, call)) for call in sent]
    offered = [OfferedTool(tool.name, tool.description or "", tool.input_schema) for tool in listed]
    return Transcript(tuple(sorted(offered, key=lambda tool: tool.name)), tuple(steps))


DRIVER = ProtocolDriver(framework="MCP", package="mcp", bind=bind, ask=ask)
