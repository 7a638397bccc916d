"""Knowledge bases: what they declare, and the tools over several of them."""

from __future__ import annotations

from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.knowledge.builder import KnowledgeBuilder
from fingerpost.knowledge.documents import DocumentKnowledgeBase

__all__ = ["DocumentKnowledgeBase", "KnowledgeBase", "KnowledgeBuilder"]
