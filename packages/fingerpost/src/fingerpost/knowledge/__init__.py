"""Knowledge bases: what they declare, the tools over several of them, and bundles as such."""

from __future__ import annotations

from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.knowledge.builder import KnowledgeBuilder
from fingerpost.knowledge.documents import DocumentKnowledgeBase
from fingerpost.knowledge.okf_manager import OKFManager

__all__ = ["DocumentKnowledgeBase", "KnowledgeBase", "KnowledgeBuilder", "OKFManager"]
