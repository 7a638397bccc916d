"""A root folder and all below it: the files with what tells their versions apart, and what is left out."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from fingerpost.stores.confined import MAX_PATH_BYTES
from fingerpost.stores.cursor import YOUNG, count_in, entries, joined
from fingerpost.stores.links import Links
from fingerpost.stores.remarks import Remarks
from fingerpost.stores.replacing import is_temporary
from fingerpost.stores.roots import Entry, Identity, OpenFolder, OpenRoot
from fingerpost.stores.signatures import YOUNG_NS, signature_of

MAX_DEPTH = 64
MAX_FOLDER_BYTES = MAX_PATH_BYTES - 256  # so that the path of each file in it can be opened
MAX_ENTRIES_THROUGH_LINKS = 100_000

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}

VANISHED = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}  # the last two: something else lies there by now
_LINK_FAILURES = {
    errno.EXDEV: ("OKF402", "the link leaves the root folder, or is absolute"),
    errno.ELOOP: ("OKF406", "the link runs in a circle, or through too many links"),
    errno.ENOENT: ("OKF404", "the link leads to nothing"),
    errno.ENOTDIR: ("OKF404", "the link leads to nothing"),
}
_KIND, _FILE = 0o170000, stat.S_IFREG
_NAMES_ARE_UTF8 = sys.getfilesystemencoding().lower() in {"utf-8", "utf8"}


class Eyes(Protocol):
    """What wants to know which folders a tree consists of."""

    def add(self, path: str, folder: OpenFolder) -> None:
        """A folder is about to be listed."""
        ...

    def drop(self, path: str) -> None:
        """A folder is no longer part of the tree."""
        ...


Subfolders: TypeAlias = dict[str, Identity | None]
"""The names of folders in a folder with their identities, None for those that links lead to."""


@dataclass(slots=True)
class Place:
    """A folder of a tree.

    Attributes:
        identity: Its device and inode.
        through_link: Whether a link leads to it, or to a folder above it.
        subfolders: The names of the folders in it, also of those that are left out.
    """

    identity: Identity
    through_link: bool
    subfolders: Collection[str]


class Tree:
    """What one walk found.

    Args:
        root: The root folder; needed until the constructor returns.
        eyes: What is told of each folder.
        mounted: The names of files that are mounted, by folder.

    Attributes:
        parts: The listing of each folder that holds files, as a cursor has them.
        places: Every folder.
        links: What has to be looked at again in each call.
        young: The time at which the first young file in a folder has aged.
        remarks: What is left out.
        is_cut: Whether so many entries lie behind linked folders that some were left out.

    Raises:
        OSError: The root folder itself cannot be listed.
    """

    def __init__(
        self, root: OpenRoot, eyes: Eyes | None = None, mounted: Mapping[str, Collection[str]] | None = None
    ) -> None:
        self.parts: dict[str, str] = {}
        self.places: dict[str, Place] = {}
        self.links = Links()
        self.young: dict[str, int] = {}
        self.remarks = Remarks()
        self.is_cut = False
        self.root = root
        self.eyes = eyes
        self.mounted = mounted or {}
        self.room_through_links = MAX_ENTRIES_THROUGH_LINKS
        with root.folder("") as top:
            self.take_in("", top, (), through_link=False)

    def weight(self, path: str) -> int:
        """What a folder counts for among those that links lead to."""
        return 1 + count_in(self.parts.get(path, "")) + len(self.places[path].subfolders)

    def take_in(
        self, path: str, folder: OpenFolder, ancestors: tuple[Identity, ...], *, through_link: bool
    ) -> None:
        """Take in an open folder and all below it.

        Args:
            path: The folder's path.
            folder: The folder.
            ancestors: The identities of the folders that it lies in, from the root on.
            through_link: Whether a link leads to it, or to a folder above it.
        """
        if self.eyes is not None:
            self.eyes.add(path, folder)  # first, so that what happens while it is listed is not missed
        text, odd = _listed(folder)
        if not _is_ordinary(text):
            text = self._renamed(path, text)
        subfolders: Subfolders = {}
        if odd:
            signatures, subfolders = self.sort_out(path, odd)
            text += "".join([f"{name}\0{signature}\0" for name, signature in signatures.items()])
        if text:
            self.parts[path] = text
        if path in self.mounted:
            self._note_mounted(path, folder)
        self.places[path] = Place(folder.identity, through_link, set(subfolders) if subfolders else ())
        if through_link:
            self.room_through_links -= self.weight(path)
        if subfolders:
            self.enter(path, folder, subfolders, (*ancestors, folder.identity), through_link=through_link)

    def enter(
        self,
        path: str,
        folder: OpenFolder,
        subfolders: Subfolders,
        ancestors: tuple[Identity, ...],
        *,
        through_link: bool,
    ) -> None:
        """Take in some folders that lie in an open one.

        Args:
            path: The open folder's path.
            folder: The open folder.
            subfolders: The folders.
            ancestors: The identities of the folders that they lie in, from the root on.
            through_link: Whether a link leads to the open one, or to a folder above it.
        """
        for name, identity in subfolders.items():
            below = joined(path, name)
            is_linked = through_link or identity is None
            if limit := self._limit(below, len(ancestors), through_link=is_linked):
                self.remarks.skip(path, name, "OKF406", limit)
                continue
            try:
                with self.root.folder(below) if identity is None else folder.folder(name, identity) as opened:
                    if opened.identity in ancestors:
                        what = "the link leads back to a folder that it lies in"
                        self.remarks.skip(path, name, "OKF406", what)
                    else:
                        self.take_in(below, opened, ancestors, through_link=is_linked)
            except OSError as error:
                self.drop(below)
                if self.eyes is not None:
                    self.eyes.drop(below)  # also when it was not listed yet
                if error.errno not in VANISHED:
                    self.remarks.fail(path, name, error)

    def _limit(self, path: str, depth: int, *, through_link: bool) -> str:
        """The limit that a folder lies beyond, as half a sentence."""
        if depth > MAX_DEPTH:
            return f"the folder lies more than {MAX_DEPTH} folders deep"
        if len(path) > MAX_FOLDER_BYTES // 4 and len(path.encode()) > MAX_FOLDER_BYTES:
            return f"the folder's path is longer than {MAX_FOLDER_BYTES:,} bytes"
        if through_link and self.room_through_links <= 0:
            self.is_cut = True
            limit = f"{MAX_ENTRIES_THROUGH_LINKS:,}"
            return f"linked folders hold more than {limit} entries, counted by way of each link"
        return ""

    def drop(self, path: str) -> list[str]:
        """Take a folder and all below it out of the tree.

        Returns:
            The paths of the folders that were taken out.
        """
        dropped: list[str] = []
        pending = [path]
        while pending:
            path = pending.pop()
            if path not in self.places:
                continue
            if self.places[path].through_link:
                self.room_through_links += self.weight(path)
            pending.extend(joined(path, name) for name in self.places.pop(path).subfolders)
            self.parts.pop(path, None)
            self.young.pop(path, None)
            self.links.drop(path)
            self.remarks.drop(path)
            if self.eyes is not None:
                self.eyes.drop(path)
            dropped.append(path)
        return dropped

    def sort_out(self, folder: str, odd: Iterable[Entry]) -> tuple[dict[str, str], Subfolders]:
        """Sort out what may be anything.

        Args:
            folder: Where it lies.
            odd: The entries.

        Returns:
            The names of files with their signatures, and the folders.
        """
        now = time.time_ns()
        signatures: dict[str, str] = {}
        subfolders: Subfolders = {}
        hidden: list[str] = []
        for entry in odd:
            name = _utf8(entry.name)
            if name.startswith("."):
                if not is_temporary(name):
                    hidden.append(name)
                continue
            if not self._is_servable(folder, name):
                continue
            try:
                found = entry.stat(follow_symlinks=False)
            except OSError as error:
                if error.errno not in VANISHED:
                    self.remarks.fail(folder, name, error)
                continue
            is_link = stat.S_ISLNK(found.st_mode)
            target = self._target(folder, name, now) if is_link else found
            if target is None:
                continue
            kind = stat.S_IFMT(target.st_mode)
            if kind == _FILE:
                signatures[name] = self._signature(folder, name, target, now, is_link=is_link)
            elif kind == stat.S_IFDIR:
                subfolders[name] = None if is_link else (found.st_dev, found.st_ino)
            else:
                leads = "the link leads to" if is_link else "it is"
                self.remarks.skip(folder, name, "OKF403", f"{leads} {KINDS.get(kind, 'no regular file')}")
        if hidden:
            self.remarks.hide(folder, hidden)
        return signatures, subfolders

    def _signature(self, folder: str, name: str, found: os.stat_result, now: int, *, is_link: bool) -> str:
        signature = signature_of(found, now)
        if signature.endswith(YOUNG):
            aged = found.st_ctime_ns + YOUNG_NS
            self.young[folder] = min(aged, self.young.get(folder, aged))
        if not is_link and (found.st_nlink > 1 or name in self.mounted.get(folder, ())):
            self.links.add(folder, name, found, now)
        return signature

    def _target(self, folder: str, name: str, now: int) -> os.stat_result | None:
        """What a link leads to, None when that is not served."""
        try:
            found = self.root.stat(joined(folder, name))
        except OSError as error:
            self.links.add_followed(folder, name, error, now)
            if error.errno in _LINK_FAILURES:
                self.remarks.skip(folder, name, *_LINK_FAILURES[error.errno])
            else:
                self.remarks.fail(folder, name, error)
            return None
        self.links.add_followed(folder, name, found, now)
        return found

    def _note_mounted(self, path: str, folder: OpenFolder) -> None:
        """Look again at the files in a folder that are mounted there: they change where they come from."""
        for name in self.mounted[path]:
            if name in entries(self.parts.get(path, "")):
                self.links.add(path, name, folder.look(name), time.time_ns())

    def _renamed(self, folder: str, text: str) -> str:
        """A listing with its names as UTF-8, and without those that cannot be served."""
        found = [(_utf8(name), signature) for name, signature in entries(text).items()]
        return "".join(
            [f"{name}\0{signature}\0" for name, signature in found if self._is_servable(folder, name)]
        )

    def _is_servable(self, folder: str, name: str) -> bool:
        if name.isascii() and "\\" not in name:
            return True
        try:
            name.encode()
        except UnicodeEncodeError:
            shown = name.encode("utf-8", "surrogateescape").decode(errors="backslashreplace")
            self.remarks.skip(folder, name, "OKF404", "its name is not valid UTF-8", joined(folder, shown))
            return False
        if "\\" in name:
            self.remarks.skip(
                folder, name, "OKF404", "its name holds a backslash, which cannot be part of a path"
            )
            return False
        return True


def _listed(folder: OpenFolder) -> tuple[str, list[Entry]]:
    """The listing of the plain files in a folder, and all other entries."""
    odd: list[Entry] = []
    try:
        with folder.entries() as found:
            return "".join(_plain_lines(found, time.time_ns() - YOUNG_NS, odd)), odd
    except OSError:
        pass  # an entry that vanished, or may not be examined: one by one, then
    with folder.entries() as found:
        return "", list(found)


def _plain_lines(found: Iterator[Entry], settled_ns: int, odd: list[Entry]) -> list[str]:
    """The lines of files that are no links, not young and not hidden.

    This runs for every file, and is most of what a walk costs beyond the system's own work: hence one
    expression, which spells out `version_of`. The names that it puts aside for their first character are the
    hidden ones, and some rare ones.
    """
    return [
        (
            f"{name}\0{hex(at.st_size)}{hex(content_ns)}{hex(at.st_ino)}\0"
            if (content_ns := at.st_mtime_ns) == file_ns
            else f"{name}\0{hex(at.st_size)}{hex(content_ns)}{hex(file_ns)}{hex(at.st_ino)}\0"
        )
        if (name := entry.name) > "/"
        and (at := entry.stat(follow_symlinks=False)).st_mode & _KIND == _FILE
        and at.st_nlink == 1
        and (file_ns := at.st_ctime_ns) <= settled_ns
        else odd.append(entry) or ""
        for entry in found
    ]


def _is_ordinary(text: str) -> bool:
    """Whether all names in a listing can be served as they are."""
    if "\\" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return _NAMES_ARE_UTF8


def _utf8(name: str) -> str:
    """A name as UTF-8 whatever the locale; what is no UTF-8 in it becomes surrogates."""
    if name.isascii() or _NAMES_ARE_UTF8:
        return name
    return os.fsencode(name).decode("utf-8", "surrogateescape")
