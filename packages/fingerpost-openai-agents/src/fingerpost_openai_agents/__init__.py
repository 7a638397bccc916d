"""Fingerpost's tools for the OpenAI Agents SDK: `okf_tools`, `kb_tools` and `bind`.

Names are loaded at first use, since importing the SDK takes seconds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_openai_agents.adapter import bind, kb_tools, okf_tools

__all__ = ["bind", "kb_tools", "okf_tools"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'fingerpost_openai_agents' has no attribute {name!r}")
    return getattr(import_module("fingerpost_openai_agents.adapter"), name)
