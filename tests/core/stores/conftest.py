"""What the tests of the stores share: folders, the ways to confine them, a clock, a lack of privileges."""

from __future__ import annotations

import ctypes
import datetime
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import pytest
import time_machine

from fingerpost.stores import LocalDocumentStore, roots
from tests.core.stores.following import Mount

CONFINEMENTS: dict[str, roots.RootOpener] = {
    "openat2": roots.open_descriptor_root,
    "steps": partial(roots.open_descriptor_root, use_openat2=False),
    "paths": roots.open_path_root,
}


def _confine(monkeypatch: pytest.MonkeyPatch, way: str) -> str:
    monkeypatch.setattr("fingerpost.stores.local.strongest", lambda: CONFINEMENTS[way])
    return way


@pytest.fixture(params=["openat2", "steps"])
def confinement(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each of the two ways that hold also while links are swapped."""
    return _confine(monkeypatch, request.param)


@pytest.fixture(params=list(CONFINEMENTS))
def any_confinement(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each way, that for systems without descriptors of folders included."""
    return _confine(monkeypatch, request.param)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty root folder."""
    root = tmp_path / "kb"
    root.mkdir()
    return root


@pytest.fixture
def aged() -> Iterator[None]:
    """A clock by which every file that the test writes is older than two seconds."""
    later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=60)
    with time_machine.travel(later, tick=True):
        yield


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A root folder that every user can reach, unlike pytest's own."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    root = top / "kb"
    root.mkdir()
    yield root
    subprocess.run(["chmod", "-R", "u+rwx", top], check=True)
    shutil.rmtree(top)


@pytest.fixture
def unprivileged() -> Callable[[], AbstractContextManager[None]]:
    """A context in which permissions count: the super-user's thread accesses files as somebody else."""

    @contextmanager
    def context() -> Generator[None]:
        if os.geteuid() != 0:
            yield
            return
        library = ctypes.CDLL(None)
        library.setfsuid(65534)
        try:
            yield
        finally:
            library.setfsuid(0)

    return context


@pytest.fixture
def store(folder: Path) -> Iterator[LocalDocumentStore]:
    """A store of three files."""
    for name in ("a/x.md", "a/deep/y.md", "z.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"old")
    with LocalDocumentStore(folder) as store:
        yield store


@pytest.fixture
def mount() -> Iterator[Mount]:
    """Mounts something, and takes it off after the test."""
    places: list[str | Path] = []

    def mount(*words: str | Path) -> None:
        done = subprocess.run(["mount", *words], check=False, capture_output=True)
        if done.returncode != 0:
            pytest.skip("this user may not mount anything")
        places.append(words[-1])

    yield mount
    for place in reversed(places):
        subprocess.run(["umount", place], check=False, capture_output=True)
