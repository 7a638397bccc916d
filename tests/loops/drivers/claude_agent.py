"""The in-process MCP server of the Claude Agent SDK, asked by a client in place of Claude Code.

Its loop is a program of its own that asks the models of one company: no script can be played.
"""

from __future__ import annotations

from typing import Any

from claude_agent_sdk import create_sdk_mcp_server

from fingerpost_claude_agent import bind
from tests.loops.driver import Functions, ProtocolDriver
from tests.loops.drivers.mcp import ask


def serve(functions: Functions) -> Any:
    """The server that Claude Code asks."""
    return create_sdk_mcp_server("knowledge", tools=bind(functions))["instance"]


DRIVER = ProtocolDriver(framework="Claude Agent SDK", package="claude-agent-sdk", bind=serve, ask=ask)
