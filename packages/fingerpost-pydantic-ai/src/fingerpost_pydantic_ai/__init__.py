"""Fingerpost's tools for Pydantic AI: `okf_tools`, `kb_tools` and `bind`.

Names are loaded at first use, since importing Pydantic AI takes seconds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_pydantic_ai.adapter import bind, kb_tools, okf_tools

__all__ = ["bind", "kb_tools", "okf_tools"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'fingerpost_pydantic_ai' has no attribute {name!r}")
    return getattr(import_module("fingerpost_pydantic_ai.adapter"), name)
