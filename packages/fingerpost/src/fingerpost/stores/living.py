"""A tree that is kept in step with its folder by news of what may have changed."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from fingerpost.stores.cursor import YOUNG, above, entries, joined, signature_in, split, updated, young_in
from fingerpost.stores.roots import Entry, Identity, OpenFolder, OpenRoot
from fingerpost.stores.signatures import inode_in, is_of_empty
from fingerpost.stores.tree import VANISHED, Eyes, Place, Subfolders, Tree

ITSELF = ""
"""The name under which news of a folder itself stand: whether it may be entered may have changed."""


class Stir(Enum):
    """What is known of a change.

    Attributes:
        DONE: Whoever made it has finished.
        UNFINISHED: A file was written to, and its writer has not closed it.
        UNKNOWN: Something may have changed.
    """

    DONE = "done"
    UNFINISHED = "unfinished"
    UNKNOWN = "unknown"


News: TypeAlias = dict[str, dict[str, Stir]]
"""Names that may have changed, by folder."""


@dataclass(frozen=True, slots=True)
class Touched:
    """What a renewal looked at.

    Attributes:
        folders: The folders whose listings may differ, each with the only names that can; None for any.
        young: The paths of files that may have changed though their signatures did not.
    """

    folders: dict[str, set[str] | None] = field(default_factory=dict[str, set[str] | None])
    young: set[str] = field(default_factory=set[str])

    def add(self, folder: str, names: Iterable[str]) -> None:
        """Count some names in a folder."""
        before = self.folders.setdefault(folder, set())
        if before is not None:
            before.update(names)


class LivingTree(Tree):
    """A tree that is brought in step with its folder again and again.

    A file that was truncated, and whose writer has not closed it, keeps its old signature for two seconds at
    most: it will be whole in a moment, and its empty state says nothing.
    """

    def __init__(self, root: OpenRoot, eyes: Eyes, mounted: Mapping[str, Collection[str]]) -> None:
        self._touched = Touched()
        self._stirs: Mapping[str, Stir] = {}  # of the names that are looked at right now
        self._half_written: dict[str, set[str]] = {}
        self._inodes: set[str] = set()  # of files that turned out to have several names
        super().__init__(root, eyes, mounted)
        self.links.settle(self._is_settled)

    def is_waiting(self, now_ns: int) -> bool:
        """Whether anything has to be looked at again though no folder told of it."""
        return bool(self.links.are_restless or self.remarks.unread or (self.young and self._due(now_ns)))

    def with_pending(self, root: OpenRoot, news: News, now_ns: int) -> News:
        """Some news, with what has to be looked at again though no folder told of it."""
        stirred = self.links.stirred(root, settled_too=bool(news))
        pending: News = {}
        for folder, name in (*stirred, *self._unread(), *self._aged(now_ns)):
            pending.setdefault(folder, {})[name] = Stir.UNKNOWN
        return {folder: pending.get(folder, {}) | news.get(folder, {}) for folder in pending | news}

    def renew(self, root: OpenRoot, news: News) -> Touched:
        """Look at some names again.

        Raises:
            OSError: The root folder cannot be read.
        """
        self.root = root
        self._touched = Touched()
        self._inodes.clear()
        for folder in sorted(news):  # what lies above comes first
            self._look_again(folder, news[folder])
        for folder, names in self._other_names().items():
            self._look_again(folder, names)
        self.links.settle(self._is_settled)
        return self._touched

    def _look_again(self, folder: str, names: Mapping[str, Stir]) -> None:
        place = self.places.get(folder)
        if place is None:
            return  # taken out meanwhile
        try:
            with self.root.folder(folder) as opened:
                if ITSELF in names:
                    opened.look(".")  # fails when the folder may not be entered
                self._examine(folder, opened, place, names)
                return
        except OSError:
            if not folder:
                raise
        folder, name = split(folder)
        self._look_again(folder, {name: Stir.UNKNOWN})

    def _examine(self, folder: str, opened: OpenFolder, place: Place, stirs: Mapping[str, Stir]) -> None:
        names = stirs.keys() - {ITSELF}
        if not names:
            return
        if place.through_link:
            self.room_through_links += self.weight(folder)
        self._stirs = self._with_half_written(folder, stirs)
        signatures, subfolders = self._sort_out_again(folder, opened, place, names)
        self._stirs = {}
        text = updated(self.parts.get(folder, ""), {name: signatures.get(name) for name in names})
        if text:
            self.parts[folder] = text
        else:
            self.parts.pop(folder, None)
        self._touched.add(folder, names)
        if subfolders:
            place.subfolders = {*place.subfolders, *subfolders}
        if place.through_link:
            self.room_through_links -= self.weight(folder)
        ancestors = tuple(self.places[path].identity for path in (folder, *above(folder)))
        self.enter(folder, opened, subfolders, ancestors, through_link=place.through_link)

    def _sort_out_again(
        self, folder: str, opened: OpenFolder, place: Place, names: Collection[str]
    ) -> tuple[dict[str, str], Subfolders]:
        """Forget what is known of some names, and find it out anew."""
        links = [link for name in names if (link := self.links.get(folder, name)) is not None]
        self.remarks.forget(folder, names)
        self.links.forget(folder, names)
        if gone := [name for name in names if name in place.subfolders]:
            place.subfolders = set(place.subfolders).difference(gone)
            for name in gone:
                self.drop(joined(folder, name))
        found = self.sort_out(folder, _seen(opened, names))
        # Of a file that had several names before, all are known: a new one has news of its own.
        self._inodes.difference_update(inode_in(link.outcome) for link in links if not link.is_followed)
        return found

    def _with_half_written(self, folder: str, stirs: Mapping[str, Stir]) -> Mapping[str, Stir]:
        """News of some names, where a file that was half written is so until its writer has finished."""
        half_written = self._half_written.pop(folder, None)
        if not half_written:
            return stirs
        if rest := half_written - stirs.keys():
            self._half_written[folder] = rest
        still = {name for name in half_written & stirs.keys() if stirs[name] is Stir.UNKNOWN}
        return {**stirs, **dict.fromkeys(still, Stir.UNFINISHED)}

    def take_in(
        self, path: str, folder: OpenFolder, ancestors: tuple[Identity, ...], *, through_link: bool
    ) -> None:
        """See `Tree.take_in`."""
        self._touched.folders[path] = None
        super().take_in(path, folder, ancestors, through_link=through_link)

    def drop(self, path: str) -> list[str]:
        """See `Tree.drop`."""
        dropped = super().drop(path)
        for folder in dropped:
            self._half_written.pop(folder, None)
            self._touched.folders[folder] = None
        return dropped

    def _signature(self, folder: str, name: str, found: os.stat_result, now: int, *, is_link: bool) -> str:
        signature = super()._signature(folder, name, found, now, is_link=is_link)
        link = self.links.get(folder, name)
        if link is not None and not is_link:
            self._inodes.add(inode_in(link.outcome))
        if not signature.endswith(YOUNG):
            return signature
        if self._stirs.get(name) is Stir.UNFINISHED and not found.st_size:
            before = signature_in(self.parts.get(folder, ""), name)
            if before is not None and not is_of_empty(before):
                self._half_written.setdefault(folder, set()).add(name)
                return before
        self._touched.young.add(joined(folder, name))
        return signature

    def _unread(self) -> list[tuple[str, str]]:
        return [(folder, name) for folder, names in self.remarks.unread.items() for name in names]

    def _aged(self, now_ns: int) -> list[tuple[str, str]]:
        """The files that were young, in folders where one of them has aged."""
        aged: list[tuple[str, str]] = []
        for folder in self._due(now_ns):
            del self.young[folder]
            names = young_in(self.parts.get(folder, "")) | self._half_written.get(folder, set())
            aged.extend((folder, name) for name in names)
        return aged

    def _due(self, now_ns: int) -> list[str]:
        """The folders in which a young file has aged."""
        return [path for path, aged in self.young.items() if now_ns >= aged]

    def _is_settled(self, folder: str, name: str) -> bool:
        """Whether all that decides where a symbolic link leads lies in folders that tell of changes."""
        try:
            target = self.root.readlink(joined(folder, name))
        except OSError:
            return False
        if not self._is_real(folder):
            return False
        while target.startswith("../") and folder:
            folder, target = split(folder)[0], target[3:]
        if not {"", ".", ".."}.isdisjoint(target.split("/")):
            return False
        path = joined(folder, target)
        folder, name = split(path)
        is_plain_file = self.links.get(folder, name) is None and self._is_real(folder)
        return self._is_real(path) or (
            is_plain_file and signature_in(self.parts.get(folder, ""), name) is not None
        )

    def _is_real(self, path: str) -> bool:
        """Whether a folder of the tree lies at a path of which no part is a link."""
        place = self.places.get(path)
        return place is not None and not place.through_link

    def _other_names(self) -> News:
        """The places of files that turned out to have several names: making one stirs only the new name."""
        news: News = {}
        for folder, text in self.parts.items() if self._inodes else ():
            for name, signature in entries(text).items():
                if inode_in(signature) in self._inodes and not self.links.get(folder, name):
                    news.setdefault(folder, {})[name] = Stir.UNKNOWN
        return news


@dataclass(frozen=True, slots=True)
class _Seen:
    """An entry that was looked at by its name."""

    name: str
    found: os.stat_result | OSError

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:  # noqa: ARG002 - links are never followed
        if isinstance(self.found, OSError):
            raise self.found
        return self.found


def _seen(opened: OpenFolder, names: Iterable[str]) -> Iterator[Entry]:
    """Those among some names in a folder that exist."""
    for name in names:
        found: os.stat_result | OSError
        try:
            found = opened.look(name)
        except OSError as error:
            if error.errno in VANISHED:
                continue
            found = error
        yield _Seen(os.fsdecode(name.encode("utf-8", "surrogateescape")), found)
