"""A shell for the tests: commands in a process of their own, over bundles and packages made on the spot."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.repo.sources import ENVIRONMENT_PATHS


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        """The lines of standard output."""
        return self.out.splitlines()


Shell = Callable[..., Outcome]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def environment(**variables: str) -> dict[str, str]:
    """The environment of a process that sees this checkout's packages."""
    inherited = {
        name: os.environ[name] for name in ("PATH", "HOME", "FINGERPOST_CACHE") if name in os.environ
    }
    return {**inherited, "PYTHONPATH": os.pathsep.join(ENVIRONMENT_PATHS), **variables}


def command_line(*words: str) -> list[str]:
    """The command `fingerpost` as a list of arguments for a process."""
    return [sys.executable, "-m", "fingerpost", *words]


def process(*words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    return subprocess.run(
        command_line(*words), env=environment(**variables), capture_output=True, timeout=60, check=False
    )


def write_files(folder: Path, files: Mapping[str, str]) -> str:
    """Write files below a folder, and return it as text."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return str(folder)


def concept(title: str, body: str = "", *, type_: str = "Note", more: str = "") -> str:
    """The text of a concept."""
    return f"---\ntype: {type_}\ntitle: {json.dumps(title)}\n{more}---\n\n{body}\n"


def write_plug_in(
    folder: Path,
    package: str,
    entry_points: Mapping[str, str],
    modules: Mapping[str, str],
    group: str = "fingerpost.commands",
) -> None:
    """Write a package as if it were installed: its modules, and metadata that offers entry points."""
    write_files(folder, {f"{name}.py": source for name, source in modules.items()})
    points = "\n".join(f"{name} = {value}" for name, value in entry_points.items())
    write_files(
        folder / f"{package.replace('-', '_')}-1.0.dist-info",
        {
            "METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n",
            "entry_points.txt": f"[{group}]\n{points}\n",
        },
    )
