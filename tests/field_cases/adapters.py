"""The ways in which a tool is called: by Python, by LangChain and by an MCP client, sync and async."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import mcp
from langchain_core.messages import ToolMessage
from mcp_types import CallToolResult, TextContent

import fingerpost_langchain
import fingerpost_mcp
from fingerpost import Tool

Function = Callable[..., object]


def by_the_core(function: Function, sent: Mapping[str, Any]) -> str:
    """The text of `Tool.call`."""
    return Tool.of(function).call(dict(sent)).text


def by_the_core_async(function: Function, sent: Mapping[str, Any]) -> str:
    """The text of `Tool.acall`."""
    return asyncio.run(Tool.of(function).acall(dict(sent))).text


def by_langchain(function: Function, sent: Mapping[str, Any]) -> str:
    """The content of the tool message that an agent of LangChain gets."""
    (native,) = fingerpost_langchain.bind([function])
    call = {"type": "tool_call", "id": "call_1", "name": native.name, "args": dict(sent)}
    message = native.invoke(call)
    assert isinstance(message, ToolMessage)
    assert message == asyncio.run(native.ainvoke(call))
    return str(message.content)


def mcp_result(function: Function, sent: Mapping[str, Any]) -> CallToolResult:
    """What the official client gets."""

    async def ask() -> CallToolResult:
        async with mcp.Client(fingerpost_mcp.bind([function])) as client:
            return await client.call_tool(Tool.of(function).name, dict(sent))

    return asyncio.run(ask())


def by_mcp(function: Function, sent: Mapping[str, Any]) -> str:
    """The one text in the result that the official client gets."""
    (part,) = mcp_result(function, sent).content
    assert isinstance(part, TextContent)
    return part.text


WAYS: dict[str, Callable[[Function, Mapping[str, Any]], str]] = {
    "core": by_the_core,
    "core async": by_the_core_async,
    "langchain": by_langchain,
    "mcp": by_mcp,
}
