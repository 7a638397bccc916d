"""Fingerpost's knowledge tools as a Model Context Protocol server.

From a client's configuration, run `fingerpost mcp path/to/bundle`. In Python, `okf_tools(bundle)` and
`server_for({"support": bundle})` are low-level `mcp.server.Server`s, for any transport, and so is
`kb_tools(builder)` over knowledge bases; `http_app` makes an ASGI application of one.
"""

from __future__ import annotations

from fingerpost_mcp.server import bind, okf_tools, server_for

# isort: split
from fingerpost_mcp.command import serve
from fingerpost_mcp.http import http_app
from fingerpost_mcp.knowledge import kb_tools

__all__ = ["bind", "http_app", "kb_tools", "okf_tools", "serve", "server_for"]
