"""Knowledge bases as an MCP server: those of a builder, or those that a configuration gives an agent."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mcp.server.lowlevel import Server

import fingerpost
from fingerpost import KnowledgeBuilder, KnowledgeConfig, kb_prompt
from fingerpost.tools import Toolbox
from fingerpost_mcp.prompts import answered_prompt, prompt_handlers
from fingerpost_mcp.server import low_level

_DESCRIPTIONS = "get_all_kb_descriptions"
_PROMPT = "knowledge_bases"


def kb_tools(
    source: str | os.PathLike[str] | Mapping[str, Any] | KnowledgeConfig | KnowledgeBuilder,
    agent: str | None = None,
    *,
    instructions: str | None = None,
) -> Server[Any]:
    """A server over knowledge bases: the tools that an agent's roles give it, and what they are as a prompt.

    Args:
        source: A configuration (a YAML file, a mapping, or one that was read), or a builder.
        agent: The agent's name in the configuration; with a builder it is not needed.
        instructions: What a client tells its model about the server; by default, of a configuration, what
            `kb_prompt` says for the agent.

    Returns:
        A low-level server, as from `bind`; without tools for an agent that the configuration does not name.

    Raises:
        ConfigError: The configuration is wrong, or no agent is named.
    """
    toolbox = Toolbox(fingerpost.kb_tools(source, agent))
    if instructions is None and agent is not None and not isinstance(source, KnowledgeBuilder):
        instructions = kb_prompt(source, agent)
    prompts = [
        answered_prompt(
            tool.name.replace(_DESCRIPTIONS, _PROMPT),
            "What the knowledge bases are, and how to use them.",
            instructions or "",
            toolbox,
            tool,
        )
        for tool in toolbox
        if tool.name.endswith(_DESCRIPTIONS)
    ]
    return low_level(toolbox, "fingerpost", instructions, prompt_handlers(prompts))
