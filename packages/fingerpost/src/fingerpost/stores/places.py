"""The place of a file that is to be written: its real folder beneath a root, links followed, and its name."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from fingerpost.stores import confined
from fingerpost.stores.cursor import split


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file lies or is to lie.

    Attributes:
        folder: Descriptor of the folder, which is no link and lies beneath the root.
        name: Its name in the folder, as the system has it; no link bears it.
    """

    folder: int
    name: bytes

    def look(self) -> os.stat_result | None:
        """What lies there, None when nothing does.

        Raises:
            OSError: A folder lies there, or something that is no file.
        """
        try:
            found = os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))
        return found

    def read(self) -> bytes | None:
        """The content of what lies there, None when nothing does.

        Raises:
            OSError: As `look`, or it cannot be read.
        """
        if self.look() is None:
            return None
        with open(os.open(self.name, confined.READ, dir_fd=self.folder), "rb") as file:
            return file.read()

    def sync(self) -> None:
        """Have what lies there survive a power cut, whoever wrote it.

        Raises:
            OSError: It cannot be synced.
        """
        if self.look() is not None:
            opened = os.open(self.name, confined.READ, dir_fd=self.folder)
            try:
                os.fsync(opened)
            finally:
                os.close(opened)
        os.fsync(self.folder)


@contextmanager
def place_of(root: int, path: str, *, make_folders: bool) -> Generator[Place]:
    """The place of a file beneath a root.

    A link is followed as long as it stays beneath the root, also one that leads to nothing yet.

    Args:
        root: Descriptor of the root folder.
        path: The file's path.
        make_folders: Whether folders that are missing are made. Those that were made are taken away again
            when the block fails.

    Raises:
        OSError: `EXDEV` when it would leave the root, or what the system says.
    """
    made: list[str] = []
    try:
        folder, name = _opened(root, path, made if make_folders else None)
        try:
            yield Place(folder, name)
        finally:
            os.close(folder)
    except BaseException:
        for path in reversed(made):
            with suppress(OSError):
                _remove_folder(root, path)
        raise


def real_path(root: int, path: str) -> str:
    """The path of what lies at a path, links followed.

    Args:
        root: Descriptor of the root folder.
        path: The path, of something that need not be there.

    Returns:
        The path; as it was given when a link leads out of the root or in a circle, which nothing is written
        through.

    Raises:
        OSError: `EILSEQ` when a link leads to what has no name in UTF-8, or what the system says.
    """
    left, real = path.split("/")[::-1], list[str]()
    links = 0
    while left:
        name = left.pop()
        if name in {"", "."}:
            continue
        if name == "..":
            if not real:
                return path
            real.pop()
            continue
        target = _target(root, "/".join(real), name)
        if target is None:
            real.append(name)
            continue
        links += 1
        if target.startswith("/") or links > confined.MAX_LINKS:
            return path
        left += target.split("/")[::-1]
    return "/".join(real)


def _target(root: int, above: str, name: str) -> str | None:
    """Where the link of a name leads, None when there is no link."""
    try:
        folder = confined.open_beneath(root, above or ".", confined.FOLDER)
        try:
            return _decoded(os.readlink(name.encode(), dir_fd=folder))
        finally:
            os.close(folder)
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.EINVAL}:  # nothing, or no link
            return None
        raise


def _decoded(target: bytes) -> str:
    try:
        return target.decode()
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, os.strerror(errno.EILSEQ)) from None


def _opened(root: int, path: str, made: list[str] | None) -> tuple[int, bytes]:
    """The folder of a file, opened, and its name there."""
    for _ in range(confined.MAX_LINKS):
        above, name = split(path)
        if name in {"", ".", ".."}:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        folder = _folder(root, above, made)
        try:
            target = os.readlink(name.encode(), dir_fd=folder)
        except FileNotFoundError:
            return folder, name.encode()
        except OSError as error:
            if error.errno == errno.EINVAL:  # no link
                return folder, name.encode()
            os.close(folder)
            raise
        os.close(folder)
        leads_to = _decoded(target)
        path = f"{above}/{leads_to}" if above and not leads_to.startswith("/") else leads_to
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _folder(root: int, path: str, made: list[str] | None) -> int:
    """A descriptor of a folder, which is made where it is missing and may be."""
    try:
        folder = confined.open_beneath(root, path or ".", confined.FOLDER)
    except FileNotFoundError:
        if made is None:
            raise
    else:
        try:
            if made is not None:
                _sync_name_if_empty(root, folder)
        except OSError:
            os.close(folder)
            raise
        return folder
    for prefix in _prefixes(path):
        above, name = split(prefix)
        folder = confined.open_beneath(root, above or ".", confined.FOLDER)
        try:
            with suppress(FileExistsError):
                if above not in made:
                    _sync_name_if_empty(root, folder)
                os.mkdir(name.encode(), dir_fd=folder)
                made.append(prefix)
                os.fsync(folder)
        finally:
            os.close(folder)
    return confined.open_beneath(root, path, confined.FOLDER)


def _sync_name_if_empty(root: int, folder: int) -> None:
    """Sync the name of a folder that holds nothing: whoever made it may have been killed before they did.

    Nobody puts anything into a folder before its name is synced, so that of any other one is.
    """
    if os.path.samestat(os.fstat(folder), os.fstat(root)):
        return
    with os.scandir(folder) as entries:
        if next(entries, None) is not None:
            return
    above = os.open("..", confined.FOLDER, dir_fd=folder)
    try:
        os.fsync(above)
    finally:
        os.close(above)


def _prefixes(path: str) -> Iterator[str]:
    """The folders on the way to a folder, and itself."""
    segments = path.split("/")
    return ("/".join(segments[:end]) for end in range(1, len(segments) + 1))


def _remove_folder(root: int, path: str) -> None:
    above, name = split(path)
    folder = confined.open_beneath(root, above or ".", confined.FOLDER)
    try:
        os.rmdir(name.encode(), dir_fd=folder)
    finally:
        os.close(folder)
