"""The knowledge bases that the tests of every adapter make tools of."""

from __future__ import annotations

from typing import Any

from fingerpost import KnowledgeBuilder, Tool
from fingerpost_testing import MemoryKnowledgeBase

SEVEN = [
    "get_schemas",
    "read_kb",
    "write_kb",
    "get_all_kb_descriptions",
    "search_kb",
    "fetch_kb",
    "browse_kb",
]
READING = [name for name in SEVEN if name != "write_kb"]

RECORDS = {"docks/north": "The north dock stays closed in a storm."}
CONFIGURATION: dict[str, Any] = {
    "knowledge": {
        "databases": {
            "notes": {
                "type": "fingerpost_testing.MemoryKnowledgeBase",
                "records": RECORDS,
                "consumer": ["clerk"],
                "curator": ["mate"],
            }
        }
    }
}

MISSPELT = {"backend": "nots", "query": "dock"}
SENTENCE = "Unknown backend 'nots'. Available: 'notes'. Did you mean notes?"


def builder() -> KnowledgeBuilder:
    """The same knowledge base without a configuration."""
    return KnowledgeBuilder([MemoryKnowledgeBase(records=RECORDS)])


def core(name: str) -> Tool:
    """One of the tools as the core has it."""
    return next(tool for tool in map(Tool.of, builder().build()) if tool.name == name)
