"""The address of a git repository: where it is, at which revision, and which folder of it."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from fingerpost.errors import ConfigError
from fingerpost.stores.addresses import path_in
from fingerpost.stores.listed import folder_within

HEAD = "HEAD"

_PREFIX = "git+"
_COMMIT = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})")
_SHORT = re.compile(r"[0-9a-f]{4,63}")
_NO_REVISION = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|^[-/.]|/$|//|/\.|\.lock(?:/|$)|\.$|^@$|^$")
_ODD = re.compile(r"[\x00-\x20\x7f]")
_EXAMPLE = "'git+https://host/repository@revision#folder'"


@dataclass(frozen=True, slots=True)
class GitAddress:
    """Where documents lie in git.

    Attributes:
        url: The repository, without credentials.
        rev: A branch, a tag, a full commit id or "HEAD".
        subdir: The folder of the documents in the repository, "" for its top.
        credentials: "user:password" as they are sent, "" for none. Never shown.
    """

    url: str
    rev: str = HEAD
    subdir: str = ""
    credentials: str = field(default="", repr=False)

    @classmethod
    def of(cls, url: str | os.PathLike[str], rev: str, subdir: str) -> GitAddress:
        """The address of a repository whose parts are known.

        Args:
            url: An "https://" or "file://" address, or the path of a repository on this machine.
            rev: The revision.
            subdir: The folder.

        Raises:
            ConfigError: One of them cannot be.
        """
        text = os.fspath(url)
        scheme, separator, _ = text.partition("://")
        if separator and scheme.lower() not in ("https", "file"):
            raise ConfigError(
                f"Repositories are fetched over https or from this machine, and not over {scheme!r}; give an "
                "'https://' address or a path."
            )
        if scheme.lower() == "https" and separator:
            shown, credentials = _apart(text)
        else:
            path = path_in(text) if separator else os.path.abspath(os.path.expanduser(text))
            shown, credentials = f"file://{quote(path)}", ""
        return cls(shown, _revision(rev), _folder(subdir), credentials)

    @classmethod
    def parse(cls, address: str, folder: Path | None = None) -> GitAddress:
        """The parts of an address like 'git+https://host/repository@revision#folder'.

        Args:
            address: The address. An "@" that is part of the repository's own path is written as "%40".
            folder: Where a relative path ("git+file:repository") starts; None for the current directory.

        Raises:
            ConfigError: It is no such address.
        """
        url, _, subdir = address[len(_PREFIX) :].partition("#")
        scheme, _, rest = url.partition(":")
        start = rest.find("/", 2) + 1 if rest.startswith("//") else 0  # an "@" before it is that of a user
        place, separator, rev = rest[start:].rpartition("@")
        if not separator:
            place, rev = rev, HEAD
        place = rest[:start] + place
        if scheme.lower() == "file" and not place.startswith("//"):
            if not place:
                raise ConfigError(f"The address {address!r} names no repository; write {_EXAMPLE}.")
            return cls.of(os.path.join(folder or Path(), unquote(place)), unquote(rev), unquote(subdir))
        return cls.of(f"{scheme}:{place}", unquote(rev), unquote(subdir))

    @property
    def protocol(self) -> str:
        """How it is fetched: "https" or "file"."""
        return self.url.partition(":")[0]

    @property
    def is_pinned(self) -> bool:
        """Whether the revision can never be another one."""
        return bool(_COMMIT.fullmatch(self.rev))

    @property
    def is_short_id(self) -> bool:
        """Whether the revision looks like the beginning of a commit id."""
        return not self.is_pinned and bool(_SHORT.fullmatch(self.rev))

    @property
    def identity(self) -> str:
        """The address, without credentials."""
        rev = "" if self.rev == HEAD else f"@{quote(self.rev)}"
        subdir = f"#{quote(self.subdir)}" if self.subdir else ""
        return f"{_PREFIX}{self.url}{rev}{subdir}"


def _apart(url: str) -> tuple[str, str]:
    """An address without its credentials, and these. No sentence repeats the address, which may hold them."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise ConfigError(f"The address of the repository is malformed; write {_EXAMPLE}.") from None
    user, _, place = parts.netloc.rpartition("@")
    if not host or not parts.path.strip("/") or _ODD.search(url):
        raise ConfigError(f"The address of the repository names no host and path; write {_EXAMPLE}.")
    if parts.query or parts.fragment:
        raise ConfigError(
            f"The address of a repository on {place!r} has a '?' or a '#' within its path, which git does "
            f"not take; write {_EXAMPLE}."
        )
    name, _, password = user.partition(":")
    return f"https://{place}{parts.path}", f"{unquote(name)}:{unquote(password)}" if user else ""


def _revision(rev: str) -> str:
    lowered = rev.lower()
    if _COMMIT.fullmatch(lowered):
        return lowered
    if _NO_REVISION.search(rev):
        raise ConfigError(
            f"{rev!r} is no revision; give a branch, a tag, or the 40 characters of a commit id."
        )
    return rev


def _folder(subdir: str) -> str:
    if "\n" in subdir:
        raise ConfigError(f"The folder {subdir!r} has a line break in its name; choose another one.")
    return folder_within(subdir)
