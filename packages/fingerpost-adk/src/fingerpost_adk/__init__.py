"""Fingerpost's tools for Google ADK: `okf_tools`, `kb_tools`, `bind`, and `MalformedCallClient`.

Names are loaded at first use: the tools need google-adk alone, the client needs openai.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_adk.adapter import bind, kb_tools, okf_tools
    from fingerpost_adk.client import MalformedCallClient

_HOMES = {"MalformedCallClient": "client", "bind": "adapter", "kb_tools": "adapter", "okf_tools": "adapter"}

__all__ = ["MalformedCallClient", "bind", "kb_tools", "okf_tools"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'fingerpost_adk' has no attribute {name!r}")
    return getattr(import_module(f"fingerpost_adk.{_HOMES[name]}"), name)
