"""What a framework shows the model of tools: as it was sent over the wire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fingerpost import KnowledgeBuilder, MemoryDocumentStore, OKFTools
from fingerpost_testing import MemoryKnowledgeBase, Script, ToolCall, calls, say
from fingerpost_testing.scenarios import find_passages
from tests.loops.driver import Driver, ProtocolDriver

SCHEMAS = Path(__file__).resolve().parent / "schemas"


def golden_file(name: str) -> Path:
    """Where the definitions are recorded that a driver's framework sends."""
    return SCHEMAS / f"{name}.json"


def functions() -> list[Any]:
    """The tools over a bundle and over knowledge bases, and a function of a user's."""
    bundle = OKFTools(MemoryDocumentStore({}))
    return [*bundle.functions(), *KnowledgeBuilder([MemoryKnowledgeBase()]).build(), find_passages]


def offered(driver: Driver | ProtocolDriver) -> list[dict[str, Any]]:
    """Name, description and schema of each tool, by name."""
    script = Script(calls(ToolCall("kb_index", {})), say("Done."))
    tools = driver.play(script, driver.bind(functions()), "Go.").transcript.tools
    return [{"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in tools]
