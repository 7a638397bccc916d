"""A store seen as concepts: reading, index, search, links, history and diagnostics of one bundle."""

from fingerpost.bundle.bundle import Bundle

__all__ = ["Bundle"]
