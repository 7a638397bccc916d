"""The kernel's own account of what happens in folders: inotify(7), by system calls alone."""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Callable, Iterator
from functools import cache
from typing import TypeAlias

MODIFY = 0x00000002
ATTRIB = 0x00000004
CLOSE_WRITE = 0x00000008
MOVED_FROM = 0x00000040
MOVED_TO = 0x00000080
CREATE = 0x00000100
DELETE = 0x00000200
UNMOUNT = 0x00002000
OVERFLOW = 0x00004000
IGNORED = 0x00008000
FOLDER = 0x40000000
"""The event is about a folder."""

_ONLY_FOLDERS = 0x01000000
_NOT_UNLINKED = 0x04000000
_WANTED = (
    MODIFY | ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | _ONLY_FOLDERS | _NOT_UNLINKED
)
_NOT_THROUGH_LINKS = 0x02000000
_WANTED_OF_FILES = MODIFY | ATTRIB | CLOSE_WRITE | _NOT_THROUGH_LINKS | _NOT_UNLINKED
NO_MORE = {errno.ENOSPC, errno.ENOMEM}
"""The errors of one who asks for more watches than there are."""

_HEAD = struct.Struct("=iIII")  # watch, mask, cookie, length of the name
_CHUNK_BYTES = 1 << 16

Event: TypeAlias = tuple[int, int, bytes]
"""The watch, the mask, and the name within the watched folder."""


@cache
def _calls() -> tuple[Callable[[int], int], Callable[[int, bytes, int], int], Callable[[int, int], int]]:
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    library.inotify_init1.argtypes = [ctypes.c_int]
    library.inotify_add_watch.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32]
    library.inotify_rm_watch.argtypes = [ctypes.c_int, ctypes.c_int]
    return library.inotify_init1, library.inotify_add_watch, library.inotify_rm_watch


def _checked(result: int) -> int:
    if result < 0:
        import ctypes

        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def start() -> int:
    """Make a descriptor that events can be read from without waiting.

    Raises:
        OSError: `EMFILE` when the user has as many as allowed, `ENOSYS` where the system has none.
    """
    try:
        init1 = _calls()[0]
    except AttributeError as error:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from error
    return _checked(init1(os.O_NONBLOCK | os.O_CLOEXEC))


def add_watch(descriptor: int, path: bytes) -> int:
    """Watch a folder. One that is watched already keeps its watch.

    Raises:
        OSError: `ENOSPC` when the user has as many watches as allowed.
    """
    return _checked(_calls()[1](descriptor, path, _WANTED))


def add_file_watch(descriptor: int, path: bytes) -> int:
    """Watch a single file, whatever name it is changed by. One that is watched already keeps its watch.

    Raises:
        OSError: `ENOSPC` when the user has as many watches as allowed.
    """
    return _checked(_calls()[1](descriptor, path, _WANTED_OF_FILES))


def remove_watch(descriptor: int, watch: int) -> None:
    """Watch a folder no longer; one that is gone is no error."""
    _calls()[2](descriptor, watch)


def events(descriptor: int) -> Iterator[Event]:
    """What happened since the last time, in order.

    Raises:
        OSError: The descriptor cannot be read.
    """
    while True:
        try:
            data = os.read(descriptor, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not data:  # this is another file by now
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        at = 0
        while at < len(data):
            watch, mask, _, length = _HEAD.unpack_from(data, at)
            at += _HEAD.size
            yield watch, mask, data[at : at + length].rstrip(b"\0")
            at += length
