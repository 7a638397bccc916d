"""Files that take the place of others in one step: whole or not at all, also when the power fails.

The content goes to a temporary file, which is synced and then renamed; then the folder is synced. Writers of
one root take turns, in this process and in others, by a lock on the root folder itself, so that nothing lies
about for it. Whoever holds the lock may take away temporary files: their writers are gone.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress

from fingerpost.errors import (
    KnowledgeError,
    KnowledgeNotFoundError,
    KnowledgePathError,
    StoreError,
)
from fingerpost.stores.base import conflict, not_found
from fingerpost.stores.locks import ARE_POSSIBLE, taken
from fingerpost.stores.places import Place, place_of, real_path

_TEMPORARY = ".fingerpost-"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_LONGEST_WAIT = 30.0  # seconds for others that write

IS_POSSIBLE = ARE_POSSIBLE and {os.open, os.rename, os.unlink, os.mkdir} <= os.supports_dir_fd
"""Whether this system has what it takes."""


def is_temporary(name: str) -> bool:
    """Whether a name is that of a file which is being written, or whose writer was killed."""
    return name.startswith(_TEMPORARY)


def swap(root: int, path: str, old: bytes | None, new: bytes | None) -> None:
    """Create, replace or remove a file, if it holds what it is said to.

    Args:
        root: Descriptor of the root folder, open for listing.
        path: The file's path.
        old: What it has to hold; None for a file that must not be there.
        new: What it is to hold; None to remove it.

    Raises:
        ConflictError: It holds something else.
        KnowledgeError: It cannot be written; then it is as it was.
    """
    with _sentences(path), _turn(root):
        try:
            with place_of(root, path, make_folders=old is None and new is not None) as place:
                if place.read() != old:
                    raise conflict(path)
                _put(root, place, old, new)
        except FileNotFoundError:  # there is no such folder
            if old is not None:
                raise conflict(path) from None
            if new is not None:  # it was removed meanwhile
                raise


def write(root: int, path: str, data: bytes) -> None:
    """Create or replace a file.

    Args:
        root: Descriptor of the root folder, open for listing.
        path: The file's path.
        data: What it is to hold.

    Raises:
        KnowledgeError: It cannot be written; then it is as it was.
    """
    with _sentences(path), _turn(root), place_of(root, path, make_folders=True) as place:
        _put(root, place, place.read(), data)


def delete(root: int, path: str) -> None:
    """Remove a file.

    Args:
        root: Descriptor of the root folder, open for listing.
        path: The file's path.

    Raises:
        KnowledgeNotFoundError: There is none.
        KnowledgeError: It cannot be removed; then it is as it was.
    """
    with _sentences(path), _turn(root):
        try:
            with place_of(root, path, make_folders=False) as place:
                if (held := place.read()) is None:
                    raise not_found(path)
                _put(root, place, held, None)
        except FileNotFoundError:
            raise not_found(path) from None


def leads_to(root: int, path: str) -> str:
    """The path of the file that is written at a path, links followed; see `real_path`.

    Args:
        root: Descriptor of the root folder, open for listing.
        path: The file's path.

    Raises:
        KnowledgeError: It cannot be told, so nothing can be written there.
    """
    with _sentences(path):
        return real_path(root, path)


def sweep(root: int) -> None:
    """Take away temporary files of writers that were killed, unless somebody is writing just now."""
    with suppress(OSError), taken(root, 0) as is_mine:
        for name in filter(is_temporary, os.listdir(root) if is_mine else ()):
            with suppress(OSError):
                os.unlink(name, dir_fd=root)


@contextmanager
def _turn(root: int) -> Generator[None]:
    """Wait until nobody else writes beneath a root."""
    with taken(root, _LONGEST_WAIT) as is_mine:
        if not is_mine:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        yield


def _put(root: int, place: Place, old: bytes | None, new: bytes | None) -> None:
    """Have a place hold something else, for good; what fails is undone."""
    if new == old:
        place.sync()  # whoever wrote it may have been killed before they did
        return
    before = place.look()
    _change(root, place, new, before)
    try:
        os.fsync(place.folder)
    except OSError:
        with suppress(OSError):
            _change(root, place, old, before)
        raise


def _change(root: int, place: Place, data: bytes | None, like: os.stat_result | None) -> None:
    if data is None:
        os.unlink(place.name, dir_fd=place.folder)
        return
    try:
        _rename_new(root, place, data, like)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _rename_new(place.folder, place, data, like)  # a file system of its own is mounted on the way


def _rename_new(beside: int, place: Place, data: bytes, like: os.stat_result | None) -> None:
    """Write a temporary file into a folder, made like another, and rename it to the place."""
    name = f"{_TEMPORARY}{os.getpid()}-{os.urandom(8).hex()}.tmp"
    descriptor = os.open(name, _NEW, 0o666, dir_fd=beside)
    try:
        try:
            _write(descriptor, data)
            if like is not None:
                _make_alike(descriptor, like)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.rename(name, place.name, src_dir_fd=beside, dst_dir_fd=place.folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(name, dir_fd=beside)
        raise


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _make_alike(descriptor: int, before: os.stat_result) -> None:
    """Give a file the mode of the one that it replaces, and its owner where this process may."""
    made = os.fstat(descriptor)
    if (made.st_uid, made.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):
            os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, before.st_mode & 0o7777)


@contextmanager
def _sentences(path: str) -> Generator[None]:
    """Turn the system's errors into sentences that say what to do."""
    try:
        yield
    except KnowledgeError:
        raise
    except OSError as error:
        raise _explained(path, error) from error


def _explained(path: str, error: OSError) -> KnowledgeError:
    match error.errno:
        case errno.EXDEV:
            return KnowledgePathError(
                f"{path!r} leads out of the root folder, or through a link with an absolute target, and was "
                "not written; choose a path within the folder."
            )
        case errno.ENAMETOOLONG:
            return KnowledgePathError(
                f"The path {path[:80]!r}... is too long for the file system and was not written; shorten it."
            )
        case errno.ENOTDIR | errno.EEXIST:
            return KnowledgePathError(
                f"{path!r} was not written: a file stands where its folder would have to be; choose another "
                "path."
            )
        case errno.EISDIR:
            return KnowledgePathError(f"{path!r} is a folder and was not written; name a file.")
        case errno.ENOENT:
            return KnowledgeNotFoundError(f"{path!r} was not written: its folder is gone; look for it again.")
        case errno.EAGAIN:
            return StoreError(
                f"{path!r} was not written: for {_LONGEST_WAIT:.0f} seconds another process was writing; try "
                "again when it is done, or end it."
            )
        case code:
            cure = _CURES.get(code or 0, "check the disk or the mount, and write it again")
            return StoreError(f"{path!r} was not written and is as it was ({error.strerror}); {cure}.")


TOO_MANY_OPEN = {
    errno.EMFILE: "too many files are open in this process; close some, or raise its limit",
    errno.ENFILE: "too many files are open on this machine; close some, or raise its limit",
}
"""What to do about a lack of descriptors, by the system's error."""

_CURES = {
    **TOO_MANY_OPEN,
    errno.ENOSPC: "make room on the disk, and write it again",
    errno.EDQUOT: "make room within your quota, and write it again",
    errno.EACCES: "let this process write to that folder",
    errno.EPERM: "let this process write to that folder",
    errno.EROFS: "the folder can only be read; choose one that can be written",
    errno.ENXIO: "something that is no file lies there; choose another path",
    errno.EILSEQ: "a link leads to a name that is no UTF-8; rename what it leads to",
    errno.ELOOP: "it runs through links in a circle; remove the circular link",
}
