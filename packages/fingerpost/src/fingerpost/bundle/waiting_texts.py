"""Texts that were read with their headers, kept until they are looked through, so that they are read once."""

from __future__ import annotations

import sys
from typing import NamedTuple

from fingerpost.bundle.entries import whole_entry
from fingerpost.bundle.scanned import references_of
from fingerpost.catalog.base import Entry
from fingerpost.okf.document import Gist

ROOM = 60_000_000
"""Bytes that texts may take in all; they are gone before the words of a build take as much."""

_SIZE_OF_ENTRY = 3000  # bytes, roughly


class _Text(NamedTuple):
    by_header: Entry
    body: str
    path_values: list[str]


class WaitingTexts:
    """What was read of concepts of which the catalog knows the header alone; no more than there is room for.

    One thread keeps while another takes, which needs no lock: what is not found here is read again.
    """

    def __init__(self) -> None:
        self._room = ROOM
        self._texts: dict[str, _Text] = {}

    def keep(self, by_header: Entry, gist: Gist) -> None:
        """Keep a concept if there is room for it.

        Args:
            by_header: Its entry by its header.
            gist: Its file as it was read.
        """
        size = sys.getsizeof(gist.body) + _SIZE_OF_ENTRY
        if size <= self._room:
            self._room -= size
            self._texts[by_header.id] = _Text(by_header, gist.body, gist.path_values)

    def take(self, path: str, card: str) -> Entry | None:
        """The whole entry of a concept, once; None when it is not here, or not as the catalog knows it.

        Args:
            path: Its path.
            card: Its card in the catalog, which tells one content of the file from another.
        """
        text = self._texts.pop(path, None)
        if text is None or text.by_header.card != card:
            return None
        return whole_entry(text.by_header, references_of(text.body, text.path_values, path), text.body)

    def clear(self) -> None:
        """Drop all that is left."""
        self._texts.clear()
        self._room = ROOM
