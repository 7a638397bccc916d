"""Places that can change though no folder of the tree tells so: links, and files with several names."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fingerpost.stores.cursor import YOUNG, joined
from fingerpost.stores.roots import OpenRoot
from fingerpost.stores.signatures import is_young, version_of


@dataclass(slots=True)
class Link:
    """What was found at a place that has to be looked at again.

    Attributes:
        is_followed: Whether a symbolic link lies there, and what counts is where it leads.
        outcome: What was found, as a text; ends in "~" when it may change unnoticed.
        is_settled: Whether it can change only when some folder of the tree tells of something.
    """

    is_followed: bool
    outcome: str
    is_settled: bool = False


class Links:
    """The links of a tree, by folder and name.

    Attributes:
        are_restless: Whether any has to be looked at in each call.
    """

    def __init__(self) -> None:
        self.are_restless = False
        self._links: dict[str, dict[str, Link]] = {}

    def get(self, folder: str, name: str) -> Link | None:
        """The link of that name."""
        return self._links.get(folder, {}).get(name)

    def add(self, folder: str, name: str, found: os.stat_result, now_ns: int) -> None:
        """Look again at a file that has several names, or is mounted."""
        self._links.setdefault(folder, {})[name] = Link(False, outcome_of(found, now_ns))

    def add_followed(self, folder: str, name: str, found: os.stat_result | OSError, now_ns: int) -> None:
        """Look again at where a symbolic link leads."""
        self._links.setdefault(folder, {})[name] = Link(True, outcome_of(found, now_ns))

    def forget(self, folder: str, names: Iterable[str]) -> None:
        """Look no longer at some names in a folder."""
        links = self._links.get(folder)
        if links is None:
            return
        for name in names:
            links.pop(name, None)
        if not links:
            del self._links[folder]

    def drop(self, folder: str) -> None:
        """Look no longer at anything in a folder."""
        self._links.pop(folder, None)

    def settle(self, is_settled: Callable[[str, str], bool]) -> None:
        """Find out which links can change only when some folder tells of something.

        Args:
            is_settled: Whether that is so for the symbolic link of a name in a folder.
        """
        self.are_restless = False
        for folder, links in self._links.items():
            for name, link in links.items():
                link.is_settled = link.is_followed and is_settled(folder, name)
                self.are_restless = self.are_restless or not link.is_settled

    def stirred(self, root: OpenRoot, *, settled_too: bool) -> Iterator[tuple[str, str]]:
        """The folder and name of each link that is not what it was, or may be so unnoticed."""
        for folder, links in self._links.items():
            for name, link in links.items():
                if link.is_settled and not settled_too:
                    continue
                path = joined(folder, name)
                try:
                    found = root.stat(path) if link.is_followed else root.lstat(path)
                except OSError as error:
                    now = _failure(error)
                else:
                    now = _sight(found)
                if now != link.outcome:
                    yield folder, name


def outcome_of(found: os.stat_result | OSError, now_ns: int) -> str:
    """What tells the states of a linked place apart."""
    if isinstance(found, OSError):
        return _failure(found)
    young = stat.S_ISREG(found.st_mode) and is_young(found, now_ns)
    return _sight(found) + YOUNG if young else _sight(found)


def _sight(found: os.stat_result) -> str:
    """A file by its version; a folder by its identity alone, since what is in it has its own events."""
    if stat.S_ISREG(found.st_mode):
        return version_of(found)
    return f"{stat.S_IFMT(found.st_mode)} {found.st_dev} {found.st_ino}"


def _failure(error: OSError) -> str:
    return f"errno {error.errno}"
