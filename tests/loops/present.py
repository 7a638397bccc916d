"""The drivers whose framework is installed here: no environment holds all of them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import cast

from tests.loops.driver import Driver, ProtocolDriver

FRAMEWORKS = {
    "langchain": "langchain",
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
    "adk": "google.adk",
    "agent_framework": "agent_framework",
    "agent_framework_responses": "agent_framework",
    "smolagents": "smolagents",
    "haystack": "haystack",
    "crewai": "crewai",
    "llamaindex": "llama_index",
    "mcp": "mcp_types",
    "claude_agent": "claude_agent_sdk",
}
"""The modules of `tests/loops/drivers` in the order of the documentation, each with what it imports."""


def is_installed(name: str) -> bool:
    """Whether a framework can be imported here."""
    parent = name.partition(".")[0]
    return find_spec(parent) is not None and find_spec(name) is not None


DRIVERS: dict[str, Driver | ProtocolDriver] = {
    name: cast("Driver | ProtocolDriver", import_module(f"tests.loops.drivers.{name}").DRIVER)
    for name, framework in FRAMEWORKS.items()
    if is_installed(framework)
}
LOOPS: dict[str, Driver] = {name: driver for name, driver in DRIVERS.items() if isinstance(driver, Driver)}
