"""A folder followed from call to call: by events where they tell of everything, else by walks."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from fingerpost.stores.base import Changes, Skipped, changes_since
from fingerpost.stores.cursor import Cursor, changes_between, joined, signature_in, split
from fingerpost.stores.events import FolderEvents, LostTrackError, why_not
from fingerpost.stores.living import LivingTree, Touched
from fingerpost.stores.remarks import MAX_REMARKS
from fingerpost.stores.roots import OpenRoot
from fingerpost.stores.tree import Tree

RETRY_SECONDS = 60
_NOT_ASKED = "Nothing was listed yet."

OpenRoots: TypeAlias = Callable[[], AbstractContextManager[OpenRoot]]


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a folder at one moment.

    Attributes:
        cursor: The files.
        skipped: What is left out.
        unread: Files and folders that could not be examined.
        before: The cursor of the moment before, None for the first one.
        changed: What has changed since that one.
        removed: What has gone since that one.
        unchanged: What to tell whoever knows this moment.
    """

    cursor: Cursor
    skipped: tuple[Skipped, ...]
    unread: frozenset[str]
    before: Cursor | None = None
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: Changes = field(init=False)

    def __post_init__(self) -> None:
        still = Changes(self.cursor, (), (), skipped=self.skipped)
        object.__setattr__(self, "unchanged", still)


class Watch:
    """Follows a folder for one process. Thread-safe.

    Args:
        folder: The folder's absolute path.
        open_root: Opens what bears that name now, and turns `OSError`s within its block into `StoreError`s.

    Attributes:
        trouble: Why each call walks over the folder, as a sentence; "" when events spare it that.
        process: The process that it works for.
    """

    def __init__(self, folder: str, open_root: OpenRoots) -> None:
        self.trouble = _NOT_ASKED
        self.process = os.getpid()
        self._folder = folder
        self._open_root = open_root
        self._lock = threading.Lock()
        self._events: FolderEvents | None = None
        self._tree: LivingTree | None = None
        self._moment: Moment | None = None
        self._is_fresh = False
        self._retry_at = 0.0

    def changes(self, cursor: Cursor | None) -> Changes:
        """What changed since a cursor.

        Raises:
            StoreError: The folder cannot be listed.
        """
        with self._lock:
            moment = self._current()
        if not moment.unread:
            if cursor is moment.cursor:
                return moment.unchanged
            if cursor is moment.before and cursor is not None:
                return Changes(moment.cursor, moment.changed, moment.removed, skipped=moment.skipped)
        found = changes_since(
            cursor, moment.cursor, moment.unread, moment.skipped, complete=not moment.unread
        )
        return replace(found, cursor=self._shown(moment, found.cursor))

    def cursor(self) -> Cursor:
        """The files as they are.

        Raises:
            StoreError: The folder cannot be listed.
        """
        with self._lock:
            return self._current().cursor

    def close(self) -> None:
        """Release what is held; the next call starts anew."""
        with self._lock:
            self._release()
            self.trouble, self._retry_at = _NOT_ASKED, 0.0

    def _current(self) -> Moment:
        """The state of the folder; the very same moment when nothing happened."""
        tree, events, moment = self._tree, self._events, self._moment
        if tree is None or events is None or moment is None:
            return self._begin()
        try:
            touched = self._caught_up(tree, events)
        except (LostTrackError, OSError):
            return self._begin()
        except BaseException:
            self._release()  # the news are read and lost
            raise
        if touched is None:
            return moment
        if _limit(tree, events):
            return self._begin()
        self._moment = _later(moment, tree, touched)
        self._is_fresh = self._is_fresh and self._moment.cursor is moment.cursor
        return self._moment

    def _caught_up(self, tree: LivingTree, events: FolderEvents) -> Touched | None:
        """Bring the tree in step; None when nothing happened."""
        top = os.stat(self._folder)
        if (top.st_dev, top.st_ino) != tree.places[""].identity:
            raise LostTrackError
        news = events.news()
        now = time.time_ns()
        if not news and not tree.is_waiting(now):
            return None
        with self._open_root() as root:
            news = tree.with_pending(root, news, now)
            touched = tree.renew(root, news) if news else None
        if touched is not None and events.files is not None:
            for folder, names in touched.folders.items():
                events.files.add(folder, names, tree.parts.get(folder, ""))
        return touched

    def _begin(self) -> Moment:
        """Walk over the folder, with watches where they can be had."""
        self._release()
        events = self._watching()
        try:
            with self._open_root() as root:
                tree = Tree(root) if events is None else _living(root, events)
        except BaseException:
            if events is not None:
                events.close()
            raise
        moment = Moment(Cursor(tree.parts), tree.remarks.summed_up(), tree.remarks.unread_paths())
        if not isinstance(tree, LivingTree) or events is None:
            return moment
        if trouble := _limit(tree, events):
            events.close()
            self._put_off(trouble)
            return moment
        events.watch_files(tree.parts)
        self._events, self._tree, self._moment, self._is_fresh = events, tree, moment, True
        return moment

    def _watching(self) -> FolderEvents | None:
        """New watches, None where there are none to be had."""
        if sys.platform != "linux":
            self.trouble = "Changes are watched on Linux alone."
            return None
        if self.trouble and time.monotonic() < self._retry_at:
            return None
        try:
            events = FolderEvents()
        except OSError as error:
            self._put_off(why_not(error))
            return None
        self.trouble = ""
        return events

    def _put_off(self, trouble: str) -> None:
        self.trouble = trouble
        self._retry_at = time.monotonic() + RETRY_SECONDS

    def _shown(self, moment: Moment, cursor: Cursor) -> Cursor:
        """The cursor to hand out for a moment, given one of the same content.

        The first one that is handed out becomes that of the moment: a reader who brings a cursor of old keeps
        its text, which is then held once.
        """
        if moment.unread:
            return cursor
        with self._lock:
            if self._moment is None:
                return cursor
            if self._is_fresh and self._tree is not None and self._moment is moment:
                self._is_fresh = False
                self._tree.parts = dict(cursor.parts)
                self._moment = replace(moment, cursor=cursor)
                return cursor
            return moment.cursor

    def _release(self) -> None:
        if self._events is not None:
            self._events.close()
        self._events = self._tree = self._moment = None


