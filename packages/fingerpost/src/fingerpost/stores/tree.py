"""One walk over a root folder: the files with what tells their versions apart, and what is left out."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from fingerpost.stores.base import Changes, Cursor, Skipped, hidden_entries
from fingerpost.stores.confined import MAX_PATH_BYTES
from fingerpost.stores.roots import Entry, OpenRoot

MAX_DEPTH = 64
MAX_FOLDER_BYTES = MAX_PATH_BYTES - 256  # so that the path of each file in it can be opened
MAX_SKIPPED_PER_RULE = 100
MAX_ENTRIES_THROUGH_LINKS = 100_000
YOUNG_NS = 2_000_000_000
_HIDDEN_EXAMPLES = 3

Mark: TypeAlias = tuple[int, int, int, int, str]
"""Size, mtime_ns, ctime_ns, inode, and "~" when the file was young as it was examined."""

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}

_VANISHED = {errno.ENOENT, errno.ENOTDIR}
_LINK_FAILURES = {
    errno.EXDEV: ("OKF402", "the link leaves the root folder, or is absolute"),
    errno.ELOOP: ("OKF406", "the link runs in a circle, or through too many links"),
    errno.ENOENT: ("OKF404", "the link leads to nothing"),
    errno.ENOTDIR: ("OKF404", "the link leads to nothing"),
}


def mark(found: os.stat_result, now_ns: int) -> Mark:
    """What tells a file's versions apart.

    A file is young within two seconds of its last change: a second write within one tick of the file system's
    clock could then leave size and times as they are, so a young file counts as changed once more when it has
    aged. A change time in the far future comes from a clock that was set back, and makes no file young.
    """
    young = "~" if abs(now_ns - found.st_ctime_ns) < YOUNG_NS else ""
    return (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, young)


def signature(of: Mark | str) -> str:
    """A mark as text; a text is one already."""
    if isinstance(of, str):
        return of
    size, mtime_ns, ctime_ns, inode, young = of
    return f"{size}-{mtime_ns}-{ctime_ns}-{inode}{young}"


class _TreeCursor(Mapping[str, str]):
    """A cursor that writes a signature only when asked: comparing marks is cheaper than writing them."""

    def __init__(self, marks: Mapping[str, Mark | str]) -> None:
        self.marks = marks

    def __getitem__(self, path: str) -> str:
        return signature(self.marks[path])

    def __iter__(self) -> Iterator[str]:
        return iter(self.marks)

    def __len__(self) -> int:
        return len(self.marks)


class Tree:
    """What one walk found.

    Args:
        root: The root folder; needed while the walk lasts, which is until the constructor returns.

    Attributes:
        marks: The mark of each served file by its path.

    Raises:
        OSError: The root folder itself cannot be listed.
    """

    def __init__(self, root: OpenRoot) -> None:
        self.marks: dict[str, Mark] = {}
        self._root = root
        self._young: list[str] = []
        self._unread: list[str] = []
        self._skipped: list[Skipped] = []
        self._skipped_counts: Counter[str] = Counter()
        self._hidden = 0
        self._hidden_examples: list[str] = []
        self._entries_left_through_links = MAX_ENTRIES_THROUGH_LINKS
        # Each pending folder: its path, its ancestors' identities (root first), whether a link led there.
        self._pending: list[tuple[str, tuple[tuple[int, int], ...], bool]] = [("", (), False)]
        while self._pending:
            self._visit(*self._pending.pop())

    def since(self, cursor: Cursor | None) -> Changes:
        """The tree as changes since an earlier state."""
        marks: Mapping[str, Mark | str] = self.marks
        before: Mapping[str, Mark | str] = {}
        if cursor is None:
            changed = set(marks)
        elif isinstance(cursor, _TreeCursor):
            before = cursor.marks
            if before == marks and not self._young:
                return Changes(cursor, (), (), complete=not self._unread, skipped=self._all_skipped())
            changed = {path for path, at in marks.items() if before.get(path) != at}
        else:
            before = cursor
            changed = {path for path, at in marks.items() if before.get(path) != signature(at)}
        changed.update(self._young)
        gone = before.keys() - marks.keys()
        kept = {path for path in gone if self._is_unread(path)}
        if kept:
            marks = {**marks, **{path: before[path] for path in kept}}
        return Changes(
            cursor=_TreeCursor(marks),
            changed=tuple(sorted(changed)),
            removed=tuple(sorted(gone - kept)),
            complete=not self._unread,
            skipped=self._all_skipped(),
        )

    def _visit(self, folder: str, ancestors: tuple[tuple[int, int], ...], through_link: bool) -> None:
        if len(ancestors) > MAX_DEPTH:
            self._skip(folder, "OKF406", f"the folder lies more than {MAX_DEPTH} folders deep")
            return
        if len(folder.encode()) > MAX_FOLDER_BYTES:
            self._skip(folder, "OKF406", f"the folder's path is longer than {MAX_FOLDER_BYTES:,} bytes")
            return
        if through_link and self._entries_left_through_links <= 0:
            limit = f"{MAX_ENTRIES_THROUGH_LINKS:,}"
            self._skip(
                folder,
                "OKF406",
                f"linked folders hold more than {limit} entries, counted by way of each link",
            )
            return
        known = len(self.marks) + len(self._pending)
        try:
            with self._root.listing(folder or ".") as (found, entries):
                identity = (found.st_dev, found.st_ino)
                if identity in ancestors:
                    self._skip(folder, "OKF406", "the link leads back to a folder that it lies in")
                    return
                self._read_entries(folder, entries, (*ancestors, identity), through_link)
        except OSError as error:
            if not folder:
                raise
            if error.errno not in _VANISHED:
                self._fail(folder, error)
        if through_link:
            self._entries_left_through_links -= 1 + len(self.marks) + len(self._pending) - known

    def _read_entries(
        self,
        folder: str,
        entries: Iterator[Entry],
        ancestors: tuple[tuple[int, int], ...],
        through_link: bool,
    ) -> None:
        prefix = f"{folder}/" if folder else ""
        marks = self.marks
        now = time.time_ns()
        young_since = now - YOUNG_NS
        for entry in entries:
            name = entry.name
            if name[0] == ".":
                self._hide(prefix + name)
                continue
            if not name.isascii() or "\\" in name:
                name = self._readable_name(prefix, name)
                if not name:
                    continue
            path = prefix + name
            try:
                found = entry.stat(follow_symlinks=False)
            except OSError as error:
                if error.errno not in _VANISHED:
                    self._fail(path, error)
                continue
            kind = found.st_mode & 0o170000
            if kind == 0o100000:
                changed_ns = found.st_ctime_ns
                if changed_ns > young_since:
                    self._add(path, mark(found, now))
                else:
                    marks[path] = (found.st_size, found.st_mtime_ns, changed_ns, found.st_ino, "")
            elif kind == stat.S_IFDIR:
                self._pending.append((path, ancestors, through_link))
            elif kind == stat.S_IFLNK:
                self._follow(path, ancestors, now)
            else:
                self._skip(path, "OKF403", f"it is {KINDS.get(kind, 'no regular file')}")

    def _follow(self, path: str, ancestors: tuple[tuple[int, int], ...], now: int) -> None:
        try:
            target = self._root.stat(path)
        except OSError as error:
            if error.errno in _LINK_FAILURES:
                self._skip(path, *_LINK_FAILURES[error.errno])
            else:
                self._fail(path, error)
            return
        kind = stat.S_IFMT(target.st_mode)
        if kind == stat.S_IFREG:
            self._add(path, mark(target, now))
        elif kind == stat.S_IFDIR:
            self._pending.append((path, ancestors, True))
        else:
            self._skip(path, "OKF403", f"the link leads to {KINDS.get(kind, 'no regular file')}")

    def _add(self, path: str, at: Mark) -> None:
        self.marks[path] = at
        if at[4]:
            self._young.append(path)

    def _readable_name(self, prefix: str, name: str) -> str:
        """The name as UTF-8 whatever the locale, or "" when it cannot be served."""
        encoded = os.fsencode(name)
        try:
            name = encoded.decode()
        except UnicodeDecodeError:
            shown = encoded.decode(errors="backslashreplace")
            self._skip(prefix + shown, "OKF404", "its name is not valid UTF-8")
            return ""
        if "\\" in name:
            self._skip(prefix + name, "OKF404", "its name holds a backslash, which cannot be part of a path")
            return ""
        return name

    def _hide(self, path: str) -> None:
        self._hidden += 1
        self._hidden_examples.append(path)
        if len(self._hidden_examples) > MAX_SKIPPED_PER_RULE:
            self._hidden_examples = sorted(self._hidden_examples)[:_HIDDEN_EXAMPLES]

    def _fail(self, path: str, error: OSError) -> None:
        """Something that may hold files could not be examined."""
        self._unread.append(path)
        self._skip(path, "OKF404", f"it cannot be read ({error.strerror})")

    def _skip(self, path: str, code: str, what: str) -> None:
        self._skipped_counts[code] += 1
        if self._skipped_counts[code] <= MAX_SKIPPED_PER_RULE:
            self._skipped.append(Skipped(path, code, f"{path!r} is left out: {what}."))

    def _all_skipped(self) -> tuple[Skipped, ...]:
        entries = sorted(self._skipped, key=lambda entry: (entry.path, entry.code))
        if self._hidden:
            entries.append(hidden_entries(self._hidden, sorted(self._hidden_examples)[:_HIDDEN_EXAMPLES]))
        for code, count in sorted(self._skipped_counts.items()):
            if (more := count - MAX_SKIPPED_PER_RULE) > 0:
                entries.append(Skipped("", code, f"{more:,} more are left out for the same reason.", more))
        return tuple(entries)

    def _is_unread(self, path: str) -> bool:
        return any(path == unread or path.startswith(f"{unread}/") for unread in self._unread)
