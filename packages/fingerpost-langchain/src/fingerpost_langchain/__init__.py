"""Fingerpost's tools for LangChain and LangGraph: `okf_tools`, `kb_tools`, `bind`, `MalformedCallMiddleware`.

Names are loaded at first use: the tools need langchain-core alone, the middleware needs langchain.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_langchain.adapter import bind, kb_tools, okf_tools
    from fingerpost_langchain.middleware import MalformedCallMiddleware

_HOMES = {
    "MalformedCallMiddleware": "middleware",
    "bind": "adapter",
    "kb_tools": "adapter",
    "okf_tools": "adapter",
}

__all__ = ["MalformedCallMiddleware", "bind", "kb_tools", "okf_tools"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'fingerpost_langchain' has no attribute {name!r}")
    return getattr(import_module(f"fingerpost_langchain.{_HOMES[name]}"), name)
