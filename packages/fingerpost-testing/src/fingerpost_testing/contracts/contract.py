"""What all contracts have in common: a folder for each test, and an end to what was made in it."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import Protocol, TypeVar

_OUTSIDE = "A secret that lies outside."


class Closable(Protocol):
    """Something that is closed after the test."""

    def close(self) -> None:
        """Close it."""
        ...


Made = TypeVar("Made", bound=Closable)


class Contract:
    """A class of tests to inherit from. It needs no test runner: see `run_contract`.

    Attributes:
        folder: An empty folder of the test under way, for whatever keeps its data in files.
    """

    folder: Path

    def setup_method(self) -> None:
        """Make the folder, and beside it a file that nothing may reach."""
        self._around = tempfile.TemporaryDirectory(prefix="contract-", ignore_cleanup_errors=True)
        self._made: list[Closable] = []
        self.folder = Path(self._around.name, "top", "folder")
        self.folder.mkdir(parents=True)
        for place in (self.folder.parent, self.folder.parent.parent):
            for name in ("secret", "secret.md", "secret.txt", "secret.json"):
                (place / name).write_text(_OUTSIDE, encoding="utf-8")

    def teardown_method(self) -> None:
        """Close what was made, and remove the folder."""
        for each in reversed(self._made):
            with contextlib.suppress(Exception):  # a test of its own says what is wrong with close()
                each.close()
        self._around.cleanup()

    def closed_later(self, made: Made) -> Made:
        """Something that is closed after the test."""
        self._made.append(made)
        return made

    def paths_to_secrets(self) -> list[str]:
        """Paths by which something careless would reach a file outside of the folder."""
        secret = str(self.folder.parent / "secret.md")
        up = [
            f"{way}secret{end}"
            for way in ("../", "../../", "x/../../")
            for end in ("", ".md", ".txt", ".json")
        ]
        return [*up, secret, secret.removesuffix(".md"), f"file://{secret}"]
