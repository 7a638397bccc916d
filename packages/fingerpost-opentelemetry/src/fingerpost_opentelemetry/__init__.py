"""OpenTelemetry for Fingerpost: `instrument` makes a span of every tool call. It is loaded at first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_opentelemetry.instrumentation import instrument

__all__ = ["instrument"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'fingerpost_opentelemetry' has no attribute {name!r}")
    return getattr(import_module("fingerpost_opentelemetry.instrumentation"), name)
