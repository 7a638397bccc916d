"""A zip or tar archive as a store."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

from fingerpost.errors import ConfigError, StoreError
from fingerpost.stores.addresses import plain_path
from fingerpost.stores.archive_entries import (
    MAX_BYTES,
    MAX_ENTRIES,
    MAX_RATIO,
    ArchiveError,
    Caps,
    Entry,
    Meter,
)
from fingerpost.stores.base import served, too_large
from fingerpost.stores.cursor import YOUNG, above, split
from fingerpost.stores.entry_names import LINK, SPECIAL, UNUSABLE, usable_path
from fingerpost.stores.listed import ListedStore, Listing, folder_within
from fingerpost.stores.remarks import Remarks
from fingerpost.stores.signatures import signature_of
from fingerpost.stores.tar_entries import is_tar, tar_entries, unpacked_gzip
from fingerpost.stores.zip_entries import zip_entries

_CODES = {"sparse file": UNUSABLE, "special file": SPECIAL}


@dataclass(frozen=True, slots=True)
class _Content:
    """What an archive holds.

    Attributes:
        digest: A hash of the archive.
        listing: What is served of it.
        files: The content of each file.
    """

    digest: bytes
    listing: Listing
    files: dict[str, bytes]


class ArchiveDocumentStore(ListedStore):
    """The regular files in a zip, tar or tar.gz archive, read only, and held in memory.

    Nothing is ever written to disk, and nothing outside of the archive can be reached. Links, special files
    and odd names are left out, each with a diagnostic; an archive that is damaged, encrypted, names a file
    twice or holds too much is refused as a whole. One that was replaced counts at once; while the new one
    cannot be read, `changes` says so and the files of the old one are served.

    Args:
        path: The archive; "~" is expanded, and a relative path is resolved now, against the current
            directory.
        subdir: The folder of the documents in the archive, "" for its top.
        max_entries: Most entries of the archive.
        max_bytes: Most bytes that it has, and that its files have when they are unpacked.
        max_ratio: Most bytes that come of one byte of it, of archives that unpack to more than 10 MiB.

    Raises:
        ConfigError: The archive does not exist, or is no file.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        subdir: str = "",
        *,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
        max_ratio: float = MAX_RATIO,
    ) -> None:
        super().__init__()
        self._path = _existing(path)
        self._subdir = folder_within(subdir)
        self._caps = Caps(max_entries, max_bytes, max_ratio)
        self._signature, self._refusal = "", ""
        self._content: _Content | None = None

    @property
    def identity(self) -> str:
        """The archive as a "file:" address, with the folder in it."""
        return Path(self._path).as_uri() + (f"#{quote(self._subdir)}" if self._subdir else "")

    @property
    def has_cheap_changes(self) -> bool:
        """True: a look at the size and the times of the archive tells whether it is another one."""
        return True

    def __repr__(self) -> str:
        return f"ArchiveDocumentStore({self.identity!r})"

    def current(self) -> Listing:
        """See `ListedStore.current`."""
        return self._served().listing

    def renewed(self) -> Listing:
        """See `ListedStore.renewed`."""
        return self._renewed().listing

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        """See `DocumentStore.read_bytes`."""
        path = served(path)
        content = self._served()
        content.listing.signature(path)
        data = content.files[path]
        if max_bytes is not None and len(data) > max_bytes:
            raise too_large(path, len(data), max_bytes)
        return data

    def close(self) -> None:
        """Release the files; the store may be used again, and then reads the archive anew."""
        with self.locked():
            self._signature, self._content = "", None

    def _served(self) -> _Content:
        """The files as they are, or as they were when the archive could last be read."""
        try:
            return self._renewed()
        except StoreError:
            content = self._content
            if content is None:
                raise
            return content

    def _renewed(self) -> _Content:
        with self.locked():
            try:
                signature = signature_of(os.stat(self._path), time.time_ns())
                if signature != self._signature or signature.endswith(YOUNG):
                    self._signature = ""
                    self._signature, self._refusal = self._read()
            except OSError as error:
                if isinstance(error, StoreError):
                    raise
                raise StoreError(
                    f"The archive {self._path!r} cannot be read ({error.strerror}); put it back, or let this "
                    "process read it."
                ) from error
            if self._refusal:
                raise StoreError(self._refusal)
            assert self._content is not None  # noqa: S101 - what is not refused is there
            return self._content

    def _read(self) -> tuple[str, str]:
        """Read the archive.

        Returns:
            Its signature, and why it is refused, "" when it is not.
        """
        with open(self._path, "rb") as file:
            before = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise StoreError(f"{self._path!r} is no file any more; put the archive back.")
            data = file.read(min(before.st_size, self._caps.bytes) + 1)
            after = os.fstat(file.fileno())
        signature = signature_of(before, time.time_ns())
        if signature != signature_of(after, time.time_ns()) and not signature.endswith(YOUNG):
            raise StoreError(f"The archive {self._path!r} is being written; it is read when that is done.")
        digest = blake2b(data).digest()
        if self._content is not None and self._content.digest == digest:
            return signature, ""
        try:
            if len(data) > self._caps.bytes:
                raise ArchiveError(f"has more than {self._caps.bytes:,} bytes")
            self._content = _content(data, digest, self._subdir, self._caps)
        except ArchiveError as error:
            return signature, f"The archive {self._path!r} {error}, so nothing of it is used."
        return signature, ""


