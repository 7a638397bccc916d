"""Dependable knowledge for AI agents: plain callables over curated bundles, which never raise.

    from fingerpost import Bundle, OKFTools

    kb = OKFTools("./my-bundle")
    print(kb.kb_index("/"))

Names are loaded at first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = (
    False  # what type checkers take for true; importing typing would take longer than all the rest
)

if TYPE_CHECKING:
    from fingerpost.bundle import Bundle
    from fingerpost.bundle.writer import BundleWriter
    from fingerpost.capabilities import KnowledgeCapabilities
    from fingerpost.configuration import KnowledgeConfig, kb_prompt, kb_tools
    from fingerpost.demo import demo_bundle
    from fingerpost.errors import (
        ArgumentError,
        ConceptError,
        ConfigError,
        ConflictError,
        KnowledgeCapabilityError,
        KnowledgeError,
        KnowledgeNotFoundError,
        KnowledgePathError,
        MissingPackageError,
        StoreError,
    )
    from fingerpost.knowledge import DocumentKnowledgeBase, KnowledgeBase, KnowledgeBuilder, OKFManager
    from fingerpost.navigate import OKFTools
    from fingerpost.records import Diagnostic, KnowledgeMetadata, KnowledgeRecord, Record, Records
    from fingerpost.stores import DocumentStore, LocalDocumentStore, MemoryDocumentStore
    from fingerpost.tools import Tool, ToolContext, ToolResult, tool

__version__ = "0.1.0"

_HOMES = {
    "ArgumentError": "errors",
    "Bundle": "bundle",
    "BundleWriter": "bundle.writer",
    "ConceptError": "errors",
    "ConflictError": "errors",
    "ConfigError": "errors",
    "Diagnostic": "records",
    "DocumentKnowledgeBase": "knowledge",
    "DocumentStore": "stores",
    "KnowledgeBase": "knowledge",
    "KnowledgeBuilder": "knowledge",
    "KnowledgeCapabilities": "capabilities",
    "KnowledgeCapabilityError": "errors",
    "KnowledgeConfig": "configuration",
    "KnowledgeError": "errors",
    "KnowledgeMetadata": "records",
    "KnowledgeNotFoundError": "errors",
    "KnowledgePathError": "errors",
    "KnowledgeRecord": "records",
    "LocalDocumentStore": "stores",
    "MemoryDocumentStore": "stores",
    "MissingPackageError": "errors",
    "OKFManager": "knowledge",
    "OKFTools": "navigate",
    "Record": "records",
    "Records": "records",
    "StoreError": "errors",
    "Tool": "tools",
    "ToolContext": "tools",
    "ToolResult": "tools",
    "demo_bundle": "demo",
    "kb_prompt": "configuration",
    "kb_tools": "configuration",
    "tool": "tools",
}

__all__ = [
    "ArgumentError",
    "Bundle",
    "BundleWriter",
    "ConceptError",
    "ConfigError",
    "ConflictError",
    "Diagnostic",
    "DocumentKnowledgeBase",
    "DocumentStore",
    "KnowledgeBase",
    "KnowledgeBuilder",
    "KnowledgeCapabilities",
    "KnowledgeCapabilityError",
    "KnowledgeConfig",
    "KnowledgeError",
    "KnowledgeMetadata",
    "KnowledgeNotFoundError",
    "KnowledgePathError",
    "KnowledgeRecord",
    "LocalDocumentStore",
    "MemoryDocumentStore",
    "MissingPackageError",
    "OKFManager",
    "OKFTools",
    "Record",
    "Records",
    "StoreError",
    "Tool",
    "ToolContext",
    "ToolResult",
    "demo_bundle",
    "kb_prompt",
    "kb_tools",
    "tool",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'fingerpost' has no attribute {name!r}")
    value = getattr(import_module(f"fingerpost.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
