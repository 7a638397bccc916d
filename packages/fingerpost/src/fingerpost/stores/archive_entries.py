"""What stands in an archive, and how much of it is read.

Archives are read here entry by entry, from memory, and not by `zipfile` and `tarfile`: those keep an object
of each entry before anyone can count them, end quietly where a tar is damaged or cut off, so that half an
archive looks like a whole one, and refuse a zip for one name that is not UTF-8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fingerpost.errors import StoreError

MAX_ENTRIES = 100_000
MAX_BYTES = 256 * 1024 * 1024
MAX_RATIO = 200

_RATIO_FROM_BYTES = 10 * 1024 * 1024  # what is smaller harms nobody, however well it was packed

Kind: TypeAlias = Literal["file", "folder", "symbolic link", "hard link", "special file", "sparse file"]


class ArchiveError(StoreError):
    """An archive is not read; the text says why, and goes on after "The archive ... "."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that stands in an archive.

    Attributes:
        name: Its name as it is stored.
        kind: What it is.
        read: Gives its content, of a file alone; it raises `ArchiveError`.
    """

    name: bytes
    kind: Kind
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that is read of an archive.

    Attributes:
        entries: Most entries.
        bytes: Most bytes, unpacked.
        ratio: Most bytes that come of one byte of the archive.
    """

    entries: int = MAX_ENTRIES
    bytes: int = MAX_BYTES
    ratio: float = MAX_RATIO


class Meter:
    """Counts what is read of an archive, and ends it when that is too much.

    Args:
        packed: How many bytes the archive has.
        caps: How much may be read.
    """

    def __init__(self, packed: int, caps: Caps) -> None:
        self._caps = caps
        self._entries = 0
        self._bytes = 0
        self._ratio_bytes = max(_RATIO_FROM_BYTES, int(caps.ratio * packed))

    def count_entry(self) -> None:
        """Count an entry.

        Raises:
            ArchiveError: It is one too many.
        """
        self._entries += 1
        if self._entries > self._caps.entries:
            raise ArchiveError(f"has more than {self._caps.entries:,} entries")

    def count_bytes(self, count: int) -> None:
        """Count bytes that are unpacked, or about to be.

        Raises:
            ArchiveError: They are too many.
        """
        self._bytes += count
        if self._bytes > self._caps.bytes:
            raise ArchiveError(f"holds more than {self._caps.bytes:,} bytes when it is unpacked")
        if self._bytes > self._ratio_bytes:
            raise ArchiveError(f"unpacks to more than {self._caps.ratio:g} times its size")


def no_content() -> bytes:
    """What is read of an entry that is no file."""
    return b""
