"""Fingerpost's tools for Haystack: `okf_tools`, `kb_tools`, `bind`, and `MalformedCallHook`.

They are loaded at first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_haystack.adapter import bind, kb_tools, okf_tools
    from fingerpost_haystack.hooks import MalformedCallHook

_HOMES = {"MalformedCallHook": "hooks", "bind": "adapter", "kb_tools": "adapter", "okf_tools": "adapter"}

__all__ = ["MalformedCallHook", "bind", "kb_tools", "okf_tools"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'fingerpost_haystack' has no attribute {name!r}")
    return getattr(import_module(f"fingerpost_haystack.{_HOMES[name]}"), name)
