"""What happens in the folders of a tree, as news by folder and name."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import weakref
from collections.abc import Mapping

from fingerpost.stores import filesystems, inotify
from fingerpost.stores.cursor import split
from fingerpost.stores.files import FileWatches
from fingerpost.stores.living import ITSELF, News, Stir
from fingerpost.stores.roots import OpenFolder

_FINISHED = inotify.CLOSE_WRITE | inotify.MOVED_FROM | inotify.MOVED_TO | inotify.CREATE | inotify.DELETE
_LOST = inotify.OVERFLOW | inotify.UNMOUNT
_LIMITS = {
    errno.ENOSPC: "This user may watch no more folders (fs.inotify.max_user_watches); raise the limit.",
    errno.EMFILE: "This user may start no more watching (fs.inotify.max_user_instances); raise the limit.",
}


class LostTrackError(Exception):
    """Something happened that no news tell of, so that everything has to be looked at again."""


class FolderEvents:
    """The events of the folders that it is told of.

    Attributes:
        trouble: Why not all of the folders can be watched, "" when they are.
        files: The watches of single files, None before there are any.

    Raises:
        OSError: The system has no events, or no more of them.
    """

    def __init__(self) -> None:
        self.trouble = ""
        self._events = self._mounts = -1
        self._folder = ""
        self._mounted: dict[str, str] = {}
        self._devices: set[int] = set()
        self._watches: dict[str, int] = {}
        self._paths: dict[int, tuple[str, ...]] = {}
        self.files: FileWatches | None = None
        try:
            self._events = inotify.start()
            self._mounts = os.open(filesystems.MOUNTS, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self.close()
            raise
        self._poll = select.poll()
        self._poll.register(self._events, select.POLLIN)
        self._poll.register(self._mounts, select.POLLPRI)
        _open.add(self)

    def begin(self, top: OpenFolder) -> dict[str, list[str]]:
        """Start with a root folder.

        Returns:
            The names of what is mounted below it, by folder.
        """
        try:
            self._folder = os.readlink(f"/proc/self/fd/{top.descriptor}")
            self._mounted = filesystems.mounts_below(self._mounts, self._folder)
        except OSError as error:
            self._give_up(why_not(error))
        names: dict[str, list[str]] = {}
        for path in self._mounted:
            folder, name = split(path)
            names.setdefault(folder, []).append(name)
        return names

    def watch_files(self, parts: Mapping[str, str]) -> None:
        """Watch the files of the tree as well, some now and the others from call to call.

        Args:
            parts: The listings of the folders.
        """
        self.files = FileWatches(self._events, self._folder, parts)

    def add(self, path: str, folder: OpenFolder) -> None:
        """See `Eyes.add`."""
        if self.trouble:
            return
        try:
            if folder.identity[0] not in self._devices and not self._is_admitted(path, folder):
                return
            watch = inotify.add_watch(self._events, b"/proc/self/fd/%d" % folder.descriptor)
        except OSError as error:
            self._give_up(why_not(error))
            return
        self._watches[path] = watch
        others = self._paths.get(watch)
        self._paths[watch] = (path,) if others is None else (*others, path)

    def _is_admitted(self, path: str, folder: OpenFolder) -> bool:
        """Whether all changes of the file system that a folder lies on are made here."""
        if filesystems.kind_of(folder.descriptor) not in filesystems.LOCAL:
            self._give_up(f"{path or '.'!r} lies on a file system that may change from elsewhere.")
            return False
        self._devices.add(folder.identity[0])
        return True

    def _give_up(self, trouble: str) -> None:
        self.trouble = trouble
        self.close()

    def drop(self, path: str) -> None:
        """See `Eyes.drop`."""
        watch = self._watches.pop(path, None)
        if watch is None:
            return
        others = tuple(other for other in self._paths.pop(watch) if other != path)
        if others:
            self._paths[watch] = others
        else:
            inotify.remove_watch(self._events, watch)

    def news(self) -> News:
        """What happened since the last time.

        Raises:
            LostTrackError: More happened than was kept, or something was mounted or unmounted.
            OSError: The events cannot be read.
        """
        news: News = {}
        for folder, name in self.files.place() if self.files is not None else ():
            news.setdefault(folder, {})[name] = Stir.UNKNOWN
        ready = self._poll.poll(0)
        if not ready:
            return news
        if any(descriptor == self._mounts for descriptor, _ in ready) and (
            filesystems.mounts_below(self._mounts, self._folder) != self._mounted
        ):
            raise LostTrackError
        for watch, mask, raw in inotify.events(self._events):
            if mask & _LOST:
                raise LostTrackError
            paths = self._paths.get(watch, ())  # none for a folder that was dropped meanwhile, and for a file
            if not paths:
                self._note_file(watch, mask, news)
            elif mask & inotify.IGNORED:
                self._lose(watch, paths, news)
            elif raw and not (mask & inotify.ATTRIB and mask & inotify.FOLDER):
                name = raw.decode("utf-8", "surrogateescape")
                for path in paths:
                    _note(news.setdefault(path, {}), name, mask)
            elif not raw and mask & inotify.ATTRIB:  # a folder tells so itself, and its parent too
                for path in paths:
                    news.setdefault(path, {})[ITSELF] = Stir.UNKNOWN
        return news

    def _note_file(self, watch: int, mask: int, news: News) -> None:
        if self.files is None:
            return
        for folder, name in self.files.of(watch):
            _note(news.setdefault(folder, {}), name, mask)
        if mask & inotify.IGNORED:
            self.files.lose(watch)

    def _lose(self, watch: int, paths: tuple[str, ...], news: News) -> None:
        """A watched folder is gone."""
        self._paths.pop(watch, None)
        for path in paths:
            if not path:
                raise LostTrackError
            self._watches.pop(path, None)
            folder, name = split(path)
            news.setdefault(folder, {})[name] = Stir.DONE

    def close(self) -> None:
        """Release the descriptors; a second call does nothing."""
        events, self._events = self._events, -1
        mounts, self._mounts = self._mounts, -1
        for descriptor in (events, mounts):
            if descriptor >= 0:
                with contextlib.suppress(OSError):  # somebody may have closed it
                    os.close(descriptor)

    def __del__(self) -> None:
        self.close()


def why_not(error: OSError) -> str:
    """Why events cannot be had, as a sentence."""
    return _LIMITS.get(error.errno or 0, f"The system does not report changes here ({error.strerror}).")


def _note(names: dict[str, Stir], name: str, mask: int) -> None:
    if mask & _FINISHED:
        names[name] = Stir.DONE
    elif mask & inotify.MODIFY:
        names[name] = Stir.UNFINISHED
    else:
        names.setdefault(name, Stir.UNKNOWN)


_open: weakref.WeakSet[FolderEvents] = weakref.WeakSet()


def _close_inherited() -> None:
    """A forked process must not read what is meant for its parent."""
    for events in list(_open):
        events.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inherited)
