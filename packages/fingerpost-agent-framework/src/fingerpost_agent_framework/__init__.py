"""Fingerpost's tools for Microsoft Agent Framework: `okf_tools`, `kb_tools`, `bind`. Loaded at first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_agent_framework.adapter import bind, kb_tools, okf_tools

__all__ = ["bind", "kb_tools", "okf_tools"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'fingerpost_agent_framework' has no attribute {name!r}")
    return getattr(import_module("fingerpost_agent_framework.adapter"), name)
