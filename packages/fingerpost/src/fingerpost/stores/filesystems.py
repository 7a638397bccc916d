"""Which folders tell of every change made in them: those on local file systems."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from functools import cache

LOCAL = {
    0xEF53: "ext",
    0x58465342: "xfs",
    0x9123683E: "btrfs",
    0x01021994: "tmpfs",
    0x794C7630: "overlay",
    0xF2F52010: "f2fs",
    0x2FC12FC1: "zfs",
    0xCA451A4E: "bcachefs",
}
"""The kinds of file systems whose changes are all made on this machine."""

REMOTE = {
    0x6969: "NFS",
    0x517B: "SMB",
    0xFF534D42: "CIFS",
    0xFE534D42: "SMB2",
    0x01021997: "9p",
    0x00C36400: "Ceph",
    0x0BD00BD0: "Lustre",
    0x5346414F: "AFS",
    0x65735546: "FUSE",
}
"""The kinds of file systems on which processes cannot share memory, or need not all be on this machine."""

MOUNTS = "/proc/self/mountinfo"
_STATFS_BYTES = 256  # more than it has on any machine; the kind comes first
_ESCAPED = re.compile(rb"\\([0-7]{3})")


@cache
def _fstatfs() -> Callable[[int], int]:
    import ctypes

    call = ctypes.CDLL(None, use_errno=True).fstatfs
    call.argtypes = [ctypes.c_int, ctypes.c_char_p]

    def kind(descriptor: int) -> int:
        found = ctypes.create_string_buffer(_STATFS_BYTES)
        if call(descriptor, found) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return ctypes.c_long.from_buffer(found).value & 0xFFFFFFFF

    return kind


def kind_of(descriptor: int) -> int:
    """The number of the kind of file system that a folder lies on.

    Raises:
        OSError: The system does not say.
    """
    return _fstatfs()(descriptor)


def remote_kind(folder: str) -> str:
    """The name of the file system that a folder lies on when other machines may share it, else ""."""
    if sys.platform != "linux":
        return ""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return REMOTE.get(kind_of(descriptor), "")
    finally:
        os.close(descriptor)


def mounts_below(mounts: int, folder: str) -> dict[str, str]:
    """What is mounted below a folder.

    Args:
        mounts: A descriptor of `MOUNTS`.
        folder: The folder's absolute path, links resolved.

    Returns:
        The path of each mount within the folder, with what tells it from another one at the same place.
    """
    os.lseek(mounts, 0, os.SEEK_SET)
    data = b"".join(iter(lambda: os.read(mounts, 1 << 16), b""))
    top = os.fsencode(folder).rstrip(b"/") + b"/"
    found: dict[str, str] = {}
    for line in data.splitlines():
        fields = line.split(b" ", 5)
        point = _ESCAPED.sub(lambda match: bytes([int(match[1], 8)]), fields[4])
        if point.startswith(top):
            path = point[len(top) :].decode("utf-8", "surrogateescape")
            found[path] = f"{found.get(path, '')} {fields[0].decode()}"
    return found
