"""Opening a path beneath a folder: nothing outside it can be reached, also while links are swapped.

Two ways give the same answers: `openat2(2)` with RESOLVE_BENEATH, where the kernel decides, and a walk that
opens each segment itself without following links and then resolves the links that stay within the folder. In
both, a link with a relative target is followed as long as every step stays beneath the folder; an absolute
target is refused even when it points into the folder. Errors are plain `OSError`s, with `EXDEV` for whatever
would leave the folder.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import sys
import threading
from collections.abc import Callable
from functools import cache

O_PATH = getattr(os, "O_PATH", 0)

READ = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a named pipe without writer must not block
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
"""Flags to open a file for reading, whatever kind of file it may turn out to be."""

LOOK = O_PATH | getattr(os, "O_CLOEXEC", 0) if O_PATH else READ
"""Flags to examine a file without opening its content."""

FOLDER = READ | getattr(os, "O_DIRECTORY", 0)
"""Flags to open a folder for listing."""

THROUGH = (O_PATH or os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
"""Flags to hold a folder on the way to something below it."""

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)

REAL_FOLDER = FOLDER | _NO_FOLLOW
"""Flags to open a folder for listing that is no link."""

MAX_PATH_BYTES = 4095
MAX_LINKS = 40
_MAX_RACES = 100

_OPENAT2 = 437
_RESOLVE_NO_MAGICLINKS = 0x02
_RESOLVE_BENEATH = 0x08
_OPEN_HOW = struct.Struct("=QQQ")  # flags, mode, resolve

_openat2_refused = threading.Event()


def open_beneath(root_fd: int, path: str, flags: int, *, use_openat2: bool = True) -> int:
    """Open a path beneath an open folder.

    Args:
        root_fd: Descriptor of the folder.
        path: Path relative to the folder, separated by "/"; "." is the folder itself.
        flags: `READ`, `LOOK` or `FOLDER`.
        use_openat2: False takes the walk even where the kernel could decide.

    Returns:
        A descriptor, for the caller to close.

    Raises:
        OSError: `EXDEV` when the path would leave the folder, `ELOOP` for links that run in circles, or what
            the system says.
    """
    encoded = path.encode()
    if len(encoded) > MAX_PATH_BYTES:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    if use_openat2 and sys.platform == "linux" and not _openat2_refused.is_set():
        for _ in range(_MAX_RACES):
            try:
                return openat2(root_fd, encoded, flags)
            except (BlockingIOError, InterruptedError):
                continue  # a rename during the look-up made ".." uncertain
            except OSError as error:
                if error.errno not in {errno.ENOSYS, errno.EPERM}:
                    raise
                _openat2_refused.set()  # an older kernel, or a sandbox that filters system calls
                break
    return _open_by_steps(root_fd, encoded, flags)


@cache
def _system_call() -> Callable[[int, int, bytes, bytes, int], int]:
    import ctypes

    call = ctypes.CDLL(None, use_errno=True).syscall
    call.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t]
    call.restype = ctypes.c_long

    def checked(number: int, root_fd: int, path: bytes, how: bytes, size: int) -> int:
        result: int = call(number, root_fd, path, how, size)
        if result < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return result

    return checked


def openat2(root_fd: int, path: bytes, flags: int) -> int:
    """The system call, once: `EAGAIN` and `ENOSYS` reach the caller as `OSError`."""
    return _system_call()(_OPENAT2, root_fd, path, _open_how(flags), _OPEN_HOW.size)


@cache
def _open_how(flags: int) -> bytes:
    return _OPEN_HOW.pack(flags, 0, _RESOLVE_BENEATH | _RESOLVE_NO_MAGICLINKS)


def _open_by_steps(root_fd: int, path: bytes, flags: int) -> int:
    """Open each segment from its parent's descriptor, so that no step can be redirected by a swapped link."""
    ahead = _segments(path)
    passed: list[bytes] = []  # real folders from the root to `here`
    here = root_fd
    links = 0
    try:
        while True:
            name = ahead.pop()
            if name == b".." or (name == b"." and ahead):
                if name == b"..":
                    here = _parent(root_fd, here, passed)
                continue
            opened = _step(here, name, THROUGH if ahead else flags)
            if isinstance(opened, bytes):
                links += 1
                if links > MAX_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
                ahead.extend(_segments(opened))
            elif ahead:
                passed.append(name)
                _close_below(root_fd, here)
                here = opened
            else:
                return opened
    finally:
        _close_below(root_fd, here)


def _segments(path: bytes) -> list[bytes]:
    """The segments of a path, last first; "." ends what must be a folder, so that one is left to open."""
    if path.startswith(b"/"):
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
    segments = path.split(b"/")
    if segments[-1] in {b"", b".."}:
        segments.append(b".")
    return [segment for segment in reversed(segments) if segment]


def _step(here: int, name: bytes, flags: int) -> int | bytes:
    """Open one segment: a descriptor, or the target when the segment is a symbolic link."""
    for _ in range(_MAX_RACES):
        try:
            opened = os.open(name, flags | _NO_FOLLOW, dir_fd=here)
        except OSError as error:
            if error.errno not in {errno.ELOOP, errno.EMLINK, errno.ENOTDIR}:
                raise
            refusal = error
        else:
            if not flags & O_PATH or not stat.S_ISLNK(os.fstat(opened).st_mode):
                return opened
            os.close(opened)
            refusal = OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        try:
            return os.readlink(name, dir_fd=here)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            if refusal.errno == errno.ENOTDIR:
                raise refusal from None  # a file where a folder is needed
            # else the link was replaced in between: look again
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def _parent(root_fd: int, here: int, passed: list[bytes]) -> int:
    """The folder above, reached again from the root; `passed` loses its last segment."""
    if not passed:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
    above = root_fd
    for name in passed[:-1]:
        try:
            opened = os.open(name, THROUGH | _NO_FOLLOW, dir_fd=above)
        finally:
            _close_below(root_fd, above)
        above = opened
    passed.pop()
    _close_below(root_fd, here)
    return above


def _close_below(root_fd: int, opened: int) -> None:
    if opened != root_fd:
        os.close(opened)
