"""A revision of a git repository as a store."""

from __future__ import annotations

import logging
import os
import shutil
from dataclasses import dataclass, replace

from fingerpost.errors import StoreError
from fingerpost.stores.base import Changes, Cursor, served, too_large
from fingerpost.stores.git_address import HEAD, GitAddress
from fingerpost.stores.git_blobs import Blobs, LargeBlobError, MissingBlobError
from fingerpost.stores.git_command import Git, not_installed
from fingerpost.stores.git_kept import Kept
from fingerpost.stores.git_tree import listing_of
from fingerpost.stores.listed import ListedStore, Listing

_SECONDS = 300.0
_logger = logging.getLogger("fingerpost.stores")


@dataclass(frozen=True, slots=True)
class _Revision:
    """What is served.

    Attributes:
        id: What the revision stands for: a commit, or a tag.
        commit: The commit.
        listing: Its files.
    """

    id: str
    commit: str
    listing: Listing


class GitDocumentStore(ListedStore):
    """The regular files of one revision of a git repository, read only and without a checkout.

    A commit id is fetched once and never asked for again. A branch, a tag or "HEAD" is looked for by
    `changes`, and fetched when it has moved; until then the store serves what it served. What is fetched is
    kept in the user's cache folder, for all processes of the user.

    Args:
        url: An "https://" address, which may hold "user:password@", or a repository on this machine, as a
            path or a "file://" address; or an address that says all three.
        rev: A branch, a tag, all 40 characters of a commit id, or "HEAD".
        subdir: The folder of the documents in the repository, "" for its top.
        cache: The folder to keep the repository in; "" to fetch it into a temporary one, which is removed
            when the store is closed. By default what the environment variable FINGERPOST_CACHE says, else the
            user's cache folder.
        timeout: Most seconds for a fetch.
        ca_file: A file of certificates to check the server against, in place of those of the system.

    Raises:
        ConfigError: An argument cannot be, or the program git is not installed.
    """

    def __init__(
        self,
        url: str | os.PathLike[str] | GitAddress,
        rev: str = HEAD,
        subdir: str = "",
        *,
        cache: str | os.PathLike[str] | None = None,
        timeout: float = _SECONDS,
        ca_file: str | os.PathLike[str] = "",
    ) -> None:
        super().__init__()
        self._address = url if isinstance(url, GitAddress) else GitAddress.of(url, rev, subdir)
        if shutil.which("git") is None:
            raise not_installed()
        git = Git(self._address.protocol, self._address.credentials, os.fspath(ca_file))
        self._kept = kept = Kept(cache, self._address, git, timeout)
        self._revision: _Revision | None = None
        self._blobs = Blobs(lambda: kept.repository().blobs())

    @property
    def identity(self) -> str:
        """The address, without credentials."""
        return self._address.identity

    @property
    def earlier_identities(self) -> tuple[str, ...]:
        """The identities of stores of the same folder at other revisions, in this cache folder."""
        if not self._kept.is_lasting:
            return ()
        identities = self._kept.repository().identities(self._address.subdir)
        return tuple(identity for identity in identities if identity != self.identity)

    @property
    def revision(self) -> str:
        """The id of the commit that is served.

        Raises:
            StoreError: None can be.
        """
        return self._served().commit

    @property
    def has_cheap_changes(self) -> bool:
        """Whether the revision is a commit id, of which nothing ever changes."""
        return self._address.is_pinned

    def __repr__(self) -> str:
        return f"GitDocumentStore({self.identity!r})"

    def current(self) -> Listing:
        """See `ListedStore.current`."""
        return self._served().listing

    def renewed(self) -> Listing:
        """See `ListedStore.renewed`."""
        with self.locked():
            revision = self._revision
            if revision is None or not self._address.is_pinned:
                revision = self._looked_for()
        return revision.listing

    def changes(self, cursor: Cursor | None = None) -> Changes:
        """See `DocumentStore.changes`.

        Where the repository cannot be reached, whoever knows nothing yet is given what was fetched last, by
        whichever process, with the reason in `Changes.trouble`.
        """
        try:
            return super().changes(cursor)
        except StoreError as error:
            if cursor is not None or self._revision is None:
                raise
            return replace(self._revision.listing.since(None), trouble=str(error))

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        """See `DocumentStore.read_bytes`."""
        path = served(path)
        revision = self._served()
        blob = revision.listing.signature(path)
        try:
            try:
                return self._blobs.read(blob, max_bytes)
            except MissingBlobError:
                with self.locked():
                    repository = self._kept.repository()
                    repository.refetch(revision.id, blob)
                    if not self._address.is_pinned:
                        repository.note_last(self._address.rev, revision.id)
                return self._blobs.read(blob, max_bytes)
        except LargeBlobError as error:
            raise too_large(path, error.size, max_bytes or 0) from None

    def close(self) -> None:
        """Release what the store holds; it may be used again, and then looks for its revision anew."""
        self._blobs.close()
        with self.locked():
            self._revision = None
            self._kept.close()

    def _served(self) -> _Revision:
        """The revision that is served; the first time it is looked for."""
        revision = self._revision
        if revision is not None:
            return revision
        with self.locked():
            if self._revision is not None:
                return self._revision
            try:
                return self._looked_for()
            except StoreError as error:
                if self._revision is None:
                    raise
                _logger.warning("What was fetched last is served. %s", error)
                return self._revision

    def _looked_for(self) -> _Revision:
        """The revision as it is now. When that cannot be told, what was fetched last is served."""
        address, repository = self._address, self._kept.repository()
        try:
            id_ = address.rev if address.is_pinned else repository.resolved(address.rev)
            known = self._revision
            if known is not None and known.id == id_:
                return known
            repository.obtain(id_)
            self._revision = self._listed(id_)
        except StoreError:
            last = "" if address.is_pinned else repository.last(address.rev)
            if self._revision is None and last:
                self._revision = self._listed(last)
            raise
        if not address.is_pinned:
            repository.note_last(address.rev, id_)
        return self._revision

    def _listed(self, id_: str) -> _Revision:
        repository, subdir = self._kept.repository(), self._address.subdir
        commit = repository.commit(id_)
        revision = _Revision(id_, commit, listing_of(repository.tree(commit, subdir)))
        if self._kept.is_lasting:
            repository.note_identity(subdir, self.identity)
        return revision
