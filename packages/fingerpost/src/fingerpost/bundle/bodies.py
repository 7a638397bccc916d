"""Reading the texts of a large bundle in the background, while its headers can be searched already."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from fingerpost.bundle.entries import UNREAD
from fingerpost.bundle.reading import Outcome, Progress, read_entries
from fingerpost.bundle.waiting_texts import WaitingTexts
from fingerpost.catalog.base import Among, Catalog, CatalogBusyError, Entry
from fingerpost.errors import KnowledgeError
from fingerpost.stores.base import DocumentStore

_AT_ONCE = 50_000
_SECONDS_BETWEEN_LOOKS = 0.1
_SECONDS_FOR_ANSWER = 0.02
_SECONDS_BETWEEN_TRIES = 0.5
_STILL_UNREAD = (Among(UNREAD, ("body",)),)
_logger = logging.getLogger("fingerpost.bundle")


@dataclass(frozen=True, slots=True)
class Reading:
    """How far the reading of a bundle has come.

    Attributes:
        done: Concepts whose text is in the index.
        total: All concepts; each is found by its header from the start.
    """

    done: int
    total: int

    @property
    def left(self) -> int:
        """Concepts whose text is still to be read."""
        return self.total - self.done


class Bodies:
    """A thread that reads what is known by its header alone; it ends when nothing is left.

    Args:
        store: Where the files lie.
        catalog: Where they are to be found; entries of the facet `UNREAD` are those that are left.

    Attributes:
        texts: Texts that need not be read again, for whoever reads headers to keep; dropped when a run ends.
    """

    def __init__(self, store: DocumentStore, catalog: Catalog) -> None:
        self._store = store
        self._catalog = catalog
        self.texts = WaitingTexts()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._ended_at = -1
        self._done = self._all = 0

    def start(self, generation: int) -> None:
        """Read what is left, unless that is under way, or was tried in vain.

        Args:
            generation: That of the catalog, which tells whether anything has changed since the last run.
        """
        if (self._thread is None or not self._thread.is_alive()) and self._ended_at != generation:
            self._stopped.clear()
            self._thread = threading.Thread(target=self._run, name="fingerpost-bodies", daemon=True)
            self._thread.start()

    def wait(self, until: float | None = None, progress: Progress | None = None) -> None:
        """Wait until the present run has ended.

        Args:
            until: The time of the monotonic clock to give up at; None for never.
            progress: Called while waiting.
        """
        while self._thread is not None and self._thread.is_alive():
            if until is not None and time.monotonic() >= until:
                return
            if progress is not None:
                progress(self._done, self._all)
            self._thread.join(_SECONDS_BETWEEN_LOOKS)

    def stop(self) -> None:
        """End the present run soon, if there is one, and wait for it; another can be started then."""
        self._stopped.set()
        self.wait()

    def _run(self) -> None:
        # Whoever has caused this is still at an answer, which two busy threads would take turns to delay.
        self._stopped.wait(_SECONDS_FOR_ANSWER)
        try:
            while not self._stopped.is_set() and self._read_some_or_wait():
                pass
        except KnowledgeError as error:
            _logger.warning("Reading the texts of %s stopped. %s", self._store.identity, error)
        finally:
            self.texts.clear()
        with self._catalog.reading() as view:
            self._ended_at = view.generation

    def _read_some_or_wait(self) -> bool:
        """Read some of what is left, unless another process is at it, which is waited for."""
        try:
            return self._read_some()
        except CatalogBusyError:
            self._stopped.wait(_SECONDS_BETWEEN_TRIES)
            return True

    def _read_some(self) -> bool:
        """Read some of what is left.

        Returns:
            Whether there was any that could be read.
        """
        if self._catalog.is_busy:
            raise CatalogBusyError("Another process is reading these texts.")
        with self._catalog.reading() as view:
            generation = view.generation
            listed = list(view.listing(_STILL_UNREAD, limit=_AT_ONCE))
            self._done, self._all = 0, view.count(_STILL_UNREAD)
        outcome = Outcome()
        self._catalog.update(self._entries(listed, outcome), since=generation)
        return len(listed) > len(outcome.unreadable) + len(outcome.vanished)

    def _entries(self, listed: list[tuple[str, str]], outcome: Outcome) -> Iterator[Entry]:
        left: list[str] = []
        for path, card in listed:
            if self._stopped.is_set():
                return
            kept = self.texts.take(path, card)
            if kept is None:
                left.append(path)
            else:
                yield kept
                self._done += 1
        yield from read_entries(self._store, self._until_stopped(left), None, outcome, whole=True)

    def _until_stopped(self, paths: list[str]) -> Iterator[str]:
        for path in paths:
            if self._stopped.is_set():
                return
            yield path
            self._done += 1
