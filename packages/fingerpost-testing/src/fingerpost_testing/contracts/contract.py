"""What all contracts have in common: a folder for each test, and an end to what was made in it."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Protocol, TypeVar

_SECRETS = ("secret", "secret.md", "secret.txt", "secret.json")


class Closable(Protocol):
    """Something that is closed after the test."""

    def close(self) -> None:
        """Close it."""
        ...


Made = TypeVar("Made", bound=Closable)


class Contract:
    """A class of tests to inherit from. It needs no test runner: see `run_contract`."""

    _around: tempfile.TemporaryDirectory[str] | None = None

    def setup_method(self) -> None:
        """Begin a test."""
        self._around = None
        self._made: list[Closable] = []

    def teardown_method(self) -> None:
        """Close what was made, and remove the folder."""
        for each in reversed(self._made):
            with contextlib.suppress(Exception):  # a test of its own says what is wrong with close()
                each.close()
        if self._around is not None:
            self._around.cleanup()

    @property
    def folder(self) -> Path:
        """A folder of the test under way, empty at first, for whatever keeps its data in files."""
        if (
            self._around is None
        ):  # made when it is asked for, because removing it takes longer than most tests
            self._around = tempfile.TemporaryDirectory(prefix="contract-", ignore_cleanup_errors=True)
            Path(self._around.name, "top", "folder").mkdir(parents=True)
        return Path(self._around.name, "top", "folder")

    def closed_later(self, made: Made) -> Made:
        """Something that is closed after the test."""
        self._made.append(made)
        return made

    def paths_to_secrets(self) -> list[str]:
        """Paths by which something careless would reach files outside of the folder, which lie there now."""
        for place in (self.folder.parent, self.folder.parent.parent):
            for name in _SECRETS:
                (place / name).write_text("A secret that lies outside.", encoding="utf-8")
        up = [f"{way}{name}" for way in ("../", "../../", "x/../../") for name in _SECRETS]
        secret = str(self.folder.parent / _SECRETS[0])
        return [*up, secret, f"{secret}.md", f"file://{secret}"]
