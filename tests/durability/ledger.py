"""What a process says of the files that it writes, and whether they are what it said.

Before each write it says what is to be, and after it that it is done; so what may lie at a path is known at
every moment, also when the process is killed, or the power fails.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping

from fingerpost.stores import LocalDocumentStore
from tests.durability.whole import digest, torn


class SayingStore(LocalDocumentStore):
    """A folder whose writes are told on standard output; what was written to a pipe outlives the process."""

    def write_bytes(self, path: str, data: bytes) -> None:
        """See `DocumentStore.write_bytes`."""
        _say(path, data)
        super().write_bytes(path, data)
        _say(path, data, "done")

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        """See `DocumentStore.swap_bytes`."""
        _say(path, new)
        super().swap_bytes(path, old, new)
        _say(path, new, "done")

    def delete(self, path: str) -> None:
        """See `DocumentStore.delete`."""
        _say(path, None)
        super().delete(path)
        _say(path, None, "done")


def _say(path: str, data: bytes | None, what: str = "begins") -> None:
    os.write(1, f"{json.dumps([what, path, '' if data is None else digest(data)])}\n".encode())


class Ledger:
    """What was said of each file so far.

    Attributes:
        done: How many writes were acknowledged.
        is_writing: Whether a write was begun, and not acknowledged.
    """

    def __init__(self) -> None:
        self.done = 0
        self.is_writing = False
        self._said: dict[str, str] = {}
        self._possible: dict[str, set[str]] = {}

    def hear(self, lines: Iterable[bytes]) -> None:
        """Note what a process said, whole lines alone."""
        for line in lines:
            if not line.endswith(b"\n"):
                continue
            what, path, said = json.loads(line)
            self.is_writing = what == "begins"
            if self.is_writing:
                self._possible.setdefault(path, set()).add(said)
            else:
                self.done += 1
                self._said[path] = said
                self._possible.pop(path, None)

    def settle(self, files: Mapping[str, bytes]) -> None:
        """Take what lies there for what was written: whoever died will not write any more."""
        for path in self._possible:
            self._said[path] = digest(files[path]) if path in files else ""
        self._possible.clear()
        self.is_writing = False

    def faults(self, files: Mapping[str, bytes]) -> Iterator[str]:
        """What is not as it was said, one sentence each.

        Args:
            files: The contents of all files that are not hidden, by path.
        """
        for path in sorted({*self._said, *files}):
            found = digest(files[path]) if path in files else ""
            said = self._said.get(path, "")
            if found == said or found in self._possible.get(path, ()):
                continue
            if path not in files:
                yield f"{path} is lost, which was acknowledged as {said}."
            elif damage := torn(files[path]):
                yield f"{path} is torn: {damage}."
            else:
                yield f"{path} is {found}, and was acknowledged as {said or 'removed'}."
