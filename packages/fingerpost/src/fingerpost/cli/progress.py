"""The line that shows how far long work has come."""

from __future__ import annotations

import sys
from time import monotonic

_SECONDS_BEFORE, _SECONDS_BETWEEN = 0.5, 0.1
_WIDTH = 24
_BAR = "#" * _WIDTH


class Progress:
    """One line on a terminal about work that takes long; nothing anywhere else.

    Args:
        work: What is done, such as "files checked:".
    """

    def __init__(self, work: str) -> None:
        self._work = work
        self._next = monotonic() + _SECONDS_BEFORE
        self._on_terminal = sys.stderr.isatty()
        self._shown = False

    def show(self, done: int, total: int) -> None:
        """Say how far the work is, unless it has said so just now."""
        if not self._on_terminal or monotonic() < self._next:
            return
        self._next = monotonic() + _SECONDS_BETWEEN
        self._shown = True
        bar = _BAR[: _WIDTH * done // max(total, 1)].ljust(_WIDTH, ".")
        self._write(f"\r{bar} {self._work} {done:,} of {total:,}")

    def clear(self) -> None:
        """Take the line away again."""
        if self._shown:
            self._write("\r\x1b[K")

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
