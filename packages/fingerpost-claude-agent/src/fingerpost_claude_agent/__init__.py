"""Fingerpost's tools for the Claude Agent SDK: `okf_tools`, `kb_tools`, `bind`. Loaded at first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_claude_agent.adapter import bind, kb_tools, okf_tools

__all__ = ["bind", "kb_tools", "okf_tools"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'fingerpost_claude_agent' has no attribute {name!r}")
    return getattr(import_module("fingerpost_claude_agent.adapter"), name)
