"""Fingerpost's knowledge tools as a Model Context Protocol server.

From a client's configuration, run `fingerpost mcp path/to/bundle`. In Python, `okf_tools(bundle)` is a
low-level `mcp.server.Server`, for any transport.
"""

from __future__ import annotations

from fingerpost_mcp.server import bind, okf_tools

# isort: split
from fingerpost_mcp.command import serve

__all__ = ["bind", "okf_tools", "serve"]
