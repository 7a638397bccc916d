"""What the tests of following a folder share."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from fingerpost.stores import (
    Changes,
)

NFS = 0x6969


def on_a_server(_descriptor: int) -> int:
    """The kind of file system of whatever is asked for."""
    return NFS


def refuse(code: int) -> Callable[..., int]:
    """A system call that always fails."""

    def call(*_arguments: object) -> int:
        raise OSError(code, os.strerror(code))

    return call


def seen(changes: Changes) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return changes.changed, changes.removed


def open_descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def listed_folders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the folders that are listed from now on."""
    scandir, listed = os.scandir, list[str]()

    def noting(descriptor: int) -> object:
        listed.append(os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}")))
        return scandir(descriptor)

    monkeypatch.setattr(os, "scandir", noting)
    return listed


def watches() -> int:
    """How many folders and files this process watches."""
    count = 0
    for number in os.listdir("/proc/self/fdinfo"):
        with contextlib.suppress(OSError):
            count += Path(f"/proc/self/fdinfo/{number}").read_text().count("inotify wd:")
    return count


def change_mode(path: Path, mode: int) -> None:
    """What the owner does, who is a process of its own with all its rights."""
    subprocess.run(["chmod", f"{mode:o}", path], check=True)


class Mount(Protocol):
    """Mounts something."""

    def __call__(self, *words: str | Path) -> None: ...