def _existing(path: str | os.PathLike[str]) -> str:
    named = plain_path(path)
    if not named:
        raise ConfigError(f"{path!r} names no archive; give the path of a .zip, .tar or .tar.gz file.")
    absolute = os.path.abspath(os.path.expanduser(named))
    if os.path.isdir(absolute):
        raise ConfigError(
            f"{absolute!r} is a folder; give an archive, or end the path with '/' to have the folder served."
        )
    if not os.path.exists(absolute):
        raise ConfigError(f"The archive {absolute!r} does not exist; check its path.")
    return absolute


def _entries(data: bytes, meter: Meter) -> Iterator[Entry]:
    """The entries of an archive of any kind, which its first bytes tell."""
    if data.startswith(b"PK"):
        return zip_entries(data, meter)
    if data.startswith(b"\x1f\x8b"):
        data = unpacked_gzip(data, meter)
    if not is_tar(data):
        raise ArchiveError("is no zip, tar or tar.gz archive")
    return tar_entries(data, meter)


def _content(data: bytes, digest: bytes, subdir: str, caps: Caps) -> _Content:
    files: dict[str, bytes] = {}
    others: set[str] = set()
    remarks = Remarks()
    is_there = not subdir
    for entry in _entries(data, Meter(len(data), caps)):
        is_there = is_there or f"{entry.name.decode(errors='replace')}/".startswith(
            (f"{subdir}/", f"./{subdir}/")
        )
        path = usable_path(entry.name, remarks, subdir)
        if not path or entry.kind == "folder":
            continue
        if path in files or path in others:
            raise ArchiveError(f"names {path!r} twice")
        if entry.kind == "file":
            files[path] = entry.read()
        else:
            others.add(path)
            code = _CODES.get(entry.kind, LINK)
            remarks.skip(*split(path), code, f"it is a {entry.kind}, which is not read in an archive")
    if not is_there:
        raise ArchiveError(f"holds no folder {subdir!r}")
    _leave_out_what_is_below(files, others, remarks)
    signatures = [(path, blake2b(content, digest_size=16).hexdigest()) for path, content in files.items()]
    return _Content(digest, Listing(signatures, remarks.summed_up()), files)


def _leave_out_what_is_below(files: dict[str, bytes], others: set[str], remarks: Remarks) -> None:
    """Leave out the files that lie below what is no folder.

    Raises:
        ArchiveError: They lie below another file.
    """
    for path in list(files):
        for place in above(path):
            if place in files:
                raise ArchiveError(f"names {place!r} as a file and as a folder")
            if place in others:
                del files[path]
                remarks.skip(*split(path), LINK, f"it lies below {place!r}, which is a link or a device")
                break
