"""A root folder during one operation: what can be opened, examined and listed in it."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias

from fingerpost.stores import confined
from fingerpost.stores.cursor import joined


class Entry(Protocol):
    """One entry of a folder, as `os.DirEntry` has it."""

    @property
    def name(self) -> str:
        """Its name within the folder."""
        ...

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        """Its stat."""
        ...


Identity: TypeAlias = tuple[int, int]
"""Device and inode of a folder."""


class OpenFolder(Protocol):
    """A folder, held open until the end of its `with` block. Names are UTF-8; errors are `OSError`s."""

    @property
    def descriptor(self) -> int:
        """The folder's descriptor, -1 where the system has none."""
        ...

    @property
    def identity(self) -> Identity:
        """Its device and inode."""
        ...

    def entries(self) -> AbstractContextManager[Iterator[Entry]]:
        """What lies in it."""
        ...

    def look(self, name: str) -> os.stat_result:
        """The stat of one entry, a link not followed."""
        ...

    def folder(self, name: str, identity: Identity) -> AbstractContextManager[OpenFolder]:
        """A folder in it, which is no link, with the identity that it had when it was looked at."""
        ...


class OpenRoot(Protocol):
    """A root folder, held open. Paths are relative to it and separated by "/"; errors are `OSError`s."""

    def open(self, path: str) -> int:
        """A descriptor of a file, opened for reading without blocking."""
        ...

    def stat(self, path: str) -> os.stat_result:
        """What a path leads to, links within the root followed."""
        ...

    def lstat(self, path: str) -> os.stat_result:
        """What lies at a path of which no part but the last is a link."""
        ...

    def readlink(self, path: str) -> str:
        """Where the link leads that lies at such a path."""
        ...

    def folder(self, path: str) -> AbstractContextManager[OpenFolder]:
        """What a path leads to, as a folder; "" is the root."""
        ...


RootOpener: TypeAlias = Callable[[str], AbstractContextManager[OpenRoot]]


class DescriptorRoot:
    """A root held by a descriptor: confinement holds also while links and folders are swapped.

    Args:
        descriptor: The descriptor, which the root owns from now on.
        use_openat2: Whether the kernel may decide what lies beneath.
    """

    __slots__ = ("_descriptor", "_use_openat2")

    def __init__(self, descriptor: int, *, use_openat2: bool) -> None:
        self._descriptor = descriptor
        self._use_openat2 = use_openat2

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        os.close(self._descriptor)

    def _descriptor_of(self, path: str, flags: int) -> int:
        return confined.open_beneath(self._descriptor, path, flags, use_openat2=self._use_openat2)

    def open(self, path: str) -> int:
        """See `OpenRoot.open`."""
        return self._descriptor_of(path, confined.READ)

    def stat(self, path: str) -> os.stat_result:
        """See `OpenRoot.stat`."""
        opened = self._descriptor_of(path, confined.LOOK)
        try:
            return os.fstat(opened)
        finally:
            os.close(opened)

    def lstat(self, path: str) -> os.stat_result:
        """See `OpenRoot.lstat`."""
        return os.stat(_system_name(path), dir_fd=self._descriptor, follow_symlinks=False)

    def readlink(self, path: str) -> str:
        """See `OpenRoot.readlink`."""
        return os.readlink(path.encode(), dir_fd=self._descriptor).decode("utf-8", "surrogateescape")

    def folder(self, path: str) -> DescriptorFolder:
        """See `OpenRoot.folder`."""
        descriptor = self._descriptor_of(path or ".", confined.FOLDER)
        try:
            found = os.fstat(descriptor)
        except OSError:
            os.close(descriptor)
            raise
        return DescriptorFolder(descriptor, (found.st_dev, found.st_ino))


