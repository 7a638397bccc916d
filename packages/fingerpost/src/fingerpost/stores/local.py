"""A folder on this machine as a store."""

from __future__ import annotations

import errno
import math
import os
import stat
import time
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType

from fingerpost.errors import (
    ConfigError,
    KnowledgeCapabilityError,
    KnowledgeError,
    KnowledgeNotFoundError,
    KnowledgePathError,
    StoreError,
)
from fingerpost.stores import replacing
from fingerpost.stores.addresses import path_in
from fingerpost.stores.base import (
    Changes,
    Cursor,
    DocumentStore,
    Paths,
    not_found,
    plain_path,
    served,
    too_large,
    writable_path,
)
from fingerpost.stores.roots import OpenRoot, RootOpener, strongest
from fingerpost.stores.signatures import signature_of
from fingerpost.stores.tree import KINDS
from fingerpost.stores.watch import Watch

_CHUNK_BYTES = 1 << 24
_READ_ATTEMPTS = 3
_SECONDS_BETWEEN_SWEEPS = 60


class LocalDocumentStore(DocumentStore):
    """The regular files below a folder.

    Nothing outside the folder can be reached: symbolic links with relative targets are followed as long as
    they stay below it (on Linux and macOS also while links are swapped), all others are refused. The folder
    is looked up by its name in each call, so a folder that was replaced, or a link that was pointed
    elsewhere, counts at once; one call sees one folder.

    A file is written whole or not at all, also when the power fails; it keeps its mode, and its owner where
    the process may. A link is written through, to the file within the folder that it leads to. Writers of one
    folder take turns, also those of other processes; only an editor that knows nothing of it can come between
    the last look at a file and the moment that it is replaced.

    Args:
        root: The folder; "~" is expanded, and a relative path is resolved now, against the current directory.
        writable: Whether files can be written; None for what the folder's permissions say. On Windows, none
            can.

    Raises:
        ConfigError: The folder does not exist, is no folder, is not named at all, or `writable` is said of a
            system that cannot.
        StoreError: The folder cannot be listed.
    """

    def __init__(self, root: str | os.PathLike[str], writable: bool | None = None) -> None:
        self._folder = _absolute(root)
        self._open_root = strongest()
        _check_is_folder(self._folder)
        with _opened_to_be_listed(self._open_root, self._folder) as opened, opened.folder(""):
            pass
        self._followed = self._follow()
        if writable and not replacing.IS_POSSIBLE:
            raise ConfigError("On this system, folders can only be read; leave out writable=True.")
        may_write = os.access(self._folder, os.W_OK | os.X_OK) if writable is None else writable
        self._writable = may_write and replacing.IS_POSSIBLE
        self._swept_at = -math.inf

    @staticmethod
    def from_uri(uri: str | os.PathLike[str]) -> LocalDocumentStore:
        """The store of a "file:///absolute/path" address, or of a plain path.

        Raises:
            ConfigError: The address names another machine or a relative path, or its folder does not exist.
            StoreError: The folder cannot be listed.
        """
        uri = os.fspath(uri)
        if uri[:5].lower() != "file:":
            return LocalDocumentStore(uri)
        return LocalDocumentStore(path_in(uri))

    @property
    def root(self) -> Path:
        """The folder's absolute path, links in it not resolved."""
        return Path(self._folder)

    @property
    def identity(self) -> str:
        """The folder as a "file:" address."""
        return self.root.as_uri()

    @property
    def writable(self) -> bool:
        """Whether files can be written."""
        return self._writable

    @property
    def watching(self) -> str:
        """Why each call walks over the folder, as a sentence; "" when the system tells what changed."""
        return self._watch().trouble

    def __repr__(self) -> str:
        return f"LocalDocumentStore({self._folder!r})"

    @property
    def has_cheap_changes(self) -> bool:
        """True: the kernel tells of changes, and where it does not, a walk misses none."""
        return True

    def list(self, prefix: str = "") -> Paths:
        """See `DocumentStore.list`."""
        below = f"{self.normalise(prefix)}/" if prefix else ""
        return sorted(path for path in self._watch().cursor().paths() if path.startswith(below))

    def signature(self, path: str) -> str:
        """See `DocumentStore.signature`. It changes once more as a fresh file becomes two seconds old."""
        path = served(path)
        with self._root() as root, _Sentences(path):
            found = root.stat(path)
        _check_is_file(path, found)
        return signature_of(found, time.time_ns())

    def exists(self, path: str) -> bool:
        """See `DocumentStore.exists`."""
        try:
            path = served(path)
            with self._root() as root, _Sentences(path):
                return stat.S_ISREG(root.stat(path).st_mode)
        except (KnowledgeNotFoundError, KnowledgePathError):
            return False

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        """See `DocumentStore.read_bytes`. A file that is written to during the read is read again."""
        path = served(path)
        with self._root() as root, _Sentences(path):
            for _ in range(_READ_ATTEMPTS):
                opened = root.open(path)
                try:
                    before = os.fstat(opened)
                    _check_is_file(path, before)
                    if max_bytes is not None and before.st_size > max_bytes:
                        raise too_large(path, before.st_size, max_bytes)
                    data = _read(path, opened, before.st_size, max_bytes)
                    after = os.fstat(opened)
                finally:
                    os.close(opened)
                if (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns):
                    return data
        raise StoreError(
            f"{path!r} was written to each time it was read; read it again when its writer is done."
        )

    def write_bytes(self, path: str, data: bytes) -> None:
        """See `DocumentStore.write_bytes`."""
        path = self._writable_path(path)
        with self._to_be_written() as root:
            replacing.write(root, path, bytes(data))

    def delete(self, path: str) -> None:
        """See `DocumentStore.delete`."""
        path = self._writable_path(served(path))
        with self._to_be_written() as root:
            replacing.delete(root, path)

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        """See `DocumentStore.swap_bytes`. It holds for other processes of this machine too."""
        path = self._writable_path(path)
        with self._to_be_written() as root:
            replacing.swap(root, path, old, None if new is None else bytes(new))

    def leads_to(self, path: str) -> str:
        """See `DocumentStore.leads_to`. A link that leads out of the folder is not followed."""
        path = self.normalise(path)
        if not replacing.IS_POSSIBLE:
            return path
        with _opened_to_be_listed(self._open_root, self._folder) as opened, opened.folder("") as top:
            return replacing.leads_to(top.descriptor, path)

    def _writable_path(self, path: str) -> str:
        if not self._writable:
            raise KnowledgeCapabilityError(
                f"{path!r} was not written: the folder {self._folder!r} can only be read; let this process "
                "write to it, or choose another."
            )
        return writable_path(path)

    @contextmanager
    def _to_be_written(self) -> Generator[int]:
        """A descriptor of the folder that bears the name now."""
        with _opened_to_be_listed(self._open_root, self._folder) as opened, opened.folder("") as top:
            if time.monotonic() - self._swept_at > _SECONDS_BETWEEN_SWEEPS:
                replacing.sweep(top.descriptor)
                self._swept_at = time.monotonic()
            yield top.descriptor

    def changes(self, cursor: Cursor | None = None) -> Changes:
        """See `DocumentStore.changes`.

        On local file systems of Linux the system tells what happened, so that a call costs next to nothing
        while nothing does; elsewhere each call walks over the folder (`watching` says why).

        A file that was truncated and is still being written counts as it was before, for two seconds at most.
        Writes into memory that a file is mapped to tell nobody before it is unmapped. Writes through a hard
        link that is made elsewhere are told by the file itself, of which up to 20,000 are watched, a few more
        with each call.
        """
        return self._watch().changes(cursor)

    def close(self) -> None:
        """Release the watches; the store may be used again, and then makes new ones."""
        self._followed.close()

    def _watch(self) -> Watch:
        if self._followed.process != os.getpid():  # another thread may have been at work on what was forked
            self._followed = self._follow()
        return self._followed

    def _follow(self) -> Watch:
        return Watch(self._folder, partial(_opened_to_be_listed, self._open_root, self._folder))

    def _root(self) -> AbstractContextManager[OpenRoot]:
        """The folder that bears the name now."""
        return _Opened(self._open_root, self._folder)


