"""Fingerpost's tools for LlamaIndex: `okf_tools`, `kb_tools`, `bind`, and `MalformedCallMixin`.

They are loaded at first use, because importing LlamaIndex takes seconds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_llamaindex.adapter import bind, kb_tools, okf_tools
    from fingerpost_llamaindex.calls import MalformedCallMixin

_HOMES = {"MalformedCallMixin": "calls", "bind": "adapter", "kb_tools": "adapter", "okf_tools": "adapter"}

__all__ = ["MalformedCallMixin", "bind", "kb_tools", "okf_tools"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'fingerpost_llamaindex' has no attribute {name!r}")
    return getattr(import_module(f"fingerpost_llamaindex.{_HOMES[name]}"), name)