class DescriptorFolder:
    """A folder held by a descriptor.

    Args:
        descriptor: The descriptor, which the folder owns from now on.
        identity: Its device and inode.
    """

    __slots__ = ("descriptor", "identity")

    def __init__(self, descriptor: int, identity: Identity) -> None:
        self.descriptor = descriptor
        self.identity = identity

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        os.close(self.descriptor)

    def entries(self) -> AbstractContextManager[Iterator[Entry]]:
        """See `OpenFolder.entries`."""
        return os.scandir(self.descriptor)

    def look(self, name: str) -> os.stat_result:
        """See `OpenFolder.look`."""
        return os.stat(_system_name(name), dir_fd=self.descriptor, follow_symlinks=False)

    def folder(self, name: str, identity: Identity) -> DescriptorFolder:
        """See `OpenFolder.folder`."""
        descriptor = os.open(_system_name(name), confined.REAL_FOLDER, dir_fd=self.descriptor)
        return DescriptorFolder(descriptor, identity)


def _system_name(name: str) -> str | bytes:
    """A name as the system has it, whatever the locale."""
    return name if name.isascii() else name.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class _PathEntry:
    """An entry with a whole stat: the one that Windows lists along with the name lacks the inode."""

    name: str
    path: str

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        return os.stat(self.path, follow_symlinks=follow_symlinks)


class PathRoot:
    """A root held by its path, for systems that cannot open relative to a descriptor (Windows).

    Weaker than `DescriptorRoot`: real paths are compared before and after each use, so a link that leaves the
    root is refused, but a link swapped to and fro at the right moments could slip through; and links with
    absolute targets are followed when they end within the root.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._real_folder = os.path.realpath(folder, strict=True)

    def open(self, path: str) -> int:
        """See `OpenRoot.open`."""
        full = self._confined(path)
        opened = os.open(full, confined.READ)
        try:
            if not os.path.samestat(os.fstat(opened), os.stat(self._confined(path))):
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        except OSError:
            os.close(opened)
            raise
        return opened

    def stat(self, path: str) -> os.stat_result:
        """See `OpenRoot.stat`."""
        return os.stat(self._confined(path))

    def lstat(self, path: str) -> os.stat_result:
        """See `OpenRoot.lstat`."""
        return os.stat(os.path.join(self._folder, path), follow_symlinks=False)

    def readlink(self, path: str) -> str:
        """See `OpenRoot.readlink`."""
        return os.readlink(os.path.join(self._folder, path))

    @contextmanager
    def folder(self, path: str) -> Generator[OpenFolder]:
        """See `OpenRoot.folder`."""
        full = self._confined(path)
        yield PathFolder(self, path, full, os.stat(full))

    def _confined(self, path: str) -> str:
        """The real path of what a path leads to."""
        real = os.path.realpath(os.path.join(self._folder, *path.split("/")), strict=True)
        if os.path.commonpath([real, self._real_folder]) != self._real_folder:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return real


class PathFolder:
    """A folder held by its path."""

    descriptor = -1

    def __init__(self, root: PathRoot, path: str, full: str, found: os.stat_result) -> None:
        self.identity = (found.st_dev, found.st_ino)
        self._root = root
        self._path = path
        self._full = full

    @contextmanager
    def entries(self) -> Generator[Iterator[Entry]]:
        """See `OpenFolder.entries`."""
        with os.scandir(self._full) as entries:
            yield (_PathEntry(entry.name, entry.path) for entry in entries)

    def look(self, name: str) -> os.stat_result:
        """See `OpenFolder.look`."""
        return os.stat(os.path.join(self._full, name), follow_symlinks=False)

    def folder(self, name: str, identity: Identity) -> AbstractContextManager[OpenFolder]:  # noqa: ARG002 - is looked up
        """See `OpenFolder.folder`."""
        return self._root.folder(joined(self._path, name))


def open_descriptor_root(folder: str, *, use_openat2: bool = True) -> DescriptorRoot:
    """Hold the folder that has this name now, by descriptor."""
    return DescriptorRoot(os.open(folder, confined.THROUGH), use_openat2=use_openat2)


@contextmanager
def open_path_root(folder: str) -> Generator[OpenRoot]:
    """Hold the folder that has this name now, by path."""
    if not os.path.isdir(folder):
        os.stat(folder)
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    yield PathRoot(folder)


def strongest() -> RootOpener:
    """The strongest confinement that this system offers."""
    by_descriptor = {os.open, os.stat, os.readlink} <= os.supports_dir_fd and os.scandir in os.supports_fd
    return open_descriptor_root if by_descriptor else open_path_root
