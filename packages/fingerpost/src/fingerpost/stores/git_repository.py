"""A bare repository in the cache folder that holds single revisions of another one, for all processes."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from fingerpost.errors import StoreError
from fingerpost.stores.caching import ELSEWHERE
from fingerpost.stores.git_address import HEAD, GitAddress
from fingerpost.stores.git_command import Git, GitError
from fingerpost.stores.git_trouble import is_explained, unfetched
from fingerpost.stores.locks import held, locked

_DAYS_KEPT = 90
_MOST_IDENTITIES = 50
_MOST_PACKS = 50
_LOCAL_SECONDS = 120.0
_RESOLVE_SECONDS = 60.0
_MAX_REFS_BYTES = 16 * 1024 * 1024
_MAX_LISTING_BYTES = 128 * 1024 * 1024
_SHA256_LETTERS = 64
_REFS = "refs/fingerpost"
_logger = logging.getLogger("fingerpost.stores")


class Repository:
    """What is kept of a repository. Several processes may use it, of which one at a time fetches.

    Args:
        folder: Where it is kept.
        address: The repository, whose revision and folder do not matter here.
        git: How git is run.
        seconds: How long a fetch may take, and how long to wait for another process that fetches.
    """

    def __init__(self, folder: Path, address: GitAddress, git: Git, seconds: float) -> None:
        digest = hashlib.blake2b(address.url.encode(), digest_size=16).hexdigest()
        self._folder = folder
        self._address = address
        self._path = str(folder / f"{digest}.git")
        self._lock = str(folder / f"{digest}.lock")
        self._served = folder / f"{digest}.json"
        self._git = git
        self._seconds = seconds

    def resolved(self, rev: str) -> str:
        """What a branch, a tag or "HEAD" of the other repository stands for: the id of a commit, or of a tag.

        Raises:
            StoreError: The repository cannot be reached, or has no such revision.
        """
        names = (
            [HEAD] if rev == HEAD else [rev, f"refs/tags/{rev}", f"refs/heads/{rev}"]
        )  # as git looks for it
        words = ["ls-remote", "--quiet", "--end-of-options", self._address.url, *names]
        try:
            seconds = min(self._seconds, _RESOLVE_SECONDS)
            printed = self._git.run("", words, seconds, max_bytes=_MAX_REFS_BYTES)
        except GitError as error:
            raise unfetched(self._address.identity, error) from None
        found = {
            name: id_ for id_, _, name in (line.partition("\t") for line in printed.decode().splitlines())
        }
        for name in names:
            if name in found:
                return found[name]
        advice = "name one that it has"
        if self._address.is_short_id:
            advice = "of a commit, give all 40 characters of its id"
        raise StoreError(f"The repository {self._address.url!r} has no branch or tag {rev!r}; {advice}.")

    def holds(self, id_: str) -> bool:
        """Whether a commit or a tag has been fetched, with all that belongs to it."""
        return self._commit(f"{_REFS}/{id_}") != ""

    def obtain(self, id_: str) -> None:
        """Fetch a commit or a tag unless it is held.

        Raises:
            StoreError: It cannot be fetched.
        """
        if self.holds(id_):
            with suppress(OSError):
                os.utime(self._lock)  # it is in use
            return
        with self._locked() as lock:
            if not self.holds(id_):
                self._fetch_somehow(id_, lock)
                self._tidy(lock)

    def commit(self, id_: str) -> str:
        """The commit that an id stands for, which may be that of a tag.

        Raises:
            StoreError: It stands for no commit.
        """
        commit = self._commit(f"{_REFS}/{id_}")
        if not commit:
            raise StoreError(
                f"{id_!r} of the repository {self._address.url!r} is no commit; name a branch, a tag or a "
                "commit."
            )
        return commit

    def last(self, rev: str) -> str:
        """What a revision stood for when it was last looked for, "" when that is not known."""
        return self._printed("rev-parse", "--verify", "--quiet", self._last(rev))

    def note_last(self, rev: str, id_: str) -> None:
        """Remember what a revision stands for."""
        if self.last(rev) != id_:
            with self._locked():
                self._git.run(self._path, ["update-ref", self._last(rev), id_], _LOCAL_SECONDS)

    def identities(self, subdir: str) -> list[str]:
        """The identities of the stores that have served a folder of the repository, the latest first."""
        return [identity for folder, identity in self._identities() if folder == subdir]

    def note_identity(self, subdir: str, identity: str) -> None:
        """Remember the identity of a store that serves a folder."""
        entry = (subdir, identity)
        if self._identities()[:1] == [entry]:
            return
        with self._locked():
            others = [other for other in self._identities() if other != entry]
            text = json.dumps([entry, *others[: _MOST_IDENTITIES - 1]])
            fresh = Path(f"{self._served}.new")
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(self._served)

    def _identities(self) -> list[tuple[str, str]]:
        try:
            return [(folder, identity) for folder, identity in json.loads(self._served.read_bytes())]
        except (OSError, ValueError, TypeError):
            return []  # only time is lost

    def tree(self, commit: str, subdir: str) -> bytes:
        """The files of a folder and the folders below it, as `git ls-tree -z` prints them.

        Raises:
            StoreError: There is no such folder.
        """
        if subdir and self._printed("cat-file", "-t", f"{commit}:{subdir}") != "tree":
            raise StoreError(
                f"The repository {self._address.url!r} has no folder {subdir!r} at {commit}; give one that "
                "it has."
            )
        words = ["ls-tree", "-r", "-z", "--full-tree", f"{commit}:{subdir}"]
        try:
            return self._git.run(self._path, words, _LOCAL_SECONDS, max_bytes=_MAX_LISTING_BYTES)
        except GitError as error:
            raise unfetched(self._address.identity, error) from None

    def blobs(self) -> subprocess.Popen[bytes]:
        """A process that prints files by the ids of their blobs."""
        return self._git.start(self._path, ["cat-file", "--batch"], subprocess.PIPE)

    def refetch(self, id_: str, blob: str) -> None:
        """Fetch a commit or a tag anew, unless another process has.

        Args:
            id_: The commit or the tag.
            blob: A file of it that could not be read.

        Raises:
            StoreError: It cannot be fetched.
        """
        with self._locked() as lock:
            with suppress(GitError):
                self._git.run(self._path, ["cat-file", "blob", blob], _LOCAL_SECONDS)
                return
            self._remove()
            self._fetch_somehow(id_, lock)

    def _fetch_somehow(self, id_: str, lock: int) -> None:
        """Fetch, a second time into an empty repository if the one that is kept seems to be at fault."""
        is_new = not os.path.isdir(self._path)
        try:
            if is_new:
                self._make(id_)
            self._fetch(id_, lock)
        except GitError as error:
            is_remote = is_explained(error) and self._path not in error.said
            if is_new or is_remote:
                raise unfetched(self._address.identity, error) from None
            _logger.warning("What is kept of %s is fetched anew. %s", self._address.identity, error)
            self._remove()
            try:
                self._make(id_)
                self._fetch(id_, lock)
            except GitError as again:
                raise unfetched(self._address.identity, again) from None

    def _fetch(self, id_: str, lock: int) -> None:
        for left in Path(self._path).rglob("*.lock"):
            left.unlink(missing_ok=True)  # of a process that was killed: the lock is ours
        words = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head", "--end-of-options"]
        refs = f"+{id_}:{_REFS}/{id_}"
        self._git.run(self._path, [*words, self._address.url, refs], self._seconds, keep_open=(lock,))

    def _tidy(self, lock: int) -> None:
        """Make one pack of many. Whatever was fetched stays, for those who read it or serve it offline."""
        if len(list(Path(self._path, "objects", "pack").glob("*.pack"))) > _MOST_PACKS:
            try:
                self._git.run(self._path, ["repack", "-a", "-d", "-q"], self._seconds, keep_open=(lock,))
            except GitError as error:
                _logger.warning("What is kept of %s could not be tidied. %s", self._address.identity, error)

    def _make(self, id_: str) -> None:
        _remove_unused(self._folder)
        fresh = f"{self._path}.new"
        shutil.rmtree(fresh, ignore_errors=True)
        kind = "sha256" if len(id_) == _SHA256_LETTERS else "sha1"
        words = ["init", "--bare", "--quiet", "--template=", f"--object-format={kind}", fresh]
        self._git.run("", words, _LOCAL_SECONDS)
        os.rename(fresh, self._path)

    def _remove(self) -> None:
        """Take away what is kept; whoever reads from it has it open, or fetches anew."""
        aside = f"{self._path}.old"
        shutil.rmtree(aside, ignore_errors=True)
        with suppress(FileNotFoundError):
            os.rename(self._path, aside)
        shutil.rmtree(aside, ignore_errors=True)

    @contextmanager
    def _locked(self) -> Generator[int]:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with held(self._lock, self._seconds) as lock:
                if lock is None:
                    raise StoreError(
                        f"Another process has been fetching {self._address.url!r} for {self._seconds:g} "
                        "seconds; it is tried again."
                    )
                os.utime(self._lock)
                yield lock
        except StoreError:
            raise
        except OSError as error:
            raise StoreError(
                f"The repository {self._address.url!r} cannot be kept in {str(self._folder)!r} "
                f"({error.strerror}); make room there. {ELSEWHERE}"
            ) from error

    def _commit(self, name: str) -> str:
        return self._printed("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")

    def _printed(self, *words: str) -> str:
        """What a command prints, "" when it fails."""
        if not os.path.isdir(self._path):
            return ""
        try:
            return self._git.run(self._path, words, _LOCAL_SECONDS).decode().strip()
        except GitError:
            return ""

    @staticmethod
    def _last(rev: str) -> str:
        return f"{_REFS}/last/{hashlib.blake2b(rev.encode(), digest_size=16).hexdigest()}"


def _remove_unused(folder: Path) -> None:
    """Remove the repositories of a folder that nobody has used for a long time."""
    latest = time.time() - _DAYS_KEPT * 86_400
    for lock in folder.glob("*.lock"):
        with suppress(OSError):
            if lock.stat().st_mtime >= latest:
                continue
            with locked(str(lock), 0) as is_mine:
                if is_mine:
                    shutil.rmtree(lock.with_suffix(".git"), ignore_errors=True)
                    lock.with_suffix(".json").unlink(missing_ok=True)
