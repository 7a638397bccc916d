"""Keeping a catalog in step with its store: only what changed is read."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from itertools import islice
from types import MappingProxyType

from fingerpost.bundle.bodies import Bodies
from fingerpost.bundle.cache import BORROWED
from fingerpost.bundle.documents import Documents
from fingerpost.bundle.entries import IN, KIND, UNREAD
from fingerpost.bundle.header import CONCEPT, is_concept_card
from fingerpost.bundle.pace import Pace
from fingerpost.bundle.parts import changed_parts, is_nothing_new
from fingerpost.bundle.reading import Outcome, Progress, read_entries, with_progress
from fingerpost.bundle.snapshot import Opened, Snapshot
from fingerpost.bundle.unreadable import pending_in, pending_note, trouble_of
from fingerpost.catalog.base import (
    Among,
    Catalog,
    CatalogBusyError,
    CatalogEmptiedError,
    CatalogError,
    Entry,
    View,
)
from fingerpost.errors import KnowledgeError, StoreError
from fingerpost.stores.base import Changes, Cursor, DocumentStore, Skipped, failure_sentence, is_hidden
from fingerpost.stores.caching import ELSEWHERE

_AT_ONCE = 500  # files whose text is read before the answer; of more, the headers alone
_HEADERS_AT_ONCE = 50_000
_MOST_ROUNDS = 5
_FOLDER = "/"  # what the name of a note starts with that holds a part of the store's cursor
_PENDING = "pending"
_NO_CARDS: Mapping[str, str] = MappingProxyType({})
_logger = logging.getLogger("fingerpost.bundle")


class Reader:
    """Keeps a catalog in step with a store.

    Every snapshot asks the store what changed since the state that the catalog holds, and reads that alone.
    The catalog may be shared with other processes: what one of them has read, no other reads again. When the
    store fails, what the catalog holds is served with the reason in `Snapshot.trouble` until it answers
    again. A forked process starts anew, since another thread may have been at work on what it got.

    Args:
        store: The store.
        open_catalog: Opens the catalog, which may hold what an earlier process read.
        open_spare: Opens an empty one in memory, to go on with when the other cannot be written.
        pace: How often the store is asked; by default at every call.

    Attributes:
        pace: How often the store is asked.
        documents: The files of the store, read one by one.
        is_held_up: Whether another process was reading much when this one wanted to.
    """

    def __init__(
        self,
        store: DocumentStore,
        open_catalog: Callable[[], Catalog],
        open_spare: Callable[[], Catalog] | None = None,
        pace: Pace | None = None,
    ) -> None:
        self.store = store
        self.pace = pace or Pace(0)
        self._open_catalog = open_catalog
        self._open_spare = open_spare
        self._is_closed = False
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()  # taken before the catalog is opened, never within a snapshot
        self.documents = Documents(self.store)
        self._spare = self._open_spare
        self._begin(self._open_catalog())

    def _begin(self, catalog: Catalog) -> None:
        """Know nothing yet of what a catalog holds."""
        self.catalog = catalog
        self.bodies = Bodies(self.store, self.catalog)
        self._origin, self._generation = -1, -1
        self._parts: Mapping[str, str] = {}
        self._cursor: Cursor | None = None
        self._pending: dict[str, Skipped] = {}
        self._skipped: tuple[Skipped, ...] = ()
        self._counts: dict[str, int] = {}
        self._trouble = ""
        self._unread = 0
        self._is_borrowed = False
        self._doubtful: set[str] = set()
        self._is_stale, self._is_asked = True, False
        self.is_held_up = False

    def close(self) -> None:
        """Stop reading in the background, and release the catalog; a second call does nothing."""
        self._is_closed = True
        self.bodies.stop()
        self.catalog.close()

    def snapshot(
        self, progress: Progress | None = None, *, to_write: bool = False
    ) -> AbstractContextManager[Snapshot]:
        """The bundle of this moment, valid within the `with` block.

        Args:
            progress: Called while many headers are read, with how many are done and how many there are.
            to_write: Whether something is to be written to it, so that it may be empty.

        Raises:
            StoreError: If the store has never answered yet, the catalog cannot be written, or this is closed.
        """
        return Opened(lambda progress: self._open(progress, to_write), progress)

    def _open(
        self, progress: Progress | None, to_write: bool
    ) -> tuple[AbstractContextManager[View], Snapshot]:
        """A snapshot, and the reading to be left when it is no longer needed."""
        if self._is_closed:
            raise StoreError("This bundle is closed; make a new Bundle(...).")
        if self._process != os.getpid():
            self._start()
        rounds_left = _MOST_ROUNDS
        while True:
            rounds_left -= 1
            with self._lock:
                self.pace.asking()
                changes = self._looked()
                if changes is None or not is_nothing_new(changes, self._cursor):
                    self._bring_up_somewhere(progress, changes)
                origin, generation = self._origin, self._generation
                skipped, trouble, unread = self._skipped, self._trouble, self._unread
                counts = self._counts
                if self._pending:
                    skipped += tuple(item for item in self._pending.values() if item.code)
                reading = self.catalog.reading()
                is_first_question = not (to_write or self._is_asked or self._is_stale or trouble)
                self._is_asked |= is_first_question
            view = reading.__enter__()
            if is_first_question:
                self._warn_if_empty(view)
            if view.generation == generation and view.origin == origin:
                return reading, Snapshot(view, skipped, trouble, unread, counts)
            if not rounds_left:
                return reading, Snapshot(view, skipped, trouble, unread)
            reading.__exit__(None, None, None)
            with self._lock:
                self._is_stale = True

    @property
    def trouble(self) -> str:
        """Why the last refresh failed, "" when it did not."""
        return self._trouble

    def _looked(self) -> Changes | None:
        """What changed since the catalog was in step with the store, None when that is not known."""
        if self._is_stale or self._cursor is None:
            return None
        if not self.pace.is_due:
            return Changes(self._cursor, (), ())
        if self._pending or self._trouble:
            return None
        try:
            changes = self.store.changes(self._cursor)
        except Exception:  # noqa: BLE001 - it is met again, and told, where the catalog is brought up
            return None
        if is_nothing_new(changes, self._cursor):
            self.pace.asked()
        return changes

    def _bring_up_somewhere(self, progress: Progress | None, changes: Changes | None) -> None:
        """Bring the catalog up, or one in memory when it cannot be written where it is kept."""
        try:
            try:
                self._bring_up(progress, changes)
            except CatalogEmptiedError:
                self._bring_up(progress)
        except CatalogError as error:
            if self._spare is None:
                raise
            _logger.warning("The index is kept in memory from now on. %s %s", error, ELSEWHERE)
            self.bodies.stop()
            self.catalog.close()
            self._begin(self._spare())
            self._spare = None
            self._bring_up(progress)

    def _bring_up(self, progress: Progress | None, changes: Changes | None = None) -> None:
        """Bring the catalog in step with the store, or note why that cannot be done now.

        Args:
            progress: Called while many headers are read.
            changes: What changed since the cursor, when the store was asked already.
        """
        self._is_stale, self.is_held_up = True, False
        for _ in range(_MOST_ROUNDS):
            is_small = changes is not None and len(changes.changed) <= _AT_ONCE and not self._doubtful
            if not is_small:  # then there is a look at the catalog in any case
                with self.catalog.reading() as view:
                    if not self._is_current(view):
                        self._load(view)
                        changes = None
            is_first = self._cursor is None or self._is_borrowed
            if not (is_first or self.pace.is_due):  # what another process has read is all that is new
                self._is_stale = False
                break
            try:
                if changes is None:
                    changes = self.store.changes(self._cursor)
            except Exception as error:
                if is_first:
                    raise
                if not isinstance(error, KnowledgeError):
                    _logger.warning("The store %s failed.", self.store.identity, exc_info=error)
                self._trouble = failure_sentence(error)
                self.pace.asked(has_failed=True)
                return
            try:
                is_done = self._apply(changes, progress, only_if_current=is_small)
            except CatalogBusyError as error:
                self._be_held_up(error)
                return
            if is_done:
                self.pace.asked(has_failed=bool(changes.trouble))
                self._is_stale = False
                self._cursor = changes.cursor
                break
            changes = None
        if self._unread:
            self.bodies.start(self._generation)

    def _be_held_up(self, error: CatalogBusyError) -> None:
        """Go on with what the catalog holds, unless that is of another store."""
        if self._is_borrowed:
            raise StoreError(f"The index is just being made. {error}") from error
        self.is_held_up, self._trouble = True, str(error)

    def _warn_if_empty(self, view: View) -> None:
        if not view.count((Among(KIND, (CONCEPT,)),)):
            _logger.warning(
                "No concept was found in %s; check that this is the bundle meant.", self.store.identity
            )

    def _is_all(self, changes: Changes) -> bool:
        """Whether what was just written is all that happened to the catalog and brought it in step.

        Then it need not be learnt from the catalog. Each update makes one generation: with a single one after
        that which was read, nobody else has written, and nothing was left as it was.
        """
        with self.catalog.reading() as view:
            if (view.origin, view.generation) != (self._origin, self._generation + 1):
                return False
            self._parts, self._is_borrowed = changes.cursor.parts, False
            self._learn_state(view, unread=self._count_unread(view) if self._unread else 0)
        return True

    def _is_current(self, view: View) -> bool:
        """Whether what is known of the catalog is what it holds."""
        return (view.origin, view.generation) == (self._origin, self._generation)

    def _load(self, view: View) -> None:
        """Learn what the catalog holds: which state of the store, and what is left to be read."""
        since = self._generation if view.origin == self._origin else -1
        if since < 0:
            self._parts, self._pending = {}, {}
            self._is_borrowed = False
        notes = dict(view.notes(since))
        pending = notes.pop(_PENDING, None)
        if pending is not None:
            self._pending = pending_in(pending)
        self._is_borrowed = bool(notes.pop(BORROWED, self._is_borrowed))
        if notes:
            parts = {**self._parts, **{name.removeprefix(_FOLDER): part for name, part in notes.items()}}
            self._parts = {folder: part for folder, part in parts.items() if part}
            self._cursor = Cursor(self._parts)
        elif since < 0:
            self._cursor = None
        self._learn_state(view, unread=self._count_unread(view))

    @staticmethod
    def _count_unread(view: View) -> int:
        return view.count((Among(UNREAD, ("body",)),))

    def _learn_state(self, view: View, unread: int) -> None:
        self._unread = unread
        self._origin, self._generation = view.origin, view.generation
        self._counts = {}

    def _apply(self, changes: Changes, progress: Progress | None, *, only_if_current: bool) -> bool:
        """Write into the catalog what changed.

        Args:
            changes: What changed since the cursor.
            progress: Called while many headers are read.
            only_if_current: Whether to do nothing when the catalog is not what it was.

        Returns:
            Whether the catalog is known to be in step now.
        """
        self._check_all_is_told(changes)
        removed = {path for path in changes.removed if not is_hidden(path)} | self._ghosts(changes)
        changed = {path for path in (*changes.changed, *self._pending) if not is_hidden(path)} - removed
        parts = changed_parts(self._parts, self._cursor, changes)
        self._skipped = changes.skipped
        if not (removed or changed or parts or self._is_borrowed):
            self._trouble = trouble_of(changes, [])
            return True
        outcome, entries = Outcome(), list[Entry]()
        if len(changed) > _AT_ONCE:
            self.bodies.stop()  # what has changed comes first
            if self.catalog.is_busy:
                raise CatalogBusyError(
                    "Another process is reading this knowledge base for the first time; until it is done, "
                    "only what it has read is found."
                )
            with self.catalog.reading() as view:
                if not self._is_current(view):
                    return False
            others = self._write_headers(sorted(changed), outcome, progress)
            if others is None:
                return False
            entries = others
        with self.catalog.reading() as view:
            if only_if_current and not self._is_current(view):
                return False
            if len(changed) <= _AT_ONCE:
                entries = list(read_entries(self.store, sorted(changed), view.card, outcome, whole=True))
            known = [path for path in outcome.unreadable if is_concept_card(view.card(path))]
            lost = removed.union(outcome.vanished, known if self._is_borrowed else ())
            gone = {path for path in lost if view.card(path) is not None}
        self._trouble = trouble_of(changes, [path for path in known if path not in gone])
        pending = {**outcome.unreadable, **{path: Skipped(path, "", "") for path in outcome.vanished}}
        if not (entries or gone or parts or pending != self._pending or self._is_borrowed):
            return True
        notes = {f"{_FOLDER}{folder}": part for folder, part in parts.items()}
        notes |= {BORROWED: ""} if self._is_borrowed else {}
        if pending != self._pending:
            notes[_PENDING] = pending_note(pending)
        left = self.catalog.update(entries, gone, notes, since=self._generation)
        self._doubtful = {name.removeprefix(_FOLDER) for name in left if name in notes}
        return not (pending or self._pending) and self._is_all(changes)

    def _check_all_is_told(self, changes: Changes) -> None:
        """Refuse to bring in step by halves what is of another store: it would stay in the rest."""
        if self._is_borrowed and not changes.complete:
            raise StoreError(trouble_of(changes, []))

    def _ghosts(self, changes: Changes) -> set[str]:
        """Files that the catalog holds, though by its notes on the store it does not.

        A first reading that was interrupted leaves some, and another process that wrote about the same folder
        at the same time.
        """
        if not changes.complete or (self._cursor is not None and not self._doubtful):
            return set()
        with self.catalog.reading() as view:
            if self._cursor is None:
                held = {path for path, _ in view.listing()}
                return held.difference(changes.cursor.paths()) if held else held
            where = (Among(IN, tuple(self._doubtful)),)
            held = {path for path, _ in view.listing(where)}
        self._doubtful.clear()
        return {path for path in held if changes.cursor.signature(path) is None}

    def _write_headers(
        self, paths: list[str], outcome: Outcome, progress: Progress | None
    ) -> list[Entry] | None:
        """Make many files known by their headers; what was read before an interruption need not be again.

        Returns:
            The entries that have no header. They are not written, so that nothing that stays stands among
            what is replaced when the texts are read. None when some were left, since they are not what they
            were: then nothing may say that the catalog is in step.
        """
        with self.catalog.reading() as view:
            is_empty = not view.count()
        others: list[Entry] = []
        counted = with_progress(paths, progress)
        for _ in range(0, len(paths), _HEADERS_AT_ONCE):
            some = islice(counted, _HEADERS_AT_ONCE)
            with self.catalog.reading() as view:
                card_of, texts = _NO_CARDS.get if is_empty else view.card, self.bodies.texts
                entries = list(read_entries(self.store, some, card_of, outcome, whole=False, texts=texts))
            if self.catalog.update([entry for entry in entries if entry.header], since=self._generation):
                return None
            others += [entry for entry in entries if not entry.header]
        return others