def _living(root: OpenRoot, events: FolderEvents) -> LivingTree:
    with root.folder("") as top:
        mounted = events.begin(top)
    return LivingTree(root, events, mounted)


def _limit(tree: Tree, events: FolderEvents) -> str:
    """Why a tree cannot be kept in step, "" when it can."""
    if tree.remarks.is_full:
        return f"More than {MAX_REMARKS:,} entries are left out."
    if tree.is_cut:
        return "Linked folders hold more entries than are followed."
    return events.trouble


def _later(moment: Moment, tree: LivingTree, touched: Touched) -> Moment:
    """The moment after some places were looked at again; its cursor is the same one when no file changed."""
    changed, removed = set[str](), set[str]()
    earlier = moment.cursor.parts
    for folder, names in touched.folders.items():
        old, new = earlier.get(folder, ""), tree.parts.get(folder, "")
        if old != new:
            news, gone = changes_between(old, new, names)
            changed.update(joined(folder, name) for name in news)
            removed.update(joined(folder, name) for name in gone)
    changed.update(path for path in touched.young if _holds(tree, path))
    skipped, unread = tree.remarks.summed_up(), tree.remarks.unread_paths()
    if not changed and not removed:
        return replace(moment, skipped=skipped, unread=unread)
    return Moment(
        Cursor(tree.parts), skipped, unread, moment.cursor, tuple(sorted(changed)), tuple(sorted(removed))
    )


def _holds(tree: Tree, path: str) -> bool:
    folder, name = split(path)
    return signature_in(tree.parts.get(folder, ""), name) is not None
