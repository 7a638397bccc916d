"""`DocumentKnowledgeBase`: what knowledge bases have in common that are made of documents at paths."""

from __future__ import annotations

import logging
from dataclasses import replace

from fingerpost.capabilities import KnowledgeCapabilities
from fingerpost.errors import KnowledgeNotFoundError
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.stores.base import DocumentStore

_logger = logging.getLogger("fingerpost.knowledge")


class DocumentKnowledgeBase(KnowledgeBase):
    """A knowledge base whose records are documents of a store.

    What the bytes mean is its own matter; where they lie is the store's, and so is that no path leaves it.

    Attributes:
        store: Where the documents lie.
    """

    def __init__(
        self, store: DocumentStore, capabilities: KnowledgeCapabilities, name: str | None = None
    ) -> None:
        """Take a store. It can be written to only if both the store and the declaration say so.

        Args:
            store: Where the documents lie.
            capabilities: What the backend can do with a store that can be written.
            name: As for `KnowledgeBase`.

        Raises:
            ConfigError: The declaration makes no sense, as where a store that cannot be written leaves
                nothing of it.
        """
        super().__init__(replace(capabilities, writable=capabilities.writable and store.writable), name)
        self.store = store

    def _read_document(self, path: str) -> bytes | None:
        """The bytes of a document, None with a warning in the log where there are none to be had.

        Args:
            path: Its path.

        Raises:
            KnowledgePathError: The path is malformed or leaves the store.
        """
        try:
            return self.store.read_bytes(path)
        except (KnowledgeNotFoundError, OSError) as error:
            _logger.warning("A document of %s could not be read: %s", self.backend_name, error)
            return None

    def close(self) -> None:
        """Give back what the store holds."""
        self.store.close()
