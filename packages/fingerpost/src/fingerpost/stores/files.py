"""Watches of single files.

A folder does not tell what is done to a file by a name that lies elsewhere: another hard link, which may be
made at any time. The file itself does. So files are watched one by one as well, as far as the user's limit
allows: those that were looked at again at once, the rest a few in each call, the more the longer ago the last
was, so that no call waits for it. The first answer needs none: it comes from a walk, and what happens between
the walk and a watch is found when the watch is placed.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice
from time import monotonic
from typing import TypeAlias

from fingerpost.stores import inotify
from fingerpost.stores.cursor import YOUNG, entries, joined, signature_in
from fingerpost.stores.signatures import version_of

AT_FIRST = 400  # files that get their watch in the call after a walk
A_SECOND, AT_MOST = 1000, 500  # in later ones: by the time since the last, a hundredth of it, and in one
_MOST = 20_000
_SHARE_OF_LIMIT = 8  # one in so many of the watches that the user may have
_LIMIT = "/proc/sys/fs/inotify/max_user_watches"

Place: TypeAlias = tuple[str, str]
"""A folder, and the name of a file in it."""

Known: TypeAlias = tuple[Place, str]
"""A file with the signature that is known of it."""


class FileWatches:
    """The files of a tree that have a watch of their own.

    Args:
        descriptor: Where events come from.
        folder: The absolute path of the tree's root.
        parts: The listings of its folders.
    """

    def __init__(self, descriptor: int, folder: str, parts: Mapping[str, str]) -> None:
        self._descriptor = descriptor
        self._folder = folder
        self._left = min(_MOST, _limit() // _SHARE_OF_LIMIT)
        self._unwatched: Iterator[Known] = _files(dict(parts))
        self._again: deque[Known] = deque()
        # Folder, name, folder, name: a pair for each would be one more object for the garbage collector.
        self._places: dict[int, tuple[str, ...]] = {}
        self._changed: list[Place] = []
        self._last: float | None = None  # when files were given their watch last

    def place(self) -> list[Place]:
        """Give some more files their watch.

        Returns:
            Those that are not as they are known to be: what happened before the watch, nobody has told.
        """
        before, now = self._last, monotonic()
        count = AT_FIRST if before is None else min(AT_MOST, int((now - before) * A_SECOND))
        if count or before is None:
            self._last = now
        self._place(count + min(len(self._again), AT_MOST))
        changed, self._changed = self._changed, []
        return changed

    def _place(self, most: int) -> None:
        for place, signature in islice(self._next(), min(most, self._left)):
            path = joined(self._folder, joined(*place)).encode("utf-8", "surrogateescape")
            try:
                watch = inotify.add_file_watch(self._descriptor, path)
                found = os.lstat(path)
            except OSError as error:
                if error.errno in inotify.NO_MORE:
                    self._left = 0
                continue
            if place not in self.of(watch):
                others = self._places.get(watch, ())
                self._places[watch] = (*others, *place)
                self._left -= not others
            if stat.S_ISREG(found.st_mode) and version_of(found) != signature.removesuffix(YOUNG):
                self._changed.append(place)

    def _next(self) -> Iterator[Known]:
        # Chained, since a generator that delegates to the files left would end them when it is given up.
        return chain(self._stirred(), self._unwatched)

    def _stirred(self) -> Iterator[Known]:
        while self._again:
            yield self._again.popleft()

    def add(self, folder: str, names: Iterable[str] | None, listing: str) -> None:
        """Watch files that were looked at again, since others may have taken their place.

        Args:
            folder: Their folder.
            names: Their names; None for all.
            listing: The folder's listing.
        """
        if not self._left:
            return
        if names is None:
            self._again.extend(((folder, name), signature) for name, signature in entries(listing).items())
            return
        known = ((name, signature_in(listing, name)) for name in names)
        self._again.extend(((folder, name), signature) for name, signature in known if signature)

    def of(self, watch: int) -> tuple[Place, ...]:
        """The places of a watched file, none when it is no file that is watched."""
        known = self._places.get(watch, ())
        return tuple(zip(known[::2], known[1::2], strict=True))

    def lose(self, watch: int) -> None:
        """A watched file is gone."""
        if self._places.pop(watch, None) is not None:
            self._left += 1


def _files(parts: dict[str, str]) -> Iterator[Known]:
    for folder in list(parts):
        for name, signature in entries(parts.pop(folder)).items():
            yield (folder, name), signature


def _limit() -> int:
    with suppress(OSError, ValueError), open(_LIMIT, encoding="ascii") as file:
        return int(file.read())
    return 0
