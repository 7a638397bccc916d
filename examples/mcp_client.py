"""The official MCP client asks a Fingerpost server over HTTP on this machine, offline.

A host such as Claude Code or Cursor does the same on behalf of a model: it lists the tools, tells its model
the server's instructions, and makes the calls that the model wants.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mcp import Client
from mcp_types import CallToolResult, TextContent

from fingerpost import demo_bundle


@contextmanager
def server() -> Iterator[str]:
    """Run `fingerpost mcp BUNDLE --http 0`, which takes a free port and says where it listens."""
    command = [sys.executable, "-m", "fingerpost", "mcp", demo_bundle(), "--http", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        said = process.stderr.readline() if process.stderr else ""
        found = re.search(r"http://\S+/mcp", said)
        try:
            if found is None:
                raise SystemExit(said)
            yield found[0]
        finally:
            process.terminate()


def text_of(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


async def ask(url: str) -> None:
    async with Client(url) as client:
        print("server:", (client.instructions or "")[:100])
        print(" tools:", [tool.name for tool in (await client.list_tools()).tools])
        found = await client.call_tool("kb_find", {"text": "cancel refund"})
        print(" found:", text_of(found)[:100])
        read = await client.call_tool("kb_read", {"concept_id": "policies/cancellation", "section": "Rule"})
        print("answer:", text_of(read))


if __name__ == "__main__":
    with server() as url:
        asyncio.run(ask(url))
