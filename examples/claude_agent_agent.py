"""Tools over a bundle for the Claude Agent SDK, offline: what the server in your process answers.

Claude Code asks that server on behalf of its model. A client of the same protocol takes its place here, so
that the example runs anywhere; docs/frameworks/claude-agent.md has the lines that ask Claude.
"""

from __future__ import annotations

import asyncio

from claude_agent_sdk import create_sdk_mcp_server
from mcp import Client
from mcp_types import TextContent

from fingerpost import Bundle, demo_bundle
from fingerpost_claude_agent import okf_tools

CALLS = (
    ("kb_find", {"text": "cancel season plan refund", "limit": "3"}),
    ("kb_read", {"concept_id": "policies/cancelation"}),  # a slip of the model
    ("kb_read", {"concept_id": "policies/cancellation", "section": "Rule"}),
)


async def main() -> None:
    server = create_sdk_mcp_server("kb", tools=okf_tools(Bundle(demo_bundle())))
    async with Client(server["instance"]) as client:
        for tool in (await client.list_tools()).tools:
            print(f"tool   {tool.name}: {(tool.description or '').partition('.')[0]}")
        for name, arguments in CALLS:
            print(f"call   {name} {arguments}")
            result = await client.call_tool(name, arguments)
            for part in result.content:
                if isinstance(part, TextContent):
                    print(f"{'error ' if result.is_error else 'result'} {part.text}")


if __name__ == "__main__":
    asyncio.run(main())
