"""What tells the versions of a local file apart."""

from __future__ import annotations

import os

from fingerpost.stores.cursor import YOUNG

YOUNG_NS = 2_000_000_000


def version_of(found: os.stat_result) -> str:
    """Size, time of change of the content, that of the file when it is another one, and inode, as a text."""
    content_ns, file_ns = found.st_mtime_ns, found.st_ctime_ns
    if content_ns == file_ns:
        return f"{hex(found.st_size)}{hex(content_ns)}{hex(found.st_ino)}"
    return f"{hex(found.st_size)}{hex(content_ns)}{hex(file_ns)}{hex(found.st_ino)}"


def is_young(found: os.stat_result, now_ns: int) -> bool:
    """Whether a file changed less than two seconds ago.

    A second write within one tick of the file system's clock could then leave size and times as they are. A
    change time in the far future comes from a clock that was set back, and makes no file young.
    """
    return abs(now_ns - found.st_ctime_ns) < YOUNG_NS


def signature_of(found: os.stat_result, now_ns: int) -> str:
    """The version of a file, marked when it is young: it counts as changed once more when it has aged."""
    return version_of(found) + YOUNG if is_young(found, now_ns) else version_of(found)


def inode_in(signature: str) -> str:
    """The inode in a signature."""
    return signature.removesuffix(YOUNG).rpartition("0x")[2]


def is_of_empty(signature: str) -> bool:
    """Whether a signature is that of a file without content."""
    return signature.startswith("0x00x")
