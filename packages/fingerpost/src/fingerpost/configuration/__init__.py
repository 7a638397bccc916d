"""Knowledge bases from a configuration: who may read and write which, and the tools and prompt for each."""

from __future__ import annotations

from fingerpost.configuration.backends import register_backend
from fingerpost.configuration.config import KnowledgeConfig
from fingerpost.configuration.prompt import kb_prompt
from fingerpost.configuration.tools import kb_tools

__all__ = ["KnowledgeConfig", "kb_prompt", "kb_tools", "register_backend"]