class _Opened:
    """The folder that bears a name, while the block lasts; each file that is read takes it anew."""

    __slots__ = ("_folder", "_open_root", "_root")

    def __init__(self, open_root: RootOpener, folder: str) -> None:
        self._open_root = open_root
        self._folder = folder

    def __enter__(self) -> OpenRoot:
        try:
            self._root = self._open_root(self._folder)
            return self._root.__enter__()
        except OSError as error:
            raise _unusable(self._folder, error) from error

    def __exit__(self, *_exception: object) -> None:
        self._root.__exit__(None, None, None)


@contextmanager
def _opened_to_be_listed(open_root: RootOpener, folder: str) -> Generator[OpenRoot]:
    with _Opened(open_root, folder) as root:
        try:
            yield root
        except StoreError:
            raise
        except OSError as error:
            raise _unusable(folder, error) from error


def _absolute(root: str | os.PathLike[str]) -> str:
    named = plain_path(root)
    if not named:
        raise ConfigError(f"{root!r} names no folder; give the path of the folder that holds the documents.")
    return os.path.abspath(os.path.expanduser(_for_the_system(named)))


def _for_the_system(name: str) -> str:
    """A name in the form that leads to its UTF-8 bytes, also where the locale lacks its letters."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return os.fsdecode(name.encode("utf-8", "surrogatepass"))
    return name


def _unusable(folder: str, error: OSError) -> StoreError:
    cure = replacing.TOO_MANY_OPEN.get(error.errno or 0, "put it back, or let this process read it")
    if error.errno == errno.EIO:
        cure = "check the disk or the mount"
    return StoreError(f"The folder {folder!r} cannot be read ({error.strerror}); {cure}.")


def _check_is_folder(folder: str) -> None:
    try:
        found = os.stat(folder)
    except OSError as error:
        if error.errno in {errno.ENOENT, errno.ENOTDIR}:
            raise _missing(folder) from None
        raise _unusable(folder, error) from error
    if not stat.S_ISDIR(found.st_mode):
        raise ConfigError(f"{folder!r} is a file; give the folder that holds the documents.")


def _missing(folder: str) -> ConfigError:
    """The sentence about a folder that is not there, with folders of a similar name."""
    missing, parent = folder, os.path.dirname(folder)
    while parent != missing and not os.path.isdir(parent):
        missing, parent = parent, os.path.dirname(parent)
    from fingerpost.text.suggest import did_you_mean, nearest

    try:
        siblings = sorted(entry.name for entry in os.scandir(parent) if entry.is_dir())
    except OSError:
        siblings = []
    similar = [repr(os.path.join(parent, name)) for name in nearest(os.path.basename(missing), siblings)]
    advice = did_you_mean(similar) or f"{parent!r} holds nothing of a similar name."
    return ConfigError(f"The folder {folder!r} does not exist. {advice}")


def _check_is_file(path: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = KINDS.get(stat.S_IFMT(found.st_mode), "no regular file")
        raise StoreError(f"{path!r} is {kind}; only regular files are read, so name another one.")


def _read(path: str, opened: int, size: int, max_bytes: int | None) -> bytes:
    """All bytes to the end of the file, of which one more than expected is asked for, to see the end."""
    chunks: list[bytes] = []
    total = 0
    while True:
        wanted = min(max(size - total, 0) + 1, _CHUNK_BYTES)
        chunk = os.read(opened, wanted)
        chunks.append(chunk)
        total += len(chunk)
        if max_bytes is not None and total > max_bytes:
            raise too_large(path, None, max_bytes)
        if len(chunk) < wanted:
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)
        size = max(size, total + _CHUNK_BYTES) if total > size else size


class _Sentences:
    """Turn the system's errors about a path into ours."""

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError) and not isinstance(error, KnowledgeError):
            raise _explained(self._path, error) from error


def _explained(path: str, error: OSError) -> KnowledgeError:
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return not_found(path)
        case errno.EXDEV:
            return KnowledgePathError(
                f"{path!r} leads out of the root folder, or through a link with an absolute target; only "
                f"relative links within the folder are followed."
            )
        case errno.ENAMETOOLONG:
            return KnowledgePathError(
                f"The path {path[:80]!r}... is too long for the file system; shorten it."
            )
        case errno.ELOOP:
            return StoreError(
                f"{path!r} runs through links in a circle, or too many; remove the circular link."
            )
        case errno.ENXIO:
            return StoreError(
                f"{path!r} is a socket or a device; only regular files are read, so name another one."
            )
        case errno.EACCES | errno.EPERM:
            return StoreError(f"{path!r} cannot be read: permission denied; let this process read it.")
        case _:
            return StoreError(f"{path!r} cannot be read ({error.strerror}); check the disk or the mount.")
