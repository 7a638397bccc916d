"""What lies in a folder and is not served: kept by folder and name, so that each remark can be taken back."""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Collection
from heapq import nsmallest

from fingerpost.stores.base import Skipped, hidden_entries
from fingerpost.stores.cursor import count_in, joined, paths_in, updated

MAX_SKIPPED_PER_RULE = 100
MAX_REMARKS = 10_000
_HIDDEN_EXAMPLES = 3


class Remarks:
    """The remarks on a tree of folders.

    Attributes:
        unread: The names in each folder that may hold files and could not be examined.
        is_full: Whether some remarks were only counted, so that they cannot be taken back.
    """

    def __init__(self) -> None:
        self.unread: dict[str, set[str]] = {}
        self.is_full = False
        self._skipped: dict[str, dict[str, tuple[str, str, str]]] = {}  # rule, path as shown, what it is
        self._kept = 0
        self._counted: Counter[str] = Counter()
        self._hidden: dict[str, str] = {}  # listings without signatures
        self._summed_up: tuple[Skipped, ...] | None = None

    def skip(self, folder: str, name: str, code: str, what: str, shown: str = "") -> None:
        """Remark on an entry under a rule."""
        self._summed_up = None
        if self._kept >= MAX_REMARKS:
            self._counted[code] += 1
            self.is_full = True
            return
        self._kept += 1
        self._skipped.setdefault(folder, {})[name] = (code, shown or joined(folder, name), what)

    def fail(self, folder: str, name: str, error: OSError) -> None:
        """Remark on something that may hold files and could not be examined, or has too long a path."""
        if error.errno == errno.ENAMETOOLONG:
            self.skip(folder, name, "OKF406", "its path is longer than this system can open")
            return
        self.unread.setdefault(folder, set()).add(name)
        self.skip(folder, name, "OKF404", f"it cannot be read ({error.strerror})")

    def hide(self, folder: str, names: Collection[str]) -> None:
        """Remark on hidden entries."""
        self._summed_up = None
        self._hidden[folder] = updated(self._hidden.get(folder, ""), dict.fromkeys(names, ""))

    def forget(self, folder: str, names: Collection[str]) -> None:
        """Take back what was said of some names in a folder."""
        skipped, unread = self._skipped.get(folder), self.unread.get(folder)
        for name in names:
            if skipped and skipped.pop(name, None):
                self._kept -= 1
                self._summed_up = None
            if unread:
                unread.discard(name)
        if unread is not None and not unread:
            del self.unread[folder]
        if folder in self._hidden and (hidden := [name for name in names if name.startswith(".")]):
            self._summed_up = None
            self._hidden[folder] = updated(self._hidden[folder], dict.fromkeys(hidden))

    def drop(self, folder: str) -> None:
        """Take back what was said of a folder's entries."""
        skipped = self._skipped.pop(folder, None)
        hidden = self._hidden.pop(folder, None)
        self.unread.pop(folder, None)
        if skipped or hidden:
            self._kept -= len(skipped or ())
            self._summed_up = None

    def unread_paths(self) -> frozenset[str]:
        """The paths that may hold files and could not be examined."""
        return frozenset(joined(folder, name) for folder, names in self.unread.items() for name in names)

    def summed_up(self) -> tuple[Skipped, ...]:
        """All remarks: the first hundred of each rule by path, the rest as one entry with its count."""
        if self._summed_up is None:
            self._summed_up = (*self._first_ones(), *self._hidden_ones(), *self._rest())
        return self._summed_up

    def _by_rule(self) -> dict[str, list[tuple[str, str]]]:
        rules: dict[str, list[tuple[str, str]]] = {}
        for names in self._skipped.values():
            for code, path, what in names.values():
                rules.setdefault(code, []).append((path, what))
        return rules

    def _first_ones(self) -> list[Skipped]:
        first = [
            Skipped(path, code, f"{path!r} is left out: {what}.")
            for code, found in self._by_rule().items()
            for path, what in nsmallest(MAX_SKIPPED_PER_RULE, found)
        ]
        return sorted(first, key=lambda entry: (entry.path, entry.code))

    def _hidden_ones(self) -> list[Skipped]:
        count = sum(map(count_in, self._hidden.values()))
        paths = (path for folder, text in self._hidden.items() for path in paths_in(folder, text))
        return [hidden_entries(count, nsmallest(_HIDDEN_EXAMPLES, paths))] if count else []

    def _rest(self) -> list[Skipped]:
        kept = {code: len(found) for code, found in self._by_rule().items()}
        rest = Counter({code: max(count - MAX_SKIPPED_PER_RULE, 0) for code, count in kept.items()})
        return [
            Skipped("", code, f"{more:,} more are left out for the same reason.", more)
            for code, more in sorted((rest + self._counted).items())
        ]


def hidden_part(path: str) -> str:
    """The path up to its first hidden segment: a hidden folder counts once, whatever it holds."""
    start = 0 if path.startswith(".") else path.index("/.") + 1
    end = path.find("/", start)
    return path if end < 0 else path[:end]
